//! One form: puts its parts together and holds what they share.

mod commands;
mod edits;
mod keys;
mod lifecycle;

pub use keys::Keys;
pub use lifecycle::{draw, load_late_part, prepare, rebind, start};

use crate::choices::Choosing;
use crate::fields::{FieldId, Fields, Report};
use crate::host::Host;
use crate::page::{element, write};
use crate::session::Session;
use crate::session_monitor::SessionMonitor;
use crate::task::LatePart;
use crate::texts::Texts;
use crate::view_model::ViewModel;
use crate::wire::Json;
use leptos::prelude::*;
use payframe_card_rules::keys::OwnMove;
use payframe_checkout_flow::flow::{Event, Flow, Phase};
use payframe_protocol::frame::{ChangeDetail, FlowState, FrameMessage};
use std::cell::{Cell, RefCell};
use wasm_bindgen::JsValue;
use web_sys::Element;

/// What the parts of one form share.
pub struct App {
    /// The session that this form is for.
    pub session: RefCell<Session>,
    /// The buyer's language.
    pub texts: Texts,
    /// The line to the shop's page.
    pub host: Host,
    /// The inputs.
    pub fields: Fields,
    /// What carries out the flow's steps, once it is there.
    pub late: LatePart<Form>,
    /// Where the payment stands.
    pub flow: RefCell<Flow>,
    /// "Visa •••• 4549", once the gateway has said so.
    pub card_used: RefCell<String>,
    /// What is on the screen. Derived by [`App::refresh`], never set otherwise.
    pub shown: RwSignal<ViewModel>,
    /// What the page was told last about the fields.
    pub reported: Cell<Option<Report>>,
    /// Where the page was told last that the flow stands.
    pub told: Cell<Option<FlowState>>,
    /// Idempotency keys of the current try.
    pub keys: Keys,
    /// Code of the method that the buyer pointed at, which is paid elsewhere.
    pub elsewhere: RefCell<String>,
    /// Number of the look-up that brought the currency offer which is shown.
    pub offered: Cell<Option<u32>>,
    /// What the buyer chooses beside the card, once there is something.
    pub choices: Cell<Option<&'static Choosing>>,
    /// How often the buyer changed something, to know of a pause.
    pub edits: Cell<u32>,
    /// Whether the buyer is asked if they want to give the payment up.
    pub asking: RwSignal<bool>,
    /// Whether anything was typed by the buyer, or filled in for them.
    typed_in: Cell<bool>,
    /// The last move of the focus that the form made by itself.
    own_move: Cell<OwnMove<FieldId>>,
    /// Whether an edit is still to be followed up: see [`App::settle`], which `settling` calls.
    unsettled: Cell<bool>,
    settling: JsValue,
    /// How long session and challenge last, and what is watched over.
    pub monitor: SessionMonitor,
}

/// The form, as listeners and views hold it: it lives as long as its document, so it is never freed.
pub type Form = &'static App;

