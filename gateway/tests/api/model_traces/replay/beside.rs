//! What a form asks beside the card, at the real gateway: currency offers, instalments, a saved card, the consent.

use super::*;
use crate::harness::APPROVED;
use crate::saved_cards::form::{keep, keeping, shown};
use payframe_model::{Beside, Card, PARTS, SentBeside};

/// What the form of a walk asks beside the card.
pub(super) struct AskedBeside {
    parts: &'static [Beside],
    /// The gateway's ids of the offers, by the model's number.
    offers: Vec<Value>,
    /// The id of the saved card in the form.
    saved_card: Value,
    /// The charges at the acquirer that were made to save the card.
    pub(super) earlier_charges: Vec<String>,
}

impl AskedBeside {
    /// Before the session is made: the customer gets the saved card.
    pub(super) async fn begin(parts: &'static [Beside], app: &TestApp, gate: &mut Gate) -> Self {
        let mut earlier_charges = Vec::new();
        if parts.contains(&Beside::SavedCard) {
            for _ in 0..REQUESTS_OF_A_PAYMENT {
                gate.decide(GateDecision::Pass);
            }
            keep(app, SAVED, APPROVED).await;
            for _ in 0..REQUESTS_OF_A_PAYMENT {
                gate.request().await.unwrap();
            }
            let acquirer = app.acquirer().await;
            let charges = acquirer.ask(query("SELECT reference FROM charge")).await;
            let charges = charges.unwrap();
            let reference = |row: &payframe_storage::Row| row.try_get("reference").unwrap();
            earlier_charges = charges.iter().map(reference).collect();
        }
        AskedBeside {
            parts,
            offers: Vec::new(),
            saved_card: Value::Null,
            earlier_charges,
        }
    }

    /// The request for the session of such a form.
    pub(super) fn request(&self, order: &str) -> Value {
        let mut request = build_form(order, 2);
        if self.parts.contains(&Beside::Consent) {
            request = keeping(order, KEPT_NOW, "CIT");
            request["form"]["consent"] = json!("REQUIRED");
        }
        if self.parts.contains(&Beside::Instalments) {
            request["form"]["installments"] = json!([PARTS]);
        }
        if self.parts.contains(&Beside::SavedCard) {
            request["form"]["savedCards"] = json!("USE");
        }
        request
    }

    /// The form is shown.
    pub(super) async fn show(&mut self, app: &TestApp, session: &str) {
        if self.parts.contains(&Beside::SavedCard) {
            self.saved_card = shown(app, session).await[0]["id"].clone();
        }
    }

    /// What is sent with a card.
    pub(super) fn items(&self, card_sent: Card, beside: SentBeside) -> Value {
        let mut items = match beside.is_saved {
            true => crate::saved_cards::form::items(&self.saved_card, "123"),
            false => card(self.number_of(card_sent)),
        };
        let mut add = |id: &str, value: Value| {
            let item = json!({ "id": id, "value": value });
            items.as_array_mut().unwrap().push(item);
        };
        if let Some(number) = beside.offer {
            add("CURRENCY_OFFER", self.offers[number].clone());
        }
        if self.parts.contains(&Beside::Instalments) {
            add("INSTALLMENTS", json!(beside.parts.to_string()));
        }
        if self.parts.contains(&Beside::Consent) && !beside.is_saved {
            add("CONTRACT_CONSENT", json!(beside.consents.to_string()));
        }
        items
    }

    /// The number of a card; where offers are made, that of an account in dollars.
    fn number_of(&self, sent: Card) -> &'static str {
        match sent {
            Card::Good if self.parts.contains(&Beside::Currency) => "4761738400000002",
            Card::Declined if self.parts.contains(&Beside::Currency) => "4761738400001166",
            other => number_of(other),
        }
    }
}

impl Replay {
    /// The buyer types a card with an account in dollars.
    pub(super) async fn make_offer(&mut self, number: usize) -> Result<(), String> {
        let first_digits = json!({ "bin": "47617384" });
        let frame = self.app().frame(&self.session);
        let answer = frame.post("/fe/build/bin", &first_digits).await;
        let offer = answer.body["currencyOffer"]["offerId"].clone();
        if number != self.beside.offers.len() || !offer.is_string() {
            return Err(format!("offer {number} is not made: {}", answer.refusal()));
        }
        self.beside.offers.push(offer);
        Ok(())
    }

    /// The merchant's server ends the agreement of the saved card.
    pub(super) async fn remove_saved_card(&self) -> Result<(), String> {
        let path = format!("/contracts/{SAVED}/deactivation");
        let answer = self.app().merchant().post(&path, &json!({})).await;
        match answer.status {
            200 => Ok(()),
            _ => Err(format!("the saved card stays: {}", answer.refusal())),
        }
    }
}

/// The agreement of the saved card, and that of a card which is saved by the walk's payment.
const SAVED: &str = "K1";
const KEPT_NOW: &str = "K2";
/// The acquirer's request and its response each wait at the gate.
const REQUESTS_OF_A_PAYMENT: usize = 2;
