//! What some payments ask beside the card: the billing address, the currency, instalments, a saved card, a consent; and methods that are
//! paid elsewhere.
//!
//! [`payframe_checkout_flow::choices`] decides what may be chosen and what follows. This module reads what the session asks, keeps
//! the state, and passes events to it; [`crate::view::choices`] draws the choices, and `runtime::choices` carries out the effects. All of it is in
//! the late part of the module ([`crate::late`]): a form without choices becomes live without it, and one with choices loads that part at once.

pub mod choosing;
pub mod intl;
pub(crate) mod read;

use crate::app::{App, Form};
use crate::fields::FieldId;
use crate::page::{mark, write};
use crate::session_monitor::now_ms;
use crate::view::choices as drawing;
use crate::wire::{self, Json};
use choosing::Choosing;
use intl::Sum;
use js_sys::Promise;
use leptos::prelude::*;
use payframe_card_rules::address::AddressPart;
use payframe_checkout_flow::choices::{
    ChoiceEvent, ChoiceId, Choices, CurrencyOffer, OpenOffer, Payable,
};
use payframe_checkout_flow::flow::SessionSnapshot;
use std::cell::Cell;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};

#[wasm_bindgen]
extern "C" {
    /// Adds the texts of choices, in the current language, to the form's texts: `www/frame/bootstrap.js`.
    #[wasm_bindgen(js_name = payframeLoadChoiceTexts, catch)]
    fn load_texts() -> Result<Promise, JsValue>;
}

impl App {
    /// Passes an event to the choices, and carries out the effects. Gives whether there were any. A form without choices has no effects.
    pub fn choose(&'static self, event: ChoiceEvent) -> bool {
        let Some(choosing) = self.choices.get() else {
            return false;
        };
        let before = choosing.state.get_untracked();
        let mut state = before.clone();
        let effects = state.step(event);
        if state != before {
            let is_other_sum =
                state.offer().map(OpenOffer::paid) != before.offer().map(OpenOffer::paid);
            choosing.state.set(state);
            if is_other_sum {
                self.show_sum();
            }
        }
        let follows = !effects.is_empty();
        self.follow_choice(choosing, effects);
        follows
    }

