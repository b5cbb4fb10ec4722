//! The start of the form of a document (prepare, draw, start), and the access to this form.

use super::{App, Form, Keys, announce_assertively};
use crate::fields::{FieldId, Fields};
use crate::host::Host;
use crate::session::Session;
use crate::session_monitor::SessionMonitor;
use crate::task::{LatePart, QueuedPress, Task};
use crate::texts::Texts;
use crate::view;
use crate::view_model::ViewModel;
use crate::wire::Json;
use any_spawner::Executor;
use leptos::prelude::*;
use payframe_checkout_flow::flow::{Flow, Renewal};
use payframe_protocol::frame::{Advance, Cancellation, PayButton, Theme};
use std::cell::{Cell, RefCell};
use wasm_bindgen::{JsValue, closure::Closure};
use web_sys::MessagePort;

/// Puts the form of this document together; see [`crate::prepare`].
///
/// # Errors
/// Where the page lacks an input, or `boot` is not what the gateway writes.
pub fn prepare(
    port: MessagePort,
    boot: JsValue,
    texts: JsValue,
    options: JsValue,
) -> Result<(), JsValue> {
    let session = Session::read(&Json(boot)).ok_or("boot")?;
    let options = Json(options);
    apply_options(&options);
    // Mounting a view does this too, but there may be no field yet for which a view is mounted. A second call returns an error, which is
    // harmless.
    let _ = Executor::init_wasm_bindgen();
    let root = Owner::new();
    root.set();
    let fields = Fields::adopt(
        |id| session.wants(id.id()),
        session.networks,
        session.asking,
        session.today,
    )?;
    let renewal = match options.member("renew").0.as_bool() {
        Some(true) => Renewal::Available,
        _ => Renewal::Unavailable,
    };
    let capture_initiator = session.capture_initiator();
    let flow = if session.is_fresh() {
        Flow::collecting(capture_initiator, renewal)
    } else {
        Flow::opening(capture_initiator, renewal)
    };
    let texts = Texts::new(texts);
    let shown = ViewModel::of(&flow, &fields, &texts, "", &session, QueuedPress::Absent);
    let settling = Closure::<dyn Fn()>::new(|| {
        if let Some(form) = FORM.get() {
            form.settle();
        }
    });
    let app: Form = Box::leak(Box::new(App {
        texts,
        host: Host::new(port),
        fields,
        late: LatePart::default(),
        flow: RefCell::new(flow),
        card_used: RefCell::default(),
        sent_last4: RefCell::default(),
        shown: RwSignal::new(shown),
        last_reported_fields: Cell::new(None),
        last_reported_state: Cell::new(None),
        keys: Keys::new(),
        offered: Cell::new(None),
        looked_up: Cell::new(0),
        choices: Cell::new(None),
        build_page: Cell::new(None),
        email_proposal: Cell::new(None),
        sum_texts: RefCell::new(session.sum_texts()),
        edits: Cell::new(0),
        typed_in: Cell::new(false),
        auto_advance: Cell::default(),
        unsettled: Cell::new(false),
        settling: settling.into_js_value(),
        monitor: SessionMonitor::new(&session.state()),
        session: RefCell::new(session),
    }));
    // The form lives as long as its document.
    std::mem::forget(root);
    PREPARED.set(Some(app));
    Ok(())
}

/// Draws the form that was prepared; see [`crate::draw`].
///
/// # Errors
/// Where the page lacks an element, or nothing was prepared.
pub fn draw() -> Result<(), JsValue> {
    let app = PREPARED.take().ok_or("prepare")?;
    view::draw(app)?;
    PREPARED.set(Some(app));
    Ok(())
}

/// Makes the form live that was prepared; see [`crate::start`].
///
/// # Errors
/// Where the page lacks an element, or nothing was prepared.
pub fn start(pressed: bool) -> Result<(), JsValue> {
    let app = PREPARED.take().ok_or("prepare")?;
    view::bind(app)?;
    let message = app.fields.take_over();
    app.look_up();
    app.refresh();
    if let Some(message) = message {
        announce_assertively(&app.fields.sentence(&app.texts, message));
    }
    if !app.session.borrow().is_fresh() {
        app.later(Task::Open);
    }
    app.host.listen(move |message| app.receive(message));
    app.host.ready(app.missing_choice().as_deref());
    app.report_state();
    app.report_change();
    if pressed {
        // A press before the form was live counts; missing fields are shown as after any press.
        let _ = app.submit();
    }
    FORM.set(Some(app));
    Ok(())
}

/// See [`crate::load_late_part`].
pub fn load_late_part() {
    if let Some(form) = FORM.get() {
        form.load_late_part();
    }
}

/// The frame of a field appeared or was removed; see [`crate::rebind`].
///
/// # Errors
/// If the browser can't make an element.
pub fn rebind(field: &str) -> Result<(), JsValue> {
    let (Some(app), Some(id)) = (FORM.get(), FieldId::from_id(field)) else {
        return Ok(());
    };
    if !app.fields.field(id).wanted {
        return Ok(());
    }
    app.fields.rebind(id)?;
    view::field::adopt(app, id)?;
    if id == FieldId::CardNumber {
        view::brand::adopt(app)?;
        app.later(Task::BindNetworks);
    }
    app.look_up();
    app.refresh();
    // The page's element of a field that came back has no state yet.
    app.last_reported_fields.set(None);
    app.report_change();
    Ok(())
}

thread_local! {
    /// The form between [`prepare`] and [`start`].
    static PREPARED: Cell<Option<Form>> = const { Cell::new(None) };
    pub(crate) static FORM: Cell<Option<Form>> = const { Cell::new(None) };
}

/// Applies the options of the page; those that are not known are ignored. The loader handles appearance and texts.
pub(super) fn apply_options(options: &Json) {
    let Some(root) = document().document_element() else {
        return;
    };
    for (option, attribute, known) in [
        ("theme", "data-theme", Theme::CODES),
        ("button", "data-button", PayButton::CODES),
        ("cancellation", "data-cancellation", Cancellation::CODES),
        ("advance", "data-advance", Advance::CODES),
    ] {
        if let Some(chosen) = options.member(option).text()
            && known.contains(&chosen.as_str())
        {
            // The name is a valid attribute name.
            let _ = root.set_attribute(attribute, &chosen);
        }
    }
}
