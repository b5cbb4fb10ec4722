//! The form as a component, in a real browser: the markup of the frame page, made live, driven by real edits.
//!
//! Run by `cargo xtask test` under wasm-bindgen-test. No gateway is behind it: what needs one is in `tests/e2e`.
//!
//! This file is longer than most, because wasm-bindgen-test starts a browser for each file, and these tests share one.

#![cfg(target_arch = "wasm32")]
// A test stops if the page is not as expected.
#![allow(clippy::unwrap_used)]

use js_sys::{JSON, Object, Promise, Reflect};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{
    Document, HtmlElement, HtmlInputElement, InputEvent, InputEventInit, KeyboardEvent,
    KeyboardEventInit, MessageChannel, MessageEvent, MessagePort,
};

wasm_bindgen_test_configure!(run_in_browser);

// Included here, so that these tests share this file's browser.
#[path = "form/choices.rs"]
mod choices;

/// A live form and the page's end of its port.
struct Page {
    port: MessagePort,
}

impl Page {
    fn open() -> Self {
        Self::open_with("{}", |_| {})
    }

    /// `boot`: members that differ from the usual ones, as JSON. `early`: the buyer's actions before the form is live.
    fn open_with(boot: &str, early: impl FnOnce(&Document)) -> Self {
        Self::open_by(boot, "{}", early)
    }

    /// `options`: what the shop's page chose, as JSON.
    fn open_by(boot: &str, options: &str, early: impl FnOnce(&Document)) -> Self {
        let document = document();
        // The test runner itself also writes into the page.
        let place = document.get_element_by_id("page").unwrap_or_else(|| {
            let place = document.create_element("div").unwrap();
            place.set_id("page");
            document.body().unwrap().append_child(&place).unwrap();
            place
        });
        place.set_inner_html(&markup());
        let root = document.document_element().unwrap();
        root.set_attribute("lang", "en").unwrap();
        early(&document);
        find_here();
        let usual: Object = JSON::parse(BOOT).unwrap().unchecked_into();
        let given: Object = JSON::parse(boot).unwrap().unchecked_into();
        let boot = Object::assign(&usual, &given);
        let texts = JSON::parse(include_str!("../www/locales/en.json")).unwrap();
        let channel = MessageChannel::new().unwrap();
        let options = JSON::parse(options).unwrap();
        payframe::prepare(channel.port2(), boot.into(), texts, options).unwrap();
        payframe::draw().unwrap();
        payframe::start(false).unwrap();
        Self {
            port: channel.port1(),
        }
    }

    /// The page brings another session: `boot` has the members of its boot data that differ, as JSON. Gives the form's reply.
    async fn renew(&self, boot: &str) -> String {
        let usual: Object = JSON::parse(BOOT).unwrap().unchecked_into();
        let given = JSON::parse(boot).unwrap().unchecked_into();
        let boot: String = JSON::stringify(&Object::assign(&usual, &given))
            .unwrap()
            .into();
        serve(&format!(
            "<script type=\"application/json\" id=\"boot\">{boot}</script>"
        ));
        self.command(r#"{"type":"renew","id":7,"session":"next"}"#);
        self.message("reply").await
    }

    /// The next message of this type, as JSON.
    async fn message(&self, kind: &str) -> String {
        let (port, kind) = (self.port.clone(), kind.to_owned());
        let heard = Promise::new(&mut |resolve, _| {
            let kind = kind.clone();
            let hear = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
                let found = Reflect::get(&event.data(), &"type".into()).unwrap();
                if found.as_string().as_deref() == Some(&kind) {
                    resolve.call1(&JsValue::NULL, &event.data()).unwrap();
                }
            });
            port.set_onmessage(Some(hear.as_ref().unchecked_ref()));
            hear.forget();
        });
        let message = JsFuture::from(heard).await.unwrap();
        JSON::stringify(&message).unwrap().into()
    }

    /// From now on all messages `change`, as JSON, in order.
    fn all_changes(&self) -> Heard {
        self.all("change")
    }

    fn all(&self, kind: &str) -> Heard {
        let start = format!(r#"{{"type":"{kind}""#);
        let heard = Heard::default();
        let notes = heard.clone();
        let hear = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            let message: String = JSON::stringify(&event.data()).unwrap().into();
            if message.starts_with(&start) {
                notes.borrow_mut().push(message);
            }
        });
        let add = self
            .port
            .add_event_listener_with_callback("message", hear.as_ref().unchecked_ref());
        add.unwrap();
        self.port.start();
        hear.forget();
        heard
    }

    /// From now on all messages `ask`, as JSON, in order.
    fn all_asks(&self) -> Heard {
        self.all("ask")
    }

    /// The messages until now: those that were sent before the answer to a command arrive before it.
    async fn changes(&self, heard: &Heard) -> Vec<String> {
        self.command(r#"{"type":"focus","id":99,"field":"NONE"}"#);
        self.message("reply").await;
        heard.borrow().clone()
    }

    fn command(&self, json: &str) {
        self.port.post_message(&JSON::parse(json).unwrap()).unwrap();
    }
}

/// The messages that a page received.
type Heard = Rc<RefCell<Vec<String>>>;

fn document() -> Document {
    web_sys::window().unwrap().document().unwrap()
}

#[wasm_bindgen(
    inline_js = "export function find_here() { globalThis.payframeFind = (id) => document.getElementById(id); globalThis.payframeLoadChoiceTexts = async () => {}; globalThis.payframeEncryptCard = (items) => items; }"
)]
extern "C" {
    /// As the loader of a form in one frame does.
    fn find_here();
}

