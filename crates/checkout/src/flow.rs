//! The form's state machine: what a payment in the form does next, as one pure function.
//!
//! Use it through [`Flow::start`] and [`Flow::step`]; whoever holds a [`Flow`] carries out the [`Effect`]s and
//! reports what came of them as [`Event`]s. It decides order, retries, limits and outcomes. It does not know
//! card data, clocks, requests or the screen, and it never claims a result that the gateway has not stated.
//!
//! Every call and every wait carries the [`Turn`] in which it was asked for. An answer to an earlier turn is
//! ignored, so a late, repeated or reordered answer can never move the form backwards.

use crate::decline::Decline;

/// Who makes the closing call that charges the card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Closing {
    /// The form itself.
    Frame,
    /// The merchant's server; the form waits for it.
    Server,
    /// The merchant's page sees to it: for the form all is done once the card data is complete.
    Page,
}

/// What became of a payment. `Unknown` is an outcome too: it forbids a second try.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Paid, held or verified.
    Approved,
    /// Not final yet; no second payment may be offered.
    Pending,
    /// Refused by issuer, risk rules or 3-D Secure.
    Declined,
    /// Given up by the buyer or the merchant.
    Cancelled,
    /// A technical failure, nothing charged.
    Failed,
    /// Charged and given back.
    Reversed,
    /// The gateway's answer is not known or not understood.
    Unknown,
}

impl Outcome {
    /// From `operationResult` of the gateway contract, 2.7.2. Whatever is not listed there is [`Outcome::Unknown`].
    pub fn from_operation_result(result: &str) -> Self {
        match result {
            "AUTHORIZED" | "EXECUTED" => Self::Approved,
            "DECLINED" | "DENIED_BY_RISK" | "THREEDS_FAILED" | "3DS_FAILED" => Self::Declined,
            "PENDING" => Self::Pending,
            "CANCELED" | "CANCELLED" => Self::Cancelled,
            "VOIDED" | "REFUNDED" => Self::Reversed,
            "FAILED" => Self::Failed,
            _ => Self::Unknown,
        }
    }
}

/// An operation with its result, as the gateway stated it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Verdict {
    /// What became of the payment.
    pub outcome: Outcome,
    /// Why it was refused; `None` unless `outcome` is [`Outcome::Declined`] or [`Outcome::Failed`].
    pub decline: Option<Decline>,
    /// The gateway's operation id.
    pub operation_id: String,
}

/// Where the gateway says the session stands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Reading {
    /// The buyer must choose a method.
    MethodSelection,
    /// Card data is wanted; with the refusal that led back here, if any.
    Collecting(Option<Verdict>),
    /// Card data is complete, a closing call is due.
    Ready,
    /// The issuer's page waits at this address.
    Challenge(String),
    /// The outcome.
    Complete(Verdict),
}

/// A call to the gateway. All but [`Call::SendCard`] need nothing but the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Call {
    /// Choose the card method.
    ChooseCard,
    /// Send the card data, with the idempotency key of this submission.
    SendCard,
    /// Ask whether the device check is done; the number counts up from 1.
    CheckDevice(u8),
    /// Read where the session stands.
    ReadState,
    /// Close the payment, with the idempotency key of this attempt. Charges the card.
    Close,
    /// Give the payment up.
    Cancel,
}

/// Why a call has no answer of the gateway's business.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Failure {
    /// No connection, or an answer that is not the gateway's.
    Connection,
    /// A fault on the gateway's side, or too many requests.
    Service,
    /// The call does not fit where the session stands.
    WrongState,
    /// The session is dead.
    Expired,
}

/// What the gateway answered to a call.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// State object: of [`Call::ChooseCard`], [`Call::ReadState`], [`Call::Close`] and [`Call::Cancel`].
    Stands(Reading),
    /// The card data was taken and a device check is due at this address.
    CardTaken(String),
    /// The card data was taken and nothing more is due.
    CardTakenNoCheck,
    /// The gateway refused fields; which ones is between the runtime and the view.
    CardRefused,
    /// The device check is done.
    DevicePassed,
    /// The device check still runs.
    DevicePending,
    /// The device check failed for good, with this result.
    DeviceFailed(Verdict),
    /// No answer, or none of the gateway's business.
    Failed(Failure),
}

/// Marks which question an answer belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Turn(u32);

