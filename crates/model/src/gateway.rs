//! The gateway around its session machine: transactions, kept answers, the acquirer, crashes.
//!
//! What a session does is [`step`], the one that serves payments. This module does what `payments::course` and
//! the routes do with it, one transaction at a time, without a database. The locks of the gateway are here too:
//! while a [`Job`] is under way, nothing but readings is answered.

use super::card::Card;
use super::world::Setting;
use payframe_checkout_flow::decline::Decline;
use payframe_checkout_flow::flow::{
    Answer, Closing as CaptureInitiator, Failure, Outcome, SessionSnapshot, Verdict,
};
use payframe_payment_domain::operation::{
    ActionType, AuthorizationResult, Capture, OperationResult,
};
use payframe_payment_domain::session::{
    AfterRefusal, ChallengeReply, Closing, ClosingCall, Counters, DeviceCheck, Effect, Event,
    Limit, Limits, Recorded, Session, Stage, State, TransitionError, next_limit, step,
};
use payframe_payment_domain::terms::Version;
use std::collections::BTreeMap;

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Client {
    /// A form, by its tab.
    Tab(usize),
    /// The merchant's server.
    Server,
}

/// An idempotency key. Two calls have the same one only where the real ones would.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Key {
    /// Of a submission of card data: by tab, reload, and number.
    Submission(usize, u8, u8),
    /// Of a closing attempt of a form: by tab, reload, and number.
    Attempt(usize, u8, u8),
    /// Of a closing attempt of the merchant's server.
    Server(u8),
}

/// What a client asks of the gateway.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Ask {
    ChooseCard,
    SendCard { key: Key, card: Card },
    CheckDevice { last: bool },
    SkipDevice,
    ReadState,
    Close { key: Key },
    LeaveChallenge,
    Cancel,
}

impl Ask {
    /// Whether it does something, so that it matters when it arrives without anybody who waits for it.
    pub(crate) fn acts(self) -> bool {
        !matches!(self, Ask::ReadState | Ask::CheckDevice { last: false })
    }
}

/// Money on its way: the session is authorizing, and this process works on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Job {
    /// Whose call it is, if somebody still waits, and its key.
    pub(crate) origin: Option<(Client, Option<Key>)>,
    /// What the acquirer answered, once it did.
    pub(crate) settlement: Option<AuthorizationResult>,
}

/// How the composition is broken on purpose, to see that it is noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Broken {
    /// The acquirer is asked with a new reference each time.
    FreshReference,
    /// The intent is not written down before the acquirer is asked: a crash forgets it.
    IntentForgotten,
    /// An acquirer that gives no answer is taken for one that says no.
    SilenceIsRefusal,
    /// After a crash nobody asks the acquirer again.
    NoRecovery,
    /// The form takes the hint of a page for the outcome.
    HintIsOutcome,
    /// The form forgets to wait.
    WaitsForgotten,
    /// The form closes where the buyer gave up.
    GivingUpCloses,
    /// The gateway keeps no answers: a repeated call is a new one.
    AnswersForgotten,
    /// The form takes every dead session for an unpaid one, however long it slept.
    DeathIsUnpaid,
    /// The form takes a new key for every try of a closing call.
    KeyForEachTry,
}

/// What the gateway did with a call.
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
    pub(crate) job: Option<Job>,
    /// The acquirer's books: what was charged, by reference.
    pub(crate) charges: BTreeMap<String, AuthorizationResult>,
    operations: BTreeMap<String, OperationResult>,
    pub(crate) kept_card: Option<Card>,
    answers: BTreeMap<Key, Answer>,
    minted: u8,
    /// The outcome was told for a day, and is told no more.
    pub(crate) is_forgotten: bool,
}

impl Gateway {
    pub(crate) fn new(state: State) -> Gateway {
        let counters = Counters {
            attempts_left: ATTEMPTS,
            submissions: 0,
        };
        Gateway {
            session: Session { counters, state },
            job: None,
            charges: BTreeMap::new(),
            operations: BTreeMap::new(),
            kept_card: None,
            answers: BTreeMap::new(),
            minted: 0,
            is_forgotten: false,
        }
    }

