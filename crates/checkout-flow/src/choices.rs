//! What the buyer chooses beside the card: the billing address, the currency, instalments, a saved card, whether this card may be saved.
//!
//! [`Choices`] is a part of the [`Flow`](crate::flow::Flow), which passes it a [`ChoiceEvent`] while something can be chosen, asks it at each press of
//! Pay what is missing, and tells it what the gateway says. [`ChoiceEffect`]s come out, and the flow's caller carries them out. It decides what may be
//! chosen, when a currency offer ends, and what is sent with the card. It knows no screen, no language and no clock: the time comes with
//! the event. The method is chosen before there is a card, and is a phase of the flow.

mod billing;
mod billing_problem;
mod effect;
mod event;
mod instalments;
mod offer;
mod saved_card;
mod saved_cards;
#[cfg(test)]
mod tests;

use payframe_card_rules::address::AddressTexts;

pub use billing::{AskedBilling, Billing, BillingCountry, BillingParts};
pub use billing_problem::BillingProblem;
pub use effect::{ChoiceEffect, FocusTarget, Sentence};
pub use event::{ChoiceEvent, ChoiceId, RemovalAnswer};
pub use instalments::{InstalmentParts, Instalments};
pub use offer::{Currency, CurrencyOffer, OpenOffer, Payable};
pub use saved_card::SavedCard;
pub use saved_cards::{Removal, SavedCards};

/// What one session asks the buyer, and what the buyer has chosen so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    offer: Option<OpenOffer>,
    /// The last offer expired while the buyer could still choose.
    offer_ran_out: bool,
    instalments: Option<Instalments>,
    saved_cards: Option<SavedCards>,
    consent: Option<Consent>,
    billing: Option<Billing>,
}

/// What a session asks its buyer. A currency offer comes later, with a card.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// The numbers of instalments that are offered; none where the buyer pays at once.
    pub instalments: Vec<u8>,
    /// The saved cards, newest first. `None` where the session shows none.
    pub saved_cards: Option<Vec<SavedCard>>,
    /// Whether the buyer is asked for consent to save the card, and whether nothing is paid without it.
    pub consent: Option<ConsentRule>,
    /// What is known of the billing address. `None` where it is not asked.
    pub billing: Option<AskedBilling>,
}

/// Whether a payment needs the consent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConsentRule {
    /// Nothing is paid without it.
    Required,
    /// Without it the card is not saved.
    Optional,
}

/// The question whether the card may be saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Consent {
    /// Whether the payment needs it.
    pub rule: ConsentRule,
    /// Whether the box is ticked. At first it is not.
    pub is_given: bool,
    /// Whether the message that the consent is missing is shown.
    pub is_missed: bool,
}

/// What is sent to the gateway with the card.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answers<'a> {
    /// In how many parts the buyer pays; 1 is at once.
    pub instalments: Option<u8>,
    /// Id of the saved card that pays.
    pub saved_card: Option<&'a str>,
    /// Whether the card that is typed may be saved.
    pub consent: Option<bool>,
    /// Id of the currency offer that the buyer took; empty for the shop's currency.
    pub currency_offer: Option<&'a str>,
    /// Where the bill for the card goes.
    pub billing: Option<BillingAnswer<'a>>,
}

/// The billing address as it is sent.
#[derive(Clone, PartialEq, Eq)]
pub struct BillingAnswer<'a> {
    /// Two letters.
    pub country: &'a str,
    /// Its parts, as the country writes them; empty without one.
    pub texts: AddressTexts,
}

/// Where somebody lives is in no text for developers.
impl core::fmt::Debug for BillingAnswer<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("BillingAnswer(…)")
    }
}

impl Choices {
    /// Begins with what the session asks. Two things are chosen at the start: payment at once, and the newest saved card that can pay.
    #[must_use]
    pub fn new(asked: Asked) -> (Self, Vec<ChoiceEffect>) {
        let mut choices = Self::default();
        let effects = choices.ask(asked);
        (choices, effects)
    }

    /// The currency offer that is open.
    pub fn offer(&self) -> Option<&OpenOffer> {
        self.offer.as_ref()
    }

