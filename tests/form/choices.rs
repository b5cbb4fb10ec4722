//! The choices beside the card: how they are drawn, and how they change. The tests of the decisions are in `payframe-checkout-flow`.

use super::page::{
    Page, answer_all, answer_nothing, document, input, leave, settle, text, type_into,
};
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{Element, HtmlElement, HtmlInputElement, KeyboardEvent, KeyboardEventInit};

pub(super) fn find(selector: &str) -> Option<Element> {
    document().query_selector(selector).unwrap()
}

pub(super) fn texts(selector: &str) -> Vec<String> {
    let found = document().query_selector_all(selector).unwrap();
    let found = (0..found.length()).filter_map(|place| found.item(place));
    found.filter_map(|node| node.text_content()).collect()
}

pub(super) fn click(id: &str) {
    let element: HtmlElement = find(&format!("[id='{id}']")).unwrap().unchecked_into();
    element.click();
}

fn is_checked(id: &str) -> bool {
    let element: HtmlInputElement = document().get_element_by_id(id).unwrap().unchecked_into();
    element.checked()
}

/// Whether it is hidden, by itself or by what it is in.
pub(super) fn is_hidden(id: &str) -> bool {
    let element = document().get_element_by_id(id).unwrap();
    element.closest("[hidden]").unwrap().is_some()
}

fn focused() -> String {
    document()
        .active_element()
        .map_or_else(String::new, |element| element.id())
}

/// Several turns of the event loop: a part is drawn after its texts are loaded, and the focus moves after that.
pub(super) async fn drawn() {
    for _ in 0..3 {
        settle().await;
    }
}

/// K2: every method has a button that says what it does.
#[wasm_bindgen_test]
async fn methods_that_are_paid_elsewhere_are_buttons() {
    let _page = Page::open_with(
        r#"{"state":{"state":"PAYMENT_METHOD_SELECTION"},"methods":[{"id":"IDEAL","label":"iDEAL","picture":"/ideal.svg"},{"id":"KLARNA","label":"<b>Klarna"}]}"#,
        |_| {},
    );
    drawn().await;
    assert_eq!(texts("#others-title"), ["Other ways to pay"]);
    assert_eq!(texts(".methods button"), ["iDEAL", "<b>Klarna"]);
    let named = |selector: &str| find(selector).unwrap().get_attribute("aria-label");
    assert_eq!(
        named("[data-method=IDEAL]").as_deref(),
        Some("Pay with iDEAL")
    );
    assert!(find("[data-method=IDEAL] img").is_some());
    assert!(find("[data-method=KLARNA] img").is_none());
}