    /// Where the session stands, as `GET /build/state` and the form's page tell it.
    pub(crate) fn reading(&self) -> Answer {
        Answer::Stands(match &self.session.state {
            State::ChoosingMethod => SessionSnapshot::MethodSelection,
            State::CollectingCard(AfterRefusal::No) | State::CheckingDevice { .. } => {
                SessionSnapshot::Collecting(None)
            }
            State::CollectingCard(AfterRefusal::Yes { operation_id, .. }) => {
                SessionSnapshot::Collecting(self.verdict(operation_id))
            }
            State::Challenged { closing, .. }
            | State::Authorizing {
                from: Stage::Challenged,
                closing,
                ..
            } => SessionSnapshot::Challenge(closing.operation_id.clone()),
            State::Ready { .. } | State::VerifyingDevice { .. } | State::Authorizing { .. } => {
                SessionSnapshot::Ready
            }
            State::Complete { operation_id, .. } | State::Cancelled { operation_id, .. } => {
                match self.verdict(operation_id) {
                    Some(verdict) => SessionSnapshot::Complete(verdict),
                    None => return Answer::Failed(Failure::Service),
                }
            }
            State::Dead => return Answer::Failed(Failure::Expired),
            State::Redirected { .. } | State::Settling { .. } => unreachable!("{NO_METHODS}"),
        })
    }

    /// Whether a call would be taken up now, and not wait for a lock.
    pub(crate) fn is_free_for(&self, ask: Ask) -> bool {
        match ask {
            Ask::ReadState => true,
            Ask::SendCard { key, .. } | Ask::Close { key } if self.answers.contains_key(&key) => {
                true
            }
            _ => self.is_free(),
        }
    }

    /// Whether an event can be applied now.
    pub(crate) fn is_free(&self) -> bool {
        self.job.is_none() && !self.is_authorizing()
    }

    pub(crate) fn is_authorizing(&self) -> bool {
        matches!(self.session.state, State::Authorizing { .. })
    }

    /// Takes up a call.
    pub(crate) fn handle(&mut self, setting: &Setting, client: Client, ask: Ask) -> Handled {
        if setting.broken == Some(Broken::AnswersForgotten) {
            self.answers.clear();
        }
        if let Ask::SendCard { key, .. } | Ask::Close { key } = ask
            && let Some(answer) = self.answers.get(&key)
        {
            return Handled::Answered(answer.clone());
        }
        if self.session.state == State::Dead {
            return Handled::Answered(Answer::Failed(Failure::Expired));
        }
        Handled::Answered(match ask {
            Ask::ReadState => self.reading(),
            Ask::ChooseCard => self.told(Event::CardMethodChosen),
            Ask::SendCard { key, card } => self.take_card(key, card),
            Ask::CheckDevice { last } => self.check_device(last),
            Ask::SkipDevice => self.told(Event::DeviceCheckSkipped),
            Ask::LeaveChallenge => self.told(Event::ChallengeLeft),
            Ask::Cancel => {
                let operation_id = self.fresh_id();
                self.told(Event::CancelAsked { operation_id })
            }
            Ask::Close { .. }
                if client != Client::Server && setting.closing != CaptureInitiator::Frame =>
            {
                Answer::Failed(Failure::WrongState)
            }
            Ask::Close { key } => match self.close(key) {
                Some(answer) => answer,
                None => {
                    self.job = Some(Job {
                        origin: Some((client, Some(key))),
                        settlement: None,
                    });
                    return Handled::Begun;
                }
            },
        })
    }

