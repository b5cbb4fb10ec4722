//! A form in a tab: the widget's [`Flow`], its idempotency keys, and its one open question.
//!
//! Effects are carried out as `src/runtime.rs` does it. An answer to a question that the flow
//! does not ask any more is dropped, as the flow itself would do; [`Form::accepts_late_answers`] checks that.

use super::card::Card;
use super::gateway::{Ask, Key, NO_METHODS};
use super::setting::Broken;
use payframe_checkout_flow::flow::{
    Answer, Call, CaptureInitiator, Effect, Event, Failure, Flow, Generation, Intent, NewSession,
    Outcome, Phase, Renewal, SessionSnapshot, Terms, Verdict,
};
use std::hash::{Hash, Hasher};

/// The position of a client's call.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum CallProgress {
    /// On its way to the gateway.
    ToGateway(Ask),
    /// The gateway works on it.
    AtGateway(Ask),
    /// The answer is on its way back, with the sum that it contains.
    ToCaller(Answer, Option<u8>),
}

/// Actions of a form that others notice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FormReport {
    /// It reported a final outcome to the page.
    Outcome(Verdict),
    /// It reported a refusal to the page that allows another try.
    Refusal(Verdict),
    /// It made a completion call although the buyer gave up.
    ClosedAfterGivingUp,
    /// It sent card data or made a completion call, although the buyer has not pressed Pay since the terms changed.
    PaidUnread,
    /// It stopped waiting for a call.
    StoppedWaiting(CallProgress),
}

/// One form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Form {
    pub(crate) flow: Flow,
    pub(crate) call: Option<CallProgress>,
    pub(crate) waits: bool,
    /// Which load of the page this is.
    pub(crate) load: u8,
    tab: usize,
    generation: Generation,
    former: Option<Generation>,
    attempt: u8,
    submission: u8,
    edited: bool,
    card: Option<Card>,
    gave_up: bool,
    /// The terms changed after the buyer's last press of Pay.
    unread: bool,
    /// The puzzle that it solves while it [`waits`](Form::waits): the solution is the same text.
    puzzle: String,
    /// The sum that it shows: see [`sum_of`](crate::sum_of).
    pub(crate) sum: u8,
}

impl Form {
    /// The page is loaded with the session's state at the gateway.
    pub(crate) fn open(
        tab: usize,
        load: u8,
        capture_initiator: CaptureInitiator,
        renewal: Renewal,
        (snapshot, sum): (SessionSnapshot, u8),
    ) -> (Form, Vec<FormReport>) {
        let opened = Event::Opened(Answer::State(snapshot));
        let (flow, effects) = Flow::opening(capture_initiator, renewal).step(opened);
        let mut form = Form {
            flow,
            call: None,
            waits: false,
            load,
            tab,
            generation: Generation::default(),
            former: None,
            attempt: 0,
            submission: 0,
            edited: true,
            card: None,
            gave_up: false,
            unread: false,
            puzzle: String::new(),
            sum,
        };
        let mut reports = Vec::new();
        form.carry_out(effects, None, &mut reports);
        (form, reports)
    }

    /// The buyer presses Pay, with this card where the fields are shown.
    pub(crate) fn press(&mut self, card: Option<Card>, broken: Option<Broken>) -> Vec<FormReport> {
        if let Some(card) = card
            && (self.edited || self.card != Some(card))
        {
            self.submission += 1;
            self.edited = false;
            self.card = Some(card);
        }
        self.gave_up = false;
        self.unread = false;
        self.handle(Event::Submitted, broken)
    }

    /// The page brings another session on these terms, in its first state.
    pub(crate) fn renew(
        &mut self,
        capture_initiator: CaptureInitiator,
        (snapshot, sum): (SessionSnapshot, u8),
        terms: Terms,
        broken: Option<Broken>,
    ) -> Vec<FormReport> {
        self.sum = sum;
        self.unread |= terms == Terms::Changed;
        let terms = match broken {
            Some(Broken::TermsUnread) => Terms::Same,
            _ => terms,
        };
        let session = NewSession {
            capture_initiator,
            snapshot,
            terms,
        };
        self.handle(Event::Renewed(session), broken)
    }

    /// Whether another session may replace this one, asked for or not.
    pub(crate) fn takes_session(&self) -> bool {
        self.flow.phase().takes_session()
    }

    /// Whether the page is being asked for another session.
    pub(crate) fn asks_page(&self) -> bool {
        self.flow.phase().asks_for_session()
    }

    /// The buyer cancels.
    pub(crate) fn give_up(&mut self, broken: Option<Broken>) -> Vec<FormReport> {
        self.gave_up = true;
        self.handle(Event::CancelRequested, broken)
    }

