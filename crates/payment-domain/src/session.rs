//! The state machine of a build session: one pure function [`step`] from a session and an event to the next session and the
//! effects to carry out (contract, sections 4.8 and 6).
//!
//! Each state contains only the data that it needs. A session that waits for an answer
//! ([`State::waits_for_answer`]) accepts only that answer as an event; for any other event, fetch it first. Time has no effect by itself: [`passed_limit`] says which limit has passed, and that is an
//! event like any other.

mod challenge;
mod collecting;
mod completion;
mod confirmation;
mod effect;
mod ending;
mod event;
mod limits;
mod redirect;
#[cfg(any(test, feature = "samples"))]
pub mod samples;
mod shown_sum;
mod step_up;
#[cfg(test)]
mod tests;

pub use challenge::{CODES, Challenge, ChallengeMeans, ChallengeProgress, ChallengeReply};
pub use effect::{BookedOn, Effect, Recorded};
pub use event::{CompletionCall, ConfirmationReply, Event, MethodReply};
pub use limits::{Limit, Limits, next_limit, passed_limit};
pub use shown_sum::may_charge;

use super::card::EnteredCard;
use super::method::Method;
use super::terms::Version;

/// The part of a session that changes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Session {
    /// The counters.
    pub counters: Counters,
    /// Its state.
    pub state: State,
}

/// What is counted over the life of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Counters {
    /// How many completion calls may still be refused, the next one included.
    pub attempts_left: u8,
    /// How often card data was submitted.
    pub submissions: u8,
}

/// The state of a session.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// The buyer chooses a method.
    ChoosingMethod,
    /// The buyer enters the card.
    CollectingCard(PreviousAttempt),
    /// Version 3: the card is valid, and its device check runs.
    CheckingDevice {
        /// The card.
        card: EnteredCard,
    },
    /// Card data is complete; a completion call is due.
    Ready {
        /// The card.
        card: EnteredCard,
    },
    /// Version 2: confirmed, the device check runs.
    VerifyingDevice {
        /// The card.
        card: EnteredCard,
        /// Whether the device check has reported; also `Done` if none is due.
        progress: CheckProgress,
        /// The call that closes it.
        completion: PendingCompletion,
    },
    /// The issuer asks the buyer.
    Challenged {
        /// The card.
        card: EnteredCard,
        /// What the issuer asks.
        challenge: Challenge,
        /// The call that closes it.
        completion: PendingCompletion,
    },
    /// The issuer is asked for the money. The operation's id is the reference: a repeated request charges only once.
    Authorizing {
        /// The card.
        card: EnteredCard,
        /// The authentication of the buyer.
        authentication: Authentication,
        /// The state before.
        from: StateBeforeAuthorization,
        /// The call that closes it.
        completion: PendingCompletion,
    },
    /// The issuer declined, because the buyer was not authenticated: the 3-D Secure server is asked for a challenge. The decline is recorded.
    SteppingUp {
        /// The card.
        card: EnteredCard,
        /// The state before the authorization that was declined.
        from: StateBeforeAuthorization,
        /// The call that led to the declined operation.
        declined: PendingCompletion,
        /// The id of the operation that repeats the declined one after the challenge.
        operation_id: String,
    },
    /// The buyer is on the page of an alternative method.
    Redirected {
        /// The redirect to the method.
        redirect: Redirect,
    },
    /// The method's operator is asked for its result. The operation's id is the reference, as above.
    AuthorizingMethod {
        /// The redirect to the method.
        redirect: Redirect,
        /// What the buyer's browser brought back from the method's page: only the operator can read it.
        return_data: String,
    },
    /// There is an outcome.
    Complete {
        /// The card, if there was one.
        card: Option<EnteredCard>,
        /// The operation.
        operation_id: String,
        /// Since when.
        since_ms: i64,
    },
    /// It was cancelled.
    Cancelled {
        /// The operation.
        operation_id: String,
        /// Since when.
        since_ms: i64,
    },
    /// It ended without an outcome, or the gateway does not report its outcome any more.
    Dead,
}

/// The attempt before the buyer was asked for a card again.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PreviousAttempt {
    /// There was none.
    None,
    /// It was refused.
    Refused {
        /// The operation.
        operation_id: String,
        /// The idempotency key of the call that was refused, if it had one.
        idempotency_key: Option<String>,
    },
}

