//! What the gateway writes into the pages of a form and of its fields, so that the widget starts without a request
//! of its own.
//!
//! The gateway puts one JSON object of this shape into `<script type="application/json" id="boot">`. The TypeScript of these types is
//! in `www/frame/port.d.ts`, which `cargo xtask reference` writes.

use crate::api::{SavedCard, StateObject};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Everything that the form of one session needs to start. Holds no card data and no API key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct Boot {
    /// Session id, the frame's credential.
    pub session: String,
    /// The merchant's order.
    pub order_id: String,
    /// Origin of the merchant's page: the only one that the frame talks to.
    pub merchant_origin: String,
    /// Build version, 2 or 3.
    pub version: u8,
    /// The session as it was when the page was made.
    pub state: StateObject,
    /// Amount in minor units, digits only.
    pub amount: String,
    /// ISO 4217 letters.
    pub currency: String,
    /// How many of the amount's digits stand behind the decimal separator.
    pub minor_digits: u8,
    /// Name of the merchant, shown to the buyer.
    pub merchant: String,
    /// `PAY`, `VERIFY` or `PREAUTH`.
    pub action_type: String,
    /// `FRAME` or `SERVER` (3.7).
    pub closing: String,
    /// `NONE`, `LAST4` or `BIN_LAST4` (3.7).
    pub card_summary: String,
    /// Network codes that the terminal takes (10.5).
    pub networks: Vec<String>,
    /// Input ids in the order in which they are shown (3.4).
    pub fields: Vec<String>,
    /// Name and e-mail that came with the order, by input id, for a page that shows those inputs; never card data.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(
        feature = "typescript",
        ts(as = "Option<BTreeMap<String, String>>", optional)
    )]
    pub defaults: BTreeMap<String, String>,
    /// The gateway's date, `YYYY-MM-DD`, in UTC−12, the last time zone of the world.
    pub today: String,
    /// Instant at which the session ends at the latest.
    pub expires_at: String,
    /// Whether the page gets diagnostics of how it embeds the form.
    pub diagnostics: bool,
    /// Whether the page reports which scripts and security headers it has.
    #[serde(default, skip_serializing_if = "is_false")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<bool>", optional))]
    pub watch: bool,
    /// What card number and security code are encrypted with: a point of P-256, uncompressed, in base64url. Its first 16
    /// characters are its id.
    pub card_key: String,
    /// Whether the form looks up the first digits of every card, because the terminal offers to pay in the card's own currency.
    #[serde(default, skip_serializing_if = "is_false")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<bool>", optional))]
    pub look_up: bool,
    /// The alternative methods that the buyer may choose, in the order in which they are shown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<BootMethod>>", optional))]
    pub methods: Vec<BootMethod>,
    /// `PAGE` where the merchant's page takes the buyer to a method's page, and not the frame (3.7).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redirect: Option<String>,
    /// The numbers of instalments that the buyer may choose among (3.7).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<u8>>", optional))]
    pub installments: Vec<u8>,
    /// The saved cards that the buyer may choose among.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub saved: Option<BootSaved>,
    /// What the buyer is asked to agree to before the card is saved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consent: Option<BootConsent>,
    /// What the buyer is asked of the billing address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub billing: Option<BootBilling>,
    /// The sum in the card's own currency, once the buyer has chosen it and the gateway has accepted the card.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offer: Option<BootOffer>,
}

// serde asks with a reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_false(flag: &bool) -> bool {
    !flag
}

/// An alternative method, as the form shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
pub struct BootMethod {
    /// Its code (10.3), and the id of its button.
    pub id: String,
    /// What buyers read.
    pub label: String,
    /// Path of its picture; absent where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<String>,
}

/// The saved cards of the order's customer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
pub struct BootSaved {
    /// Newest first.
    pub cards: Vec<SavedCard>,
    /// Whether the buyer may have one removed.
    pub removable: bool,
}

/// The consent to saving the card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct BootConsent {
    /// Whether the payment needs it.
    pub required: bool,
    /// Who pays with the card later.
    pub kind: ConsentKind,
    /// The smallest number of days between charges.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap_days: Option<u16>,
    /// The last day, `YYYY-MM-DD`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_day: Option<String>,
    /// How to stop it, in the merchant's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// The billing address that the form asks for: a country, its postal code, and all else if it is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct BootBilling {
    /// Two letters of the country that is chosen at first: that of the order, or else of the browser.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
    /// The postal code that came with the order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub postal_code: Option<String>,
    /// The rule of each country's postal codes, as in `zip required #####|#####-####`, by its two letters. Empty: it has none.
    pub countries: BTreeMap<String, String>,
    /// What is asked beside country and postal code. Absent if nothing is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<BootAddress>,
}

/// The parts of a billing address beside country and postal code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
pub struct BootAddress {
    /// Street and house number, if they came with the order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line1: Option<String>,
    /// The second line that came with the order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line2: Option<String>,
    /// The city that came with the order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub city: Option<String>,
    /// The state that came with the order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// The format of each country's addresses, as in `ACSZ ACSZ state`, by its two letters: the parts in their order (`A` two lines, `C` the
    /// city, `S` the state, `Z` the postal code), those that are needed, and what a state is called.
    pub formats: BTreeMap<String, String>,
    /// The states of each country that lists them, by its two letters: `AL Alabama|AK Alaska`.
    pub states: BTreeMap<String, String>,
}

