//! Fields in frames of their own, each in another document: one widget binds them, also when frames are added and removed.
//!
//! Run by `cargo xtask test` under wasm-bindgen-test. How frames find each other is the loaders' business and tested in
//! `tests/e2e`; here a function of the test says which document has which field.

#![cfg(target_arch = "wasm32")]
// A test stops if the page is not as expected.
#![allow(clippy::unwrap_used)]

use js_sys::JSON;
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{Document, HtmlInputElement, InputEvent, InputEventInit, MessageChannel};

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen(inline_js = "
export function frame() {
  const frame = document.body.appendChild(document.createElement('iframe'));
  return frame.contentDocument;
}
export function find_in(places) {
  globalThis.payframeEncryptCard = (items) => items;
  globalThis.payframeBuildPort = () => new MessageChannel().port2;
  globalThis.payframeFind = (id) => places[id.replace('-note', '')]?.getElementById(id) ?? null;
}
export function show(places, id, document, html) {
  document.body.innerHTML = html;
  places[id] = document;
}
export function hide(places, id) {
  delete places[id];
}
")]
extern "C" {
    fn frame() -> Document;
    fn find_in(places: &JsValue);
    fn show(places: &JsValue, id: &str, document: &Document, html: &str);
    fn hide(places: &JsValue, id: &str);
}

const NUMBER: &str = r#"<input id="CARD_NUMBER"><p id="CARD_NUMBER-note"></p>"#;
const CODE: &str = r#"<input id="SECURITY_CODE"><p id="SECURITY_CODE-note"></p>"#;

/// A page with a place for everything but the fields, and a widget that starts before any of them is there.
fn start() -> JsValue {
    let document = web_sys::window().unwrap().document().unwrap();
    let place = document.create_element("div").unwrap();
    let ids = [
        "card",
        "main",
        "cancel",
        "pay",
        "pay-label",
        "message",
        "probe",
        "polite",
        "urgent",
        "brand",
        "networks",
        "network-0",
        "network-1",
        "choices",
    ];
    let html: String = ids.map(|id| format!(r#"<div id="{id}"></div>"#)).concat();
    place.set_inner_html(&html);
    document.body().unwrap().append_child(&place).unwrap();
    let places = JsValue::from(js_sys::Object::new());
    for id in ids {
        js_sys::Reflect::set(&places, &id.into(), &document).unwrap();
    }
    find_in(&places);
    let boot = r#"{
        "session": "s", "orderId": "A1", "merchant": "Demo shop", "actionType": "PAY", "closing": "PAGE", "cardSummary": "NONE",
        "state": {"state": "CARD_DATA_COLLECTION"}, "networks": ["VISA", "AMEX"], "today": "2026-11-20",
        "fields": ["CARD_NUMBER", "SECURITY_CODE"]
    }"#;
    let texts = JSON::parse(include_str!("../www/locales/en.json")).unwrap();
    let port = MessageChannel::new().unwrap().port2();
    payframe::prepare(port, JSON::parse(boot).unwrap(), texts, JsValue::UNDEFINED).unwrap();
    payframe::draw().unwrap();
    payframe::start(false).unwrap();
    places
}

fn input(document: &Document, id: &str) -> HtmlInputElement {
    // The element belongs to another realm, so its type can not be tested.
    document.get_element_by_id(id).unwrap().unchecked_into()
}

/// Edits as a key or a paste does: changes the value and fires the event.
fn put(document: &Document, id: &str, text: &str) {
    let input = input(document, id);
    input.set_value(text);
    let how = InputEventInit::new();
    how.set_input_type("insertFromPaste");
    let event = InputEvent::new_with_event_init_dict("input", &how).unwrap();
    input.dispatch_event(&event).unwrap();
}

/// Until the effects that the last change started have run.
async fn settle() {
    let turn = js_sys::Promise::resolve(&JsValue::NULL);
    wasm_bindgen_futures::JsFuture::from(turn).await.unwrap();
}

#[wasm_bindgen_test]
fn a_field_that_comes_late_is_taken_over_with_what_was_typed() {
    let places = start();
    let number = frame();
    show(&places, "CARD_NUMBER", &number, NUMBER);
    input(&number, "CARD_NUMBER").set_value("4761730000000003");
    payframe::rebind("CARD_NUMBER").unwrap();
    assert_eq!(input(&number, "CARD_NUMBER").value(), "4761 7300 0000 0003");
    put(&number, "CARD_NUMBER", "476173");
    assert_eq!(input(&number, "CARD_NUMBER").value(), "4761 73");
}

#[wasm_bindgen_test]
fn a_field_that_leaves_and_comes_back_still_holds_its_text() {
    let places = start();
    let (first, second) = (frame(), frame());
    show(&places, "CARD_NUMBER", &first, NUMBER);
    payframe::rebind("CARD_NUMBER").unwrap();
    put(&first, "CARD_NUMBER", "47617300");
    hide(&places, "CARD_NUMBER");
    payframe::rebind("CARD_NUMBER").unwrap();
    assert_eq!(
        input(&first, "CARD_NUMBER").value(),
        "",
        "nothing stays behind"
    );
    show(&places, "CARD_NUMBER", &second, NUMBER);
    payframe::rebind("CARD_NUMBER").unwrap();
    assert_eq!(input(&second, "CARD_NUMBER").value(), "4761 7300");
}

#[wasm_bindgen_test]
async fn fields_of_two_documents_know_the_same_card() {
    let places = start();
    let (number, code) = (frame(), frame());
    show(&places, "CARD_NUMBER", &number, NUMBER);
    show(&places, "SECURITY_CODE", &code, CODE);
    payframe::rebind("CARD_NUMBER").unwrap();
    payframe::rebind("SECURITY_CODE").unwrap();
    put(&number, "CARD_NUMBER", "378282246310005");
    assert_eq!(input(&number, "CARD_NUMBER").value(), "3782 822463 10005");
    put(&code, "SECURITY_CODE", "123");
    let blur = web_sys::Event::new("blur").unwrap();
    input(&code, "SECURITY_CODE").dispatch_event(&blur).unwrap();
    settle().await;
    let note = code.get_element_by_id("SECURITY_CODE-note").unwrap();
    assert_eq!(
        note.text_content().unwrap(),
        "The security code has 4 digits."
    );
}

#[wasm_bindgen_test]
fn a_field_that_the_session_does_not_ask_for_is_left_alone() {
    let places = start();
    let name = frame();
    show(
        &places,
        "CARDHOLDER_NAME",
        &name,
        r#"<input id="CARDHOLDER_NAME" value="Anna">"#,
    );
    payframe::rebind("CARDHOLDER_NAME").unwrap();
    payframe::rebind("NOTHING").unwrap();
    assert_eq!(input(&name, "CARDHOLDER_NAME").value(), "Anna");
}

/// In the Build protocol the page itself counts the time, replaces sessions and shows what follows the fields.
#[wasm_bindgen_test]
fn fields_of_the_build_protocol_show_nothing_but_fields() {
    start();
    let document = web_sys::window().unwrap().document().unwrap();
    for id in ["panel", "question", "session-ends"] {
        assert!(document.get_element_by_id(id).is_none(), "{id}");
    }
}