/// Something happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The buyer chose to pay by card.
    MethodChosen,
    /// The buyer or the page submitted a complete, valid form.
    Submitted,
    /// The buyer or the page gives up.
    CancelRequested,
    /// The buyer asks again how an unknown payment stands.
    RecheckRequested,
    /// A page inside the frame says that it is done. A hint, no more.
    Hinted,
    /// A call came back.
    Answered(Turn, Answer),
    /// A wait is over.
    WaitOver(Turn),
}

/// What to do next. Carry out in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Make a call and report its answer with this turn.
    Call(Call, Turn),
    /// Wait so many milliseconds and report [`Event::WaitOver`] with this turn.
    Wait(u32, Turn),
    /// Read card data for display; its answer does not concern the flow.
    ReadCard,
    /// The gateway has the security code: remove it from input and memory.
    ForgetSecurityCode,
    /// A refusal ended the attempt: the next closing call needs a new idempotency key.
    NewAttempt,
    /// Everything is settled or given up: remove all card data from inputs and memory.
    WipeCard,
    /// Tell the page an outcome that leaves the buyer another try.
    ReportRefusal(Verdict),
    /// Tell the page the final outcome. Told once, except that a later truth may follow `Unknown`.
    ReportOutcome(Verdict),
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
pub enum Wish {
    /// Pressed Pay: a session that is ready may be closed.
    Pay,
    /// Gave up: a session that is still open is cancelled.
    GiveUp,
    /// Somebody else closes it (the merchant's server, another tab): look on.
    Watch,
}

/// Where the form stands. Each phase holds what it needs and nothing else.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// The buyer chooses a method.
    ChoosingMethod,
    /// The choice is on its way.
    OpeningCard,
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
    /// The merchant's server is expected to close.
    AwaitingServer {
        /// Milliseconds waited so far.
        waited_ms: u32,
    },
    /// The card data is complete, and the merchant's page sees to the rest.
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
    /// The card is known and nothing is charged yet: the buyer looks over it and presses Pay.
    Reviewing,
    /// The form asks how the session stands, because it can't know.
    Rereading {
        /// How often it was tried without an answer.
        tries: u8,
        /// What the answer is for.
        wish: Wish,
    },
    /// The buyer gave up; the gateway's answer decides.
    Cancelling {
        /// How often it was tried without an answer.
        tries: u8,
    },
    /// The outcome is in.
    Complete(Verdict),
    /// The outcome could not be learnt yet; the form keeps asking.
    Unknown {
        /// How often it was asked in vain.
        asked: u16,
        /// What the answer is for.
        wish: Wish,
    },
    /// The session ended without an outcome.
    Expired,
}

impl Phase {
    /// Whether a call or a wait of this phase can still be answered.
    fn has_question_out(&self) -> bool {
        !matches!(
            self,
            Self::ChoosingMethod
                | Self::Collecting(_)
                | Self::Reviewing
                | Self::HandedOver
                | Self::Complete(_)
                | Self::Expired
        )
    }

    /// Whether the buyer's press of Pay is what this phase works on.
    fn was_pressed(&self) -> bool {
        matches!(
            self,
            Self::Sending { .. }
                | Self::CheckingDevice { .. }
                | Self::Closing { .. }
                | Self::Rereading {
                    wish: Wish::Pay,
                    ..
                }
                | Self::Unknown {
                    wish: Wish::Pay,
                    ..
                }
        )
    }
}

/// The flow of one session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flow {
    closing: Closing,
    turn: Turn,
    phase: Phase,
}

impl Flow {
    /// Begins where the gateway says that the session stands.
    pub fn start(closing: Closing, reading: Reading) -> (Self, Vec<Effect>) {
        let flow = Self {
            closing,
            turn: Turn::default(),
            phase: Phase::ChoosingMethod,
        };
        flow.follow(reading)
    }

    /// Where the form stands.
    pub fn phase(&self) -> &Phase {
        &self.phase
    }

