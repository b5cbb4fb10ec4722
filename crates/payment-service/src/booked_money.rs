//! What is booked of the money that was asked for (contract 2.4).

use payframe_money::Amount;
use payframe_payment_domain::operation::{ActionType, Capture};

/// What an operation of this action is booked with: a verification moves no money (contract 2.4).
pub(crate) fn booked_amount(action: ActionType, amount: Amount) -> Amount {
    if action == ActionType::Verify {
        Amount::ZERO
    } else {
        amount
    }
}

/// When the money of a payment is taken: of a pre-authorization always later (contract 2.4).
pub(crate) fn booked_capture(action: ActionType, capture: Capture) -> Capture {
    match action {
        ActionType::PreAuth => Capture::Explicit,
        ActionType::Pay | ActionType::Verify => capture,
    }
}
