//! A frame page in the browser of the tests: opening a form in it, editing as a buyer does, and reading what is shown.

use js_sys::{JSON, Object, Promise, Reflect};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Document, HtmlElement, HtmlInputElement, InputEvent, InputEventInit, KeyboardEvent,
    KeyboardEventInit, MessageChannel, MessageEvent, MessagePort,
};

/// A live form and the page's end of its port.
pub(crate) struct Page {
    port: MessagePort,
}

impl Page {
    pub(crate) fn open() -> Self {
        Self::open_with("{}", |_| {})
    }

    /// `boot`: members that differ from the usual ones, as JSON. `early`: the buyer's actions before the form is live.
    pub(crate) fn open_with(boot: &str, early: impl FnOnce(&Document)) -> Self {
        Self::open_by(boot, "{}", early)
    }

    /// `options`: what the shop's page chose, as JSON.
    pub(crate) fn open_by(boot: &str, options: &str, early: impl FnOnce(&Document)) -> Self {
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
        let texts = JSON::parse(include_str!("../../www/locales/en.json")).unwrap();
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
    pub(crate) async fn renew(&self, boot: &str) -> String {
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
    pub(crate) async fn message(&self, kind: &str) -> String {
        let (port, kind) = (self.port.clone(), kind.to_owned());
        let next_message = Promise::new(&mut |resolve, _| {
            let kind = kind.clone();
            let listener = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
                let found = Reflect::get(&event.data(), &"type".into()).unwrap();
                if found.as_string().as_deref() == Some(&kind) {
                    resolve.call1(&JsValue::NULL, &event.data()).unwrap();
                }
            });
            port.set_onmessage(Some(listener.as_ref().unchecked_ref()));
            listener.forget();
        });
        let message = JsFuture::from(next_message).await.unwrap();
        JSON::stringify(&message).unwrap().into()
    }

    /// From now on all messages `change`, as JSON, in order.
    pub(crate) fn all_changes(&self) -> Messages {
        self.all("change")
    }

    pub(crate) fn all(&self, kind: &str) -> Messages {
        let start = format!(r#"{{"type":"{kind}""#);
        let messages = Messages::default();
        let notes = messages.clone();
        let listener = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            let message: String = JSON::stringify(&event.data()).unwrap().into();
            if message.starts_with(&start) {
                notes.borrow_mut().push(message);
            }
        });
        let add = self
            .port
            .add_event_listener_with_callback("message", listener.as_ref().unchecked_ref());
        add.unwrap();
        self.port.start();
        listener.forget();
        messages
    }

    /// From now on all messages `ask`, as JSON, in order.
    pub(crate) fn all_asks(&self) -> Messages {
        self.all("ask")
    }

    /// The messages until now: those that were sent before the answer to a command arrive before it.
    pub(crate) async fn changes(&self, messages: &Messages) -> Vec<String> {
        self.command(r#"{"type":"focus","id":99,"field":"NONE"}"#);
        self.message("reply").await;
        messages.borrow().clone()
    }

    pub(crate) fn command(&self, json: &str) {
        self.port.post_message(&JSON::parse(json).unwrap()).unwrap();
    }
}

/// The next messages on a port, in order.
pub(crate) async fn next_messages(port: &MessagePort, count: usize) -> Vec<JsValue> {
    let messages = Rc::new(RefCell::new(Vec::new()));
    let last_message = Promise::new(&mut |resolve, _| {
        let messages = messages.clone();
        let listener = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            messages.borrow_mut().push(event.data());
            if messages.borrow().len() == count {
                resolve.call0(&JsValue::NULL).unwrap();
            }
        });
        port.set_onmessage(Some(listener.as_ref().unchecked_ref()));
        listener.forget();
    });
    JsFuture::from(last_message).await.unwrap();
    messages.take()
}

/// The messages that a page received.
pub(crate) type Messages = Rc<RefCell<Vec<String>>>;

pub(crate) fn document() -> Document {
    web_sys::window().unwrap().document().unwrap()
}

#[wasm_bindgen(module = "/tests/form/browser.js")]
extern "C" {
    /// As the loader of a form in one frame does.
    pub(crate) fn find_here();
    /// From now on no paint is reported.
    pub(crate) fn hold_pictures();
    /// Paints are reported again.
    pub(crate) fn paint();
    /// From now on the gateway serves this page for the session that follows, and answers every other request without news.
    pub(crate) fn serve(page: &str);
    /// Path and session of each request since then.
    pub(crate) fn requests() -> String;
    /// From now on the gateway gives this answer to everything.
    pub(crate) fn answer_all(status: u16, json: &str, headers: &JsValue);
    /// From now on the gateway does not answer.
    pub(crate) fn answer_nothing();
}

