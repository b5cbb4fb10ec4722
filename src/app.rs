//! One form: holds the data that its parts share, and what the buyer or the page can ask of the whole form.

mod build_page;
mod commands;
mod edits;
mod keys;
mod lifecycle;
mod report;

pub use build_page::BuildPage;
pub use keys::Keys;
pub use lifecycle::{draw, load_late_part, prepare, rebind, start};

use crate::choices::choosing::Choosing;
use crate::fields::{FieldId, Fields, Report};
use crate::host::Host;
use crate::page::{element, write};
use crate::session::{Session, SumTexts};
use crate::session_monitor::{SessionMonitor, now_ms};
use crate::task::{Act, LatePart, Task};
use crate::texts::Texts;
use crate::view_model::{ProposalSignal, ViewModel};
use crate::wire::Json;
use leptos::prelude::*;
use payframe_card_rules::keys::AutoAdvance;
use payframe_checkout_flow::flow::{Event, Flow, Phase};
use payframe_protocol::frame::{FlowState, PayframeErrorCode};
use std::cell::{Cell, RefCell};
use wasm_bindgen::JsValue;
use web_sys::Element;

/// What the parts of one form share.
pub struct App {
    /// The session that this form is for.
    pub session: RefCell<Session>,
    /// The buyer's language.
    pub texts: Texts,
    /// Messages to and from the shop's page.
    pub host: Host,
    /// The inputs.
    pub fields: Fields,
    /// The late part of the module, which carries out the flow's steps once it is loaded.
    pub late: LatePart<Form>,
    /// The state of the payment.
    pub flow: RefCell<Flow>,
    /// "Visa •••• 4549", once the gateway has said so.
    pub card_used: RefCell<String>,
    /// Last four digits of the card that was typed and sent. Empty: none was, as after a reload, or the buyer chose a saved card.
    pub sent_last4: RefCell<String>,
    /// What is on the screen. Derived by [`App::refresh`], never set otherwise.
    pub shown: RwSignal<ViewModel>,
    /// What the page was told last about the fields.
    pub last_reported_fields: Cell<Option<Report>>,
    /// The state of the flow that the page was told last.
    pub last_reported_state: Cell<Option<FlowState>>,
    /// Idempotency keys of the current try.
    pub keys: Keys,
    /// Number of the look-up whose answer contained the currency offer that is shown.
    pub offered: Cell<Option<u32>>,
    /// Number of the look-up that was answered last.
    pub looked_up: Cell<u32>,
    /// Where the choices beside the card are drawn. `None` until there is something to choose.
    pub choices: Cell<Option<&'static Choosing>>,
    /// The merchant's page in the Build protocol. `None` before the late part is loaded, and elsewhere.
    pub build_page: Cell<Option<&'static BuildPage>>,
    /// Another e-mail address that is proposed. `None` until the late part has made its place, and where the form does not ask for the address.
    pub email_proposal: Cell<Option<ProposalSignal>>,
    /// The sum that is paid, as the buyer reads it.
    pub sum_texts: RefCell<SumTexts>,
    /// Counts the buyer's edits: if it stays the same for a moment, the buyer pauses.
    pub edits: Cell<u32>,
    /// Whether anything was typed by the buyer, or filled in for them.
    typed_in: Cell<bool>,
    /// The last move of the focus that the form made by itself.
    auto_advance: Cell<AutoAdvance<FieldId>>,
    /// Whether [`App::settle`] still has to run for an edit; `settling` calls it.
    unsettled: Cell<bool>,
    settling: JsValue,
    /// Counts the time of session and challenge, and watches the issuer's page.
    pub monitor: SessionMonitor,
}

/// The form, as listeners and views hold it: it lives as long as its document, so it is never freed.
pub type Form = &'static App;

