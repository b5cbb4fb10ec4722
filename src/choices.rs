//! The line to the script that draws what some payments ask beside the card: a method, a currency, instalments, a kept card, consents.
//!
//! That script (`www/frame/choices.js`) is loaded when there is something to choose, so nobody else pays for it. It draws,
//! and keeps what the buyer chose; what is asked of the gateway, and when, is decided here and in the flow.

use crate::session::Session;
use crate::wire::Json;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = payframeChoices)]
    fn choices(subject: &str, told: &JsValue) -> JsValue;
}

/// The gateway's currency offer for the card, or nothing: then a former one is withdrawn.
pub fn offer(offer: &JsValue) {
    choices("offer", offer);
}

/// Adds what was chosen to the items that are sent with the card, and encrypts what nobody may read on its way to the gateway.
/// Gives the promise of what is sent.
pub fn encrypt_card(items: &JsValue) -> JsValue {
    choices("answers", items)
}

/// The gateway did not take what was chosen under this id.
pub fn refused(id: &str) {
    choices("refused", &id.into());
}

/// Takes the session's amount, where the gateway tells one. Gives whether it is another one than the buyer was shown; from
/// now on it is shown.
pub fn reprice(session: &Session, state: &Json) -> bool {
    let told = state.member("amount");
    let other = told
        .text()
        .is_some_and(|amount| amount != session.amount_minor())
        && session.text("closing") != "PAGE";
    if other {
        choices("amount", &told.0);
    }
    other
}

/// What is still to be chosen, as the sentence that the script shows with it.
pub fn missing() -> Option<String> {
    choices("missing", &JsValue::UNDEFINED).as_string()
}
