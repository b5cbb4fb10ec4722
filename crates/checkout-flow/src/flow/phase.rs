//! Where a payment in the form can stand.
//!
//! Each phase holds what it needs and nothing else. How one leads to another is not here.

use super::limits::UNKNOWN_QUESTIONS;
use super::outcome::Verdict;
use crate::decline::Decline;

/// Who makes the closing call that charges the card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Closing {
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
    /// Nothing to say.
    None,
    /// The last attempt was refused and another is allowed.
    Refused(Decline),
    /// The gateway did not take some fields.
    FieldsRefused,
    /// No connection; nothing was charged.
    Connection,
    /// A fault of the service; nothing was charged.
    Service,
}

/// What the buyer last asked for, while the form does not know where the session stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Intent {
    /// Pressed Pay: a session that is ready may be closed.
    Pay,
    /// Gave up: a session that is still open is cancelled.
    GiveUp,
    /// Pressed Pay, and the card data had no answer: nothing was closed by this form.
    Retry,
    /// The merchant's server or another tab closes it: only watch.
    Watch,
}

/// Where the form stands. Each phase holds what it needs and nothing else.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// The buyer chooses a method.
    ChoosingMethod,
    /// The choice of the card is on its way.
    OpeningCard,
    /// The choice of a method that is paid elsewhere is on its way.
    OpeningElsewhere,
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
    },
    /// The device check runs unseen at `url`.
    CheckingDevice {
        /// Address for the hidden frame.
        url: String,
        /// Number of the question that is out or comes next.
        question: u8,
        /// Questions in a row that had no answer.
        lost: u8,
    },
    /// Version 2: the payment is confirmed, and its device check runs unseen at `url`.
    Verifying {
        /// Address for the hidden frame; empty until the gateway has told it.
        url: String,
        /// Number of the question that is out or comes next.
        question: u8,
        /// Questions in a row that had no answer.
        lost: u8,
    },
    /// The merchant's server fixed another amount than the buyer was shown: the buyer looks at it and presses Pay, or not.
    Repriced,
    /// The device check did not report in time: the gateway is told that the form goes on without it.
    SkippingDevice {
        /// How often it was tried without an answer.
        tries: u8,
    },
    /// The merchant's server is expected to close.
    AwaitingServer {
        /// Milliseconds waited so far.
        waited_ms: u32,
    },
    /// The card data is complete, and the merchant's page does the rest.
    HandedOver,
    /// The closing call is out.
    Closing {
        /// How often it was tried without an answer.
        tries: u8,
    },
    /// The issuer's page is open at `url`.
    Challenge {
        /// Address for the nested frame.
        url: String,
    },
    /// The buyer left the issuer's page; the gateway's answer decides.
    LeavingChallenge {
        /// How often it was tried without an answer.
        tries: u8,
    },
    /// The card is known and nothing is charged yet: the buyer looks over it and presses Pay.
    Reviewing,
    /// The form asks how the session stands, because it can't know.
    Rereading {
        /// How often it was tried without an answer.
        tries: u8,
        /// What the answer is for.
        wish: Intent,
    },
    /// The buyer gave up; the gateway's answer decides.
    Cancelling {
        /// How often it was tried without an answer.
        tries: u8,
    },
    /// The session died, and the page is asked for another one. Nothing is told of it yet, and what was typed stays.
    Renewing {
        /// Whether a press of Pay found it dead, or came since.
        pressed: bool,
    },
    /// Another session is there, and the press of Pay that waited for it goes on: what was typed is being checked.
    Resuming,
    /// The outcome is known.
    Complete(Verdict),
    /// The outcome is known and told, and the page is asked for another session, because the buyer wants to try again.
    Retrying(Verdict),
    /// The outcome could not be learnt yet; the form keeps asking.
    Unknown {
        /// How often it was asked in vain.
        asked: u16,
        /// What the answer is for.
        wish: Intent,
    },
    /// The session ended without an outcome.
    Expired,
}

impl Phase {
    /// Whether nothing is asked for the flow, so that where the session stands may be looked up beside it.
    pub fn is_at_rest(&self) -> bool {
        matches!(
            self,
            Self::ChoosingMethod | Self::Collecting(_) | Self::Reviewing | Self::HandedOver
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

    /// Whether the outcome is unknown and no longer asked for by itself.
    pub fn has_stopped_asking(&self) -> bool {
        matches!(self, Self::Unknown { asked, .. } if *asked >= UNKNOWN_QUESTIONS)
    }

    /// Whether a call or a wait of this phase can still be answered.
    pub(super) fn has_question_out(&self) -> bool {
        !self.is_at_rest()
            && !matches!(
                self,
                Self::Repriced
                    | Self::Renewing { .. }
                    | Self::Resuming
                    | Self::Complete(_)
                    | Self::Retrying(_)
                    | Self::Expired
            )
    }

    /// Whether the buyer's press of Pay is what this phase works on.
    pub(super) fn was_pressed(&self) -> bool {
        matches!(
            self,
            Self::Sending { .. }
                | Self::CheckingDevice { .. }
                | Self::Verifying { .. }
                | Self::SkippingDevice { .. }
                | Self::Closing { .. }
                | Self::Rereading {
                    wish: Intent::Pay | Intent::Retry,
                    ..
                }
                | Self::Unknown {
                    wish: Intent::Pay,
                    ..
                }
        )
    }
}