impl App {
    /// Checks and submits, as the buyer's press and the page's `confirm` do.
    ///
    /// # Errors
    /// Why nothing was submitted.
    pub fn submit(&'static self) -> Result<(), PayframeErrorCode> {
        self.settle();
        if self.shown.with_untracked(|shown| shown.asks_to_give_up) {
            self.later(Task::Act(Act::StayOn));
        }
        let is_opening = matches!(self.flow.borrow().phase(), Phase::Opening);
        if is_opening {
            // The press counts once the session's state is read.
            self.later(Task::Press);
            return Ok(());
        }
        let is_renewing = matches!(self.flow.borrow().phase(), Phase::Renewing { .. });
        if is_renewing {
            // The press counts once there is another session.
            self.later(Task::Act(Act::Submit(now_ms())));
            return Ok(());
        }
        let standing = match self.flow.borrow().phase() {
            Phase::Collecting(_) | Phase::Resuming | Phase::Reviewing | Phase::Repriced => Ok(()),
            Phase::ChoosingMethod | Phase::Complete(_) | Phase::Retrying(_) | Phase::Expired => {
                Err(PayframeErrorCode::WrongState)
            }
            _ => Err(PayframeErrorCode::Busy),
        };
        standing?;
        // A browser that does not know whether it is online counts as online.
        let navigator = Json(window().into()).member("navigator");
        if navigator.member("onLine").0 == JsValue::FALSE {
            self.later(Task::Act(Act::SubmitOffline));
            return Err(PayframeErrorCode::Offline);
        }
        if self.is_collecting()
            && let Some((field, message)) = self.fields.check()
        {
            self.fields.field(field).focus();
            announce_assertively(&self.fields.sentence(&self.texts, message));
            self.refresh();
            self.report_change();
            return Err(PayframeErrorCode::InvalidData);
        }
        self.later(Task::Act(Act::Submit(now_ms())));
        // The late part is loaded, and something must still be chosen: the buyer was told.
        if self.late.is_loaded() && self.is_collecting() {
            return Err(PayframeErrorCode::InvalidData);
        }
        Ok(())
    }

    /// The page asks how the session stands. The command is answered once the form shows the gateway's answer. If the form does not wait for
    /// the buyer, the command is answered at once: a form at work learns of a change with its next answer.
    pub fn refresh_for(&'static self, command: u32) {
        if self.flow.borrow().phase().is_at_rest() {
            return self.peek_state(command);
        }
        self.dispatch(Event::RefreshRequested);
        self.host.reply(command, None);
    }

    /// Derives again what is on the screen.
    pub fn refresh(&self) {
        let flow = self.flow.borrow();
        let shown = ViewModel::of(
            &flow,
            &self.fields,
            &self.texts,
            &self.card_used.borrow(),
            &self.session.borrow(),
            self.late.press(),
        );
        if self.shown.with_untracked(|before| *before != shown) {
            self.shown.set(shown);
        }
    }

    /// Whether the buyer may edit.
    pub fn is_collecting(&self) -> bool {
        self.flow.borrow().phase().takes_card_data()
    }

    /// Tells the page the state of the fields if it has changed: now, or as soon as the late part is there.
    pub fn report_change(&'static self) {
        self.tell_late_part(Task::ReportChange);
    }

    /// A sentence about the whole form.
    pub fn sentence(&self, key: &str) -> String {
        self.texts
            .fill(key, &[("amount", &self.sum_texts.borrow().amount)])
    }

    /// What is missing, in the buyer's language, for the page's own form.
    fn missing_choice(&self) -> Option<String> {
        (!self.fields.are_complete()).then(|| self.texts.text("form_incomplete"))
    }
}

/// Announces at once, through the region that is in the page from the start. Screen readers do not read a region again if its text does
/// not change, so a repeated message gets a no-break space at its end.
pub fn announce_assertively(text: &str) {
    let current = element::<Element>("urgent")
        .ok()
        .and_then(|region| region.text_content());
    let again = if current.as_deref() == Some(text) {
        "\u{a0}"
    } else {
        ""
    };
    write("urgent", &[text, again].concat());
}
