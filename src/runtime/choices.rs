//! Carries out the effects of the buyer's choices: see [`crate::choices`].

use crate::app::{App, announce_assertively};
use crate::choices::choosing::Choosing;
use crate::choices::read::saved_cards;
use crate::fields::FieldId;
use crate::page::focus;
use crate::session_monitor::now_ms;
use crate::task::{GatewayTask, Task};
use crate::view::choices::billing;
use crate::view::choices::saved;
use crate::wire::{self, Json};
use leptos::prelude::*;
use leptos::task::tick;
use payframe_card_rules::network::{Network, SecurityCodePolicy};
use payframe_checkout_flow::choices::{
    ChoiceEffect, ChoiceEvent, FocusTarget, Removal, RemovalAnswer, Sentence,
};
use payframe_checkout_flow::flow::{Event, Failure};
use std::time::Duration;
use wasm_bindgen_futures::spawn_local;

impl App {
    /// Carries out an effect of the choices. A form that shows none has only to look the card up again.
    pub(super) fn follow_choice(&'static self, effect: ChoiceEffect) {
        match (effect, self.choices.get()) {
            (ChoiceEffect::LookUpAnew, _) => {
                self.offered.set(None);
                self.fields.look_up_anew();
                self.look_up();
            }
            (ChoiceEffect::SubmitAnew, _) => self.keys.edited(),
            (ChoiceEffect::RemoveCard(_), _) => self.later(Task::Run(GatewayTask::RemoveCard)),
            (ChoiceEffect::Urge(said), _) => announce_assertively(&self.say_of_choice(&said)),
            (ChoiceEffect::Announce(said), Some(choosing)) => {
                let text = self.say_of_choice(&said);
                choosing.status.set_text_content(Some(&text));
            }
            (ChoiceEffect::Focus(spot), Some(choosing)) => self.focus_choice(choosing, spot),
            (ChoiceEffect::Wait(ms), Some(choosing)) => {
                let passed = move || self.dispatch(Event::OfferWaitOver(now_ms()));
                let timer = set_timeout_with_handle(passed, Duration::from_millis(u64::from(ms)));
                if let Some(former) = choosing.timer.replace(timer.ok()) {
                    former.clear();
                }
            }
            (ChoiceEffect::UseCard, Some(choosing)) => self.use_card(choosing),
            // Nothing is drawn.
            (_, None) => {}
        }
    }

    /// The saved card that is being removed.
    pub(super) fn card_to_remove(&self) -> Option<String> {
        match &self.flow.borrow().choices()?.saved_cards()?.removal {
            Removal::Running(id) => Some(id.clone()),
            _ => None,
        }
    }

    /// Takes the gateway's answer to a removal.
    pub(super) fn card_removed(&'static self, answer: Result<Json, Failure>) {
        let answer = match answer {
            Ok(left) if left.member("cards").is_there() => {
                RemovalAnswer::Removed(saved_cards(&left))
            }
            Ok(refusal) if wire::refusal(&refusal).as_deref() == Some(UNKNOWN_CARD) => {
                RemovalAnswer::Gone
            }
            Ok(_) => RemovalAnswer::Failed,
            Err(_) => RemovalAnswer::Failed,
        };
        self.choose(ChoiceEvent::RemovalAnswered(answer));
    }

    /// A sentence about a choice.
    pub fn say_of_choice(&self, said: &Sentence) -> String {
        let text = |key| self.texts.text(key);
        match said {
            Sentence::CurrencyOffered => {
                let flow = self.flow.borrow();
                let sums = flow
                    .offer()
                    .map(|(open, _)| self.sums_of(&flow, &open.offer));
                let sums = sums.unwrap_or_default().join(", ");
                [&*text("choice_currency"), ": ", &sums].concat()
            }
            Sentence::CurrencyMissing => text("choice_currency_missing"),
            Sentence::OfferOver => text("choice_currency_over"),
            Sentence::OfferGone => text("choice_currency_gone"),
            Sentence::CardRemoved(card) => {
                let card = saved::name(self, card);
                self.texts.fill("choice_saved_removed", &[("card", &card)])
            }
            Sentence::CardGone => text("choice_saved_gone"),
            Sentence::RemovalFailed => text("choice_saved_failed"),
            Sentence::ConsentMissing => text("choice_consent_missing"),
            Sentence::Billing(problem) => billing::say(self, problem),
        }
    }

    /// Moves the focus once the change is drawn.
    fn focus_choice(&'static self, choosing: &'static Choosing, spot: FocusTarget) {
        spawn_local(async move {
            tick().await;
            let chosen = || {
                let id = choosing
                    .state
                    .with_untracked(|state| state.saved_card().map(|card| card.id.clone()));
                id.map(|id| saved::radio(&id))
            };
            let has_cards = || {
                choosing.state.with_untracked(|state| {
                    state
                        .saved_cards()
                        .is_some_and(|saved| !saved.cards.is_empty())
                })
            };
            let id = match spot {
                FocusTarget::Currency => "choice-currency-shop".into(),
                FocusTarget::Consent => "choice-consent-box".into(),
                FocusTarget::BillingCountry => billing::COUNTRY.into(),
                FocusTarget::BillingPart(part) => billing::input_id(part).into(),
                FocusTarget::KeepCard => "choice-saved-keep".into(),
                FocusTarget::RemoveCard(id) => saved::remove_button(&id),
                // If no saved card is left, the option of another card is gone, too.
                FocusTarget::ChosenCard => match chosen() {
                    Some(id) => id,
                    None if has_cards() => saved::OTHER.into(),
                    None => FieldId::CardNumber.id().into(),
                },
            };
            focus(&id);
        });
    }

    /// Shows the fields that the chosen card needs, and no others.
    fn use_card(&'static self, choosing: &'static Choosing) {
        let card = choosing
            .state
            .with_untracked(|state| state.saved_card().cloned());
        let network = card
            .as_ref()
            .and_then(|card| Network::from_code(&card.network));
        self.fields.choose_saved(network);
        let was_in_hidden = saved::hide_fields(self, card.is_some());
        self.refresh();
        self.last_reported_fields.set(None);
        self.report_change();
        // The cards may be drawn when the focus is in the first field already.
        if let Some(card) = card.filter(|_| was_in_hidden) {
            let no_code = self.fields.code_policy() == SecurityCodePolicy::None;
            let mut asked = self.fields.wanted();
            let first = asked.find(|field| !(no_code && field.id == FieldId::SecurityCode));
            match first {
                Some(field) => field.focus(),
                None => focus(&saved::radio(&card.id)),
            }
        }
    }
}

/// The gateway's code where there is no such saved card.
const UNKNOWN_CARD: &str = "PS0017";
