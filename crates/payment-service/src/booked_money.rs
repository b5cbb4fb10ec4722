//! The amount and the capture type that an operation is recorded with (contract 2.4).

use payframe_money::Amount;
use payframe_payment_domain::operation::{ActionType, Capture};

/// The recorded amount of an operation: zero for a verification, because it moves no money (contract 2.4).
pub(crate) fn booked_amount(action: ActionType, amount: Amount) -> Amount {
    if action == ActionType::Verify {
        Amount::ZERO
    } else {
        amount
    }
}

/// When the money of a payment is captured. A pre-authorization is always captured explicitly (contract 2.4).
pub(crate) fn booked_capture(action: ActionType, capture: Capture) -> Capture {
    match action {
        ActionType::PreAuth => Capture::Explicit,
        ActionType::Pay | ActionType::Verify => capture,
    }
}
