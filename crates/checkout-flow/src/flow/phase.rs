//! The phases of a payment in the form.
//!
//! Each phase holds what it needs and nothing else. The transitions are in [`super`].

use super::issuer_frame::IssuerPage;
use super::limits::UNKNOWN_QUESTIONS;
use super::outcome::Verdict;
use crate::decline::Decline;

/// Who makes the completion call that charges the card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CaptureInitiator {
    /// The form itself.
    Frame,
    /// The merchant's server; the form waits for it.
    Server,
    /// The merchant's page does it: the form is finished once the card data is complete.
    Page,
}

/// Why the buyer is back at the fields.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Notice {
    /// No notice.
    None,
    /// The last attempt was refused and another is allowed.
    Refused(Decline),
    /// The gateway did not take some fields.
    FieldsRefused,
    /// No connection; nothing was charged.
    Connection,
    /// A fault of the service; nothing was charged.
    Service,
    /// The sum is another one than at the press; nothing was charged.
    SumChanged,
}

/// What the buyer last asked for, while the form does not know the session's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Intent {
    /// Pressed Pay: if the session is ready, the completion call may be made.
    Pay,
    /// Cancelled: a session that is still open is cancelled.
    GiveUp,
    /// Pressed Pay, and the card data had no answer: this form made no completion call.
    Retry,
    /// The merchant's server or another tab makes the completion call: the form only reads the state.
    Watch,
}

/// The proof of work of one press of Pay: the solution of a puzzle, if the gateway asked for one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ProofOfWork {
    /// How many the gateway has asked for since the press.
    pub asked: u8,
    /// What is sent; empty if none was asked for.
    pub solution: String,
}

/// The phase of a payment. Each holds what it needs and nothing else.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// The page is there, and the state of its session is not read yet.
    Opening,
    /// The buyer chooses a method.
    ChoosingMethod,
    /// The choice of the card is on its way.
    OpeningCard,
    /// The choice of a method that is paid on another page is on its way.
    OpeningElsewhere {
        /// Code of the method.
        method: String,
    },
    /// The buyer pays on the page of a method, at `url`.
    Elsewhere {
        /// Address for the whole browser window.
        url: String,
    },
    /// The buyer enters the card.
    Collecting(Notice),
    /// The card data is on its way.
    Sending {
        /// How often it was tried without an answer.
        tries: u8,
        /// What the gateway asked for before it takes the card.
        proof: ProofOfWork,
    },
    /// The gateway takes the card only with a proof of work, which is being computed.
    Proving {
        /// How many proofs the gateway has asked for since the press.
        asked: u8,
    },
    /// The device check runs unseen at `url`.
    CheckingDevice {
        /// Address for the hidden frame.
        url: String,
        /// Number of the current or the next question.
        question: u8,
        /// Questions in a row that had no answer.
        lost: u8,
    },
    /// Version 2: the payment is confirmed, and its device check runs unseen at `url`.
    Verifying {
        /// Address for the hidden frame; empty until the gateway has told it.
        url: String,
        /// Number of the current or the next question.
        question: u8,
        /// Questions in a row that had no answer.
        lost: u8,
    },
    /// The merchant's server has fixed another sum than the buyer was shown: the buyer reads it and may press Pay.
    Repriced,
    /// The buyer pressed Pay for a sum that the gateway is told.
    Agreeing {
        /// How often it was tried without an answer.
        tries: u8,
    },
    /// The device check did not report in time: the gateway is told that the form goes on without it.
    SkippingDevice {
        /// How often it was tried without an answer.
        tries: u8,
    },
    /// The merchant's server is expected to make the completion call.
    AwaitingServer {
        /// Milliseconds waited so far.
        waited_ms: u32,
    },
    /// The card data is complete. The merchant's page makes the completion call.
    HandedOver,
    /// The completion call is on its way.
    Completing {
        /// How often it was tried without an answer.
        tries: u8,
    },
    /// The issuer's page is open at `url`.
    Challenge {
        /// Address for the nested frame.
        url: String,
        /// What the buyer sees of it.
        page: IssuerPage,
    },
    /// The buyer left the issuer's page; the gateway's answer decides.
    LeavingChallenge {
        /// How often it was tried without an answer.
        tries: u8,
    },
    /// The card is known and nothing is charged yet: the buyer looks over it and presses Pay.
    Reviewing,
    /// The form reads the session's state, because it can not know it.
    Rereading {
        /// How often it was tried without an answer.
        tries: u8,
        /// What the answer is for.
        intent: Intent,
    },
    /// The buyer cancelled; the gateway's answer decides.
    Cancelling {
        /// How often it was tried without an answer.
        tries: u8,
    },
    /// The session died, and the page is asked for another one. The page is not told of the death yet, and the fields keep their content.
    Renewing {
        /// Whether the buyer pressed Pay when it was dead.
        pressed: bool,
    },
    /// There is another session, and the press of Pay that waited for it continues: the fields are being checked.
    Resuming,
    /// The outcome is known.
    Complete(Verdict),
    /// The outcome is known and reported, and the page is asked for another session, because the buyer wants to try again.
    Retrying(Verdict),
    /// The outcome is not known yet. The form keeps asking for it.
    Unknown {
        /// How often the question had no answer.
        asked: u16,
        /// What the answer is for.
        intent: Intent,
    },
    /// The session ended without an outcome.
    Expired,
}