/// A completion call, from its arrival until it has its outcome.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PendingCompletion {
    /// The id of the operation that it leads to.
    pub operation_id: String,
    /// The terminal that the operation is booked on.
    pub terminal_id: String,
    /// The call's idempotency key, if it had one: a repeated call, after a lost answer, gets the same answer.
    pub idempotency_key: Option<String>,
    /// The operation that it repeats with a challenge, because the issuer declined it for want of an authentication. `None`: it is the first
    /// one of the call.
    pub repeats: Option<String>,
}

/// A redirect to an alternative method, from the buyer's choice to the outcome.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Redirect {
    /// The method.
    pub method: &'static Method,
    /// The id of the operation that it leads to.
    pub operation_id: String,
    /// When the buyer was sent there.
    pub since_ms: i64,
}

/// Whether an issuer requires a device check before the authentication.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeviceCheck {
    /// It does not.
    NotDue,
    /// It does.
    Due,
}

/// Whether a device check has reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CheckProgress {
    /// Not yet.
    Running,
    /// Yes.
    Done,
}

/// The strength of the buyer's authentication (contract 2.7.3, `threeDS`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Authentication {
    /// Authenticated.
    Full,
    /// Attempted: the issuer does not take part, or could not finish a challenge.
    Attempted,
    /// Not asked for: the issuer took note of the data that the merchant shared with it, and authenticated nobody.
    DataShared,
    /// Not performed.
    None,
    /// The buyer is not present: the merchant charges alone, or got the order by mail or telephone.
    NotDue,
}

/// The state of a session before the money was requested. Merchants and forms see it until there is an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StateBeforeAuthorization {
    /// [`State::Ready`]
    Ready,
    /// [`State::VerifyingDevice`]
    VerifyingDevice,
    /// [`State::Challenged`]
    Challenged,
}

/// The decision of the risk rules and of the issuer's access control about a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Continue with the authorization.
    Pass(Authentication),
    /// Ask the buyer first.
    Challenge,
    /// Ask the buyer's device for a confirmation first.
    Confirmation,
    /// The issuer asks the buyer apart from the browser first.
    Decoupled {
        /// From then on its result does not count.
        until_ms: i64,
    },
    /// The buyer is not the card's holder.
    Refused,
    /// Too risky; the issuer is not asked.
    Risk,
    /// Stopped by the rules against card testing; the issuer is not asked. The session goes on as after a decline of the issuer.
    Stopped,
}

/// The answer to the question for a challenge that an issuer demanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StepUp {
    /// The buyer is asked.
    Challenge,
    /// The buyer's device is asked.
    Confirmation,
    /// The issuer asks the buyer apart from the browser.
    Decoupled {
        /// From then on its result does not count.
        until_ms: i64,
    },
    /// The buyer is not the card's holder.
    Refused,
    /// Nobody can ask the buyer.
    NotPossible,
}

/// Why an event is not possible. The session does not change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum TransitionError {
    /// The session is dead.
    #[error("the session is dead")]
    Dead,
    /// The session's state does not allow it.
    #[error("the session's state does not allow it")]
    WrongState,
    /// The session needs the completion call of the other version.
    #[error("the other version's completion call is the right one")]
    WrongVersion,
    /// The issuer is being asked, for the money or for a challenge: fetch its answer first.
    #[error("the issuer is being asked")]
    Authorizing,
    /// The buyer was shown another sum.
    #[error("the buyer was shown another sum")]
    OtherSum,
}

/// A session after an event, and what has to be done.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// The session now.
    pub session: Session,
    /// In this order.
    pub effects: Vec<Effect>,
}

impl State {
    /// Whether there is no outcome yet.
    pub fn is_open(&self) -> bool {
        !matches!(
            self,
            State::Complete { .. } | State::Cancelled { .. } | State::Dead
        )
    }

    /// Whether the gateway has asked somebody: nothing else can happen until there is an answer.
    pub fn waits_for_answer(&self) -> bool {
        self.has_money_on_its_way() || matches!(self, State::SteppingUp { .. })
    }

    /// Whether the outcome is being requested.
    pub fn has_money_on_its_way(&self) -> bool {
        self.operation_on_its_way().is_some()
    }

    /// The id of the operation whose outcome is being requested.
    pub fn operation_on_its_way(&self) -> Option<&str> {
        match self {
            State::Authorizing { completion, .. } => Some(&completion.operation_id),
            State::AuthorizingMethod { redirect, .. } => Some(&redirect.operation_id),
            _ => None,
        }
    }
}