    /// The instalments that are offered.
    pub fn instalments(&self) -> Option<&Instalments> {
        self.instalments.as_ref()
    }

    /// The saved cards that are shown.
    pub fn saved_cards(&self) -> Option<&SavedCards> {
        self.saved_cards.as_ref()
    }

    /// The saved card that pays; `None` where the buyer types one.
    pub fn saved_card(&self) -> Option<&SavedCard> {
        self.saved_cards.as_ref().and_then(SavedCards::chosen)
    }

    /// The question whether the card may be saved. While a saved card is chosen, it is hidden and nothing is answered.
    pub fn consent(&self) -> Option<Consent> {
        self.consent
    }

    /// The billing address, where it is asked. While a saved card is chosen, it is hidden and not sent.
    pub fn billing(&self) -> Option<&Billing> {
        self.billing.as_ref()
    }

    /// Which sum is paid, as far as the buyer has decided.
    pub fn payable(&self) -> Payable {
        match &self.offer {
            None => Payable::Shop,
            Some(open) => match open.chosen {
                None => Payable::Undecided,
                Some(Currency::Shop) => Payable::Shop,
                Some(Currency::Card) => Payable::Card,
            },
        }
    }

    /// What is sent with the card.
    pub fn answers(&self) -> Answers<'_> {
        let saved_card = self.saved_card().map(|card| card.id.as_str());
        let consent = self.consent.filter(|_| saved_card.is_none());
        let billing = self.billing.as_ref().filter(|_| saved_card.is_none());
        Answers {
            instalments: self.instalments.as_ref().map(|offered| offered.chosen),
            saved_card,
            consent: consent.map(|consent| consent.is_given),
            currency_offer: self.offer.as_ref().map(|open| match open.chosen {
                Some(Currency::Card) => open.offer.id.as_str(),
                _ => "",
            }),
            billing: billing.map(|billing| BillingAnswer {
                country: billing.country(),
                texts: billing.parts(),
            }),
        }
    }

    /// Takes an event, and gives the effects, in order. An event about something that is not asked changes nothing.
    pub fn step(&mut self, event: ChoiceEvent) -> Vec<ChoiceEffect> {
        match event {
            ChoiceEvent::Offered { offer, now_ms } => self.offered(offer, now_ms),
            ChoiceEvent::OfferWithdrawn => self.withdraw(),
            ChoiceEvent::CurrencyChosen(currency) => {
                if let Some(open) = &mut self.offer {
                    open.choose(currency);
                }
                vec![ChoiceEffect::SubmitAnew]
            }
            ChoiceEvent::InstalmentsChosen(count) => {
                if let Some(offered) = &mut self.instalments {
                    offered.choose(count);
                }
                vec![ChoiceEffect::SubmitAnew]
            }
            ChoiceEvent::CardChosen(id) => {
                if let Some(cards) = &mut self.saved_cards {
                    cards.choose(id);
                }
                self.card_changed()
            }
            ChoiceEvent::RemovalRequested(id) => self.removal(Removal::Asked(id)),
            ChoiceEvent::RemovalDropped => self.removal(Removal::None),
            ChoiceEvent::RemovalConfirmed => self.remove(),
            ChoiceEvent::RemovalAnswered(answer) => self.removal_answered(answer),
            ChoiceEvent::ConsentTicked(is_given) => {
                if let Some(consent) = &mut self.consent {
                    consent.is_given = is_given;
                    consent.is_missed = false;
                }
                vec![ChoiceEffect::SubmitAnew]
            }
            ChoiceEvent::BillingCountryChosen(country) => {
                if let Some(billing) = &mut self.billing {
                    billing.choose(country);
                }
                vec![ChoiceEffect::SubmitAnew]
            }
            ChoiceEvent::BillingEdited(part, text) => {
                if let Some(billing) = &mut self.billing {
                    billing.edit(part, text);
                }
                vec![ChoiceEffect::SubmitAnew]
            }
            ChoiceEvent::BillingLeft(part) => {
                let billing = self.billing.as_mut();
                billing.map_or_else(Vec::new, |billing| billing.left(part))
            }
        }
    }

    /// The buyer pressed Pay. If there are effects, something is missing, and the card is not sent.
    pub fn submit(&mut self, now_ms: u64) -> Vec<ChoiceEffect> {
        // In the order in which they are on the screen.
        let mut missing = self.asked_billing(Billing::missing);
        if missing.is_empty() {
            missing = self.currency_missing(now_ms);
        }
        if missing.is_empty() {
            missing = self.consent_missing();
        }
        missing
    }

    /// What was chosen goes to the gateway.
    pub fn sent(&mut self) {
        if let Some(open) = &mut self.offer {
            open.is_sent = true;
        }
    }

    /// The gateway refused a choice.
    pub fn refuse(&mut self, choice: ChoiceId) -> Vec<ChoiceEffect> {
        match choice {
            ChoiceId::CurrencyOffer => self.offer_over(),
            ChoiceId::SavedCard => {
                let refused = self.saved_card().map(|card| card.id.clone());
                refused.map_or_else(Vec::new, |id| self.card_gone(&id))
            }
            ChoiceId::Consent => self.consent_missing(),
            ChoiceId::Billing(part) => self.asked_billing(|billing| billing.refused(part)),
        }
    }

    /// Another session took the place of the one before. An open offer ended with that one, and the gateway is asked for another.
    pub fn renew(&mut self, asked: Asked) -> Vec<ChoiceEffect> {
        let had_offer = self.offer.is_some();
        let paid = self.saved_card().map(|card| card.id.clone());
        let mut effects = self.ask(asked);
        if paid.is_some() && self.saved_card().map(|card| &card.id) != paid.as_ref() {
            if let Some(cards) = &mut self.saved_cards {
                cards.said = Some(Sentence::CardGone);
            }
            effects.push(ChoiceEffect::Urge(Sentence::CardGone));
        }
        if had_offer && self.saved_card().is_none() {
            effects.extend(self.offer_over());
        }
        effects
    }

    /// Takes what a session asks, and keeps the choices that are still possible.
    fn ask(&mut self, asked: Asked) -> Vec<ChoiceEffect> {
        self.instalments = Instalments::new(asked.instalments, self.instalments.as_ref());
        self.consent = asked.consent.map(|rule| Consent {
            rule,
            is_given: self.consent.is_some_and(|before| before.is_given),
            is_missed: false,
        });
        let entered = self.billing.take();
        self.billing = asked.billing.map(|asked| Billing::new(asked, entered));
        let before = self.saved_card().map(|card| card.id.clone());
        self.saved_cards = asked
            .saved_cards
            .map(|cards| SavedCards::new(cards, self.saved_cards.as_ref()));
        if self.saved_card().map(|card| &card.id) == before.as_ref() {
            vec![]
        } else {
            self.card_changed()
        }
    }

    /// Another card pays now than before: a saved one, or one that the buyer types.
    fn card_changed(&mut self) -> Vec<ChoiceEffect> {
        let mut effects = vec![ChoiceEffect::SubmitAnew];
        if self.saved_card().is_some() {
            // A saved card is paid in the shop's currency.
            effects.extend(self.withdraw());
            effects.push(ChoiceEffect::UseCard);
        } else {
            effects.extend([ChoiceEffect::UseCard, ChoiceEffect::LookUpAnew]);
        }
        effects
    }

    /// What follows for a billing address that is asked: with a saved card none is.
    fn asked_billing(
        &mut self,
        act: impl FnOnce(&mut Billing) -> Vec<ChoiceEffect>,
    ) -> Vec<ChoiceEffect> {
        let is_saved = self.saved_card().is_some();
        let billing = self.billing.as_mut().filter(|_| !is_saved);
        billing.map_or_else(Vec::new, act)
    }

    /// The effects if a required consent is missing.
    fn consent_missing(&mut self) -> Vec<ChoiceEffect> {
        let is_saved = self.saved_card().is_some();
        match &mut self.consent {
            Some(consent)
                if consent.rule == ConsentRule::Required && !consent.is_given && !is_saved =>
            {
                consent.is_missed = true;
                vec![
                    ChoiceEffect::Urge(Sentence::ConsentMissing),
                    ChoiceEffect::Focus(FocusTarget::Consent),
                ]
            }
            _ => vec![],
        }
    }
}
