//! What a form does with the effects of its flow: calls, waits, reports.

use super::{CallProgress, Form, FormReport, NOW};
use crate::card::Card;
use crate::gateway::{Ask, Key, NO_METHODS, SentBeside};
use crate::setting::Broken;
use payframe_checkout_flow::choices::ChoiceEffect;
use payframe_checkout_flow::flow::{Call, Effect, Event, Generation, Phase};

impl Form {
    pub(super) fn carry_out(
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
                Effect::Choice(ChoiceEffect::SubmitAnew) => self.edited = true,
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
                    reports.extend(self.handle(Event::Submitted(NOW), broken));
                }
                // The page's answer, and the look at the session's state, are actions of their own. The rest is for the screen and the inputs.
                Effect::AskForSession
                | Effect::ShowNewTerms
                | Effect::AskToPayAgain
                | Effect::Leave(_)
                | Effect::Choice(_)
                | Effect::PeekState(_)
                | Effect::BeginWait(_)
                | Effect::CountOn(_)
                | Effect::Warn(_)
                | Effect::ExplainWait
                | Effect::RemoveIssuerPage(_)
                | Effect::ReportTrouble(_)
                | Effect::OpenIssuerWindow(_)
                | Effect::ReadCard
                | Effect::ForgetSecurityCode
                | Effect::WipeCard => {}
            }
        }
    }

    pub(super) fn asked(&mut self, generation: Generation) {
        if generation != self.generation {
            self.former = Some(self.generation);
        }
        self.generation = generation;
    }

    pub(super) fn ask(&self, call: Call) -> Ask {
        match call {
            Call::ChooseCard => Ask::ChooseCard,
            Call::ChooseElsewhere => unreachable!("{NO_METHODS}"),
            Call::VerifyDevice(_) => unreachable!("sessions here are of version 3"),
            Call::SendCard => Ask::SendCard {
                key: Key::Submission(self.tab, self.load, self.submission),
                card: self.card.unwrap_or(Card::Bad),
                sum: self.sum(),
                proof: match self.flow.phase() {
                    Phase::Sending { proof, .. } => proof.solution.parse().ok(),
                    _ => None,
                },
                beside: self.sent_beside(),
            },
            Call::CheckDevice(question) => Ask::CheckDevice {
                last: question >= LAST_QUESTION,
            },
            Call::SkipDevice => Ask::SkipDevice,
            Call::LeaveChallenge => Ask::LeaveChallenge,
            Call::ReadState => Ask::ReadState,
            Call::Complete => Ask::Close {
                key: Key::Attempt(self.tab, self.load, self.attempt),
                sum: Some(self.sum()),
            },
            Call::AgreeToSum => Ask::Agree { sum: self.sum() },
            Call::Cancel => Ask::Cancel,
        }
    }

    pub(super) fn sent_beside(&self) -> SentBeside {
        let answers = self.flow.answers();
        SentBeside {
            // Without an offer, and for the shop's currency, it is no number.
            offer: answers.currency_offer.and_then(|id| id.parse().ok()),
            is_saved: answers.saved_card.is_some(),
            parts: answers.instalments.unwrap_or(1),
            consents: answers.consent.unwrap_or(false),
        }
    }
}

/// The gateway ends a device check with this question (contract 4.1).
const LAST_QUESTION: u8 = 10;