/// K22: count, each amount and total are shown; at first all is paid at once.
#[wasm_bindgen_test]
async fn instalments_say_what_each_part_is() {
    let _page = Page::open_with(r#"{"installments":[2,5]}"#, |_| {});
    drawn().await;
    assert_eq!(
        texts("#choice-installments label"),
        ["At once", "€17.73 + 1 × €17.72", "5 × €7.09"]
    );
    assert_eq!(
        texts("#choice-installments .about"),
        [
            "Total: €35.45",
            "Instalments: 2 · Total: €35.45",
            "Instalments: 5 · Total: €35.45"
        ]
    );
    assert!(is_checked("choice-installments-1"));
    click("choice-installments-5");
    drawn().await;
    assert!(is_checked("choice-installments-5") && !is_checked("choice-installments-1"));
}

/// K22, K29: the shop changes the sum, and each part follows.
#[wasm_bindgen_test]
async fn instalments_follow_the_sum_of_the_session() {
    let page = Page::open_with(r#"{"installments":[2]}"#, |_| {});
    drawn().await;
    click("choice-installments-2");
    answer_all(
        200,
        r#"{"state":"CARD_DATA_COLLECTION","sum":{"amount":"4000","currency":"EUR","minorDigits":2}}"#,
        &JsValue::UNDEFINED,
    );
    page.command(r#"{"type":"refresh","id":1}"#);
    page.message("reply").await;
    drawn().await;
    answer_nothing();
    assert_eq!(text("pay-label"), "Pay €40.00");
    assert_eq!(
        texts("#choice-installments label"),
        ["At once", "2 × €20.00"]
    );
    assert!(is_checked("choice-installments-2"));
}

/// I5: another language writes sums in another way, and what was chosen stays.
#[wasm_bindgen_test]
async fn another_language_draws_the_choices_anew() {
    let page = Page::open_with(r#"{"installments":[5]}"#, |_| {});
    drawn().await;
    click("choice-installments-5");
    input("choice-installments-5").focus().unwrap();
    let root = document().document_element().unwrap();
    root.set_attribute("lang", "de").unwrap();
    page.command(r#"{"type":"update","id":1,"options":{}}"#);
    page.message("reply").await;
    drawn().await;
    let written = |text: &str| text.replace('\u{a0}', " ");
    let parts = texts("#choice-installments label")[1].clone();
    assert_eq!(written(&parts), "5 × 7,09 €");
    assert!(is_checked("choice-installments-5"));
    assert_eq!(focused(), "choice-installments-5");
    assert_eq!(written(&text("pay-label")), "Pay 35,45 €");
}

const SAVED: &str = r#"{"saved":{"removable":true,"cards":[
    {"id":"a","network":"VISA","brand":"Visa","last4":"0003","expires":"2028-12"},
    {"id":"b","network":"MC","brand":"Mastercard","last4":"0007","expires":"2025-01","expired":true},
    {"id":"c","network":"AMEX","brand":"American Express","last4":"0009","expires":"2029-02"}]},
    "consent":{"required":false,"kind":"CIT"}}"#;

/// K17, K18: the newest card that can pay is chosen, with the security code alone; another one brings the fields back.
#[wasm_bindgen_test]
async fn saved_cards_take_the_place_of_the_fields() {
    let _page = Page::open_with(SAVED, |document| {
        let root = document.document_element().unwrap();
        root.set_attribute("class", "concealed").unwrap();
    });
    input("CARD_NUMBER").focus().unwrap();
    drawn().await;
    assert!(find("html.concealed").is_none());
    assert_eq!(
        texts("#choice-saved label"),
        [
            "Visa •••• 0003",
            "Mastercard •••• 0007",
            "American Express •••• 0009",
            "Another card"
        ]
    );
    assert_eq!(
        texts("#choice-saved .about"),
        [
            "Valid until 12/2028",
            "Expired: 01/2025",
            "Valid until 02/2029"
        ]
    );
    assert!(find("#choice-saved-b:disabled").is_some());
    assert!(is_checked("choice-saved-a"));
    let hidden = |expected: bool| {
        for id in [
            "CARD_NUMBER",
            "EXPIRATION_DATE",
            "CARDHOLDER_NAME",
            "choice-consent",
        ] {
            assert_eq!(is_hidden(id), expected, "{id}");
        }
        assert!(!is_hidden("SECURITY_CODE"));
    };
    hidden(true);
    // The buyer was in a field that is hidden now.
    assert_eq!(focused(), "SECURITY_CODE");
    click("choice-saved-other");
    drawn().await;
    hidden(false);
    assert!(!is_checked("choice-saved-a"));
    click("choice-saved-c");
    drawn().await;
    hidden(true);
    assert_eq!(input("SECURITY_CODE").placeholder(), "1234");
}

/// K17: a card is removed only after a question, which the focus follows.
#[wasm_bindgen_test]
async fn removal_of_a_saved_card_is_asked_once_more() {
    let _page = Page::open_with(SAVED, |_| {});
    drawn().await;
    click("choice-saved-c-remove");
    drawn().await;
    assert_eq!(
        texts("#choice-saved-sure"),
        ["Remove American Express •••• 0009 for good?"]
    );
    assert_eq!(focused(), "choice-saved-keep");
    assert!(is_hidden("choice-saved-c-remove"));
    let escape = KeyboardEventInit::new();
    escape.set_key("Escape");
    escape.set_bubbles(true);
    let escape = KeyboardEvent::new_with_keyboard_event_init_dict("keydown", &escape).unwrap();
    let asked = document().active_element().unwrap();
    asked.dispatch_event(&escape).unwrap();
    drawn().await;
    assert!(find("#choice-saved-sure").is_none());
    assert_eq!(focused(), "choice-saved-c-remove");

    click("choice-saved-a-remove");
    drawn().await;
    answer_all(
        200,
        r#"{"cards":[{"id":"c","network":"AMEX","brand":"American Express","last4":"0009","expires":"2029-02"}]}"#,
        &JsValue::UNDEFINED,
    );
    click("choice-saved-confirm");
    drawn().await;
    answer_nothing();
    assert_eq!(
        texts("#choice-saved label"),
        ["American Express •••• 0009", "Another card"]
    );
    assert_eq!(texts("#choice-saved-note"), ["Visa •••• 0003: removed."]);
    assert!(is_checked("choice-saved-c"));
    assert_eq!(focused(), "choice-saved-c");
}

/// K17: a failed removal is reported, and a card that the gateway does not know is removed from the list.
#[wasm_bindgen_test]
async fn refused_removal_is_explained() {
    let _page = Page::open_with(SAVED, |_| {});
    drawn().await;
    for (status, body, said, left) in [
        (500, "{}", "The card could not be removed. Try again.", 4),
        (
            400,
            r#"{"errors":[{"code":"PS0017","description":"gone"}]}"#,
            "This card can no longer be used. Choose another one.",
            3,
        ),
    ] {
        click("choice-saved-a-remove");
        drawn().await;
        answer_all(status, body, &JsValue::UNDEFINED);
        click("choice-saved-confirm");
        drawn().await;
        answer_nothing();
        assert_eq!(texts("#choice-saved-note .bad"), [said]);
        assert_eq!(text("urgent").trim_end(), said);
        assert_eq!(texts("#choice-saved label").len(), left);
    }
}

/// K19: who charges, how often, until when and how to stop it; the box is not ticked.
#[wasm_bindgen_test]
async fn consent_says_what_is_agreed() {
    let _page = Page::open_with(
        r#"{"consent":{"required":true,"kind":"MIT_SCHEDULED","gapDays":30,"lastDay":"2099-12-31","text":"To stop, write to <b>us."}}"#,
        |_| {},
    );
    drawn().await;
    assert_eq!(
        texts("#choice-consent-terms"),
        [
            "Demo shop may charge this card again without asking you each time. Shortest time between two charges: 30 days. Last day: December 31, 2099. To stop, write to <b>us."
        ]
    );
    assert!(!is_checked("choice-consent-box"));
}

/// K20: a consent that is needed is asked for at the press, and no longer once it is given.
#[wasm_bindgen_test]
async fn missing_consent_is_said_where_it_is_given() {
    let page = Page::open_with(r#"{"consent":{"required":true,"kind":"CIT"}}"#, |_| {});
    drawn().await;
    fill();
    page.command(r#"{"type":"confirm","id":7}"#);
    let reply = page.message("reply").await;
    assert!(reply.contains("invalid_data"), "{reply}");
    drawn().await;
    let said = "This payment is possible only if the card may be saved. Tick the box if you agree.";
    assert_eq!(texts("#choice-consent-note .bad"), [said]);
    assert_eq!(text("urgent").trim_end(), said);
    assert_eq!(focused(), "choice-consent-box");
    assert!(find("#choice-consent-box[aria-invalid=true]").is_some());
    click("choice-consent-box");
    drawn().await;
    assert_eq!(texts("#choice-consent-note"), [""]);
    assert!(find("#choice-consent-box[aria-invalid]").is_none());
}

/// K23: both totals, the rate and the mark-up, none preselected; the sums follow the choice.
#[wasm_bindgen_test]
async fn offer_favours_no_currency() {
    let page = Page::open_with(r#"{"lookUp":true,"installments":[2]}"#, |_| {});
    drawn().await;
    answer_all(
        200,
        r#"{"networks":["VISA"],"currencyOffer":{"offerId":"o","amount":"3952","currency":"USD","minorDigits":2,"exchangeRate":"0.897085020","markUpPercent":"3.00","expiresAt":"2026-11-20T10:00:00.000Z","expiresInSeconds":300}}"#,
        &JsValue::UNDEFINED,
    );
    fill();
    // The gateway is asked when the buyer pauses.
    for _ in 0..200 {
        settle().await;
        if find("#choice-currency").is_some() {
            break;
        }
    }
    answer_nothing();
    assert_eq!(texts("#choice-currency label"), ["€35.45", "$39.52"]);
    let terms = texts("#choice-currency .about")
        .concat()
        .replace('\u{a0}', " ");
    let paid = "You pay $39.52 at the exchange rate USD 1 = EUR 0.89708502.";
    assert!(terms.contains(paid), "{terms}");
    assert!(terms.contains("3.00%"), "{terms}");
    assert!(!is_checked("choice-currency-shop") && !is_checked("choice-currency-card"));
    assert_eq!(text("pay-label"), "Pay €35.45 or $39.52");
    page.command(r#"{"type":"confirm","id":7}"#);
    let reply = page.message("reply").await;
    assert!(reply.contains("invalid_data"), "{reply}");
    drawn().await;
    assert_eq!(focused(), "choice-currency-shop");
    click("choice-currency-card");
    drawn().await;
    assert_eq!(text("pay-label"), "Pay $39.52");
    assert_eq!(text("promise"), "You pay $39.52 to Demo shop.");
    assert_eq!(texts("#choice-installments label")[1], "2 × $19.76");
    click("choice-currency-shop");
    drawn().await;
    assert_eq!(text("pay-label"), "Pay €35.45");
    // Another card.
    let number = input("CARD_NUMBER");
    number.select();
    type_into("CARD_NUMBER", "5555555555554444");
    drawn().await;
    assert!(find("#choice-currency").is_none());
}

/// Another session takes over: its sum is written, and choices that it does not have are removed.
#[wasm_bindgen_test]
async fn renewed_session_asks_what_it_asks() {
    let boot = r#"{"installments":[2],"consent":{"required":true,"kind":"CIT"}}"#;
    let page = Page::open_by(boot, r#"{"renew":true}"#, |_| {});
    drawn().await;
    click("choice-installments-2");
    click("choice-consent-box");
    drawn().await;
    page.renew(
        r#"{"state":{"state":"CARD_DATA_COLLECTION"},"amount":"4000","amountText":"EUR 40","installments":[2,3]}"#,
    )
    .await;
    drawn().await;
    assert_eq!(text("pay-label"), "Pay €40.00");
    assert!(find("#choice-consent").is_none());
    assert!(is_checked("choice-installments-2"));
    assert_eq!(
        texts("#choice-installments label"),
        ["At once", "2 × €20.00", "€13.34 + 2 × €13.33"]
    );
}

/// A card that is complete.
pub(super) fn fill() {
    type_into("CARD_NUMBER", "4761730000000003");
    type_into("EXPIRATION_DATE", "1228");
    type_into("SECURITY_CODE", "123");
    type_into("CARDHOLDER_NAME", "Ada Lovelace");
    leave("CARDHOLDER_NAME");
}