    fn take_card(&mut self, key: Key, card: Card) -> Answer {
        let operation_id = self.fresh_id();
        let event = match card.device_check() {
            None => Event::CardRefused { operation_id },
            Some(check) => Event::CardAccepted {
                card: card.entered(),
                check,
                operation_id,
            },
        };
        if let Err(refusal) = self.apply_with(event, Some(card)) {
            return refused(refusal);
        }
        let answer = match &self.session.state {
            State::CheckingDevice { .. } => {
                Answer::CardTaken(self.session.counters.submissions.to_string())
            }
            State::Ready { .. } => Answer::CardTakenNoCheck,
            State::CollectingCard(_) => Answer::CardRefused,
            _ => Answer::Failed(Failure::WrongState),
        };
        self.answers.insert(key, answer.clone());
        answer
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
    fn close(&mut self, key: Key) -> Option<Answer> {
        let (check, verdict) = match self.kept_card {
            Some(card) => (
                card.device_check().unwrap_or(DeviceCheck::NotDue),
                card.verdict(),
            ),
            None => (
                DeviceCheck::NotDue,
                payframe_payment_domain::session::Verdict::Refused,
            ),
        };
        let call = ClosingCall {
            operation_id: self.fresh_id(),
            terminal_id: String::from("terminal"),
            asked_by: Some(format!("{key:?}")),
        };
        let event = Event::ClosingAsked {
            closing: Closing::Finalize,
            check,
            verdict,
            call,
        };
        if let Err(refusal) = self.apply(event) {
            return Some(refused(refusal));
        }
        if self.is_authorizing() {
            return None;
        }
        let answer = self.reading();
        self.answers.insert(key, answer.clone());
        Some(answer)
    }

    /// The acquirer is asked, and hears it.
    pub(crate) fn ask_acquirer(&mut self, broken: Option<Broken>) {
        let (Some(card), State::Authorizing { closing, .. }) =
            (self.kept_card, &self.session.state)
        else {
            return;
        };
        let mut reference = closing.operation_id.clone();
        if broken == Some(Broken::FreshReference) {
            reference = format!("{reference}, asked {}", self.charges.len());
        }
        let settlement = *self.charges.entry(reference).or_insert(card.settlement());
        if let Some(job) = &mut self.job {
            job.settlement = Some(settlement);
        }
    }

    /// Books what the acquirer answered; who waits for it, and what it hears.
    pub(crate) fn book(&mut self) -> Option<(Client, Answer)> {
        let job = self.job.take()?;
        let settlement = job.settlement?;
        let booked = self.apply(Event::IssuerAnswered { settlement });
        let answer = match booked {
            Ok(()) => self.reading(),
            Err(refusal) => refused(refusal),
        };
        let (client, key) = job.origin?;
        if let (Some(key), Answer::Stands(_)) = (key, &answer) {
            self.answers.insert(key, answer.clone());
        }
        Some((client, answer))
    }

    /// Books, and dies before the answer is kept or sent.
    pub(crate) fn book_and_die(&mut self) -> Option<Client> {
        let client = self.job?.origin.map(|(client, _)| client);
        if let Some(job) = &mut self.job {
            job.origin = None;
        }
        self.book();
        client
    }

    /// The work on the session's money stops: a crash, or an acquirer that gives no answer.
    pub(crate) fn stop(&mut self) -> Option<Client> {
        let job = self.job.take()?;
        job.origin.map(|(client, _)| client)
    }

    /// The gateway has no memory of having asked the acquirer.
    pub(crate) fn forget_intent(&mut self) {
        if let State::Authorizing { card, .. } = &self.session.state {
            let card = card.clone();
            self.session.state = State::Ready { card };
        }
    }

    /// Takes up what a crash left behind, as the gateway does at its start and in every sweep.
    pub(crate) fn recover(&mut self) {
        self.job = Some(Job {
            origin: None,
            settlement: None,
        });
    }

    /// The page of the device check reports.
    pub(crate) fn report_device(&mut self) {
        let submission = self.session.counters.submissions;
        // A report never fails a session that is alive.
        let _ = self.apply(Event::DeviceChecked { submission });
    }

    /// The buyer answers on the issuer's page.
    pub(crate) fn reply_to_challenge(&mut self, reply: ChallengeReply) {
        let State::Challenged { closing, .. } = &self.session.state else {
            return;
        };
        let operation_id = closing.operation_id.clone();
        let event = Event::ChallengeAnswered {
            operation_id,
            reply,
        };
        if self.apply(event).is_ok() && self.is_authorizing() {
            self.recover();
        }
    }

    /// The limit that time brings about next, but for the end of telling an outcome.
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
            // Only a dead session refuses it, and that one has no limit.
            let _ = self.apply(Event::LimitPassed(limit));
        }
    }

    /// Whether there is an outcome that a day would make the gateway forget.
    pub(crate) fn has_outcome(&self) -> bool {
        matches!(
            self.session.state,
            State::Complete { .. } | State::Cancelled { .. }
        )
    }

    /// A day passes: the outcome, and the answers that were kept, are told no more.
    pub(crate) fn forget_outcome(&mut self) {
        self.is_forgotten = self.apply(Event::LimitPassed(Limit::Retention)).is_ok();
        self.answers.clear();
    }

    /// A charge that is pending becomes final at the acquirer, and is booked.
    pub(crate) fn resolve_pending(&mut self, settlement: AuthorizationResult) {
        for (reference, charged) in &mut self.charges {
            if *charged != AuthorizationResult::Pending {
                continue;
            }
            *charged = settlement;
            if let Some(result) = self.operations.get_mut(reference)
                && let Ok(settled) = result.settle(settlement, ActionType::Pay, Capture::Implicit)
            {
                *result = settled;
            }
        }
    }

    pub(crate) fn has_booked_pending(&self) -> bool {
        self.operations
            .values()
            .any(|result| *result == OperationResult::Pending)
    }

    /// Charges that took money, or still may.
    pub(crate) fn taken(&self) -> usize {
        let takes = |settlement: &&AuthorizationResult| {
            matches!(
                settlement,
                AuthorizationResult::Approved | AuthorizationResult::Pending
            )
        };
        self.charges.values().filter(takes).count()
    }

    /// Whether money was taken for good.
    pub(crate) fn is_charged(&self) -> bool {
        self.charges
            .values()
            .any(|settlement| *settlement == AuthorizationResult::Approved)
    }

    /// Whether the gateway's records hold a payment.
    pub(crate) fn is_known(&self) -> bool {
        self.operations
            .keys()
            .any(|operation_id| self.outcome_of(operation_id) == Some(Outcome::Approved))
    }

    /// What the gateway's own records say of an operation.
    pub(crate) fn outcome_of(&self, operation_id: &str) -> Option<Outcome> {
        self.operations
            .get(operation_id)
            .map(|result| Outcome::from_operation_result(result.code()))
    }

    /// Whether the records say the same as the acquirer's books, operation by operation.
    pub(crate) fn is_reconciled(&self) -> bool {
        let booked = self.charges.iter().all(|(reference, settlement)| {
            let expected = OperationResult::of(*settlement, ActionType::Pay, Capture::Implicit);
            self.operations.get(reference) == Some(&expected)
        });
        let charged = self.operations.iter().all(|(operation_id, result)| {
            let claims = Outcome::from_operation_result(result.code()) == Outcome::Approved;
            !claims || self.charges.get(operation_id) == Some(&AuthorizationResult::Approved)
        });
        booked && charged
    }

    fn told(&mut self, event: Event) -> Answer {
        match self.apply(event) {
            Ok(()) => self.reading(),
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
            Event::ClosingAsked { .. }
                | Event::CancelAsked { .. }
                | Event::DeviceCheckGivenUp { .. }
                | Event::CardRefused { .. }
        );
        let moved = step(Version::Three, self.session.clone(), event, 0)?;
        self.minted += u8::from(takes_id && moved.session != self.session);
        self.session = moved.session;
        for effect in moved.effects {
            match effect {
                Effect::KeepCard => self.kept_card = submitted,
                Effect::ForgetCard => self.kept_card = None,
                Effect::Record {
                    operation_id,
                    result,
                    ..
                } => {
                    let result = match result {
                        Recorded::Own(result) => result,
                        Recorded::Issuer(settlement) => {
                            OperationResult::of(settlement, ActionType::Pay, Capture::Implicit)
                        }
                    };
                    self.operations.insert(operation_id, result);
                }
                // The job that follows is begun by whoever applied the event; pages and the idle limit are no states here.
                Effect::AskIssuer { .. }
                | Effect::OpenDeviceCheck { .. }
                | Effect::OpenChallenge { .. }
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

fn refused(refusal: TransitionError) -> Answer {
    Answer::Failed(match refusal {
        TransitionError::Dead => Failure::Expired,
        TransitionError::WrongState | TransitionError::WrongVersion => Failure::WrongState,
        TransitionError::Authorizing => Failure::Service,
    })
}

/// Alternative methods are no part of the search: the form offers cards.
pub(crate) const NO_METHODS: &str = "nobody chooses an alternative method here";
/// How many closing calls of a session may end in a refusal.
const ATTEMPTS: u8 = 2;
