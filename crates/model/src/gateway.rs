//! The gateway around its session machine: transactions, stored answers, the acquirer, crashes.
//!
//! Sessions change by [`step`], the function that serves payments. This module does what the gateway's `crates/payment-service/src/transition.rs` and
//! `routes/pipeline.rs` do with it, one transaction at a time, without a database. It includes the gateway's locks:
//! while a [`Job`] is under way, only calls that read are answered. `gateway/tests/api/model_traces.rs` replays what happens here with
//! real calls, so a difference from the gateway fails a test.

mod answers;
mod call;
mod challenge;
mod charges;
mod confirmation;
pub(crate) mod observed;
mod offers;
mod proofs;
mod submission;

use answers::{refused, without_operation};
pub use call::{Ask, Client, Key, SentBeside};
use observed::{GatewayStep, Recorder};
use offers::Offer;
use proofs::Proofs;

use super::card::Card;
use super::setting::{Broken, Setting};
use super::sums::{ToldSums, sum_of};
use payframe_checkout_flow::decline::Decline;
use payframe_checkout_flow::flow::{
    Answer, CaptureInitiator, Failure, Outcome, SessionSnapshot, Verdict,
};

use payframe_payment_domain::operation::{
    ActionType, AuthorizationResult, Capture, OperationResult,
};
use payframe_payment_domain::session::may_charge;
use payframe_payment_domain::session::{
    CompletionCall, Counters, DeviceCheck, Effect, Event, Limit, Limits, PendingCompletion,
    PreviousAttempt, Recorded, Session, State, StateBeforeAuthorization, TransitionError,
    next_limit, step,
};
use payframe_payment_domain::terms::Version;
use std::collections::BTreeMap;

/// A running charge: the session is authorizing, and this process works on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Job {
    /// The caller, if it still waits, and its idempotency key.
    pub(crate) origin: Option<(Client, Option<Key>)>,
    /// What the acquirer answered, once it did.
    pub(crate) result: Option<AuthorizationResult>,
}

/// The first result of a call at the gateway.
pub(crate) enum Handled {
    /// It has an answer.
    Answered(Answer),
    /// The acquirer has to be asked first.
    Begun,
}

/// One gateway with one session, and the acquirer behind it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Gateway {
    pub(crate) session: Session,
    /// What it charges: see [`sum_of`].
    pub(crate) sum: u8,
    pub(crate) job: Option<Job>,
    /// The acquirer's records: the charges, by reference.
    pub(crate) charges: BTreeMap<String, AuthorizationResult>,
    operations: BTreeMap<String, OperationResult>,
    pub(crate) stored_card: Option<Card>,
    answers: BTreeMap<Key, Answer>,
    /// How many challenges were passed that the acquirer demanded.
    pub(crate) demands_met: u8,
    minted: u8,
    pub(crate) proofs: Proofs,
    /// The currency offers of the session, by id.
    offers: Vec<Offer>,
    /// Whether the customer has the saved card.
    pub(crate) has_saved_card: bool,
    /// The acquirer was asked after a confirmation that the issuer did not accept.
    pub(crate) is_unconfirmed: bool,
    /// The outcome is older than a day, and the gateway does not report it.
    pub(crate) is_forgotten: bool,
    pub(crate) recorder: Recorder,
}

impl Gateway {
    pub(crate) fn new(state: State) -> Gateway {
        let counters = Counters {
            attempts_left: ATTEMPTS,
            submissions: 0,
        };
        Gateway {
            session: Session { counters, state },
            sum: 0,
            job: None,
            charges: BTreeMap::new(),
            operations: BTreeMap::new(),
            stored_card: None,
            answers: BTreeMap::new(),
            demands_met: 0,
            minted: 0,
            proofs: Proofs::default(),
            offers: Vec::new(),
            has_saved_card: true,
            is_unconfirmed: false,
            is_forgotten: false,
            recorder: Recorder::default(),
        }
    }