    /// The open call has this answer, which contains this sum.
    pub(crate) fn receive(
        &mut self,
        answer: Answer,
        answered_sum: Option<u8>,
        broken: Option<Broken>,
    ) -> Vec<FormReport> {
        self.call = None;
        let understood = self.understood(answer.clone(), answered_sum);
        let event = match broken {
            Some(Broken::SumSlipsIn) => answer,
            _ => understood.clone(),
        };
        self.take_sum(&understood, answered_sum);
        self.handle(Event::Answered(self.generation, event), broken)
    }

    /// An answer, as the widget understands it, given the sum that it shows.
    fn understood(&self, answer: Answer, answered_sum: Option<u8>) -> Answer {
        match answer {
            Answer::State(snapshot)
                if answered_sum.is_some_and(|sum| sum != self.sum)
                    && !matches!(snapshot, SessionSnapshot::Complete(_)) =>
            {
                Answer::Repriced(snapshot)
            }
            other => other,
        }
    }

    fn take_sum(&mut self, understood: &Answer, answered_sum: Option<u8>) {
        if let (Answer::Repriced(_), Some(sum)) = (understood, answered_sum) {
            self.sum = sum;
        }
    }

    /// The buyer is back at a form at rest, which reads the session's state.
    pub(crate) fn peek_state(
        &mut self,
        (answer, sum): (Answer, u8),
        broken: Option<Broken>,
    ) -> Vec<FormReport> {
        if !self.flow.phase().is_at_rest() {
            return Vec::new();
        }
        let understood = self.understood(answer, Some(sum));
        self.take_sum(&understood, Some(sum));
        self.handle(
            Event::StatePeeked(self.flow.generation(), understood),
            broken,
        )
    }

    /// The open call has no answer.
    pub(crate) fn miss(&mut self, broken: Option<Broken>) -> Vec<FormReport> {
        self.receive(Answer::Failed(Failure::Connection), None, broken)
    }

    /// The session's state, read outside of the flow while the form waits for the buyer.
    pub(crate) fn state_peeked(&self, (answer, sum): (Answer, u8)) -> Event {
        Event::StatePeeked(self.flow.generation(), self.understood(answer, Some(sum)))
    }

    /// Whether this event would change anything.
    pub(crate) fn would_change(&self, event: Event) -> bool {
        self.flow.clone().step(event) != (self.flow.clone(), vec![])
    }

    /// The wait is over, or the puzzle is solved.
    pub(crate) fn wake(&mut self, broken: Option<Broken>) -> Vec<FormReport> {
        self.waits = false;
        let event = match self.flow.phase() {
            Phase::Proving { .. } => {
                Event::PuzzleSolved(self.generation, Some(self.puzzle.clone()))
            }
            _ => Event::WaitOver(self.generation),
        };
        self.handle(event, broken)
    }

    /// Takes an event, and carries out the flow's effects.
    pub(crate) fn handle(&mut self, event: Event, broken: Option<Broken>) -> Vec<FormReport> {
        let before = self.flow.clone();
        let (after, effects) = before.clone().step(event);
        let mut reports = Vec::new();
        if after != before {
            // Another generation: the answer to the open question is not needed.
            reports.extend(self.call.take().map(FormReport::StoppedWaiting));
            self.waits = false;
        }
        self.flow = after;
        self.carry_out(effects, broken, &mut reports);
        reports
    }

    fn carry_out(
        &mut self,
        effects: Vec<Effect>,
        broken: Option<Broken>,
        reports: &mut Vec<FormReport>,
    ) {
        for effect in effects {
            match effect {
                Effect::Call(call, generation) => {
                    self.asked(generation);
                    if broken == Some(Broken::KeyForEachTry) && call == Call::Complete {
                        self.attempt += 1;
                    }
                    let ask = match call {
                        Call::Cancel if broken == Some(Broken::GivingUpCloses) => {
                            self.ask(Call::Complete)
                        }
                        call => self.ask(call),
                    };
                    if self.unread && matches!(ask, Ask::SendCard { .. } | Ask::Close { .. }) {
                        reports.push(FormReport::PaidUnread);
                    }
                    if self.gave_up && matches!(ask, Ask::Close { .. }) {
                        reports.push(FormReport::ClosedAfterGivingUp);
                    }
                    self.call = Some(CallProgress::ToGateway(ask));
                }
                Effect::Wait(_, generation) => {
                    self.asked(generation);
                    self.waits = broken != Some(Broken::WaitsForgotten);
                }
                Effect::SolvePuzzle(puzzle, generation) => {
                    self.asked(generation);
                    self.puzzle = puzzle;
                    self.waits = true;
                }
                Effect::NewAttempt => {
                    self.attempt += 1;
                    self.edited = true;
                }
                Effect::ReportRefusal(verdict, _) => reports.push(FormReport::Refusal(verdict)),
                Effect::ReportOutcome(verdict, _) => reports.push(FormReport::Outcome(verdict)),
                // The entry is complete, as at the press.
                Effect::CheckFields => {
                    if self.edited {
                        self.submission += 1;
                        self.edited = false;
                    }
                    reports.extend(self.handle(Event::Submitted, broken));
                }
                // The page's answer is an action of its own. The rest is for the screen and the inputs.
                Effect::AskForSession
                | Effect::ShowNewTerms
                | Effect::AskToPayAgain
                | Effect::Leave(_)
                | Effect::ReadCard
                | Effect::ForgetSecurityCode
                | Effect::WipeCard => {}
            }
        }
    }