#[wasm_bindgen(
    inline_js = "let then = []; export function hold_pictures() { globalThis.payframeAfterPaint = (act) => then.push(act); } export function paint() { delete globalThis.payframeAfterPaint; for (const act of then.splice(0)) act(); }"
)]
extern "C" {
    /// From now on no paint is reported.
    fn hold_pictures();
    /// Paints are reported again.
    fn paint();
}

#[wasm_bindgen(inline_js = "
let asked = [];
export function serve(page) {
  asked = [];
  const standing = JSON.stringify({ state: 'CARD_DATA_COLLECTION', secondsLeft: 900 });
  globalThis.fetch = async (request) => {
    const { pathname, search } = new URL(request.url);
    asked.push([pathname, request.headers.get('session')].join(' '));
    return new Response(search.includes('follows=') ? page : standing);
  };
}
export function requests() {
  return asked.join(', ');
}
")]
extern "C" {
    /// From now on the gateway serves this page for the session that follows, and answers every other request without news.
    fn serve(page: &str);
    /// Path and session of each request since then.
    fn requests() -> String;
}

/// The body of the frame page, without its scripts.
fn markup() -> String {
    let page = include_str!("../www/frame/form.html");
    let body = page
        .split_once("<body>")
        .unwrap()
        .1
        .split_once("<script")
        .unwrap()
        .0;
    body.replace("{{icons}}", "")
}

fn input(id: &str) -> HtmlInputElement {
    document()
        .get_element_by_id(id)
        .unwrap()
        .dyn_into()
        .unwrap()
}

fn element(id: &str) -> HtmlElement {
    document()
        .get_element_by_id(id)
        .unwrap()
        .dyn_into()
        .unwrap()
}

fn is_hidden(id: &str) -> bool {
    element(id).hidden()
}

fn press(id: &str) {
    element(id).click();
}

/// Id of the element that has the focus.
fn focused() -> String {
    document().active_element().unwrap().id()
}

fn text(id: &str) -> String {
    document()
        .get_element_by_id(id)
        .unwrap()
        .text_content()
        .unwrap()
}

/// Edits as a keyboard does. Chromium's edit commands fire `input` but not the `beforeinput` of a key, so that one
/// comes from here, and like a key's it can stop the edit.
fn edit(command: &str, value: &str) {
    let document: web_sys::HtmlDocument = document().dyn_into().unwrap();
    let key = InputEventInit::new();
    key.set_cancelable(true);
    let (kind, data) = match command {
        "delete" => ("deleteContentBackward", None),
        _ => ("insertText", Some(value)),
    };
    key.set_input_type(kind);
    key.set_data(data);
    let key = InputEvent::new_with_event_init_dict("beforeinput", &key).unwrap();
    if document
        .active_element()
        .unwrap()
        .dispatch_event(&key)
        .unwrap()
    {
        document
            .exec_command_with_show_ui_and_value(command, false, value)
            .unwrap();
    }
}

fn type_into(id: &str, keys: &str) {
    input(id).focus().unwrap();
    for key in keys.chars() {
        edit("insertText", &key.to_string());
    }
}

/// The keys of an undo.
fn undo(id: &str) {
    let how = KeyboardEventInit::new();
    how.set_ctrl_key(true);
    how.set_key_code(90);
    how.set_cancelable(true);
    let key = KeyboardEvent::new_with_keyboard_event_init_dict("keydown", &how).unwrap();
    input(id).dispatch_event(&key).unwrap();
}

fn leave(id: &str) {
    input(id).blur().unwrap();
}

/// Lets effects and messages that are due run.
async fn settle() {
    let turn = Promise::new(&mut |resolve, _| {
        web_sys::window()
            .unwrap()
            .request_animation_frame(&resolve)
            .unwrap();
    });
    JsFuture::from(turn).await.unwrap();
}

/// Lets so many milliseconds pass.
async fn pass(ms: i32) {
    let turn = Promise::new(&mut |resolve, _| {
        web_sys::window()
            .unwrap()
            .set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, ms)
            .unwrap();
    });
    JsFuture::from(turn).await.unwrap();
}

/// Waits until this holds.
async fn until(holds: impl Fn() -> bool) {
    for _ in 0..200 {
        if holds() {
            return;
        }
        pass(20).await;
    }
    panic!("it does not come to hold");
}

fn shown(id: &str) -> String {
    let input = input(id);
    let caret = input.selection_start().unwrap().unwrap() as usize;
    let mut value = input.value();
    value.insert(caret, '|');
    value
}

/// A1, B2: gaps stand where that brand prints them, and only digits are sent; its mark shows at once and has a text name.
#[wasm_bindgen_test]
async fn number_is_grouped_while_it_is_typed_and_its_brand_is_named() {
    let _page = Page::open();
    type_into("CARD_NUMBER", "476173000000");
    assert_eq!(shown("CARD_NUMBER"), "4761 7300 0000|");
    settle().await;
    let mark = document().get_element_by_id("brand").unwrap();
    assert_eq!(mark.get_attribute("alt").as_deref(), Some("Visa"));
    assert_eq!(text("polite"), "Visa card");
}

/// A2: it lands at the caret, which ends right behind it, across a gap as well.
#[wasm_bindgen_test]
async fn digit_in_the_middle_lands_at_the_caret() {
    let _page = Page::open();
    type_into("CARD_NUMBER", "47617300");
    input("CARD_NUMBER").set_selection_range(4, 4).unwrap();
    edit("insertText", "9");
    assert_eq!(shown("CARD_NUMBER"), "4761 9|730 0");
}