/// How often card data may be submitted.
pub const SUBMISSIONS: u8 = 10;

/// The step of `session` with `event`.
pub fn step(
    version: Version,
    session: Session,
    event: Event,
    now_ms: i64,
) -> Result<Step, TransitionError> {
    let Session { counters, state } = session;
    match (&state, &event) {
        (State::Dead, _) => return Err(TransitionError::Dead),
        (state, Event::IssuerAnswered { .. } | Event::AuthenticationDemanded { .. })
            if state.has_money_on_its_way() => {}
        (State::SteppingUp { .. }, Event::StepUpAnswered { .. }) => {}
        (state, _) if state.waits_for_answer() => return Err(TransitionError::Authorizing),
        _ => {}
    }
    match event {
        Event::CardMethodChosen => Ok(collecting::card_method_chosen(counters, state)),
        Event::MethodChosen {
            method,
            operation_id,
        } => Ok(redirect::method_chosen(
            counters,
            state,
            method,
            operation_id,
            now_ms,
        )),
        Event::CardRefused { operation_id } => collecting::submission(
            counters,
            state,
            operation_id,
            now_ms,
            collecting::Submitted::Bad,
        ),
        Event::CardAccepted {
            card,
            check,
            operation_id,
        } => {
            let check = if version == Version::Two {
                DeviceCheck::NotDue
            } else {
                check
            };
            collecting::submission(
                counters,
                state,
                operation_id,
                now_ms,
                collecting::Submitted::Good {
                    card: Box::new(card),
                    check,
                },
            )
        }
        Event::DeviceChecked { submission } => {
            Ok(collecting::device_checked(counters, state, submission))
        }
        Event::DeviceCheckSkipped => collecting::device_check_skipped(counters, state),
        Event::DeviceCheckGivenUp { operation_id } => {
            completion::device_check_given_up(counters, state, operation_id, now_ms)
        }
        Event::CompletionRequested {
            completion_call,
            check,
            verdict,
            call,
        } => match (version, completion_call) {
            (Version::Two, CompletionCall::Confirm) => {
                completion::confirm_asked(counters, state, check, verdict, call, now_ms)
            }
            (Version::Three, CompletionCall::Finalize) => {
                completion::finalize_asked(counters, state, verdict, call, now_ms)
            }
            _ => Err(TransitionError::WrongVersion),
        },
        Event::DeviceVerified { verdict } => {
            completion::device_verified(counters, state, verdict, now_ms)
        }
        Event::AmountChanged => collecting::amount_changed(counters, state),
        Event::SumAgreed { sum, session } => {
            shown_sum::agreed(state, &session, sum).map(|state| unchanged(counters, state))
        }
        Event::ChallengeAnswered {
            operation_id,
            reply,
        } => Ok(completion::challenge_answered(
            counters,
            state,
            &operation_id,
            reply,
            now_ms,
        )),
        Event::ConfirmationAnswered {
            operation_id,
            reply,
        } => Ok(confirmation::answered(
            counters,
            state,
            &operation_id,
            reply,
            now_ms,
        )),
        Event::ChallengeLeft => completion::challenge_left(counters, state, now_ms),
        Event::MethodAnswered {
            operation_id,
            reply,
        } => Ok(redirect::method_answered(
            counters,
            state,
            &operation_id,
            reply,
            now_ms,
        )),
        Event::IssuerAnswered { result } => {
            completion::issuer_answered(counters, state, result, now_ms)
        }
        Event::AuthenticationDemanded { operation_id } => {
            step_up::authentication_demanded(counters, state, operation_id, now_ms)
        }
        Event::StepUpAnswered { answer } => {
            step_up::step_up_answered(counters, state, answer, now_ms)
        }
        Event::CancelAsked { operation_id } => {
            Ok(ending::cancel_asked(counters, state, operation_id, now_ms))
        }
        Event::LimitPassed(limit) => Ok(ending::limit_passed(counters, state, limit, now_ms)),
    }
}

/// A step with these effects.
fn moved(counters: Counters, state: State, effects: Vec<Effect>) -> Step {
    Step {
        session: Session { counters, state },
        effects,
    }
}

/// A step with nothing to do.
fn unchanged(counters: Counters, state: State) -> Step {
    moved(counters, state, Vec::new())
}