    fn asked(&mut self, generation: Generation) {
        if generation != self.generation {
            self.former = Some(self.generation);
        }
        self.generation = generation;
    }

    fn ask(&self, call: Call) -> Ask {
        match call {
            Call::ChooseCard => Ask::ChooseCard,
            Call::ChooseElsewhere => unreachable!("{NO_METHODS}"),
            Call::VerifyDevice(_) => unreachable!("sessions here are of version 3"),
            Call::SendCard => Ask::SendCard {
                key: Key::Submission(self.tab, self.load, self.submission),
                card: self.card.unwrap_or(Card::Bad),
                sum: self.sum,
                proof: match self.flow.phase() {
                    Phase::Sending { proof, .. } => proof.solution.parse().ok(),
                    _ => None,
                },
            },
            Call::CheckDevice(question) => Ask::CheckDevice {
                last: question >= LAST_QUESTION,
            },
            Call::SkipDevice => Ask::SkipDevice,
            Call::LeaveChallenge => Ask::LeaveChallenge,
            Call::ReadState => Ask::ReadState,
            Call::Complete => Ask::Close {
                key: Key::Attempt(self.tab, self.load, self.attempt),
                sum: Some(self.sum),
            },
            Call::AgreeToSum => Ask::Agree { sum: self.sum },
            Call::Cancel => Ask::Cancel,
        }
    }

    /// Whether the form waits only for the buyer, or has ended.
    pub(crate) fn is_at_rest(&self) -> bool {
        match self.flow.phase() {
            Phase::ChoosingMethod
            | Phase::Collecting(_)
            | Phase::Reviewing
            | Phase::Repriced
            | Phase::HandedOver
            | Phase::Complete(_)
            | Phase::Expired => true,
            // It has asked for ten minutes. After that it asks only at the buyer's request.
            Phase::Unknown { .. } => !self.has_question_out(),
            _ => false,
        }
    }

    pub(crate) fn is_through(&self) -> bool {
        matches!(self.flow.phase(), Phase::Complete(_) | Phase::Expired)
    }

    pub(crate) fn has_question_out(&self) -> bool {
        self.waits || self.call.is_some()
    }

    /// Whether an answer to an earlier question would change the flow.
    pub(crate) fn accepts_late_answers(&self) -> bool {
        let Some(former) = self.former else {
            return false;
        };
        let verdict = |outcome| Verdict {
            outcome,
            decline: None,
            operation_id: String::new(),
        };
        let answers = [
            Answer::State(SessionSnapshot::Ready),
            Answer::State(SessionSnapshot::Collecting(None)),
            Answer::State(SessionSnapshot::Complete(verdict(Outcome::Approved))),
            Answer::CardTakenNoCheck,
            Answer::DevicePassed,
            Answer::Failed(Failure::Connection),
            Answer::Failed(Failure::Expired),
        ];
        let answered = answers.map(|answer| Event::Answered(former, answer));
        answered
            .into_iter()
            .chain([Event::WaitOver(former)])
            .any(|event| self.flow.clone().step(event) != (self.flow.clone(), vec![]))
    }

    /// Whether a press of Pay would change anything.
    pub(crate) fn takes_press(&self) -> bool {
        self.flow.clone().step(Event::Submitted).0 != self.flow
    }

    /// Whether cancelling would change anything.
    pub(crate) fn takes_giving_up(&self) -> bool {
        self.flow.clone().step(Event::CancelRequested).0 != self.flow
    }
}

impl Hash for Form {
    /// Generations only grow, and the number of polls without news has no effect before its limit. Both are left out, so
    /// that a payment has finitely many states; the limits are actions of their own. A problem of the
    /// issuer's page is reported and has no effect on the flow.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Form {
            flow,
            call,
            waits,
            load,
            tab,
            generation: _,
            former: _,
            attempt,
            submission,
            edited,
            card,
            gave_up,
            unread,
            puzzle,
            sum,
        } = self;
        std::mem::discriminant(flow.phase()).hash(state);
        match flow.phase() {
            Phase::CheckingDevice { url, lost, .. } => (url, lost).hash(state),
            Phase::AwaitingServer { .. } => {}
            Phase::Unknown { intent, .. } => {
                (*intent == Intent::Pay, *intent == Intent::GiveUp).hash(state)
            }
            other => other.hash(state),
        }
        (
            call, waits, load, tab, attempt, submission, edited, card, gave_up, unread, puzzle, sum,
        )
            .hash(state);
    }
}

/// The gateway ends a device check with this question (contract 4.1).
const LAST_QUESTION: u8 = 10;
