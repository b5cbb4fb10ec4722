//! How the flow passes what the buyer chooses beside the card to [`Choices`], and what follows for a press of Pay and for the sum.

use super::{Effect, Flow, Notice, Phase, ProofOfWork, SessionSnapshot};
use crate::choices::{
    Answers, Asked, ChoiceEffect, ChoiceEvent, ChoiceId, Choices, OpenOffer, Payable,
};
use crate::sum::{Sum, Sums};

impl Flow {
    /// What the buyer chooses beside the card. `None`: nothing is asked, or it is not shown yet.
    pub fn choices(&self) -> Option<&Choices> {
        self.choices.as_ref()
    }

    /// The currency offer that is open, and which sum is paid.
    pub fn offer(&self) -> Option<(&OpenOffer, Payable)> {
        let choices = self.choices.as_ref()?;
        Some((choices.offer()?, choices.payable()))
    }

    /// What is sent with the card.
    pub fn answers(&self) -> Answers<'_> {
        self.choices
            .as_ref()
            .map_or_else(Answers::default, Choices::answers)
    }

    /// The sum that the buyer is shown, and pays with a press of Pay. `None`: the merchant's page does everything but the fields.
    pub fn payable(&self) -> Option<&Sum> {
        let sums = self.sums.as_ref()?;
        Some(match self.offer() {
            Some((open, Payable::Card)) => &open.offer.sum,
            _ => sums.due(),
        })
    }

    /// The sums of the session, as the buyer was shown them.
    pub fn sums(&self) -> Option<&Sums> {
        self.sums.as_ref()
    }

    /// The choices are shown from now on. A buyer who has begun to type a card pays with it, and nothing changes for the fields.
    pub(super) fn choices_opened(self, asked: Asked, types_card: bool) -> (Self, Vec<Effect>) {
        let (mut choices, mut effects) = Choices::new(asked);
        if types_card && choices.saved_cards().is_some() {
            choices.step(ChoiceEvent::CardChosen(None));
            effects.clear();
        }
        let flow = Self {
            choices: Some(choices),
            ..self
        };
        (flow, of_choices(effects))
    }

    /// Something is chosen only while it has not been sent. The answer to a removal may come at any time.
    pub(super) fn choice(self, event: ChoiceEvent) -> (Self, Vec<Effect>) {
        let is_answer = matches!(event, ChoiceEvent::RemovalAnswered(_));
        if is_answer || self.phase.lets_choose() {
            self.with_choices(|choices| choices.step(event))
        } else {
            self.stay()
        }
    }

    /// A call that is on its way decides about the offer. After the end there is nothing to decide.
    pub(super) fn offer_wait_over(self, now_ms: u64) -> (Self, Vec<Effect>) {
        let form_waits = self.phase.has_question_out();
        if form_waits || self.phase.lets_choose() {
            self.with_choices(|choices| choices.time_passed(now_ms, form_waits))
        } else {
            self.stay()
        }
    }

    /// The card is sent, unless something must still be chosen.
    pub(super) fn submit(self, now_ms: u64) -> (Self, Vec<Effect>) {
        let (mut flow, missing) = self.with_choices(|choices| choices.submit(now_ms));
        if missing.is_empty() {
            if let Some(choices) = &mut flow.choices {
                choices.sent();
            }
            return flow.send_card(ProofOfWork::default());
        }
        match flow.phase {
            Phase::Resuming => (flow.enter(Phase::Collecting(Notice::None)), missing),
            _ => (flow, missing),
        }
    }

    pub(super) fn card_refused(self, refused: Vec<ChoiceId>) -> (Self, Vec<Effect>) {
        let (flow, effects) = self.with_choices(|choices| {
            let refuse = |choice| choices.refuse(choice);
            refused.into_iter().flat_map(refuse).collect()
        });
        (
            flow.enter(Phase::Collecting(Notice::FieldsRefused)),
            effects,
        )
    }

    /// Takes the sums that the gateway told with a state. Gives what follows if the buyer was shown another sum than the one that is due:
    /// an offer in the card's currency was for the former sum.
    pub(super) fn take_sums(
        self,
        snapshot: &SessionSnapshot,
        told: Sums,
    ) -> (Self, Option<Vec<Effect>>) {
        let Some(shown) = &self.sums else {
            return (self, None);
        };
        let is_shown = if snapshot.has_card() {
            // The gateway says whether an offer was taken.
            self.payable() == Some(told.due())
        } else {
            // An offer that the buyer chose meanwhile is for the session's sum. One that was sent with a card ended with that card.
            told.session == shown.session && shown.offer.is_none()
        };
        if is_shown {
            return (self, None);
        }
        let flow = Self {
            sums: Some(told),
            ..self
        };
        let (flow, mut effects) =
            flow.with_choices(|choices| choices.step(ChoiceEvent::OfferWithdrawn));
        if snapshot.waits_for_card() {
            effects.push(Effect::Choice(ChoiceEffect::LookUpAnew));
        }
        (flow, Some(effects))
    }

    pub(super) fn with_choices(
        mut self,
        act: impl FnOnce(&mut Choices) -> Vec<ChoiceEffect>,
    ) -> (Self, Vec<Effect>) {
        let effects = self.choices.as_mut().map_or_else(Vec::new, act);
        (self, of_choices(effects))
    }
}

impl SessionSnapshot {
    /// Whether the gateway has the card.
    fn has_card(&self) -> bool {
        matches!(self, Self::Ready | Self::Verifying(_) | Self::Challenge(_))
    }

    fn waits_for_card(&self) -> bool {
        matches!(self, Self::MethodSelection | Self::Collecting(_))
    }
}

fn of_choices(effects: Vec<ChoiceEffect>) -> Vec<Effect> {
    effects.into_iter().map(Effect::Choice).collect()
}