    /// The one transition function. Whatever does not concern the current phase or turn changes nothing.
    pub fn step(self, event: Event) -> (Self, Vec<Effect>) {
        match event {
            Event::Answered(turn, _) | Event::WaitOver(turn) if turn != self.turn => self.stay(),
            Event::Answered(_, answer) => self.answered(answer),
            Event::WaitOver(_) => self.wait_over(),
            Event::MethodChosen => match self.phase {
                Phase::ChoosingMethod => self.call(Phase::OpeningCard, Call::ChooseCard),
                _ => self.stay(),
            },
            Event::Submitted => match self.phase {
                Phase::Collecting(_) => self.call(Phase::Sending { tries: 0 }, Call::SendCard),
                Phase::Reviewing => self.call(Phase::Closing { tries: 0 }, Call::Close),
                _ => self.stay(),
            },
            Event::CancelRequested => match self.phase {
                Phase::Cancelling { .. }
                | Phase::Complete(_)
                | Phase::Unknown { .. }
                | Phase::Expired => self.stay(),
                _ => self.call(Phase::Cancelling { tries: 0 }, Call::Cancel),
            },
            Event::RecheckRequested => match self.phase {
                Phase::Unknown { .. } => self.ask_again(Call::ReadState),
                _ => self.stay(),
            },
            Event::Hinted => match self.phase {
                Phase::CheckingDevice {
                    url,
                    question,
                    lost,
                } => {
                    let phase = Phase::CheckingDevice {
                        url,
                        question,
                        lost,
                    };
                    Self { phase, ..self }.ask_again(Call::CheckDevice(question))
                }
                Phase::Challenge { .. } => self.ask_again(Call::ReadState),
                _ => self.stay(),
            },
        }
    }

    fn answered(self, answer: Answer) -> (Self, Vec<Effect>) {
        if !self.phase.has_question_out() {
            return self.stay();
        }
        match answer {
            Answer::Failed(failure) => self.failed(failure),
            Answer::Stands(reading) => self.stands(reading),
            Answer::CardTaken(_) | Answer::CardTakenNoCheck | Answer::CardRefused => {
                self.card_answered(answer)
            }
            Answer::DevicePassed => match self.phase {
                Phase::CheckingDevice { .. } => self.ready(),
                _ => self.stay(),
            },
            Answer::DevicePending => match self.phase {
                Phase::CheckingDevice { question, .. } if question >= DEVICE_QUESTIONS => {
                    self.reread(Wish::Pay)
                }
                Phase::CheckingDevice { url, question, .. } => {
                    let question = question + 1;
                    let phase = Phase::CheckingDevice {
                        url,
                        question,
                        lost: 0,
                    };
                    Self { phase, ..self }.wait(DEVICE_INTERVAL_MS)
                }
                _ => self.stay(),
            },
            Answer::DeviceFailed(verdict) => match self.phase {
                Phase::CheckingDevice { .. } => self.complete(verdict),
                _ => self.stay(),
            },
        }
    }

    fn card_answered(self, answer: Answer) -> (Self, Vec<Effect>) {
        if !matches!(self.phase, Phase::Sending { .. }) {
            return self.stay();
        }
        match answer {
            Answer::CardTaken(url) => {
                let phase = Phase::CheckingDevice {
                    url,
                    question: 1,
                    lost: 0,
                };
                let (flow, mut effects) = self.enter(phase).wait(DEVICE_INTERVAL_MS);
                effects.insert(0, Effect::ForgetSecurityCode);
                (flow, effects)
            }
            Answer::CardTakenNoCheck => {
                let (flow, mut effects) = self.ready();
                effects.insert(0, Effect::ForgetSecurityCode);
                (flow, effects)
            }
            _ => (self.enter(Phase::Collecting(Notice::FieldsRefused)), vec![]),
        }
    }

    fn stands(self, reading: Reading) -> (Self, Vec<Effect>) {
        match (&self.phase, reading) {
            // A poll that found nothing new.
            (Phase::AwaitingServer { .. }, Reading::Ready) => self.wait(SERVER_INTERVAL_MS),
            (Phase::Challenge { url }, Reading::Challenge(now)) if *url == now => {
                self.wait(CHALLENGE_INTERVAL_MS)
            }
            (
                Phase::Unknown {
                    asked,
                    wish: Wish::Watch,
                },
                Reading::Ready,
            ) => {
                let asked = asked + 1;
                self.keep_asking(asked, Wish::Watch)
            }
            (
                Phase::Rereading {
                    wish: Wish::Watch, ..
                },
                Reading::Ready,
            ) => self.await_server(),
            (_, Reading::Complete(verdict)) => self.complete(verdict),
            (
                Phase::Rereading {
                    wish: Wish::GiveUp, ..
                }
                | Phase::Unknown {
                    wish: Wish::GiveUp, ..
                },
                _,
            ) => self.call(Phase::Cancelling { tries: 0 }, Call::Cancel),
            (_, reading) => self.follow(reading),
        }
    }

