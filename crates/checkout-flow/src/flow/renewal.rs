//! How a payment continues in another session: after the first one died, after a final refusal, and where the page brings one with
//! another sum while the buyer types.
//!
//! The merchant's page brings the session, if it said that it can. Until it has answered, it is not told that the session
//! died, and the fields keep their content. A press of Pay in a dead session counts for the next session only
//! if its terms are those that the buyer agreed to, and what the buyer chose can still be paid: the currency, the saved card, the parts.

use super::new_session::{NewSession, Renewal, Terms};
use super::{Effect, Event, Flow, Notice, Outcome, Phase, Verdict};
use crate::sum::Sums;

impl Flow {
    /// Whether the buyer may try again with another session, or is about to.
    pub fn may_retry(&self) -> bool {
        match &self.phase {
            Phase::Complete(verdict) | Phase::Retrying(verdict) => self.leaves_retry(verdict),
            _ => false,
        }
    }

    pub(super) fn leaves_retry(&self, verdict: &Verdict) -> bool {
        self.renewal == Renewal::Available
            && matches!(verdict.outcome, Outcome::Declined | Outcome::Failed)
    }

    /// A session that died was never charged: contract 4.1.
    pub(super) fn expired(self) -> (Self, Vec<Effect>) {
        match self.renewal {
            Renewal::Available => {
                let pressed = matches!(self.phase, Phase::Sending { .. });
                (
                    self.enter(Phase::Renewing { pressed }),
                    vec![Effect::AskForSession],
                )
            }
            Renewal::Unavailable => self.expired_for_good(),
        }
    }

    fn expired_for_good(self) -> (Self, Vec<Effect>) {
        let effects = vec![
            Effect::ReportOutcome(Verdict::without_operation(Outcome::Failed), None),
            Effect::WipeCard,
        ];
        (self.enter(Phase::Expired), effects)
    }

    /// The events of a renewal.
    pub(super) fn renewal(self, event: Event) -> (Self, Vec<Effect>) {
        match (event, self.phase.clone()) {
            (Event::RetryRequested, Phase::Complete(verdict)) if self.leaves_retry(&verdict) => (
                self.enter(Phase::Retrying(verdict)),
                vec![Effect::AskForSession],
            ),
            (Event::Renewed(session), Phase::Renewing { pressed }) => {
                self.begin_anew(session, pressed)
            }
            // Also if the form did not ask for it: a page can change the sum in this way.
            (Event::Renewed(session), phase) if phase.takes_session() => {
                self.begin_anew(session, false)
            }
            (Event::RenewalFailed, Phase::Renewing { .. }) => self.expired_for_good(),
            // The outcome is reported already; the buyer may ask again.
            (Event::RenewalFailed, Phase::Retrying(verdict)) => {
                (self.enter(Phase::Complete(verdict)), vec![])
            }
            (Event::FieldsIncomplete, Phase::Resuming) => {
                (self.enter(Phase::Collecting(Notice::None)), vec![])
            }
            _ => self.stay(),
        }
    }

    /// Begins in the phase that fits the new session's state. Answers about the session before it do not count.
    fn begin_anew(self, session: NewSession, pressed: bool) -> (Self, Vec<Effect>) {
        let NewSession {
            capture_initiator,
            snapshot,
            terms,
            sums,
            asked,
        } = session;
        // An offer in the card's currency ended with its session.
        let is_same_sum = self.payable() == sums.as_ref().map(Sums::due);
        let is_same = terms == Terms::Same && is_same_sum;
        let had_offer = self.offer().is_some();
        let pays = |flow: &Self| {
            let answers = flow.answers();
            (answers.saved_card.map(String::from), answers.instalments)
        };
        let paid = pays(&self);
        let (flow, chosen) = self.with_choices(|choices| choices.renew(asked));
        let is_chosen = !had_offer && pays(&flow) == paid;
        let fresh = Self {
            capture_initiator,
            trouble: None,
            sums,
            ..flow.enter(Phase::ChoosingMethod)
        };
        let (flow, mut effects) = fresh.follow(snapshot);
        effects.insert(0, Effect::NewAttempt);
        effects.extend(chosen);
        if !is_same || (pressed && !is_chosen && !had_offer) {
            effects.push(if pressed {
                Effect::AskToPayAgain
            } else {
                Effect::ShowNewTerms
            });
        }
        if pressed && is_same && is_chosen && flow.phase == Phase::Collecting(Notice::None) {
            effects.push(Effect::CheckFields);
            (flow.enter(Phase::Resuming), effects)
        } else {
            (flow, effects)
        }
    }
}
