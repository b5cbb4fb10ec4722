//! What can happen to a session.

use super::{
    Authentication, ChallengeReply, DeviceCheck, Limit, PendingCompletion, StepUp, Verdict,
};
use crate::card::EnteredCard;
use crate::method::Method;
use crate::operation::AuthorizationResult;
use crate::sum::Sum;

/// The two completion calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompletionCall {
    /// `confirm_payment`, version 2.
    Confirm,
    /// `finalize_payment`, version 3.
    Finalize,
}

/// What the issuer says to the outcome of a confirmation by the buyer's device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ConfirmationReply {
    /// The payment goes on with this authentication.
    Passed(Authentication),
    /// The buyer is asked by a page.
    Challenge,
    /// The buyer is not the card's holder.
    Refused,
}

/// What a buyer did on the page of an alternative method.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum MethodReply {
    /// Came back, with this data for the method's operator, who knows the result.
    Returned(String),
    /// Left.
    Cancel,
}

/// What can happen to a session. The ids are new, for an operation that the event may make.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// The buyer pressed the card button.
    CardMethodChosen,
    /// The buyer pressed the button of an alternative method, or the merchant named it.
    MethodChosen {
        /// The method.
        method: &'static Method,
        /// The operation.
        operation_id: String,
    },
    /// Card data was submitted, and is not valid.
    CardRefused {
        /// The operation.
        operation_id: String,
    },
    /// Card data was submitted, and is valid.
    CardAccepted {
        /// The card.
        card: EnteredCard,
        /// Whether its device check is due.
        check: DeviceCheck,
        /// The operation.
        operation_id: String,
    },
    /// The device check of the submission with this number has reported.
    DeviceChecked {
        /// Its number.
        submission: u8,
    },
    /// The form stopped waiting for the device check, and continues without it.
    DeviceCheckSkipped,
    /// The last poll for the device check is used up.
    DeviceCheckGivenUp {
        /// The operation.
        operation_id: String,
    },
    /// A completion call arrived.
    CompletionRequested {
        /// Which of the two.
        completion_call: CompletionCall,
        /// Whether its device check is due.
        check: DeviceCheck,
        /// The verdict on the card.
        verdict: Verdict,
        /// The call.
        call: PendingCompletion,
    },
    /// Version 2: the page of the device check asks for the next step.
    DeviceVerified {
        /// The verdict on the card.
        verdict: Verdict,
    },
    /// The merchant fixed another amount or currency.
    AmountChanged,
    /// The buyer pressed Pay again, after the merchant fixed another sum.
    SumAgreed {
        /// What the form showed.
        sum: Sum,
        /// What the session charges now.
        session: Sum,
    },
    /// The buyer answered the challenge of this operation.
    ChallengeAnswered {
        /// The operation.
        operation_id: String,
        /// What the buyer did.
        reply: ChallengeReply,
    },
    /// The issuer answered to the outcome of the confirmation for this operation.
    ConfirmationAnswered {
        /// The operation.
        operation_id: String,
        /// The answer.
        reply: ConfirmationReply,
    },
    /// The buyer left the challenge, for another card or another attempt.
    ChallengeLeft,
    /// The buyer answered on the page of the alternative method that leads to this operation.
    MethodAnswered {
        /// The operation.
        operation_id: String,
        /// What the buyer did.
        reply: MethodReply,
    },
    /// The issuer, or the method's operator, answered.
    IssuerAnswered {
        /// The answer.
        result: AuthorizationResult,
    },
    /// The issuer declined, because the buyer was not authenticated, and the buyer can be asked.
    AuthenticationDemanded {
        /// The operation that repeats the declined one after the challenge.
        operation_id: String,
    },
    /// The 3-D Secure server answered the question for a challenge that an issuer demanded.
    StepUpAnswered {
        /// The answer. Only a challenge leads to another request for the money.
        answer: StepUp,
    },
    /// The payment is to be cancelled.
    CancelAsked {
        /// The operation.
        operation_id: String,
    },
    /// A limit has passed.
    LimitPassed(Limit),
}