    /// Writes the current sum wherever the page shows it: on the button, above it, and in texts that the widget shows later.
    pub fn show_sum(&self) {
        let amount = match self.offer() {
            Some((offer, Payable::Undecided)) => intl::either(self.sums_of(&offer)),
            _ => self.payable_sum().written(),
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
        session.set("amountText", &amount);
        session.set("payText", &pay);
    }

    /// The sum that is paid: that of the session, or that of the currency offer that the buyer took.
    fn payable_sum(&self) -> Sum {
        let session = self.session.borrow();
        match self.offer() {
            Some((offer, Payable::Card)) => Sum::of_offer(&offer),
            // After an offer was sent with a card, the gateway's state says what is paid.
            _ => Sum::read(&session.member("offer")).unwrap_or_else(|| Sum::of_session(&session)),
        }
    }

    /// The sum that the form shows, in the form in which the gateway compares it: `3545 EUR`.
    pub fn shown_sum(&self) -> String {
        self.payable_sum().text()
    }

    /// The sum in the shop's currency, and that of the offer, as buyers read them.
    pub fn sums_of(&self, offer: &CurrencyOffer) -> [String; 2] {
        let shop = Sum::of_session(&self.session.borrow());
        [shop.written(), Sum::of_offer(offer).written()]
    }

    /// The currency offer that is open, and which sum is paid.
    pub fn offer(&self) -> Option<(CurrencyOffer, Payable)> {
        self.choices.get()?.state.with_untracked(|state| {
            let OpenOffer { offer, .. } = state.offer()?;
            Some((offer.clone(), state.payable()))
        })
    }

    /// Takes the session's sum from a state object, if it contains one. Gives whether it differs from the sum that the buyer was
    /// shown; then the new one is shown. A currency offer was for the former sum.
    pub fn reprice(&'static self, state: &Json) -> bool {
        let session = self.session.borrow();
        let (sum, offer) = (state.member("sum"), state.member("offer"));
        let Some(asked) = Sum::read(&sum) else {
            return false;
        };
        if session.is_page_driven() {
            return false;
        }
        let is_shown = if is_card_sent(state) {
            // The state object says whether an offer was taken.
            Sum::read(&offer).unwrap_or(asked) == self.payable_sum()
        } else {
            // An offer that the buyer chose meanwhile is for the session's sum. One that was sent with a card ended with that card.
            asked == Sum::of_session(&session) && !session.member("offer").is_there()
        };
        if is_shown {
            return false;
        }
        session.set_sum(&sum, &offer);
        drop(session);
        self.choose(ChoiceEvent::OfferWithdrawn);
        self.show_sum();
        if let Some(choosing) = self.choices.get() {
            // Instalments are parts of the sum.
            choosing.state.notify();
        }
        true
    }

    /// Another session took over: its choices replace those of the former one.
    pub fn renew_choices(&'static self) {
        let asked = read::asked(&self.session.borrow());
        self.choose(ChoiceEvent::SessionRenewed(asked));
        self.show_sum();
        adopt(self);
    }

    /// The gateway offers another currency in its answer to the look-up with this id.
    pub fn offer_currency(&'static self, look_up_id: u32, offer: &Json) {
        self.offered.set(Some(look_up_id));
        let Some(offer) = read::offer(offer) else {
            return;
        };
        spawn_local(async move {
            // Without the texts the card pays in the shop's currency. An answer after a press of Pay, or for another look-up, comes too late.
            if open(self).await && self.is_collecting() && self.offered.get() == Some(look_up_id) {
                self.choose(ChoiceEvent::Offered {
                    offer,
                    now_ms: now_ms(),
                });
            }
        });
    }

    /// The gateway refused the choice with this id.
    pub fn refuse_choice(&'static self, id: &str) {
        let refused = match id {
            "CURRENCY_OFFER" => ChoiceId::CurrencyOffer,
            "SAVED_CARD" => ChoiceId::SavedCard,
            "CONTRACT_CONSENT" => ChoiceId::Consent,
            BILLING_COUNTRY => ChoiceId::Billing(None),
            _ => match AddressPart::ALL
                .into_iter()
                .find(|part| billing_item(*part) == id)
            {
                Some(part) => ChoiceId::Billing(Some(part)),
                None => return,
            },
        };
        self.choose(ChoiceEvent::Refused(refused));
    }

    /// Adds what was chosen to the items that are sent with the card.
    pub fn add_answers(&'static self, items: &JsValue) {
        let add = |id: &str, value: &str| wire::push_item(items, id, value);
        if let Some(choosing) = self.choices.get() {
            choosing.state.with_untracked(|state| {
                let answers = state.answers();
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
            });
            self.choose(ChoiceEvent::Sent);
        }
    }

    /// Whether something must still be chosen; then the buyer is told.
    pub fn misses_choice(&'static self) -> bool {
        self.is_collecting() && self.choose(ChoiceEvent::Submitted { now_ms: now_ms() })
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
    let loaded = match load_texts() {
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
    let (mut state, mut effects) = Choices::new(read::asked(&form.session.borrow()));
    let shows_cards = state.saved_cards().is_some();
    let was_concealed = shows_cards || state.billing().is_some();
    if shows_cards && !form.fields.field(FieldId::CardNumber).is_empty() {
        // A buyer who has begun to type a card pays with it: nothing changes for the fields.
        state.step(ChoiceEvent::CardChosen(None));
        effects.clear();
    }
    // Like the form itself they live as long as the document.
    let choosing: &'static Choosing = Box::leak(Box::new(Choosing {
        state: RwSignal::new(state),
        language: RwSignal::new(intl::language()),
        status,
        timer: Cell::new(None),
        refuses_press: Box::new(move || form.misses_choice()),
    }));
    form.choices.set(Some(choosing));
    drawing::draw(form, choosing)?;
    form.follow_choice(choosing, effects);
    if was_concealed && let Some(root) = document().document_element() {
        // The page is concealed until the choices are drawn.
        mark(&root, "class", None);
    }
    Ok(())
}

/// Id of the item of a part of the billing address.
fn billing_item(part: AddressPart) -> &'static str {
    match part {
        AddressPart::Line1 => "BILLING_LINE1",
        AddressPart::Line2 => "BILLING_LINE2",
        AddressPart::City => "BILLING_CITY",
        AddressPart::State => "BILLING_STATE",
        AddressPart::PostalCode => "BILLING_POSTAL_CODE",
    }
}

const BILLING_COUNTRY: &str = "BILLING_COUNTRY";

/// Whether the gateway has the card.
fn is_card_sent(state: &Json) -> bool {
    matches!(
        wire::snapshot(state),
        Some(
            SessionSnapshot::Ready | SessionSnapshot::Verifying(_) | SessionSnapshot::Challenge(_)
        )
    )
}