    /// The session's state, as `GET /build/state` and the form's page report it.
    pub(crate) fn snapshot(&self) -> Answer {
        Answer::State(match &self.session.state {
            State::ChoosingMethod => SessionSnapshot::MethodSelection,
            State::CollectingCard(PreviousAttempt::None) | State::CheckingDevice { .. } => {
                SessionSnapshot::Collecting(None)
            }
            State::CollectingCard(PreviousAttempt::Refused { operation_id, .. }) => {
                SessionSnapshot::Collecting(self.verdict(operation_id))
            }
            State::Challenged { completion, .. }
            | State::Authorizing {
                from: StateBeforeAuthorization::Challenged,
                completion,
                ..
            } => SessionSnapshot::Challenge(completion.operation_id.clone()),
            State::Ready { .. }
            | State::VerifyingDevice { .. }
            | State::Authorizing { .. }
            | State::SteppingUp { .. } => SessionSnapshot::Ready,
            State::Complete { operation_id, .. } | State::Cancelled { operation_id, .. } => {
                match self.verdict(operation_id) {
                    Some(verdict) => SessionSnapshot::Complete(verdict),
                    None => return Answer::Failed(Failure::Service),
                }
            }
            State::Dead => return Answer::Failed(Failure::Expired),
            State::Redirected { .. } | State::AuthorizingMethod { .. } => {
                unreachable!("{NO_METHODS}")
            }
        })
    }

    /// Whether a call would be answered at once, without waiting for a lock.
    pub(crate) fn is_free_for(&self, ask: Ask) -> bool {
        match ask {
            Ask::ReadState => true,
            Ask::SendCard { key, .. } | Ask::Close { key, .. }
                if self.answers.contains_key(&key) =>
            {
                true
            }
            _ => self.is_free(),
        }
    }

    /// Whether an event can be applied now.
    pub(crate) fn is_free(&self) -> bool {
        self.job.is_none() && !self.waits_for_answer()
    }

    /// Whether the acquirer, or the 3-D Secure server, has to be asked.
    pub(crate) fn waits_for_answer(&self) -> bool {
        self.session.state.waits_for_answer()
    }

    /// Begins to answer a call.
    pub(crate) fn handle(&mut self, setting: &Setting, client: Client, ask: Ask) -> Handled {
        let handled = self.take_up(setting, client, ask);
        self.record(|| {
            let answer = match &handled {
                Handled::Answered(answer) => Some(answer.clone()),
                Handled::Begun => None,
            };
            GatewayStep::Called(client, ask, answer)
        });
        handled
    }

    fn take_up(&mut self, setting: &Setting, client: Client, ask: Ask) -> Handled {
        if setting.broken == Some(Broken::AnswersForgotten) {
            self.answers.clear();
        }
        if let Ask::SendCard { key, .. } | Ask::Close { key, .. } = ask
            && let Some(answer) = self.answers.get(&key)
        {
            return Handled::Answered(answer.clone());
        }
        if self.session.state == State::Dead {
            return Handled::Answered(Answer::Failed(Failure::Expired));
        }
        Handled::Answered(match ask {
            Ask::ReadState => self.snapshot(),
            Ask::ChooseCard => without_operation(self.apply_and_read(Event::CardMethodChosen)),
            Ask::SendCard {
                key,
                card,
                sum,
                proof,
                beside,
            } => match self.proof_due(setting, proof) {
                Some(due) => due,
                None => self.take_card(setting, key, card, sum, proof, beside),
            },
            Ask::Agree { sum } => {
                let (sum, session) = (sum_of(sum), sum_of(self.sum));
                self.apply_and_read(Event::SumAgreed { sum, session })
            }
            Ask::CheckDevice { last } => self.check_device(last),
            Ask::SkipDevice => self.apply_and_read(Event::DeviceCheckSkipped),
            Ask::LeaveChallenge => self.apply_and_read(Event::ChallengeLeft),
            Ask::Cancel => {
                let operation_id = self.fresh_id();
                self.apply_and_read(Event::CancelAsked { operation_id })
            }
            Ask::Close { .. }
                if client != Client::Server
                    && setting.capture_initiator != CaptureInitiator::Frame =>
            {
                Answer::Failed(Failure::WrongState)
            }
            Ask::Close { key, sum } => match self.close(setting, key, sum) {
                Some(answer) => answer,
                None => {
                    self.job = Some(Job {
                        origin: Some((client, Some(key))),
                        result: None,
                    });
                    return Handled::Begun;
                }
            },
        })
    }

