//! The form as a component, in a real browser: the markup of the frame page, made live, driven by real edits.
//!
//! Run by `cargo xtask test` under wasm-bindgen-test. No gateway is behind it: what needs one is in `tests/e2e`.
//!
//! This file is longer than most, because wasm-bindgen-test starts a browser for each file, and these tests share one.

#![cfg(target_arch = "wasm32")]
// A test that finds the page otherwise than it made it is to stop there.
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

/// A live form and the page's end of its port.
struct Page {
    port: MessagePort,
    boot: JsValue,
}

impl Page {
    fn open() -> Self {
        Self::open_with("{}", |_| {})
    }

    /// `boot`: members that differ from the usual ones, as JSON. `early`: what the buyer does before the form lives.
    fn open_with(boot: &str, early: impl FnOnce(&Document)) -> Self {
        Self::open_by(boot, "{}", early)
    }

    /// `options`: what the shop's page chose, as JSON.
    fn open_by(boot: &str, options: &str, early: impl FnOnce(&Document)) -> Self {
        let document = document();
        // Beside what the test runner itself writes into the page.
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
        let boot = JsValue::from(boot);
        payframe::prepare(channel.port2(), boot.clone(), texts, options).unwrap();
        payframe::draw().unwrap();
        payframe::start(false).unwrap();
        Self {
            port: channel.port1(),
            boot,
        }
    }

    /// Another session takes over: `boot`, the members that are others, as JSON.
    fn renew(&self, boot: &str) {
        let page: &Object = self.boot.unchecked_ref();
        Object::assign(page, &JSON::parse(boot).unwrap().unchecked_into());
        payframe::on_frame_event("renewed");
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
        let heard = Heard::default();
        let notes = heard.clone();
        let hear = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            let message: String = JSON::stringify(&event.data()).unwrap().into();
            if message.starts_with(r#"{"type":"change""#) {
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

    /// What was heard until now: whatever was said before the answer to a command has come before it.
    async fn changes(&self, heard: &Heard) -> Vec<String> {
        self.command(r#"{"type":"focus","id":99,"field":"NONE"}"#);
        self.message("reply").await;
        heard.borrow().clone()
    }

    fn command(&self, json: &str) {
        self.port.post_message(&JSON::parse(json).unwrap()).unwrap();
    }
}

/// What a page heard.
type Heard = Rc<RefCell<Vec<String>>>;

fn document() -> Document {
    web_sys::window().unwrap().document().unwrap()
}

#[wasm_bindgen(
    inline_js = "export function find_here() { globalThis.payframeFind = (id) => document.getElementById(id); globalThis.payframeChoices = (subject, told) => subject === 'answers' ? told : undefined; }"
)]
extern "C" {
    /// As the loader of a form in one frame does.
    fn find_here();
}

#[wasm_bindgen(
    inline_js = "let then = []; export function hold_pictures() { globalThis.payframeAfterPaint = (act) => then.push(act); } export function paint() { delete globalThis.payframeAfterPaint; for (const act of then.splice(0)) act(); }"
)]
extern "C" {
    /// From now on nothing counts as painted.
    fn hold_pictures();
    /// All is painted, now and from now on.
    fn paint();
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

/// The keys of a step back.
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

/// The key is shown by its own picture. The rest comes behind that, or with the press that needs it.
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

/// N7: whatever two numbers of a network differ in, a page that may hear no digits hears the same of both.
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
            // Each key with its picture: keys that share one are told in one message.
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
    // What the page empties was never the buyer's.
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
    // While it holds, it stays: shorter than before, and too short.
    leave("CARD_NUMBER");
    settle().await;
    let short = text("CARD_NUMBER-note");
    assert_ne!(short, "");
    input("CARD_NUMBER").focus().unwrap();
    edit("delete", "");
    settle().await;
    assert_eq!(text("CARD_NUMBER-note"), short);
    // One that could end at several lengths: what is said of its check digit goes with another one, right or wrong.
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

/// A11: what was selected before the form lived still is, and what was typed goes back step by step.
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

/// D2: a field that was left before the form lived is judged like any other; the one that is typed into is not.
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

/// K15: another session is another day, and the date on the card is held against that day.
#[wasm_bindgen_test]
async fn renewed_session_brings_its_own_date() {
    let page = Page::open_by(REFUSED_FOR_GOOD, r#"{"renew":true}"#, |_| {});
    settle().await;
    assert_eq!(text("press"), "Try again");
    document()
        .get_element_by_id("press")
        .unwrap()
        .unchecked_into::<HtmlElement>()
        .click();
    page.renew(r#"{"state":{"state":"CARD_DATA_COLLECTION"},"today":"2027-02-01"}"#);
    settle().await;
    input("EXPIRATION_DATE").focus().unwrap();
    type_into("EXPIRATION_DATE", "0127");
    leave("EXPIRATION_DATE");
    settle().await;
    assert_eq!(text("EXPIRATION_DATE-note"), "This card has expired.");
}

/// What the shop's page sends unasked replaces nothing.
#[wasm_bindgen_test]
async fn session_that_nobody_asked_for_is_not_taken() {
    let page = Page::open_by("{}", r#"{"renew":true}"#, |_| {});
    page.renew(&REFUSED_FOR_GOOD.replace("347074400000000001", "347074400000000002"));
    settle().await;
    let card: HtmlElement = document()
        .get_element_by_id("card")
        .unwrap()
        .unchecked_into();
    assert!(!card.hidden());
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