impl App {
    /// Checks and submits, as the buyer's press and the page's `confirm` do.
    ///
    /// # Errors
    /// The stable code of why nothing was submitted.
    pub fn submit(&'static self) -> Result<(), &'static str> {
        self.settle();
        self.asking.set(false);
        let phase = self.flow.borrow().phase().clone();
        let standing = match phase {
            Phase::Collecting(_) | Phase::Resuming | Phase::Reviewing | Phase::Repriced => Ok(()),
            // It counts once there is another session.
            Phase::Renewing { .. } => {
                self.dispatch(Event::Submitted);
                return Ok(());
            }
            Phase::ChoosingMethod | Phase::Complete(_) | Phase::Retrying(_) | Phase::Expired => {
                Err("wrong_state")
            }
            _ => Err("busy"),
        };
        standing?;
        // Browsers that do not say so count as online.
        let navigator = Json(window().into()).member("navigator");
        if navigator.member("onLine").0 == JsValue::FALSE {
            self.dispatch(Event::SubmittedOffline);
            return Err("offline");
        }
        if self.is_collecting()
            && let Some((field, message)) = self.fields.check()
        {
            self.fields.field(field).focus();
            say_urgently(&self.fields.sentence(&self.texts, message));
            self.refresh();
            self.report_change();
            return Err("invalid_data");
        }
        if self.is_collecting()
            && let Some(choosing) = self.choices.get()
            && (choosing.refuses_press)(self)
        {
            return Err("invalid_data");
        }
        if self.is_collecting() {
            self.fields.sent();
            self.report_change();
        }
        self.dispatch(Event::Submitted);
        Ok(())
    }

    /// The buyer is back, or gave a sign: asks at once whatever waits for somebody else, and, where nothing does, whether the
    /// session still stands where the form thinks.
    pub fn refresh_state(&'static self) {
        self.dispatch(Event::Hinted);
        if self.flow.borrow().phase().is_at_rest() {
            self.peek_state(None);
        }
    }

    /// The same for the page, which is answered once the form shows what the gateway says. A form that works hears of it by itself.
    pub fn refresh_for(&'static self, command: u32) {
        if self.flow.borrow().phase().is_at_rest() {
            return self.peek_state(Some(command));
        }
        self.dispatch(Event::Hinted);
        self.host.reply(command, None);
    }

    /// Derives anew what is on the screen.
    pub fn refresh(&self) {
        let flow = self.flow.borrow();
        let shown = ViewModel::of(
            &flow,
            &self.fields,
            &self.texts,
            &self.card_used.borrow(),
            &self.session.borrow(),
        );
        let (same, same_stage) = self
            .shown
            .with_untracked(|before| (*before == shown, before.stage == shown.stage));
        if !same_stage {
            // What would be given up is over.
            self.asking.set(false);
        }
        if !same {
            self.shown.set(shown);
        }
    }

    /// Whether the buyer may edit.
    pub fn is_collecting(&self) -> bool {
        self.flow.borrow().phase().takes_card_data()
    }

    /// Tells the page the state of the fields if it is another one, and no digit that the session does not allow.
    pub fn report_change(&self) {
        let report = self.states();
        if self.reported.replace(Some(report)) != Some(report) {
            self.host.send(&self.change());
        }
    }

    /// What there is to tell the page of the fields.
    fn states(&self) -> Report {
        let digits = self.session.borrow().text("cardSummary") != "NONE";
        self.fields.report(digits)
    }

    /// The state of the fields, for the page.
    fn change(&self) -> FrameMessage {
        let fields = self.fields.reports(&self.texts);
        let (bin, last4) = self.summary();
        FrameMessage::Change(ChangeDetail {
            complete: fields.iter().all(|field| field.complete),
            reason: self.lacking(),
            empty: fields.iter().all(|field| field.empty),
            brand: self
                .fields
                .told_network()
                .map(|network| network.code().into()),
            candidates: self
                .fields
                .candidates()
                .iter()
                .map(|network| network.code().into())
                .collect(),
            fields,
            bin,
            last4,
        })
    }

    /// A sentence about the whole form.
    pub fn sentence(&self, key: &str) -> String {
        let amount = self.session.borrow().text("amountText");
        self.texts.fill(key, &[("amount", &amount)])
    }

    /// What is missing, in the buyer's language, for the page's own form.
    fn lacking(&self) -> Option<String> {
        (!self.fields.are_complete()).then(|| self.texts.text("form_incomplete"))
    }

    /// First and last digits, as far as the merchant's server asked for them when it made the session.
    pub fn summary(&self) -> (Option<String>, Option<String>) {
        let wanted = self.session.borrow().text("cardSummary");
        let known = (wanted != "NONE").then(|| self.fields.summary()).flatten();
        match (wanted.as_str(), known) {
            ("LAST4", Some((_, last4))) => (None, Some(last4)),
            ("BIN_LAST4", Some((bin, last4))) => (Some(bin), Some(last4)),
            _ => (None, None),
        }
    }
}

/// Announces at once, through the region that was there since load. A region that does not change is not read again, so
/// the same fault after another press gets a space that nobody hears.
pub fn say_urgently(text: &str) {
    let heard = element::<Element>("urgent")
        .ok()
        .and_then(|region| region.text_content());
    let again = if heard.as_deref() == Some(text) {
        "\u{a0}"
    } else {
        ""
    };
    write("urgent", &[text, again].concat());
}