impl Phase {
    /// Whether the flow waits for no answer, so that the session's state may be read outside of the flow.
    pub fn is_at_rest(&self) -> bool {
        matches!(
            self,
            Self::ChoosingMethod | Self::Collecting(_) | Self::Reviewing | Self::HandedOver
        )
    }

    /// Whether another session may take the place of this one: this form has sent nothing that could be charged, or asks for one.
    pub fn takes_session(&self) -> bool {
        self.asks_for_session()
            || matches!(
                self,
                Self::ChoosingMethod | Self::Collecting(_) | Self::Reviewing | Self::Repriced
            )
    }

    /// Whether the merchant's page is being asked for another session.
    pub fn asks_for_session(&self) -> bool {
        matches!(self, Self::Renewing { .. } | Self::Retrying(_))
    }

    /// Whether card data can be submitted.
    pub fn takes_card_data(&self) -> bool {
        matches!(self, Self::Collecting(_) | Self::Resuming)
    }

    /// Whether the buyer may choose something beside the card: the card is not on its way.
    pub(super) fn lets_choose(&self) -> bool {
        self.takes_card_data()
            || matches!(
                self,
                Self::Opening
                    | Self::ChoosingMethod
                    | Self::OpeningCard
                    | Self::OpeningElsewhere { .. }
            )
    }

    /// Whether the outcome is unknown and the form does not ask for it by itself.
    pub fn has_stopped_asking(&self) -> bool {
        matches!(self, Self::Unknown { asked, .. } if *asked >= UNKNOWN_QUESTIONS)
    }

    /// Whether a call or a wait of this phase can still be answered.
    pub(super) fn has_question_out(&self) -> bool {
        !self.is_at_rest()
            && !matches!(
                self,
                Self::Opening
                    | Self::Repriced
                    | Self::Proving { .. }
                    | Self::Renewing { .. }
                    | Self::Resuming
                    | Self::Complete(_)
                    | Self::Retrying(_)
                    | Self::Expired
            )
    }

    /// Whether the buyer gave up, and the gateway has not said yet what came of it.
    pub(super) fn gives_up(&self) -> bool {
        matches!(
            self,
            Self::Cancelling { .. }
                | Self::Rereading {
                    intent: Intent::GiveUp,
                    ..
                }
                | Self::Unknown {
                    intent: Intent::GiveUp,
                    ..
                }
        )
    }

    /// Whether giving up can still change something.
    pub(super) fn may_be_given_up(&self) -> bool {
        !matches!(
            self,
            Self::Cancelling { .. }
                | Self::Complete(_)
                | Self::Unknown { .. }
                | Self::Renewing { .. }
                | Self::Retrying(_)
                | Self::Expired
        )
    }

    /// Whether this phase carries out a press of Pay.
    pub(super) fn was_pressed(&self) -> bool {
        matches!(
            self,
            Self::Sending { .. }
                | Self::Proving { .. }
                | Self::CheckingDevice { .. }
                | Self::Verifying { .. }
                | Self::SkippingDevice { .. }
                | Self::Agreeing { .. }
                | Self::Completing { .. }
                | Self::Rereading {
                    intent: Intent::Pay | Intent::Retry,
                    ..
                }
                | Self::Unknown {
                    intent: Intent::Pay,
                    ..
                }
        )
    }
}
