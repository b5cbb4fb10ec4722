//! The inputs and the outputs of an order.

use crate::reading::{OperationId, Reading};
use payframe_money::Amount;

/// What happens to an order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Input {
    /// The buyer wants to pay: for the first time, again after a refusal, or in another tab.
    AttemptWanted,
    /// `POST /orders/build` of this attempt has answered. Pass it before the form is shown.
    AttemptOpened(u32),
    /// `POST /build/cancel` of this attempt has answered; or the session is dead (`PS0061`), or the shop knows no session of it.
    AttemptClosed(u32),
    /// The buyer is back at the shop. The parameters of the return page are not used.
    ReturnPage,
    /// A notification arrived, with any content.
    Notification,
    /// The event feed names the order.
    Feed,
    /// `GET /orders/{orderId}` has answered the request with this ticket. 404 is an empty [`Reading`].
    Read {
        /// The ticket of the [`Output::Ask`] that this answers.
        ticket: u32,
        /// The answer.
        reading: Reading,
    },
    /// The request got no answer.
    ReadFailed {
        /// The ticket of the [`Output::Ask`].
        ticket: u32,
    },
    /// The request got an answer that [`Reading::parse`] refuses.
    ReadUnreadable {
        /// The ticket of the [`Output::Ask`].
        ticket: u32,
    },
    /// The shop's time limit for the payment has passed.
    TimeOut,
    /// A person at the shop decides.
    Staff(Staff),
}

/// What a person at the shop can decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Staff {
    /// Cancel the order, and refund everything that was paid.
    Cancel,
    /// Read the order again, and count the reads from the beginning.
    LookAgain,
}

/// An action to carry out. Each can be carried out twice without harm, with the idempotency key that is named here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Output {
    /// Call `POST /orders/build`, then pass [`Input::AttemptOpened`]. Only for a caller that waits for it: it is not carried out later.
    OpenAttempt(u32),
    /// Show the form of this attempt. Without this output the form must not be shown.
    ShowForm(u32),
    /// Make no attempt; tell the buyer why.
    RefuseAttempt(PaymentUnavailable),
    /// Call `POST /build/cancel`, then pass [`Input::AttemptClosed`]. A completed payment does not change. Key: order and attempt.
    CloseAttempt(u32),
    /// Ship, grant, send: once for each order. Key: the order.
    Fulfil,
    /// Release the stock: once for each order, and never together with [`Output::Fulfil`]. Key: the order.
    ReleaseStock,
    /// Read the order after this number of seconds. Replaces the previous request.
    Ask {
        /// The ticket to pass with the answer.
        ticket: u32,
        /// Seconds from now.
        seconds: u32,
    },
    /// `POST /operations/{operationId}/refunds` with this amount: of a second charge, or of everything. Key: the operation.
    GiveBack {
        /// The payment to refund.
        operation: OperationId,
        /// The amount to refund.
        amount: Amount,
    },
    /// A person has to look at the order, for this reason. Repeated only after another reason.
    CallPerson(Cause),
}

/// Why no form is shown for an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PaymentUnavailable {
    /// The order is paid, in whole or in part.
    AlreadyPaid,
    /// The order is refunded, given up, or about to be.
    NotForSale,
    /// The issuer has not decided about the last attempt.
    Undecided,
    /// A person has to look at the order.
    NeedsPerson,
    /// Too many attempts are open.
    TooManyAttempts,
}

/// Why a person has to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// A payment stays pending.
    Undecided,
    /// Money that has to be refunded is not refunded.
    NotGivenBack,
    /// The money of one payment is more than the order costs.
    TooMuch,
    /// The held money is less than the order costs.
    TooLittle,
    /// Money arrived after the stock was released. It is refunded.
    PaidAfterRelease,
    /// The goods are shipped, and no payment is known.
    FulfilledUnpaid,
    /// The gateway's answer cannot be understood: another currency, a result that is not in the contract, impossible totals.
    Unreadable,
}