/// The body of the frame page, without its scripts.
pub(crate) fn markup() -> String {
    let page = include_str!("../../www/frame/form.html");
    let body = page
        .split_once("<body>")
        .unwrap()
        .1
        .split_once("<script")
        .unwrap()
        .0;
    body.replace("{{icons}}", "")
}

pub(crate) fn input(id: &str) -> HtmlInputElement {
    document()
        .get_element_by_id(id)
        .unwrap()
        .dyn_into()
        .unwrap()
}

pub(crate) fn element(id: &str) -> HtmlElement {
    document()
        .get_element_by_id(id)
        .unwrap()
        .dyn_into()
        .unwrap()
}

pub(crate) fn is_hidden(id: &str) -> bool {
    element(id).hidden()
}

pub(crate) fn press(id: &str) {
    element(id).click();
}

/// Id of the element that has the focus.
pub(crate) fn focused() -> String {
    document().active_element().unwrap().id()
}

pub(crate) fn text(id: &str) -> String {
    document()
        .get_element_by_id(id)
        .unwrap()
        .text_content()
        .unwrap()
}

/// Edits as a keyboard does. Chromium's edit commands fire `input` but not the `beforeinput` of a key, so that one
/// comes from here, and like a key's it can stop the edit.
pub(crate) fn edit(command: &str, value: &str) {
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

pub(crate) fn type_into(id: &str, keys: &str) {
    input(id).focus().unwrap();
    for key in keys.chars() {
        edit("insertText", &key.to_string());
    }
}

/// The keys of an undo.
pub(crate) fn undo(id: &str) {
    let how = KeyboardEventInit::new();
    how.set_ctrl_key(true);
    how.set_key_code(90);
    how.set_cancelable(true);
    let key = KeyboardEvent::new_with_keyboard_event_init_dict("keydown", &how).unwrap();
    input(id).dispatch_event(&key).unwrap();
}

pub(crate) fn leave(id: &str) {
    input(id).blur().unwrap();
}

/// Lets effects and messages that are due run.
pub(crate) async fn settle() {
    let turn = Promise::new(&mut |resolve, _| {
        web_sys::window()
            .unwrap()
            .request_animation_frame(&resolve)
            .unwrap();
    });
    JsFuture::from(turn).await.unwrap();
}

/// Lets so many milliseconds pass.
pub(crate) async fn pass(ms: i32) {
    let turn = Promise::new(&mut |resolve, _| {
        web_sys::window()
            .unwrap()
            .set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, ms)
            .unwrap();
    });
    JsFuture::from(turn).await.unwrap();
}

/// Waits until this holds.
pub(crate) async fn until(holds: impl Fn() -> bool) {
    for _ in 0..200 {
        if holds() {
            return;
        }
        pass(20).await;
    }
    panic!("it does not come to hold");
}

pub(crate) fn shown(id: &str) -> String {
    let input = input(id);
    let caret = input.selection_start().unwrap().unwrap() as usize;
    let mut value = input.value();
    value.insert(caret, '|');
    value
}

/// Boot data of an ordinary session.
pub(crate) const BOOT: &str = r#"{
    "session": "s", "orderId": "A1", "merchantOrigin": "https://shop.example", "version": 3,
    "state": {"state": "CARD_DATA_COLLECTION"}, "amount": "3545", "currency": "EUR", "minorDigits": 2, "amountText": "€35.45", "payText": "Pay €35.45",
    "merchant": "Demo shop", "actionType": "PAY", "closing": "FRAME", "cardSummary": "NONE",
    "networks": ["VISA", "MC", "AMEX", "DINERS", "DISCOVER", "JCB", "UNIONPAY", "MAESTRO"],
    "fields": ["CARD_NUMBER", "EXPIRATION_DATE", "SECURITY_CODE", "CARDHOLDER_NAME"],
    "today": "2026-11-20", "expiresAt": "2026-11-20T11:00:00.000Z", "diagnostics": true
}"#;

/// Boot data of a session whose payment was refused.
pub(crate) const REFUSED_FOR_GOOD: &str = r#"{"state":{"state":"PAYMENT_COMPLETE","operation":{"orderId":"A1","operationId":"347074400000000001","operationType":"AUTHORIZATION","operationResult":"DECLINED","operationTime":"2026-11-20T10:00:00.000Z"}}}"#;