/// The key itself is painted first. Everything else follows after that paint, or with the press that needs it.
#[wasm_bindgen_test]
async fn what_follows_from_a_key_waits_for_its_picture() {
    let page = Page::open();
    settle().await;
    let said = text("polite");
    hold_pictures();
    type_into("CARD_NUMBER", "51");
    settle().await;
    assert_eq!((shown("CARD_NUMBER"), text("polite")), ("51|".into(), said));
    paint();
    let change = page.message("change").await;
    assert!(change.contains(r#""brand":"MC""#), "{change}");
    assert!(text("polite").contains("Mastercard"), "{}", text("polite"));
    hold_pictures();
    edit("delete", "");
    edit("delete", "");
    page.command(r#"{"type":"confirm","id":1}"#);
    let change = page.message("change").await;
    let before_the_press = change.contains(r#""empty":true"#) && !change.contains("error");
    assert!(before_the_press, "{change}");
    paint();
}

/// A3: the digit beyond the gap goes, never the gap alone.
#[wasm_bindgen_test]
async fn backspace_behind_a_gap_takes_the_digit_before_it() {
    let _page = Page::open();
    type_into("CARD_NUMBER", "47617");
    input("CARD_NUMBER").set_selection_range(5, 5).unwrap();
    edit("delete", "");
    assert_eq!(shown("CARD_NUMBER"), "476|7");
}

/// A14: value, caret and selection stay as they were, without a message.
#[wasm_bindgen_test]
async fn letters_change_nothing_in_a_field_of_digits() {
    let _page = Page::open();
    type_into("CARD_NUMBER", "4761");
    input("CARD_NUMBER").set_selection_range(1, 3).unwrap();
    edit("insertText", "x");
    let field = input("CARD_NUMBER");
    let selection = (
        field.selection_start().unwrap(),
        field.selection_end().unwrap(),
    );
    assert_eq!(
        (field.value(), selection),
        ("4761".to_owned(), (Some(1), Some(3)))
    );
}

/// A5: same value and caret as if the digits had been typed.
#[wasm_bindgen_test]
async fn paste_with_dashes_is_the_same_as_typing() {
    let _page = Page::open();
    input("CARD_NUMBER").focus().unwrap();
    edit("insertText", "3742-450000-00009");
    assert_eq!(shown("CARD_NUMBER"), "3742 450000 00009|");
    settle().await;
    assert_eq!(
        input("SECURITY_CODE").placeholder(),
        "1234",
        "four digits for this network"
    );
}

/// C1: leading zero and separator come by themselves where there is no doubt.
#[wasm_bindgen_test]
async fn expiry_gets_its_zero_and_its_separator() {
    let _page = Page::open();
    type_into("EXPIRATION_DATE", "430");
    assert_eq!(input("EXPIRATION_DATE").value(), "04 / 30");
}

/// G3: announced exactly once, through a live region that was there, empty, since load.
#[wasm_bindgen_test]
async fn same_fault_after_another_press_is_another_announcement() {
    let page = Page::open();
    let region = document().get_element_by_id("urgent").unwrap();
    let mut heard = Vec::new();
    for _ in 0..3 {
        page.command(r#"{"type":"confirm","id":7}"#);
        page.message("reply").await;
        heard.push(region.text_content().unwrap());
    }
    assert!(
        heard
            .iter()
            .all(|text| text.trim() == "Enter your card number."),
        "{heard:?}"
    );
    assert!(heard.windows(2).all(|two| two[0] != two[1]), "{heard:?}");
}

/// D2, D4: exactly one message, at that field; the message goes with the keystroke that makes it right; a server message goes at the first edit.
#[wasm_bindgen_test]
async fn wrong_field_is_told_when_it_is_left_and_no_longer_once_right() {
    let _page = Page::open();
    type_into("CARD_NUMBER", "4761730000000004");
    settle().await;
    assert_eq!(text("CARD_NUMBER-note"), "", "nothing is said while typing");
    leave("CARD_NUMBER");
    settle().await;
    let said = text("CARD_NUMBER-note");
    assert_eq!(
        said,
        "Check the card number: there is a typing mistake in it."
    );
    assert_eq!(text("urgent"), said, "announced");
    assert_eq!(
        input("CARD_NUMBER")
            .get_attribute("aria-invalid")
            .as_deref(),
        Some("true")
    );
    type_into("CARD_NUMBER", "");
    edit("delete", "");
    edit("insertText", "3");
    settle().await;
    assert_eq!(text("CARD_NUMBER-note"), "");
    assert_eq!(input("CARD_NUMBER").get_attribute("aria-invalid"), None);
}

#[wasm_bindgen_test]
async fn another_mistake_in_place_of_one_is_told_when_the_field_is_left() {
    let _page = Page::open();
    type_into("CARD_NUMBER", "4761730000000004");
    leave("CARD_NUMBER");
    settle().await;
    let first = text("CARD_NUMBER-note");
    input("CARD_NUMBER").select();
    type_into("CARD_NUMBER", "9000000000000001");
    leave("CARD_NUMBER");
    settle().await;
    let second = text("CARD_NUMBER-note");
    assert!(
        !second.is_empty() && second != first,
        "{first} then {second}"
    );
}

/// D3: no error before the first submit.
#[wasm_bindgen_test]
async fn untouched_field_is_not_wrong_before_a_submit() {
    let _page = Page::open();
    input("CARD_NUMBER").focus().unwrap();
    leave("CARD_NUMBER");
    settle().await;
    assert_eq!(text("CARD_NUMBER-note"), "");
}

/// D6, D8: every faulty field is flagged and the first gets the focus; the button was enabled, and what is missing is explained.
#[wasm_bindgen_test]
async fn submit_of_an_empty_form_marks_every_field_and_sends_nothing() {
    let page = Page::open();
    page.command(r#"{"type":"confirm","id":7}"#);
    let reply = page.message("reply").await;
    assert!(
        reply.contains(r#""id":7"#) && reply.contains("invalid_data"),
        "{reply}"
    );
    settle().await;
    for id in [
        "CARD_NUMBER",
        "EXPIRATION_DATE",
        "SECURITY_CODE",
        "CARDHOLDER_NAME",
    ] {
        assert_ne!(text(&format!("{id}-note")), "", "{id}");
    }
    let focused = document().active_element().unwrap();
    assert_eq!(focused.id(), "CARD_NUMBER");
}

/// B7: message names that brand and the ones taken.
#[wasm_bindgen_test]
async fn network_that_the_shop_does_not_take_is_named() {
    let _page = Page::open_with(r#"{"networks":["VISA","MC"]}"#, |_| {});
    type_into("CARD_NUMBER", "374245000000009");
    leave("CARD_NUMBER");
    settle().await;
    assert_eq!(
        text("CARD_NUMBER-note"),
        "This shop does not take American Express. It takes Visa, Mastercard."
    );
}

#[wasm_bindgen_test]
async fn what_was_typed_before_the_form_lived_is_kept() {
    let _page = Page::open_with("{}", |_| input("CARD_NUMBER").set_value("4761730000000003"));
    assert_eq!(input("CARD_NUMBER").value(), "4761 7300 0000 0003");
}

/// J14, N7: change event tells states, brand, candidates and completeness, and no digit of any field; learns no digit from events, sizes, styles, titles or focus moves.
#[wasm_bindgen_test]
async fn the_page_hears_states_and_no_digit() {
    let page = Page::open();
    input("CARD_NUMBER").focus().unwrap();
    edit("insertText", "4761730000000003");
    let change = page.message("change").await;
    assert!(change.contains(r#""brand":"VISA""#), "{change}");
    let digits = change.chars().filter(char::is_ascii_digit).count();
    assert_eq!(digits, 0, "{change}");
}

#[wasm_bindgen_test]
async fn last_digits_are_told_only_where_the_merchants_server_asked() {
    let page = Page::open_with(r#"{"cardSummary":"LAST4"}"#, |_| {});
    let heard = page.all_changes();
    type_into("CARD_NUMBER", "4761730000000003");
    settle().await;
    leave("CARD_NUMBER");
    settle().await;
    let heard = page.changes(&heard).await;
    let (left, typing) = heard.split_last().unwrap();
    assert!(
        typing.iter().all(|change| !change.contains("last4")),
        "{typing:?}"
    );
    assert!(left.contains(r#""last4":"0003""#), "{left}");
    assert!(!left.contains("bin"), "{left}");
}

/// N7: first and last digits are told once: a number that is edited afterwards is another one, and nothing of it is told.
#[wasm_bindgen_test]
async fn digits_of_a_second_number_are_not_told_while_typing() {
    let page = Page::open_with(r#"{"cardSummary":"BIN_LAST4"}"#, |_| {});
    let heard = page.all_changes();
    // Good at 13 digits, and at 19.
    type_into("CARD_NUMBER", "4000000000006");
    leave("CARD_NUMBER");
    type_into("CARD_NUMBER", "000000");
    leave("CARD_NUMBER");
    settle().await;
    input("CARD_NUMBER").focus().unwrap();
    input("CARD_NUMBER").select();
    edit("delete", "");
    edit("insertText", "5413330000000001");
    leave("CARD_NUMBER");
    settle().await;
    let mut told: Vec<String> = page
        .changes(&heard)
        .await
        .iter()
        .filter_map(|change| Some(change.split_once(r#""last4":"#)?.1[..6].to_owned()))
        .collect();
    told.dedup();
    assert_eq!(told, [r#""0006""#]);
}

/// N7: a page that may not know digits receives the same messages for any two numbers of a network.
#[wasm_bindgen_test]
async fn numbers_of_one_network_and_length_sound_the_same() {
    for alike in [
        ["4761730000000003", "4000000000000002", "4111111111111111"].as_slice(),
        &["5413330000000001", "2221000000000009", "5555555555554444"],
        &[
            "4000000000006000000",
            "4999999999999999993",
            "4012345678901234565",
        ],
        &["6759649826438453", "5018000000000009", "6304000000000000"],
        &["36000000000008", "30569309025904", "38520000023237"],
        &["374245000000009", "341111111111111"],
        &["3530111333300000", "3566002020360505"],
        &["6200000000000005", "8171999927660000"],
    ] {
        let mut first: Option<Vec<String>> = None;
        for number in alike {
            let page = Page::open_with("{}", |_| {});
            let heard = page.all_changes();
            // Each key with its own paint: keys that share one are reported in one message.
            for key in number.chars() {
                type_into("CARD_NUMBER", &key.to_string());
                settle().await;
            }
            leave("CARD_NUMBER");
            settle().await;
            let heard = page.changes(&heard).await;
            assert!(
                heard
                    .last()
                    .unwrap()
                    .contains(r#""id":"CARD_NUMBER","empty":false,"complete":true"#),
                "{heard:?}"
            );
            assert!(
                heard
                    .iter()
                    .all(|change| !change.contains(|c: char| c.is_ascii_digit()))
            );
            assert_eq!(&heard, first.get_or_insert(heard.clone()));
        }
    }
}

/// N7: a page that has fields judged at every key does not hear at which lengths a number passes the check.
#[wasm_bindgen_test]
async fn page_that_asks_at_every_key_hears_no_check_digits() {
    let page = Page::open();
    let heard = page.all_changes();
    for key in "6759649826438453".chars() {
        type_into("CARD_NUMBER", &key.to_string());
        page.command(r#"{"type":"validate","id":1}"#);
        page.message("reply").await;
    }
    let judged = |change: &&String| {
        change.contains("check_digit")
            || change.contains(r#""id":"CARD_NUMBER","empty":false,"complete":true"#)
    };
    assert!(page.changes(&heard).await.iter().filter(judged).count() <= 2);
}

/// D2: each field speaks for itself, to the page as well.
#[wasm_bindgen_test]
async fn what_does_not_fit_is_said_in_the_words_of_its_field() {
    let page = Page::open();
    let heard = page.all_changes();
    input("EXPIRATION_DATE").focus().unwrap();
    edit("insertText", "123456789");
    input("SECURITY_CODE").focus().unwrap();
    edit("insertText", "12345");
    settle().await;
    assert_eq!(
        text("EXPIRATION_DATE-note"),
        "Enter month and year, like 04 / 29."
    );
    assert_eq!(
        text("SECURITY_CODE-note"),
        "The security code has 3–4 digits."
    );
    type_into("CARD_NUMBER", "4761");
    leave("CARD_NUMBER");
    settle().await;
    assert_eq!(
        text("SECURITY_CODE-note"),
        "The security code has 3 digits."
    );
    let last = page.changes(&heard).await.pop().unwrap();
    assert!(
        last.contains("expiry_incomplete") && last.contains("security_code_length"),
        "{last}"
    );
    assert!(!last.contains("card_number_too_long"), "{last}");
}

/// D2: a wrong field that was emptied says what is missing now.
#[wasm_bindgen_test]
async fn emptied_field_says_that_it_is_empty() {
    let page = Page::open();
    type_into("EXPIRATION_DATE", "1220");
    leave("EXPIRATION_DATE");
    settle().await;
    assert_eq!(text("EXPIRATION_DATE-note"), "This card has expired.");
    input("EXPIRATION_DATE").focus().unwrap();
    input("EXPIRATION_DATE").select();
    edit("delete", "");
    settle().await;
    assert_eq!(text("EXPIRATION_DATE-note"), "");
    leave("EXPIRATION_DATE");
    settle().await;
    assert_eq!(text("EXPIRATION_DATE-note"), "Enter the expiry date.");
    // Fields that the page has emptied were not emptied by the buyer.
    page.command(r#"{"type":"clear","id":1}"#);
    page.message("reply").await;
    input("EXPIRATION_DATE").focus().unwrap();
    leave("EXPIRATION_DATE");
    settle().await;
    assert_eq!(text("EXPIRATION_DATE-note"), "");
}

/// D4: a message stays only while its cause holds.
#[wasm_bindgen_test]
async fn message_goes_when_its_cause_is_gone() {
    let page = Page::open();
    type_into("EXPIRATION_DATE", "0020");
    leave("EXPIRATION_DATE");
    settle().await;
    assert_eq!(
        text("EXPIRATION_DATE-note"),
        "The month must be from 01 to 12."
    );
    input("EXPIRATION_DATE").focus().unwrap();
    input("EXPIRATION_DATE").set_selection_range(1, 2).unwrap();
    edit("insertText", "2");
    settle().await;
    assert_eq!(input("EXPIRATION_DATE").value(), "02 / 20");
    assert_eq!(
        text("EXPIRATION_DATE-note"),
        "",
        "it has expired, which is said when it is left"
    );
    input("CARD_NUMBER").focus().unwrap();
    edit("insertText", "374245000000009000");
    settle().await;
    assert_eq!(text("CARD_NUMBER-note"), "This card number is too long.");
    input("CARD_NUMBER").select();
    edit("insertText", "476173000000");
    settle().await;
    assert_eq!(text("CARD_NUMBER-note"), "");
    // The message stays while its cause holds: the number is shorter than before, and still too short.
    leave("CARD_NUMBER");
    settle().await;
    let short = text("CARD_NUMBER-note");
    assert_ne!(short, "");
    input("CARD_NUMBER").focus().unwrap();
    edit("delete", "");
    settle().await;
    assert_eq!(text("CARD_NUMBER-note"), short);
    // For a number that could end at several lengths, a message about the check digit is removed at another such length, right or wrong.
    for number in ["6759649826438450", "6304000000000001"] {
        input("CARD_NUMBER").select();
        edit("insertText", number);
        leave("CARD_NUMBER");
        input("CARD_NUMBER").focus().unwrap();
        settle().await;
        assert_ne!(text("CARD_NUMBER-note"), "");
        edit("delete", "");
        settle().await;
        assert_eq!(text("CARD_NUMBER-note"), "");
    }
    drop(page);
}

/// Programs that fill fields and fire `change` alone are heard.
#[wasm_bindgen_test]
async fn fill_that_is_told_by_change_alone_is_formatted_and_told() {
    let page = Page::open();
    let heard = page.all_changes();
    for (id, value) in [
        ("CARD_NUMBER", "4761730000000003"),
        ("EXPIRATION_DATE", "1230"),
        ("SECURITY_CODE", "123"),
        ("CARDHOLDER_NAME", "Ada Lovelace"),
    ] {
        input(id).set_value(value);
        let change = web_sys::Event::new("change").unwrap();
        input(id).dispatch_event(&change).unwrap();
    }
    settle().await;
    settle().await;
    assert_eq!(input("CARD_NUMBER").value(), "4761 7300 0000 0003");
    assert_eq!(input("EXPIRATION_DATE").value(), "12 / 30");
    let last = page.changes(&heard).await.pop().unwrap();
    assert!(
        last.starts_with(r#"{"type":"change","complete":true"#),
        "{last}"
    );
}

/// A11: the selection from before the form was live stays, and what was typed can be undone step by step.
#[wasm_bindgen_test]
async fn early_selection_stays_and_early_keys_are_steps() {
    let _page = Page::open_with("{}", |_| {
        type_into("CARD_NUMBER", "47617300");
        input("CARD_NUMBER").set_selection_range(2, 6).unwrap();
    });
    let field = input("CARD_NUMBER");
    assert_eq!(field.value(), "4761 7300");
    let selected = (
        field.selection_start().unwrap(),
        field.selection_end().unwrap(),
    );
    assert_eq!(selected, (Some(2), Some(7)));
    for expected in ["4761 730", "4761 73", "4761 7", "4761"] {
        undo("CARD_NUMBER");
        assert_eq!(input("CARD_NUMBER").value(), expected);
    }
}

/// D2: a field that was left before the form was live is checked like any other; the one that has the focus is not.
#[wasm_bindgen_test]
async fn field_left_incomplete_early_is_flagged() {
    let _page = Page::open_with("{}", |_| {
        type_into("CARD_NUMBER", "4761");
        type_into("EXPIRATION_DATE", "1");
    });
    settle().await;
    assert_eq!(text("CARD_NUMBER-note"), "This card number is too short.");
    assert_eq!(text("urgent"), "This card number is too short.");
    assert_eq!(text("EXPIRATION_DATE-note"), "");
}

/// N4: dropped, and the form stays usable.
#[wasm_bindgen_test]
async fn unknown_commands_and_odd_shapes_are_dropped() {
    let page = Page::open();
    for odd in [
        r#"{"type":"read","id":1}"#,
        r#"{"type":"focus","id":"1"}"#,
        r#"{"type":"focus","id":-1}"#,
        r#"{"__proto__":{"type":"clear","id":1}}"#,
        r#"[]"#,
        r#""confirm""#,
        "null",
    ] {
        page.command(odd);
    }
    page.command(r#"{"type":"focus","id":2,"field":"SECURITY_CODE"}"#);
    let reply = page.message("reply").await;
    assert_eq!(
        reply, r#"{"type":"reply","id":2}"#,
        "the first answer is to the well-formed command"
    );
    assert_eq!(document().active_element().unwrap().id(), "SECURITY_CODE");
}

/// D15: values, messages and states are empty and the focus is not taken.
#[wasm_bindgen_test]
async fn clearing_empties_fields_and_messages() {
    let page = Page::open();
    type_into("CARD_NUMBER", "4761");
    leave("CARD_NUMBER");
    page.command(r#"{"type":"clear","id":3}"#);
    page.message("reply").await;
    settle().await;
    assert_eq!(input("CARD_NUMBER").value(), "");
    assert_eq!(text("CARD_NUMBER-note"), "");
    assert_eq!(input("CARD_NUMBER").get_attribute("aria-invalid"), None);
    assert_ne!(document().active_element().unwrap().id(), "CARD_NUMBER");
}

#[wasm_bindgen_test]
async fn button_bears_the_promise_of_the_loader() {
    let _page = Page::open_with(r#"{"payText":"Hold €35.45"}"#, |_| {});
    settle().await;
    assert_eq!(text("pay"), "Hold €35.45");
}

#[wasm_bindgen_test]
async fn finished_session_shows_its_outcome_and_no_field() {
    let _page = Page::open_with(
        r#"{"state":{"state":"PAYMENT_COMPLETE","operation":{"orderId":"A1","operationId":"347074400000000001","operationType":"AUTHORIZATION","operationResult":"EXECUTED","operationTime":"2026-11-20T10:00:00.000Z"}}}"#,
        |_| {},
    );
    settle().await;
    assert!(text("panel").contains("Payment complete"));
    let card: HtmlElement = document()
        .get_element_by_id("card")
        .unwrap()
        .dyn_into()
        .unwrap();
    assert!(card.hidden());
}

/// K11: approved, pending, declined, cancelled, failed, reversed or unknown; an unlisted one is unknown, never a success.
#[wasm_bindgen_test]
async fn result_of_unknown_spelling_is_never_a_success() {
    let page = Page::open_with(
        r#"{"state":{"state":"PAYMENT_COMPLETE","operation":{"orderId":"A1","operationId":"347074400000000001","operationType":"AUTHORIZATION","operationResult":"GRANTED","operationTime":"2026-11-20T10:00:00.000Z"}}}"#,
        |_| {},
    );
    let result = page.message("result").await;
    assert!(result.contains(r#""outcome":"unknown""#), "{result}");
    settle().await;
    assert!(text("panel").contains("We do not know yet"));
}

/// A form whose payment was refused for good, and whose page is asked for another session.
async fn retrying() -> Page {
    let page = Page::open_by(REFUSED_FOR_GOOD, r#"{"renew":true}"#, |_| {});
    settle().await;
    assert_eq!(text("press"), "Try again");
    press("press");
    let ask = page.message("ask").await;
    assert_eq!(ask, r#"{"type":"ask","what":"renew"}"#);
    page
}

/// K15: another session is another day, and the date on the card is held against that day.
#[wasm_bindgen_test]
async fn renewed_session_brings_its_own_date() {
    let page = retrying().await;
    let boot = r#"{"state":{"state":"CARD_DATA_COLLECTION"},"today":"2027-02-01"}"#;
    assert_eq!(page.renew(boot).await, r#"{"type":"reply","id":7}"#);
    settle().await;
    input("EXPIRATION_DATE").focus().unwrap();
    type_into("EXPIRATION_DATE", "0127");
    leave("EXPIRATION_DATE");
    settle().await;
    assert_eq!(text("EXPIRATION_DATE-note"), "This card has expired.");
}

/// Requests to the gateway are for the session that took over.
#[wasm_bindgen_test]
async fn card_is_sent_in_the_session_that_took_over() {
    let page = retrying().await;
    page.renew(r#"{"session":"next","state":{"state":"CARD_DATA_COLLECTION"}}"#)
        .await;
    settle().await;
    type_into("CARD_NUMBER", "4761730000000003");
    type_into("EXPIRATION_DATE", "1230");
    type_into("SECURITY_CODE", "123");
    type_into("CARDHOLDER_NAME", "Anna Lee");
    page.command(r#"{"type":"confirm","id":8}"#);
    page.message("reply").await;
    settle().await;
    let requests = requests();
    let sent = requests
        .split(", ")
        .find(|line| line.contains("fe/build/text"));
    assert_eq!(sent, Some("/api/fe/build/text next"), "{requests}");
}

/// K29: the page brings a session with another sum, and what was typed stays.
#[wasm_bindgen_test]
async fn session_that_the_page_brings_takes_over_while_nothing_is_sent() {
    let page = Page::open_by("{}", "{}", |_| {});
    type_into("CARD_NUMBER", "4761730000000003");
    let boot = r#"{"session":"next","state":{"state":"CARD_DATA_COLLECTION"},"amount":"4000","amountText":"EUR 40"}"#;
    assert_eq!(page.renew(boot).await, r#"{"type":"reply","id":7}"#);
    settle().await;
    assert_eq!(text("pay-label"), "Pay €40.00");
    assert_eq!(input("CARD_NUMBER").value(), "4761 7300 0000 0003");
}

/// No other session takes the place of a payment that is over.
#[wasm_bindgen_test]
async fn session_does_not_take_over_from_an_outcome() {
    let approved = r#"{"state":{"state":"PAYMENT_COMPLETE","operation":{"orderId":"A1","operationId":"347074400000000001","operationType":"AUTHORIZATION","operationResult":"EXECUTED","operationTime":"2026-11-20T10:00:00.000Z"}}}"#;
    let page = Page::open_by(approved, r#"{"renew":true}"#, |_| {});
    settle().await;
    let reply = page
        .renew(r#"{"session":"next","state":{"state":"CARD_DATA_COLLECTION"}}"#)
        .await;
    assert!(reply.contains(r#""code":"wrong_state""#), "{reply}");
    assert_eq!(requests(), "", "its page is not even asked for");
    assert!(is_hidden("card"));
}

/// A session with other inputs can not take over, because there is no place for what was typed.
#[wasm_bindgen_test]
async fn session_with_other_inputs_does_not_take_over() {
    for boot in [
        r#"{"state":{"state":"CARD_DATA_COLLECTION"},"fields":["CARD_NUMBER"]}"#,
        r#"{"state":{"state":"CARD_DATA_COLLECTION"},"networks":["VISA"]}"#,
        r#"{"state":{"state":"CARD_DATA_COLLECTION"},"version":2}"#,
        r#"{"state":{"state":"CARD_DATA_COLLECTION"},"merchantOrigin":"https://other.example"}"#,
        r#"{"state":{"state":"NOT_OF_THIS_RELEASE"}}"#,
    ] {
        let page = retrying().await;
        let reply = page.renew(boot).await;
        assert!(
            reply.contains(r#""code":"session_missing""#),
            "{boot}: {reply}"
        );
        settle().await;
        assert_eq!(text("title"), "Payment declined", "{boot}");
    }
}

#[wasm_bindgen_test]
async fn page_without_boot_data_does_not_take_over() {
    for html in [
        "",
        "<script type=\"application/json\" id=\"boot\">{</script>",
    ] {
        let page = retrying().await;
        serve(html);
        page.command(r#"{"type":"renew","id":7,"session":"next"}"#);
        let reply = page.message("reply").await;
        assert!(reply.contains(r#""code":"session_missing""#), "{reply}");
    }
}

#[wasm_bindgen_test]
async fn page_that_has_no_other_session_ends_the_renewal() {
    let page = retrying().await;
    serve("");
    page.command(r#"{"type":"renew","id":7,"session":""}"#);
    let reply = page.message("reply").await;
    assert!(reply.contains(r#""code":"session_missing""#), "{reply}");
    assert_eq!(requests(), "");
}

#[wasm_bindgen_test]
async fn session_that_asks_for_another_sum_says_so() {
    let page = retrying().await;
    let boot =
        r#"{"state":{"state":"CARD_DATA_COLLECTION"},"amount":"4000","amountText":"€40.00"}"#;
    page.renew(boot).await;
    settle().await;
    assert_eq!(text("message"), "The amount is now €40.00.");
}

/// Boot data of a session with so little time left that the buyer is warned.
const ENDING: &str = r#"{"state":{"state":"CARD_DATA_COLLECTION","secondsLeft":15}}"#;

#[wasm_bindgen_test]
async fn session_that_ends_soon_is_said_to_buyer_and_page() {
    serve("");
    let page = Page::open_with(ENDING, |_| {});
    let ask = page.message("ask").await;
    assert_eq!(ask, r#"{"type":"ask","what":"expiring","secondsLeft":15}"#);
    settle().await;
    assert!(!is_hidden("session-ends"));
    assert!(is_hidden("challenge-time-left"));
    assert_eq!(text("time-left"), "Time left: 0:15");
    assert_eq!(text("urgent"), "Time left: 0:15");
    press("stay");
    until(|| is_hidden("session-ends")).await;
    assert!(requests().starts_with("/api/build/state s"));
}

#[wasm_bindgen_test]
async fn session_with_time_enough_is_not_talked_about() {
    let boot = r#"{"state":{"state":"CARD_DATA_COLLECTION","secondsLeft":900}}"#;
    let _page = Page::open_with(boot, |_| {});
    settle().await;
    assert!(is_hidden("session-ends"));
}

/// The page does not load the script for the form's name between two keys.
#[wasm_bindgen_test]
async fn page_is_told_of_the_forms_name_once_nothing_is_typed_for_a_second() {
    document().set_title("Card payment");
    let page = Page::open();
    let heard = page.all_asks();
    for _ in 0..4 {
        pass(400).await;
        type_into("CARD_NUMBER", "4");
    }
    assert_eq!(*heard.borrow(), [""; 0]);
    pass(1_200).await;
    let named = r#"{"type":"ask","what":"title","title":"Card payment","sandbox":true}"#;
    assert_eq!(*heard.borrow(), [named]);
    document().set_title("Kartenzahlung");
    page.command(r#"{"type":"update","id":1,"options":{"locale":"de"}}"#);
    pass(100).await;
    assert_eq!(heard.borrow().len(), 2, "another language names it anew");
    assert!(heard.borrow()[1].contains("Kartenzahlung"));
}

/// Boot data of a session whose challenge is open at this address.
fn challenged(address: &str) -> String {
    format!(
        r#"{{"state":{{"state":"REDIRECTED_TO_EXTERNAL_DOMAIN","url":"{address}","secondsLeft":300}}}}"#
    )
}

#[wasm_bindgen_test]
async fn issuers_page_holds_the_focus_and_shows_no_empty_document() {
    serve("");
    let page = Page::open_with(&challenged("about:blank"), |_| {});
    let ask = page.message("ask").await;
    assert_eq!(ask, r#"{"type":"ask","what":"challenge"}"#);
    settle().await;
    let nested = document().get_element_by_id("nested").unwrap();
    assert!(nested.has_attribute("data-empty"));
    assert!(is_hidden("challenge-away") && is_hidden("whole"));
    element("after-challenge").focus().unwrap();
    assert_eq!(focused(), "title");
    element("before-challenge").focus().unwrap();
    assert_eq!(focused(), "leave");
}

#[wasm_bindgen_test]
async fn issuers_page_may_have_the_whole_of_a_small_screen_while_it_is_open() {
    serve("");
    let root = document().document_element().unwrap();
    let page = Page::open_with(&challenged("/threeds/challenge/abc"), |_| {});
    page.message("ask").await;
    page.command(r#"{"type":"cover","id":0}"#);
    pass(50).await;
    assert!(root.has_attribute("data-full"));
    press("leave");
    assert_eq!(
        page.message("ask").await,
        r#"{"type":"ask","what":"uncover"}"#
    );
    assert!(!root.has_attribute("data-full"));
    page.command(r#"{"type":"cover","id":0}"#);
    pass(50).await;
    assert!(!root.has_attribute("data-full"), "only then");
}

#[wasm_bindgen_test]
async fn what_stands_in_the_issuers_place_and_is_not_the_issuers_is_taken_away() {
    serve("");
    let page = Page::open_with(&challenged("data:text/html,Enter your card"), |_| {});
    let error = page.message("error").await;
    assert!(error.contains(r#""code":"challenge_replaced""#), "{error}");
    settle().await;
    assert_eq!(document().query_selector("#nested iframe").unwrap(), None);
    assert!(!is_hidden("challenge-away") && !is_hidden("whole"));
    assert_eq!(
        text("urgent"),
        "Your bank's page cannot be shown here. Never enter card details in its place."
    );
}

/// Boot data of a session whose payment was refused.
const REFUSED_FOR_GOOD: &str = r#"{"state":{"state":"PAYMENT_COMPLETE","operation":{"orderId":"A1","operationId":"347074400000000001","operationType":"AUTHORIZATION","operationResult":"DECLINED","operationTime":"2026-11-20T10:00:00.000Z"}}}"#;

/// Boot data of an ordinary session.
const BOOT: &str = r#"{
    "session": "s", "orderId": "A1", "merchantOrigin": "https://shop.example", "version": 3,
    "state": {"state": "CARD_DATA_COLLECTION"}, "amount": "3545", "currency": "EUR", "minorDigits": 2, "amountText": "€35.45", "payText": "Pay €35.45",
    "merchant": "Demo shop", "actionType": "PAY", "closing": "FRAME", "cardSummary": "NONE",
    "networks": ["VISA", "MC", "AMEX", "DINERS", "DISCOVER", "JCB", "UNIONPAY", "MAESTRO"],
    "fields": ["CARD_NUMBER", "EXPIRATION_DATE", "SECURITY_CODE", "CARDHOLDER_NAME"],
    "today": "2026-11-20", "expiresAt": "2026-11-20T11:00:00.000Z", "sandbox": true
}"#;
