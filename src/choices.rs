//! What some payments ask beside the card: the billing address, the currency, instalments, a saved card, a consent; and methods that are
//! paid elsewhere.
//!
//! [`payframe_checkout_flow::choices`] decides what may be chosen and what follows, as a part of the flow. This module reads what the session
//! asks, and passes events to the flow; [`crate::view::choices`] draws the choices, and `runtime::choices` carries out the effects. All of it is in
//! the late part of the module ([`crate::late`]): a form without choices becomes live without it, and one with choices loads that part at once.

pub mod choosing;
pub mod intl;
pub(crate) mod read;

use crate::app::{App, Form};
use crate::fields::FieldId;
use crate::frame_scripts::load_texts;
use crate::page::{mark, write};
use crate::session::SumTexts;
use crate::session_monitor::now_ms;
use crate::view::choices as drawing;
use crate::wire::{self, Json};
use choosing::Choosing;
use leptos::prelude::*;
use payframe_card_rules::address::{AddressPart, BILLING_COUNTRY, billing_item};
use payframe_checkout_flow::choices::{ChoiceEvent, CurrencyOffer, Payable};
use payframe_checkout_flow::flow::{Event, Flow};
use payframe_checkout_flow::sum::Sum;
use std::cell::Cell;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};

impl App {
    /// Passes an event about the choices to the flow. In a form without choices it changes nothing.
    pub fn choose(&'static self, event: ChoiceEvent) {
        self.dispatch(Event::Choice(event));
    }

    /// Writes the current sum wherever the page shows it: on the button, above it, and in texts that the widget shows later.
    pub fn show_sum(&self) {
        let flow = self.flow.borrow();
        let amount = match (flow.offer(), flow.payable()) {
            (Some((open, Payable::Undecided)), _) => intl::either(self.sums_of(&flow, &open.offer)),
            (_, Some(sum)) => intl::money(sum),
            // The merchant's page shows the sum.
            (_, None) => return,
        };
        let session = self.session.borrow();
        let (button, note) = match session.text("actionType").as_str() {
            "VERIFY" => ("verify_card", "verify_note"),
            "PREAUTH" => ("hold_amount", "hold_note"),
            _ => ("pay_amount", "pay_note"),
        };
        let merchant = session.text("merchant");
        let values = [("amount", amount.as_str()), ("merchant", &merchant)];
        let pay = self.texts.fill(button, &values);
        write("promise", &self.texts.fill(note, &values));
        // During a wait the button shows that the form works; the next update of the view shows the sum again.
        if self.shown.with_untracked(|shown| shown.wait.is_none()) {
            write("pay-label", &pay);
        }
        self.sum_texts.replace(SumTexts { amount, pay });
    }

    /// The sum that the form shows, in the form in which the gateway compares it: `3545 EUR`.
    pub fn shown_sum(&self) -> String {
        self.flow
            .borrow()
            .payable()
            .map_or_else(String::new, Sum::text)
    }

    /// The sum in the shop's currency, and that of the offer, as buyers read them.
    pub fn sums_of(&self, flow: &Flow, offer: &CurrencyOffer) -> [String; 2] {
        let shop = flow.sums().map(|sums| intl::money(&sums.session));
        [shop.unwrap_or_default(), intl::money(&offer.sum)]
    }

    /// Shows the sums of the session from now on. Of a new form, they are in its page.
    pub fn take_first_sums(&'static self) {
        if let Some(sums) = self.session.borrow().sums() {
            let flow = self.flow.borrow().clone().with_sums(sums);
            self.flow.replace(flow);
        }
    }

    /// The gateway offers another currency in its answer to the look-up with this id.
    pub fn offer_currency(&'static self, look_up_id: u32, offer: &Json) {
        self.offered.set(Some(look_up_id));
        let Some(offer) = read::offer(offer) else {
            return;
        };
        spawn_local(async move {
            // Without the texts the card pays in the shop's currency. An answer for another look-up comes too late.
            if open(self).await && self.offered.get() == Some(look_up_id) {
                self.choose(ChoiceEvent::Offered {
                    offer,
                    now_ms: now_ms(),
                });
            }
        });
    }

    /// Adds what was chosen to the items that are sent with the card.
    pub fn add_answers(&self, items: &JsValue) {
        let add = |id: &str, value: &str| wire::push_item(items, id, value);
        let flow = self.flow.borrow();
        let answers = flow.answers();
        if let Some(count) = answers.instalments {
            let mut text = String::new();
            wire::push_number(&mut text, count);
            add("INSTALLMENTS", &text);
        }
        if let Some(id) = answers.saved_card {
            add("SAVED_CARD", id);
        }
        if let Some(is_given) = answers.consent {
            add("CONTRACT_CONSENT", if is_given { "true" } else { "false" });
        }
        if let Some(billing) = answers.billing {
            add(BILLING_COUNTRY, billing.country);
            for part in AddressPart::ALL {
                let text = billing.texts.text(part);
                if !text.is_empty() {
                    add(billing_item(part), text);
                }
            }
        }
        if let Some(id) = answers.currency_offer {
            add("CURRENCY_OFFER", id);
        }
    }
}

/// Draws the choices of the session, once their texts are loaded. In a session without choices, an offer may come later.
pub fn adopt(form: Form) {
    let session = form.session.borrow();
    if read::asks(&session) {
        spawn_local(async move {
            // Without the texts nothing can be asked: the card pays as in a session without choices.
            open(form).await;
        });
    }
}

/// Makes the choices of a form live, unless they are live already. Gives whether they are; without their texts they are not.
async fn open(form: Form) -> bool {
    if form.choices.get().is_some() {
        return true;
    }
    let loaded = match load_texts("$choices") {
        Ok(loading) => JsFuture::from(loading).await,
        Err(missing) => Err(missing),
    };
    if loaded.is_err() {
        return false;
    }
    // Another call may have finished first.
    form.choices.get().is_some() || begin(form).is_ok()
}

fn begin(form: Form) -> Result<(), JsValue> {
    let status = drawing::status()?;
    let effects = form.advance(Event::ChoicesOpened {
        asked: read::asked(&form.session.borrow()),
        types_card: !form.fields.field(FieldId::CardNumber).is_empty(),
    });
    let flow = form.flow.borrow();
    let state = flow.choices().cloned().unwrap_or_default();
    let was_concealed = state.saved_cards().is_some() || state.billing().is_some();
    // Like the form itself they live as long as the document.
    let choosing: &'static Choosing = Box::leak(Box::new(Choosing {
        state: RwSignal::new(state),
        sum: RwSignal::new(flow.payable().cloned().unwrap_or_default()),
        language: RwSignal::new(intl::language()),
        status,
        timer: Cell::new(None),
    }));
    drop(flow);
    form.choices.set(Some(choosing));
    drawing::draw(form, choosing)?;
    form.carry_out_effects(effects);
    if was_concealed && let Some(root) = document().document_element() {
        // The page is concealed until the choices are drawn.
        mark(&root, "class", None);
    }
    Ok(())
}