/// Who starts later payments with a saved card (2.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum ConsentKind {
    /// The buyer confirms every payment.
    #[serde(rename = "CIT")]
    WithBuyer,
    /// The merchant charges when that is agreed.
    #[serde(rename = "MIT_UNSCHEDULED")]
    Unscheduled,
    /// The merchant charges at agreed intervals.
    #[serde(rename = "MIT_SCHEDULED")]
    Scheduled,
}

impl ConsentKind {
    /// By its name on the wire.
    pub fn from_code(code: &str) -> Option<Self> {
        Some(match code {
            "CIT" => Self::WithBuyer,
            "MIT_UNSCHEDULED" => Self::Unscheduled,
            "MIT_SCHEDULED" => Self::Scheduled,
            _ => return None,
        })
    }
}

/// A currency offer that was taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BootOffer {
    /// Minor units of `currency`.
    pub amount: String,
    /// ISO 4217 letters.
    pub currency: String,
    /// How many of the amount's digits stand behind the decimal separator.
    pub minor_digits: u8,
}

/// The data of a form's page: that of every frame of the session, and the form's texts about the money, in its language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FormBoot {
    /// What every frame of the session is told.
    #[serde(flatten)]
    pub boot: Boot,
    /// What is to be paid, as buyers read it.
    pub amount_text: String,
    /// What the pay button says.
    pub pay_text: String,
}

/// The data of a page with one field: that of every frame of the session, and the field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct FieldBoot {
    /// What every frame of the session is told.
    #[serde(flatten)]
    pub boot: Boot,
    /// The field of this page.
    pub field: BootField,
}

/// The one field of a page, and how the merchant wants it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BootField {
    /// Field id (2.10): of an input, of a button, or `GDI`.
    pub id: String,
    /// Which frame runs the widget.
    pub driver: Driver,
    /// Whether a placeholder is shown (3.5).
    pub placeholder: bool,
    /// Where the field's messages are read.
    pub errors: ErrorsPlace,
    /// The merchant's own label of the field. Without it, our label is the accessible name.
    pub label: Option<String>,
    /// Name or e-mail that came with the order (5.2); never card data.
    pub default_value: Option<String>,
    /// The session's trace id.
    pub correlation_id: String,
}

/// Which frame of the session runs the widget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Driver {
    /// One of the field frames, by agreement among them.
    #[serde(rename = "self")]
    Fields,
    /// The frame of the form.
    Form,
}

/// Where a field's messages are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum ErrorsPlace {
    /// Below the input, inside its frame.
    Inside,
    /// Wherever the merchant's page shows them.
    Outside,
}

/// The data of the page that replaces a field which can not be shown. Contains no data of a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct UnavailableFieldBoot {
    /// The requested field id; empty if it is no valid id.
    pub id: String,
    /// Origin of the page that may be told.
    pub origin: Option<String>,
    /// `HF0003`, `HF9002` or `HF9003` (7.5).
    #[cfg_attr(
        feature = "typescript",
        ts(type = "import('../sdk/build-messages.js').BuildErrorCode")
    )]
    pub code: String,
    /// English, for developers.
    pub message: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_fields_page_is_told_what_the_forms_is_and_its_field() {
        let text = json!({
            "session": "m3p0", "orderId": "A1", "merchantOrigin": "https://shop.example", "version": 3,
            "state": {"state": "CARD_DATA_COLLECTION"}, "amount": "3545", "currency": "EUR", "minorDigits": 2,
            "merchant": "Demo shop", "actionType": "PAY", "closing": "SERVER", "cardSummary": "NONE",
            "networks": ["VISA"], "fields": ["CARD_NUMBER"], "today": "2026-11-20",
            "expiresAt": "2026-11-20T10:30:00.000Z", "diagnostics": true, "cardKey": "BAMC",
            "field": {"id": "CARD_NUMBER", "driver": "self", "placeholder": true, "errors": "outside",
                      "label": null, "defaultValue": null, "correlationId": "0d5ae5fb-8ad2-4f83-97f0-3cf2aa6fd4dc"}
        });
        let boot: FieldBoot = serde_json::from_value(text.clone()).unwrap();
        assert_eq!(boot.field.driver, Driver::Fields);
        assert_eq!(serde_json::to_value(&boot).unwrap(), text);
    }

    #[test]
    fn kinds_of_consent_are_read_as_they_are_written() {
        for kind in [
            ConsentKind::WithBuyer,
            ConsentKind::Unscheduled,
            ConsentKind::Scheduled,
        ] {
            let code = serde_json::to_value(kind).unwrap();
            let read = code.as_str().and_then(ConsentKind::from_code);
            assert_eq!(read, Some(kind));
        }
        assert_eq!(ConsentKind::from_code("MOTO"), None);
    }

    #[test]
    fn a_page_that_nobody_may_hear_says_so() {
        let unavailable = UnavailableFieldBoot {
            id: String::new(),
            origin: None,
            code: "HF0003".to_owned(),
            message: "over".to_owned(),
        };
        assert_eq!(
            serde_json::to_value(&unavailable).unwrap(),
            json!({"id": "", "origin": null, "code": "HF0003", "message": "over"})
        );
    }
}