    /// Goes where the gateway says that the session stands.
    fn follow(self, reading: Reading) -> (Self, Vec<Effect>) {
        match reading {
            Reading::MethodSelection => (self.enter(Phase::ChoosingMethod), vec![]),
            Reading::Collecting(None) => (self.enter(Phase::Collecting(Notice::None)), vec![]),
            Reading::Collecting(Some(verdict)) => {
                let notice = verdict.decline.map_or(Notice::None, Notice::Refused);
                let effects = vec![
                    Effect::ForgetSecurityCode,
                    Effect::NewAttempt,
                    Effect::ReportRefusal(verdict),
                ];
                (self.enter(Phase::Collecting(notice)), effects)
            }
            Reading::Ready => self.ready(),
            Reading::Challenge(url) => {
                let phase = Phase::Challenge { url };
                let (flow, mut effects) = self.enter(phase).wait(CHALLENGE_INTERVAL_MS);
                effects.push(Effect::ReadCard);
                (flow, effects)
            }
            Reading::Complete(verdict) => self.complete(verdict),
        }
    }

    fn ready(self) -> (Self, Vec<Effect>) {
        match self.closing {
            // Nobody has pressed Pay, as after a reload: nothing may be charged.
            Closing::Frame if !self.phase.was_pressed() => {
                (self.enter(Phase::Reviewing), vec![Effect::ReadCard])
            }
            Closing::Frame => self.call(Phase::Closing { tries: 0 }, Call::Close),
            Closing::Server | Closing::Page => self.await_server(),
        }
    }

    fn await_server(self) -> (Self, Vec<Effect>) {
        if self.closing == Closing::Page {
            return (self.enter(Phase::HandedOver), vec![]);
        }
        let (flow, mut effects) = self
            .enter(Phase::AwaitingServer { waited_ms: 0 })
            .wait(SERVER_INTERVAL_MS);
        effects.push(Effect::ReadCard);
        (flow, effects)
    }

    fn complete(self, verdict: Verdict) -> (Self, Vec<Effect>) {
        let mut effects = vec![Effect::ReportOutcome(verdict.clone()), Effect::WipeCard];
        if matches!(verdict.outcome, Outcome::Approved | Outcome::Pending) {
            effects.push(Effect::ReadCard);
        }
        (self.enter(Phase::Complete(verdict)), effects)
    }

    fn failed(self, failure: Failure) -> (Self, Vec<Effect>) {
        if failure == Failure::Expired {
            // A session that died was never charged: contract 4.1.
            let effects = vec![
                Effect::ReportOutcome(without_operation(Outcome::Failed)),
                Effect::WipeCard,
            ];
            return (self.enter(Phase::Expired), effects);
        }
        match self.phase.clone() {
            Phase::ChoosingMethod
            | Phase::Collecting(_)
            | Phase::Reviewing
            | Phase::HandedOver
            | Phase::Complete(_)
            | Phase::Expired => self.stay(),
            Phase::OpeningCard => self.reread(Wish::Watch),
            _ if failure == Failure::WrongState => self.misplaced(),
            Phase::Sending { tries } if tries + 1 < SEND_TRIES => self
                .enter(Phase::Sending { tries: tries + 1 })
                .wait(backoff_ms(tries)),
            // Sending charges nothing, so the buyer may simply press again, with the same key.
            Phase::Sending { .. } => {
                let notice = match failure {
                    Failure::Connection => Notice::Connection,
                    _ => Notice::Service,
                };
                (self.enter(Phase::Collecting(notice)), vec![])
            }
            Phase::CheckingDevice {
                url,
                question,
                lost,
            } if lost < DEVICE_LOST => {
                let phase = Phase::CheckingDevice {
                    url,
                    question,
                    lost: lost + 1,
                };
                self.enter(phase).wait(backoff_ms(lost))
            }
            Phase::CheckingDevice { .. } => self.reread(Wish::Pay),
            Phase::AwaitingServer { .. } => self.wait(SERVER_INTERVAL_MS),
            Phase::Challenge { .. } => self.wait(CHALLENGE_INTERVAL_MS),
            Phase::Closing { tries } if tries + 1 < CLOSE_TRIES => self
                .enter(Phase::Closing { tries: tries + 1 })
                .wait(backoff_ms(tries)),
            Phase::Cancelling { tries } if tries + 1 < CLOSE_TRIES => self
                .enter(Phase::Cancelling { tries: tries + 1 })
                .wait(backoff_ms(tries)),
            Phase::Rereading { tries, wish } if tries + 1 < CLOSE_TRIES => {
                let phase = Phase::Rereading {
                    tries: tries + 1,
                    wish,
                };
                self.enter(phase).wait(backoff_ms(tries))
            }
            Phase::Closing { .. } => self.unknown(Wish::Pay),
            Phase::Cancelling { .. } => self.unknown(Wish::GiveUp),
            Phase::Rereading { wish, .. } => self.unknown(wish),
            Phase::Unknown { asked, wish } => self.keep_asking(asked + 1, wish),
        }
    }

