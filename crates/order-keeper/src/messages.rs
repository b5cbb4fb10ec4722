//! The inputs and the outputs of an order.

use crate::reading::{OperationId, Reading};
use payframe_money::Amount;

/// What happens to an order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Input {
    /// The buyer wants to pay: for the first time, again after a refusal, or in another tab.
    AttemptWanted,
    /// `POST /orders/build` of this attempt has answered. To be passed in before the form is shown.
    AttemptOpened(u32),
    /// `POST /build/cancel` of this attempt has answered; or the session is dead (`PS0061`), or the shop never got a session for it.
    AttemptClosed(u32),
    /// The buyer is back at the shop. The parameters of the return page are not used.
    ReturnPage,
    /// A notification has arrived. Its content is not used.
    Notification,
    /// The event feed names the order.
    Feed,
    /// `GET /orders/{orderId}` has answered the question with this ticket. 404 is an empty [`Reading`].
    Read {
        /// The ticket of the [`Output::Ask`] that this answers.
        ticket: u32,
        /// The answer.
        reading: Reading,
    },
    /// The question got no answer.
    ReadFailed {
        /// Of the [`Output::Ask`].
        ticket: u32,
    },
    /// The question got an answer that [`Reading::parse`] refuses.
    ReadUnreadable {
        /// Of the [`Output::Ask`].
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

/// What has to be done now. Each can be carried out twice without harm, with the key that is named here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Output {
    /// Call `POST /orders/build`, then pass in [`Input::AttemptOpened`]. Only by the request that waits for it: it is not done later.
    OpenAttempt(u32),
    /// The form of this attempt may be shown to the buyer. Without this output it must not be shown.
    ShowForm(u32),
    /// No attempt now; tell the buyer why.
    RefuseAttempt(Refusal),
    /// Call `POST /build/cancel`, then pass in [`Input::AttemptClosed`]. A payment that is complete stays as it is. Key: order and attempt.
    CloseAttempt(u32),
    /// Deliver the goods: once in the life of the order. Key: the order.
    Fulfil,
    /// Release the stock: once in the life of the order, and never together with [`Output::Fulfil`]. Key: the order.
    ReleaseStock,
    /// Read the order after this number of seconds. Replaces the question before it.
    Ask {
        /// To be passed in with the answer.
        ticket: u32,
        /// From now.
        seconds: u32,
    },
    /// `POST /operations/{operationId}/refunds` with this amount: a second charge, or all of it. Key: the operation.
    GiveBack {
        /// The payment.
        operation: OperationId,
        /// How much of it.
        amount: Amount,
    },
    /// A person has to look at the order, for this reason. Repeated only after another reason.
    CallPerson(Cause),
}

/// Why no form is shown for an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Refusal {
    /// It is paid, in whole or in part.
    AlreadyPaid,
    /// It is refunded, given up, or about to be.
    NotForSale,
    /// The issuer has not decided about the last attempt.
    Undecided,
    /// A person looks at it.
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
    /// One payment holds more than the order costs.
    TooMuch,
    /// Less than the order costs is held.
    TooLittle,
    /// Money arrived after the stock was released. It is refunded.
    PaidAfterRelease,
    /// The goods are gone, and no payment is known.
    FulfilledUnpaid,
    /// The gateway's answer can not be understood: another currency, a result that is not in the contract, totals that can not be.
    Unreadable,
}