    fn check_device(&mut self, last: bool) -> Answer {
        match &self.session.state {
            State::CheckingDevice { .. } if !last => return Answer::DevicePending,
            State::ChoosingMethod | State::CollectingCard(_) | State::VerifyingDevice { .. } => {
                return Answer::Failed(Failure::WrongState);
            }
            State::CheckingDevice { .. } => {
                let operation_id = self.fresh_id();
                if let Err(refusal) = self.apply(Event::DeviceCheckGivenUp { operation_id }) {
                    return refused(refusal);
                }
            }
            _ => {}
        }
        match &self.session.state {
            State::Complete { operation_id, .. } => match self.operations.get(operation_id) {
                Some(OperationResult::ThreeDsFailed) => self
                    .verdict(operation_id)
                    .map_or(Answer::DevicePassed, Answer::DeviceFailed),
                _ => Answer::DevicePassed,
            },
            _ => Answer::DevicePassed,
        }
    }

    /// `None`: the acquirer has to be asked.
    fn close(&mut self, setting: &Setting, key: Key, sum: Option<u8>) -> Option<Answer> {
        let named = sum.map(sum_of);
        let allowed = may_charge(&self.session.state, &sum_of(self.sum), named.as_ref());
        if let (Err(refusal), true) = (allowed, setting.broken != Some(Broken::SumUnchecked)) {
            return Some(refused(refusal));
        }
        let (check, verdict) = match self.stored_card {
            Some(card) => (
                card.device_check().unwrap_or(DeviceCheck::NotDue),
                card.verdict(),
            ),
            None => (
                DeviceCheck::NotDue,
                payframe_payment_domain::session::Verdict::Refused,
            ),
        };
        let call = PendingCompletion {
            operation_id: self.fresh_id(),
            terminal_id: String::from("terminal"),
            idempotency_key: Some(format!("{key:?}")),
            repeats: None,
        };
        let event = Event::CompletionRequested {
            completion_call: CompletionCall::Finalize,
            check,
            verdict,
            call,
        };
        if let Err(refusal) = self.apply(event) {
            return Some(refused(refusal));
        }
        if self.waits_for_answer() {
            return None;
        }
        let answer = self.snapshot();
        self.answers.insert(key, answer.clone());
        Some(answer)
    }

    /// The page of the device check reports.
    pub(crate) fn report_device(&mut self) {
        let submission = self.session.counters.submissions;
        // A report never fails in a session that is alive.
        let _ = self.apply(Event::DeviceChecked { submission });
        self.record(|| GatewayStep::DeviceReported);
    }

    /// The next time limit, except the one after which an outcome is not reported.
    pub(crate) fn limit(&self) -> Option<Limit> {
        let limits = Limits {
            idle_ms: 1,
            challenge_ms: 1,
            redirect_ms: 1,
            retention_ms: 1,
        };
        next_limit(&self.session.state, 0, 2, limits)
            .map(|(limit, _)| limit)
            .filter(|limit| *limit != Limit::Retention)
    }

    /// That limit passes.
    pub(crate) fn pass_limit(&mut self) {
        if let Some(limit) = self.limit() {
            // Only a dead session refuses it, and a dead session has no limit.
            let _ = self.apply(Event::LimitPassed(limit));
            self.record(|| GatewayStep::LimitPassed(limit));
        }
    }

    /// Whether the merchant's server may change the sum.
    pub(crate) fn takes_sum(&self) -> bool {
        self.is_free()
            && matches!(
                self.session.state,
                State::ChoosingMethod
                    | State::CollectingCard(_)
                    | State::CheckingDevice { .. }
                    | State::Ready { .. }
            )
    }

    /// The merchant's server changes the sum.
    pub(crate) fn change_sum(&mut self) {
        // Only called where the change is possible.
        if self.apply(Event::AmountChanged).is_ok() {
            self.sum += 1;
        }
        self.record(|| GatewayStep::SumChanged);
    }

