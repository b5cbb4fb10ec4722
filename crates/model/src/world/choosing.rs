//! What is asked beside the card: the buyer's choices, the gateway's offers, and whether a charge is what the buyer saw.

use super::actions::END;
use super::{Action, Setting, Violation, World};
use crate::beside::{Beside, PARTS, Seen, asked};
use crate::form::Form;
use crate::sums::offered_sum;
use payframe_checkout_flow::choices::{Asked, ChoiceEvent, Currency};
use payframe_checkout_flow::flow::{Event, Phase};
use payframe_payment_domain::card::EnteredCard;
use payframe_payment_domain::session::{Session, State};

impl World {
    /// What buyers may choose, and what may happen to it.
    pub(crate) fn choose(&self, setting: &Setting, actions: &mut Vec<Action>) {
        if setting.beside.is_empty() {
            return;
        }
        for (tab, form) in self.forms.iter().enumerate() {
            let Some(form) = form else { continue };
            let mut choose = |event: ChoiceEvent, action: Action| {
                if form.would_change(Event::Choice(event)) {
                    actions.push(action);
                }
            };
            for beside in setting.beside {
                match beside {
                    Beside::Currency => {
                        for currency in [Currency::Shop, Currency::Card] {
                            let event = ChoiceEvent::CurrencyChosen(currency);
                            choose(event, Action::ChooseCurrency(tab, currency));
                        }
                    }
                    Beside::Instalments => {
                        for parts in [1, PARTS] {
                            let event = ChoiceEvent::InstalmentsChosen(parts);
                            choose(event, Action::ChooseParts(tab, parts));
                        }
                    }
                    Beside::SavedCard => {
                        for is_saved in [true, false] {
                            choose(card_chosen(is_saved), Action::ChooseCard(tab, is_saved));
                        }
                    }
                    Beside::Consent => {
                        choose(ChoiceEvent::ConsentTicked(true), Action::Consent(tab));
                    }
                }
            }
            if self.left.offers > 0 && self.may_be_offered(form) {
                actions.push(Action::Offer(tab));
            }
            if form.would_change(Event::OfferWaitOver(END)) {
                actions.push(Action::OfferTimesOut(tab));
            }
        }
        if self.gateway.has_open_offer() {
            actions.push(Action::OffersEnd);
        }
        let has_saved = setting.beside.contains(&Beside::SavedCard) && self.gateway.has_saved_card;
        if has_saved && self.left.faults > 0 {
            actions.push(Action::SavedCardGoes);
        }
    }

    /// Carries out one of these actions.
    pub(super) fn chosen(&mut self, setting: &Setting, action: Action) {
        let (tab, event) = match action {
            Action::ChooseCurrency(tab, currency) => (tab, ChoiceEvent::CurrencyChosen(currency)),
            Action::ChooseParts(tab, parts) => (tab, ChoiceEvent::InstalmentsChosen(parts)),
            Action::ChooseCard(tab, is_saved) => (tab, card_chosen(is_saved)),
            Action::Consent(tab) => {
                self.has_consented = true;
                (tab, ChoiceEvent::ConsentTicked(true))
            }
            Action::Offer(tab) => {
                let id = self.gateway.make_offer();
                let sum = offered_sum(self.gateway.sum);
                return self.with_form(tab, |form| form.take_offer(id, sum, setting.broken));
            }
            Action::OfferTimesOut(tab) => {
                let event = Event::OfferWaitOver(END);
                return self.with_form(tab, |form| form.handle(event, setting.broken));
            }
            Action::OffersEnd => return self.gateway.end_offers(),
            Action::SavedCardGoes => return self.gateway.remove_saved_card(),
            _ => return,
        };
        self.with_form(tab, |form| {
            form.handle(Event::Choice(event), setting.broken)
        });
    }

    /// What a form asks that is loaded now.
    pub(super) fn asked(&self, setting: &Setting) -> Asked {
        asked(setting.beside, self.gateway.has_saved_card)
    }

    /// The buyer presses Pay, and has seen this. Of a card that the gateway has, the buyer has chosen what was sent with it.
    pub(super) fn press_seen(&mut self, tab: usize) {
        let sent = card_of(&self.gateway.session).map(|card| self.charged_with(card));
        self.pressed[tab] = self.forms[tab].as_ref().map(|form| form.seen(sent));
    }

    /// What is charged must be what a form showed at its last press, and what the buyer consented to.
    pub(super) fn check_charge(&mut self, setting: &Setting, before: &Session) {
        let begins = matches!(
            self.gateway.session.state,
            State::Authorizing { .. } | State::Challenged { .. }
        );
        let State::Ready { card } = &before.state else {
            return;
        };
        if !begins {
            return;
        }
        let charged = self.charged_with(card);
        if !self.pressed.contains(&Some(charged)) {
            self.wrong = Some(Violation::ChargedUnseen);
        }
        let is_for_sum = charged.sum == Some(offered_sum(self.gateway.sum));
        if card.offer.is_some() && !is_for_sum {
            self.wrong = Some(Violation::ChargedStaleOffer);
        }
        let needs_consent = setting.beside.contains(&Beside::Consent) && !charged.is_saved;
        if needs_consent && !self.has_consented {
            self.wrong = Some(Violation::ChargedWithoutConsent);
        }
        if !setting.beside.is_empty() {
            self.charged = Some(charged);
        }
    }

    fn charged_with(&self, card: &EnteredCard) -> Seen {
        Seen::charged(card, self.gateway.sum)
    }

    /// The gateway makes an offer for a card that is being typed.
    fn may_be_offered(&self, form: &Form) -> bool {
        let is_typing = matches!(form.flow.phase(), Phase::Collecting(_));
        let is_saved = form.flow.answers().saved_card.is_some();
        let session = &self.gateway.session.state;
        is_typing
            && !is_saved
            && form.flow.offer().is_none()
            && matches!(session, State::CollectingCard(_))
    }
}

/// The card that the gateway has.
fn card_of(session: &Session) -> Option<&EnteredCard> {
    match &session.state {
        State::CheckingDevice { card } | State::Ready { card } => Some(card),
        _ => None,
    }
}

fn card_chosen(is_saved: bool) -> ChoiceEvent {
    ChoiceEvent::CardChosen(is_saved.then(|| String::from("saved")))
}