    /// The gateway says that the call does not fit: ask where the session stands.
    fn misplaced(self) -> (Self, Vec<Effect>) {
        match self.phase {
            Phase::Unknown { asked, wish } => self.keep_asking(asked + 1, wish),
            Phase::Rereading { wish, .. } => self.unknown(wish),
            Phase::Cancelling { .. } => self.reread(Wish::GiveUp),
            // The same card data would have been answered as before, so somebody else's card data is there.
            Phase::Sending { .. } => self.reread(Wish::Watch),
            _ => self.reread(Wish::Pay),
        }
    }

    fn reread(self, wish: Wish) -> (Self, Vec<Effect>) {
        self.call(Phase::Rereading { tries: 0, wish }, Call::ReadState)
    }

    fn unknown(self, wish: Wish) -> (Self, Vec<Effect>) {
        let (flow, mut effects) = self.keep_asking(0, wish);
        effects.push(Effect::ReportOutcome(without_operation(Outcome::Unknown)));
        (flow, effects)
    }

    fn keep_asking(self, asked: u16, wish: Wish) -> (Self, Vec<Effect>) {
        let asked = asked.min(UNKNOWN_QUESTIONS);
        let flow = self.enter(Phase::Unknown { asked, wish });
        if asked < UNKNOWN_QUESTIONS {
            flow.wait(UNKNOWN_INTERVAL_MS)
        } else {
            (flow, vec![])
        }
    }

    fn wait_over(self) -> (Self, Vec<Effect>) {
        match self.phase.clone() {
            Phase::Sending { .. } => self.ask_again(Call::SendCard),
            Phase::CheckingDevice { question, .. } => self.ask_again(Call::CheckDevice(question)),
            Phase::AwaitingServer { waited_ms } if waited_ms >= SERVER_LIMIT_MS => {
                self.unknown(Wish::Watch)
            }
            Phase::AwaitingServer { waited_ms } => {
                let phase = Phase::AwaitingServer {
                    waited_ms: waited_ms + SERVER_INTERVAL_MS,
                };
                self.call(phase, Call::ReadState)
            }
            Phase::Closing { .. } => self.ask_again(Call::Close),
            Phase::Challenge { .. } | Phase::Rereading { .. } | Phase::Unknown { .. } => {
                self.ask_again(Call::ReadState)
            }
            Phase::Cancelling { .. } => self.ask_again(Call::Cancel),
            Phase::ChoosingMethod
            | Phase::OpeningCard
            | Phase::Collecting(_)
            | Phase::Reviewing
            | Phase::HandedOver
            | Phase::Complete(_)
            | Phase::Expired => self.stay(),
        }
    }

    fn stay(self) -> (Self, Vec<Effect>) {
        (self, vec![])
    }

    /// A new phase is a new turn: answers to questions of the former one no longer count.
    fn enter(self, phase: Phase) -> Self {
        Self {
            closing: self.closing,
            turn: Turn(self.turn.0.wrapping_add(1)),
            phase,
        }
    }

    fn call(self, phase: Phase, call: Call) -> (Self, Vec<Effect>) {
        let flow = self.enter(phase);
        let effect = Effect::Call(call, flow.turn);
        (flow, vec![effect])
    }

    fn ask_again(self, call: Call) -> (Self, Vec<Effect>) {
        let phase = self.phase.clone();
        self.call(phase, call)
    }

    fn wait(self, ms: u32) -> (Self, Vec<Effect>) {
        let phase = self.phase.clone();
        let flow = self.enter(phase);
        let effect = Effect::Wait(ms, flow.turn);
        (flow, vec![effect])
    }
}

fn without_operation(outcome: Outcome) -> Verdict {
    Verdict {
        outcome,
        decline: None,
        operation_id: String::new(),
    }
}

/// 0.5 s, 1 s, 2 s, 4 s, then 8 s each.
fn backoff_ms(tries: u8) -> u32 {
    500 << tries.min(4)
}

