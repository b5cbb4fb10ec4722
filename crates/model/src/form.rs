//! A form in a tab: the widget's [`Flow`], its idempotency keys, and its one open question.
//!
//! Effects are carried out as `src/runtime.rs` does it. An answer to a question that the flow
//! does not ask any more is dropped, as the flow itself would do; [`Form::accepts_late_answers`] checks that.

mod effects;

use super::beside::Seen;
use super::card::Card;
use super::gateway::Ask;
use super::setting::Broken;
use super::sums::{ToldSums, form_number, form_sum};
use payframe_checkout_flow::choices::{Asked, ChoiceEvent, Currency, CurrencyOffer};
use payframe_checkout_flow::flow::{
    Answer, CaptureInitiator, Event, Failure, Flow, Generation, Intent, NewSession, Outcome, Phase,
    Renewal, SessionSnapshot, Terms, TimeLeft, Verdict,
};
use std::hash::{Hash, Hasher};

/// The position of a client's call.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum CallProgress {
    /// On its way to the gateway.
    ToGateway(Ask),
    /// The gateway works on it.
    AtGateway(Ask),
    /// The answer is on its way back, with the sums that it contains.
    ToCaller(Answer, Option<ToldSums>),
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
}

impl Form {
    /// The page is loaded with the session's state at the gateway.
    pub(crate) fn open(
        tab: usize,
        load: u8,
        capture_initiator: CaptureInitiator,
        renewal: Renewal,
        (snapshot, told): (SessionSnapshot, ToldSums),
        asked: Asked,
        is_timed: bool,
    ) -> (Form, Vec<FormReport>) {
        let opened = Event::Opened(Answer::State(snapshot));
        let (flow, effects) = Flow::opening(capture_initiator, renewal)
            .with_sums(told.sums())
            .step(opened);
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
        };
        let mut reports = Vec::new();
        form.carry_out(effects, None, &mut reports);
        if is_timed {
            let told = TimeLeft {
                seconds: 1,
                received_ms: NOW,
            };
            for event in [Event::TimingStarted(NOW), Event::TimeTold(told)] {
                reports.extend(form.handle(event, None));
            }
        }
        if asked != Asked::default() {
            let types_card = false;
            reports.extend(form.handle(Event::ChoicesOpened { asked, types_card }, None));
        }
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
        if broken == Some(Broken::ChoosesForBuyer) {
            for choice in [
                ChoiceEvent::CurrencyChosen(Currency::Card),
                ChoiceEvent::ConsentTicked(true),
            ] {
                self.handle(Event::Choice(choice), broken);
            }
        }
        self.handle(Event::Submitted(NOW), broken)
    }

    /// What the buyer sees that is paid. Of a card that the gateway has, `sent` is what was chosen.
    pub(crate) fn seen(&self, sent: Option<Seen>) -> Seen {
        let sum = self.flow.payable().and_then(form_number);
        let answers = self.flow.answers();
        match sent.filter(|_| !self.flow.phase().takes_card_data()) {
            Some(sent) => Seen { sum, ..sent },
            None => Seen {
                sum,
                is_saved: answers.saved_card.is_some(),
                parts: answers.instalments.unwrap_or(1),
            },
        }
    }

    /// The number of the sum that it shows.
    fn sum(&self) -> u8 {
        self.flow.payable().and_then(form_number).unwrap_or(0)
    }

    /// The gateway makes an offer for the card that is typed.
    pub(crate) fn take_offer(
        &mut self,
        id: usize,
        sum: u8,
        broken: Option<Broken>,
    ) -> Vec<FormReport> {
        let offer = CurrencyOffer {
            id: id.to_string(),
            sum: form_sum(sum),
            exchange_rate: String::new(),
            mark_up_percent: String::new(),
            expires_in_s: 300,
        };
        let mut reports = Vec::new();
        if self.flow.choices().is_none() {
            let (asked, types_card) = (Asked::default(), true);
            reports = self.handle(Event::ChoicesOpened { asked, types_card }, broken);
        }
        let offered = ChoiceEvent::Offered { offer, now_ms: NOW };
        reports.extend(self.handle(Event::Choice(offered), broken));
        reports
    }

    /// The page brings another session on these terms, in its first state.
    pub(crate) fn renew(
        &mut self,
        capture_initiator: CaptureInitiator,
        (snapshot, told): (SessionSnapshot, ToldSums),
        terms: Terms,
        asked: Asked,
        broken: Option<Broken>,
    ) -> Vec<FormReport> {
        self.unread |= terms == Terms::Changed;
        if broken == Some(Broken::TermsUnread) {
            self.flow = self.flow.clone().with_sums(told.sums());
        }
        let session = NewSession {
            capture_initiator,
            snapshot,
            // The merchant and the purpose are the same; the flow compares the sums.
            terms: Terms::Same,
            sums: Some(told.sums()),
            asked,
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

    /// The open call has this answer, which contains these sums.
    pub(crate) fn receive(
        &mut self,
        answer: Answer,
        told: Option<ToldSums>,
        broken: Option<Broken>,
    ) -> Vec<FormReport> {
        self.call = None;
        let answer = match (broken, told) {
            (Some(Broken::SumSlipsIn), Some(told)) => {
                self.flow = self.flow.clone().with_sums(told.sums());
                answer
            }
            _ => with_sums(answer, told),
        };
        self.handle(Event::Answered(self.generation, answer), broken)
    }

    /// The buyer is back at a form at rest, which reads the session's state.
    pub(crate) fn peek_state(
        &mut self,
        seen: (Answer, ToldSums),
        broken: Option<Broken>,
    ) -> Vec<FormReport> {
        if !self.flow.phase().is_at_rest() {
            return Vec::new();
        }
        let peeked = self.state_peeked(seen);
        self.handle(peeked, broken)
    }

    /// The open call has no answer.
    pub(crate) fn miss(&mut self, broken: Option<Broken>) -> Vec<FormReport> {
        self.receive(Answer::Failed(Failure::Connection), None, broken)
    }

    /// The session's state, read outside of the flow while the form waits for the buyer.
    pub(crate) fn state_peeked(&self, (answer, told): (Answer, ToldSums)) -> Event {
        Event::StatePeeked(self.flow.generation(), with_sums(answer, Some(told)))
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
        let asked = self.flow.generation();
        let (after, effects) = self.flow.clone().step(event);
        let mut reports = Vec::new();
        if after.generation() != asked {
            // The answer to the open question is not needed.
            reports.extend(self.call.take().map(FormReport::StoppedWaiting));
            self.waits = false;
        }
        self.flow = after;
        self.carry_out(effects, broken, &mut reports);
        reports
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

    /// Whether a press of Pay would be carried out, or be kept.
    pub(crate) fn takes_press(&self, broken: Option<Broken>) -> bool {
        if broken == Some(Broken::ChoosesForBuyer) {
            let mut pressed = self.clone();
            pressed.press(None, broken);
            return pressed.flow.phase() != self.flow.phase();
        }
        let (pressed, _) = self.flow.clone().step(Event::Submitted(NOW));
        pressed.phase() != self.flow.phase()
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
            call, waits, load, tab, attempt, submission, edited, card, gave_up, unread, puzzle,
        )
            .hash(state);
        flow.sums().hash(state);
        let open = flow.offer().map(|(open, _)| open);
        (
            open.map(|open| (&open.offer.id, open.chosen, open.is_sent)),
            self.sent_beside(),
            flow.choices()
                .and_then(|choices| Some(choices.saved_cards()?.cards.len())),
        )
            .hash(state);
    }
}

/// An answer with the sums that it contains.
fn with_sums(answer: Answer, told: Option<ToldSums>) -> Answer {
    match (answer, told) {
        (Answer::State(snapshot), Some(told)) => Answer::StateWithSums(snapshot, told.sums()),
        (answer, _) => answer,
    }
}

/// When everything happens, until the time of an offer has passed.
const NOW: u64 = 0;