    /// The sums in the state object of the answer to this call. A stored answer contains no new sum.
    pub(crate) fn answered_sums(&self, ask: Ask) -> Option<ToldSums> {
        match ask {
            Ask::SendCard { .. } | Ask::CheckDevice { .. } | Ask::ChooseCard => None,
            Ask::Close { key, .. } if self.answers.contains_key(&key) => None,
            _ => Some(self.told_sums()),
        }
    }

    /// The sums in a state object.
    pub(crate) fn told_sums(&self) -> ToldSums {
        ToldSums {
            session: self.sum,
            offer: self.taken_offer(),
        }
    }

    /// The merchant's server makes another session for the same order. The records of acquirer and gateway belong to the order and stay.
    pub(crate) fn replace_session(&mut self, state: State) {
        let Gateway {
            sum,
            charges,
            operations,
            demands_met,
            minted,
            has_saved_card,
            ..
        } = std::mem::replace(self, Gateway::new(state));
        self.sum = sum;
        self.charges = charges;
        self.operations = operations;
        self.demands_met = demands_met;
        self.minted = minted;
        self.has_saved_card = has_saved_card;
    }

    /// Whether there is an outcome that the gateway will not report after a day.
    pub(crate) fn has_outcome(&self) -> bool {
        matches!(
            self.session.state,
            State::Complete { .. } | State::Cancelled { .. }
        )
    }

    /// A day passes: the gateway reports neither the outcome nor stored answers.
    pub(crate) fn forget_outcome(&mut self) {
        self.is_forgotten = self.apply(Event::LimitPassed(Limit::Retention)).is_ok();
        self.answers.clear();
        self.record(|| GatewayStep::OutcomeForgotten);
    }

    fn apply_and_read(&mut self, event: Event) -> Answer {
        match self.apply(event) {
            Ok(()) => self.snapshot(),
            Err(refusal) => refused(refusal),
        }
    }

    fn apply(&mut self, event: Event) -> Result<(), TransitionError> {
        self.apply_with(event, None)
    }

    /// One transaction.
    fn apply_with(&mut self, event: Event, submitted: Option<Card>) -> Result<(), TransitionError> {
        let takes_id = matches!(
            event,
            Event::CompletionRequested { .. }
                | Event::CancelAsked { .. }
                | Event::DeviceCheckGivenUp { .. }
                | Event::CardRefused { .. }
                | Event::AuthenticationDemanded { .. }
        );
        let moved = step(Version::Three, self.session.clone(), event, 0)?;
        self.minted += u8::from(takes_id && moved.session != self.session);
        self.session = moved.session;
        for effect in moved.effects {
            match effect {
                Effect::KeepCard => self.stored_card = submitted,
                Effect::ForgetCard => self.stored_card = None,
                Effect::Record {
                    operation_id,
                    result,
                    ..
                } => {
                    let result = match result {
                        Recorded::Own(result) => result,
                        Recorded::Issuer(result) => {
                            OperationResult::of(result, ActionType::Pay, Capture::Implicit)
                        }
                    };
                    self.operations.insert(operation_id, result);
                }
                // The caller that applied the event begins the job that follows. Pages, limits of refusals and the idle limit are not modelled.
                Effect::AskIssuer { .. }
                | Effect::OpenDeviceCheck { .. }
                | Effect::OpenChallenge { .. }
                | Effect::FinishDecline { .. }
                | Effect::RestartIdle => {}
                Effect::OpenRedirect { .. } | Effect::RecordMethod { .. } => {
                    unreachable!("{NO_METHODS}")
                }
            }
        }
        Ok(())
    }

    /// An id that no operation has, the same for the same history.
    fn fresh_id(&self) -> String {
        format!("operation {}", self.minted)
    }

    fn verdict(&self, operation_id: &str) -> Option<Verdict> {
        let code = self.operations.get(operation_id)?.code();
        let outcome = Outcome::from_operation_result(code);
        Some(Verdict {
            outcome,
            decline: matches!(outcome, Outcome::Declined | Outcome::Failed)
                .then(|| Decline::sort(code, None)),
            operation_id: operation_id.to_owned(),
        })
    }
}

/// Alternative methods are not part of the search: the form offers cards only.
pub(crate) const NO_METHODS: &str = "nobody chooses an alternative method here";
/// How many completion calls of a session may end in a refusal.
const ATTEMPTS: u8 = 2;