/// How often the device check is asked for: contract 5.5, once per second.
const DEVICE_INTERVAL_MS: u32 = 1_000;
/// Questions before the session is read instead; the gateway ends the check after ten.
const DEVICE_QUESTIONS: u8 = 15;
/// Unanswered device questions in a row before the session is read instead.
const DEVICE_LOST: u8 = 5;
/// How often the form looks whether the merchant's server has closed.
const SERVER_INTERVAL_MS: u32 = 1_500;
/// How long it waits for that server.
const SERVER_LIMIT_MS: u32 = 300_000;
/// How often a challenge's result is asked for, should the hint be lost.
const CHALLENGE_INTERVAL_MS: u32 = 3_000;
/// Tries of sending the card data before the buyer is asked: about 4 s.
const SEND_TRIES: u8 = 4;
/// Tries of a closing call before the outcome is called unknown: about 40 s.
const CLOSE_TRIES: u8 = 8;
/// How often and how long an unknown outcome is asked for: ten minutes.
const UNKNOWN_INTERVAL_MS: u32 = 5_000;
const UNKNOWN_QUESTIONS: u16 = 120;

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{HashSet, VecDeque};

    fn verdict(outcome: Outcome) -> Verdict {
        let decline = (outcome == Outcome::Declined).then_some(Decline::Funds);
        Verdict {
            outcome,
            decline,
            operation_id: "1".into(),
        }
    }

    fn readings() -> Vec<Reading> {
        let mut readings = vec![
            Reading::MethodSelection,
            Reading::Collecting(None),
            Reading::Collecting(Some(verdict(Outcome::Declined))),
            Reading::Ready,
            Reading::Challenge("https://issuer.example/a".into()),
            Reading::Challenge("https://issuer.example/b".into()),
        ];
        readings.extend(OUTCOMES.map(|outcome| Reading::Complete(verdict(outcome))));
        readings
    }

    fn answers() -> Vec<Answer> {
        let mut answers = vec![
            Answer::CardTaken("https://issuer.example/check".into()),
            Answer::CardTakenNoCheck,
            Answer::CardRefused,
            Answer::DevicePassed,
            Answer::DevicePending,
            Answer::DeviceFailed(verdict(Outcome::Declined)),
        ];
        answers.extend(readings().into_iter().map(Answer::Stands));
        answers.extend(FAILURES.map(Answer::Failed));
        answers
    }

    fn events(flow: &Flow) -> Vec<Event> {
        let stale = Turn(flow.turn.0.wrapping_sub(1));
        let mut events = vec![
            Event::MethodChosen,
            Event::Submitted,
            Event::CancelRequested,
            Event::RecheckRequested,
            Event::Hinted,
            Event::WaitOver(flow.turn),
            Event::WaitOver(stale),
        ];
        for answer in answers() {
            events.push(Event::Answered(flow.turn, answer.clone()));
            events.push(Event::Answered(stale, answer));
        }
        events
    }

    /// Visits every (state, event) pair that can be reached, with limits and counters as they are.
    fn explore(mut check: impl FnMut(&Flow, &Event, &Flow, &[Effect])) -> usize {
        let mut seen = HashSet::new();
        let mut queue = VecDeque::new();
        for closing in [Closing::Frame, Closing::Server, Closing::Page] {
            for reading in readings() {
                let (flow, _) = Flow::start(closing, reading);
                if seen.insert((flow.closing, flow.phase.clone())) {
                    queue.push_back(flow);
                }
            }
        }
        let mut pairs = 0;
        while let Some(flow) = queue.pop_front() {
            for event in events(&flow) {
                let (next, effects) = flow.clone().step(event.clone());
                check(&flow, &event, &next, &effects);
                pairs += 1;
                if seen.insert((next.closing, next.phase.clone())) {
                    queue.push_back(next);
                }
            }
        }
        pairs
    }

    #[test]
    fn every_pair_has_an_answer_and_no_answer_breaks_a_promise() {
        let pairs = explore(|flow, event, next, effects| {
            let calls: Vec<_> = effects
                .iter()
                .filter(|effect| matches!(effect, Effect::Call(..) | Effect::Wait(..)))
                .collect();
            assert!(
                calls.len() <= 1,
                "one question at a time: {flow:?} {event:?} {effects:?}"
            );
            for effect in effects {
                if let Effect::Call(_, turn) | Effect::Wait(_, turn) = effect {
                    assert_eq!(
                        *turn, next.turn,
                        "a question is of the new turn: {flow:?} {event:?}"
                    );
                }
            }
            if let Event::Answered(turn, _) | Event::WaitOver(turn) = event
                && *turn != flow.turn
            {
                assert_eq!(
                    (next, effects),
                    (flow, [].as_slice()),
                    "a stale answer changes nothing"
                );
            }
            if let Phase::Complete(_) = flow.phase {
                assert_eq!(next.phase, flow.phase, "an outcome stays: {event:?}");
                assert!(
                    effects.is_empty(),
                    "an outcome is told once: {event:?} {effects:?}"
                );
            }
        });
        assert!(pairs > 10_000, "explored {pairs} pairs only");
    }

    #[test]
    fn the_card_is_charged_only_after_a_press_and_never_after_giving_up() {
        explore(|flow, event, _, effects| {
            let closes = effects
                .iter()
                .any(|effect| matches!(effect, Effect::Call(Call::Close, _)));
            let wished = flow.phase.was_pressed()
                || (flow.phase == Phase::Reviewing && *event == Event::Submitted);
            assert!(!closes || wished, "{flow:?} {event:?}");
            if closes {
                assert_eq!(
                    flow.closing,
                    Closing::Frame,
                    "the server closes: {flow:?} {event:?}"
                );
            }
        });
    }

    #[test]
    fn success_is_told_only_where_the_gateway_stated_it() {
        explore(|flow, event, _, effects| {
            for effect in effects {
                if let Effect::ReportOutcome(told) = effect
                    && told.outcome == Outcome::Approved
                {
                    let Event::Answered(
                        _,
                        Answer::Stands(Reading::Complete(stated)) | Answer::DeviceFailed(stated),
                    ) = event
                    else {
                        panic!("{flow:?} {event:?}");
                    };
                    assert_eq!(stated, told);
                }
            }
        });
    }

    #[test]
    fn an_end_wipes_the_card() {
        explore(|flow, event, next, effects| {
            let ended = matches!(next.phase, Phase::Complete(_) | Phase::Expired)
                && next.phase != flow.phase;
            assert_eq!(
                ended,
                effects.contains(&Effect::WipeCard),
                "{flow:?} {event:?}"
            );
        });
    }

    #[test]
    fn a_waiting_phase_always_has_a_question_out() {
        explore(|flow, event, next, effects| {
            let waits = matches!(
                next.phase,
                Phase::OpeningCard
                    | Phase::Sending { .. }
                    | Phase::CheckingDevice { .. }
                    | Phase::AwaitingServer { .. }
                    | Phase::Closing { .. }
                    | Phase::Challenge { .. }
                    | Phase::Rereading { .. }
                    | Phase::Cancelling { .. }
            );
            let asks = effects
                .iter()
                .any(|effect| matches!(effect, Effect::Call(..) | Effect::Wait(..)));
            assert!(
                !waits || asks || next == flow,
                "{flow:?} {event:?} {next:?}"
            );
        });
    }

    /// Plays answers in the current turn and gives the phase at the end.
    fn play(
        closing: Closing,
        reading: Reading,
        script: &[fn(Turn) -> Event],
    ) -> (Flow, Vec<Effect>) {
        let (mut flow, mut all) = Flow::start(closing, reading);
        for event in script {
            let turn = flow.turn;
            let (next, effects) = flow.step(event(turn));
            flow = next;
            all.extend(effects);
        }
        (flow, all)
    }

    fn count(effects: &[Effect], call: Call) -> usize {
        effects
            .iter()
            .filter(|effect| matches!(effect, Effect::Call(made, _) if *made == call))
            .count()
    }

    #[test]
    fn managed_payment_runs_through() {
        let (flow, effects) = play(
            Closing::Frame,
            Reading::Collecting(None),
            &[
                |_| Event::Submitted,
                |turn| {
                    Event::Answered(
                        turn,
                        Answer::CardTaken("https://issuer.example/check".into()),
                    )
                },
                |_| Event::Hinted,
                |turn| Event::Answered(turn, Answer::DevicePassed),
                |turn| {
                    Event::Answered(
                        turn,
                        Answer::Stands(Reading::Challenge("https://issuer.example/a".into())),
                    )
                },
                |_| Event::Hinted,
                |turn| {
                    Event::Answered(
                        turn,
                        Answer::Stands(Reading::Complete(Verdict {
                            outcome: Outcome::Approved,
                            decline: None,
                            operation_id: "1".into(),
                        })),
                    )
                },
            ],
        );
        assert!(
            matches!(flow.phase, Phase::Complete(ref verdict) if verdict.outcome == Outcome::Approved)
        );
        assert_eq!(count(&effects, Call::SendCard), 1);
        assert_eq!(count(&effects, Call::Close), 1);
        assert!(effects.contains(&Effect::ForgetSecurityCode));
        assert!(effects.contains(&Effect::ReadCard));
    }

    #[test]
    fn a_second_press_sends_nothing() {
        let (_, effects) = play(
            Closing::Frame,
            Reading::Collecting(None),
            &[|_| Event::Submitted, |_| Event::Submitted],
        );
        assert_eq!(count(&effects, Call::SendCard), 1);
    }

    #[test]
    fn declined_card_can_be_retried() {
        let (flow, effects) = play(
            Closing::Frame,
            Reading::Collecting(None),
            &[
                |_| Event::Submitted,
                |turn| Event::Answered(turn, Answer::CardTakenNoCheck),
                |turn| {
                    Event::Answered(
                        turn,
                        Answer::Stands(Reading::Collecting(Some(Verdict {
                            outcome: Outcome::Declined,
                            decline: Some(Decline::Funds),
                            operation_id: "1".into(),
                        }))),
                    )
                },
            ],
        );
        assert_eq!(
            flow.phase,
            Phase::Collecting(Notice::Refused(Decline::Funds))
        );
        assert!(effects.contains(&Effect::NewAttempt));
        assert!(!effects.contains(&Effect::WipeCard));
    }

    #[test]
    fn a_lost_closing_answer_is_asked_again_and_then_unknown_until_the_gateway_speaks() {
        let (mut flow, _) = play(
            Closing::Frame,
            Reading::Collecting(None),
            &[
                |_| Event::Submitted,
                |turn| Event::Answered(turn, Answer::CardTakenNoCheck),
            ],
        );
        let mut closes = 1;
        while matches!(flow.phase, Phase::Closing { .. }) {
            let turn = flow.turn;
            (flow, _) = flow.step(Event::Answered(turn, Answer::Failed(Failure::Connection)));
            if matches!(flow.phase, Phase::Closing { .. }) {
                let turn = flow.turn;
                let (next, effects) = flow.step(Event::WaitOver(turn));
                flow = next;
                closes += count(&effects, Call::Close);
            }
        }
        assert_eq!(closes, usize::from(CLOSE_TRIES));
        assert_eq!(
            flow.phase,
            Phase::Unknown {
                asked: 0,
                wish: Wish::Pay
            }
        );
        let turn = flow.turn;
        let (flow, effects) = flow.step(Event::Answered(
            turn,
            Answer::Stands(Reading::Complete(verdict(Outcome::Approved))),
        ));
        assert!(matches!(flow.phase, Phase::Complete(_)));
        assert!(effects.contains(&Effect::ReportOutcome(verdict(Outcome::Approved))));
    }

    #[test]
    fn what_the_page_sees_to_is_not_asked_for() {
        let (flow, _) = Flow::start(Closing::Page, Reading::Collecting(None));
        let (flow, _) = flow.step(Event::Submitted);
        let turn = flow.turn;
        let (flow, effects) = flow.step(Event::Answered(turn, Answer::CardTakenNoCheck));
        assert_eq!(flow.phase, Phase::HandedOver);
        assert_eq!(effects, [Effect::ForgetSecurityCode]);
    }

    #[test]
    fn the_form_waits_for_the_server_with_a_limit() {
        let (mut flow, _) = Flow::start(Closing::Server, Reading::Ready);
        let mut asked = 0;
        while matches!(flow.phase, Phase::AwaitingServer { .. }) {
            let turn = flow.turn;
            let (next, effects) = flow.step(Event::WaitOver(turn));
            asked += count(&effects, Call::ReadState);
            assert_eq!(count(&effects, Call::Close), 0);
            let turn = next.turn;
            (flow, _) = next.step(Event::Answered(turn, Answer::Failed(Failure::Connection)));
        }
        assert_eq!(asked, (SERVER_LIMIT_MS / SERVER_INTERVAL_MS) as usize);
        assert!(matches!(
            flow.phase,
            Phase::Unknown {
                wish: Wish::Watch,
                ..
            }
        ));
    }

    #[test]
    fn a_reload_does_not_charge_without_a_press() {
        let (flow, effects) = Flow::start(Closing::Frame, Reading::Ready);
        assert_eq!(
            (flow.phase(), effects.as_slice()),
            (&Phase::Reviewing, [Effect::ReadCard].as_slice())
        );
    }

    const OUTCOMES: [Outcome; 7] = [
        Outcome::Approved,
        Outcome::Pending,
        Outcome::Declined,
        Outcome::Cancelled,
        Outcome::Failed,
        Outcome::Reversed,
        Outcome::Unknown,
    ];
    const FAILURES: [Failure; 4] = [
        Failure::Connection,
        Failure::Service,
        Failure::WrongState,
        Failure::Expired,
    ];
}
