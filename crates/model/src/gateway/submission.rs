//! Card data that reaches the gateway.

use super::answers::refused;
use super::call::SentBeside;
use super::{Gateway, Key};
use crate::card::Card;
use crate::setting::{Broken, Setting};
use crate::sums::sum_of;
use payframe_checkout_flow::flow::{Answer, Failure};
use payframe_payment_domain::card::EnteredCard;
use payframe_payment_domain::session::{Event, State, TransitionError};

impl Gateway {
    pub(super) fn take_card(
        &mut self,
        setting: &Setting,
        key: Key,
        card: Card,
        sum: u8,
        proof: Option<u8>,
        beside: SentBeside,
    ) -> Answer {
        let submission = self.session.counters.submissions;
        if sum != self.sum_due(beside) && setting.broken != Some(Broken::SumUnchecked) {
            return refused(TransitionError::OtherSum);
        }
        let operation_id = self.fresh_id();
        let choices = self.refused_choices(setting, beside);
        let event = match card.device_check().filter(|_| choices.is_empty()) {
            None => Event::CardRefused { operation_id },
            Some(check) => Event::CardAccepted {
                card: EnteredCard {
                    shown: Some(sum_of(sum)),
                    offer: self.accept_offer(beside),
                    installments: Some(beside.parts).filter(|parts| *parts > 1),
                    contract_id: beside.is_saved.then(|| String::from("saved")),
                    ..card.entered()
                },
                check,
                operation_id,
            },
        };
        if let Err(refusal) = self.apply_with(event, Some(card)) {
            return refused(refusal);
        }
        self.proof_taken(proof, submission);
        let answer = match &self.session.state {
            State::CheckingDevice { .. } => {
                Answer::CardTaken(self.session.counters.submissions.to_string())
            }
            State::Ready { .. } => Answer::CardTakenNoCheck,
            State::CollectingCard(_) => Answer::CardRefused(choices),
            _ => Answer::Failed(Failure::WrongState),
        };
        self.answers.insert(key, answer.clone());
        answer
    }
}
