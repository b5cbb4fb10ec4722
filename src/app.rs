//! One form: puts its parts together and holds what they share.

use crate::choices;
use crate::fields::{FieldId, Fields, Report};
use crate::gateway_client::{GatewayClient, random_key};
use crate::host::{self, Host};
use crate::page::{after_paint, element, write};
use crate::session::Session;
use crate::session_monitor::SessionMonitor;
use crate::texts::Texts;
use crate::view;
use crate::view_model::ViewModel;
use crate::wire::Json;
use any_spawner::Executor;
use leptos::prelude::*;
use payframe_card_rules::keys::OwnMove;
use payframe_checkout_flow::flow::{Effect, Event, Flow, Phase};
use payframe_protocol::frame::{FlowState, FrameMessage, FrameOptions, ShimCommand};
use std::cell::{Cell, RefCell};
use wasm_bindgen::{JsValue, closure::Closure};
use web_sys::{Element, MessagePort};

/// What the parts of one form share.
pub struct App {
    /// The session that this form is for.
    pub session: Session,
    /// The buyer's language.
    pub texts: Texts,
    /// The line to the shop's page.
    pub host: Host,
    /// The line to the gateway.
    pub client: GatewayClient,
    /// The inputs.
    pub fields: Fields,
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
    /// What is known of how long session or challenge last, what went wrong meanwhile, and whether there can be another session.
    pub watch: SessionMonitor,
}

/// What another session asks for, beside the former one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Terms {
    /// The same sum, for the same merchant and purpose.
    Same,
    /// Something else, which the buyer has to read first.
    Others,
}

/// Idempotency keys: one for each submission of the same card data, one for each attempt to close.
pub struct Keys {
    submission: RefCell<String>,
    closing: RefCell<String>,
    edited: Cell<bool>,
}

impl Keys {
    fn new() -> Self {
        Self {
            submission: RefCell::new(random_key()),
            closing: RefCell::new(random_key()),
            edited: Cell::new(false),
        }
    }

    /// The entry is another one now.
    pub fn edited(&self) {
        self.edited.set(true);
    }

    /// For sending card data: the same until the buyer edits.
    pub fn submission(&self) -> String {
        if self.edited.replace(false) {
            self.submission.replace(random_key());
        }
        self.submission.borrow().clone()
    }

    /// For the closing call: the same until a refusal.
    pub fn closing(&self) -> String {
        self.closing.borrow().clone()
    }

    /// After a refusal.
    pub fn new_attempt(&self) {
        self.edited();
        self.closing.replace(random_key());
    }
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
        let standing = match self.flow.borrow().phase() {
            Phase::Collecting(_) | Phase::Reviewing | Phase::Repriced => Ok(()),
            // It counts once there is another session.
            Phase::Expired if self.watch.press() => {
                self.report_state();
                return Ok(());
            }
            Phase::ChoosingMethod | Phase::Complete(_) | Phase::Expired => Err("wrong_state"),
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
            && let Some(sentence) = choices::missing()
        {
            say_urgently(&sentence);
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
            self.peek_state();
        }
    }

    /// Goes on with another session, whose data the session monitor of the frame wrote over those of the former one: what was typed stays. `terms`:
    /// whether a press of Pay that found the former one dead still counts.
    pub fn renew(&'static self, terms: Terms) {
        let Some((closing, reading)) = self.session.standing() else {
            return;
        };
        let pressed = self.watch.renewed();
        self.keys.new_attempt();
        self.card_used.replace(String::new());
        let (flow, effects) = self.flow.borrow().clone().renew(closing, reading);
        self.flow.replace(flow);
        self.perform(effects);
        // With the former session went its offer in the card's currency: the buyer chooses anew. A kept card has none.
        let chooses = self.offered.get().is_some() && self.fields.asks(FieldId::CardNumber);
        if chooses {
            choices::refused("CURRENCY_OFFER");
        }
        if terms == Terms::Others {
            // The buyer reads what is different before pressing again.
            let said = "terms_changed";
            self.fields.stated.set(Some(said));
            say_urgently(&self.sentence(said));
        }
        self.refresh();
        self.watch.heard(&self.session.state());
        self.notify_phase();
        if pressed && terms == Terms::Same && !chooses {
            // What is missing is shown as after any press.
            let _ = self.submit();
        }
        // Only now: to the page, a press that goes on has not come back in between.
        self.report_state();
    }

    /// Something happened in the frame; see [`crate::on_frame_event`].
    pub fn on_frame_event(&'static self, event: &str) {
        match event {
            "refresh_state" => self.refresh_state(),
            "renewed" => self.renew(Terms::Same),
            "renewed_otherwise" => self.renew(Terms::Others),
            "not_renewed" => self.renewal_failed(),
            code => self.watch.trouble(code),
        }
    }

    /// Takes an edit of a field; `typed`: whether by key, so that the focus may move on. Asked for only when it matters.
    /// What can wait until the edit is painted waits: a slow phone shows each key as soon as a form does that only formats.
    pub fn edited(&'static self, id: FieldId, typed: impl FnOnce() -> bool) {
        self.keys.edited();
        self.typed_in.set(true);
        self.pointed();
        let full = self.fields.edited(id);
        if full && typed() && moves_on() {
            let at_end = self.fields.field(id).caret_is_at_end();
            // What is typed on at a tick box would be lost.
            let next = self.fields.after(id);
            if let Some(next) = next.filter(|next| at_end && next.id != FieldId::Privacy) {
                self.with_own_move(|own| own.moved(id, next.id));
                next.focus();
            }
        }
        if !self.unsettled.replace(true) && after_paint(&self.settling).is_err() {
            self.settle();
        }
    }

    /// A field has the focus now, or one of the form's buttons.
    pub fn focused(&self, id: Option<FieldId>) {
        self.with_own_move(|own| own.focused(id));
    }

    /// The buyer typed into a field or pressed it by pointer.
    pub fn pointed(&self) {
        self.with_own_move(OwnMove::over);
    }

    /// Whether Tab or Enter in this field is part of the last move that the form made.
    pub fn takes_as_moved(&self, id: FieldId) -> bool {
        self.with_own_move(|own| own.takes(id))
    }

    fn with_own_move<T>(&self, act: impl FnOnce(&mut OwnMove<FieldId>) -> T) -> T {
        let mut own = self.own_move.get();
        let answer = act(&mut own);
        self.own_move.set(own);
        answer
    }

    /// Whether there is anything to lose that the buyer typed, also before the program came.
    pub fn has_been_typed_in(&self) -> bool {
        let mut card = self.fields.wanted().filter(|field| field.id.is_numeric());
        self.typed_in.get() || card.any(|field| !field.is_empty())
    }

    /// Shows and tells what follows from the edits since this was called last.
    fn settle(&'static self) {
        if self.unsettled.take() {
            self.watch.notify("active");
            self.look_up();
            self.refresh();
            self.report_change();
        }
    }

    /// A program that fills fields may say so by `change` alone, which follows any other edit as well.
    pub fn filled(&'static self, id: FieldId) {
        if self.fields.field(id).is_filled_unheard() {
            self.edited(id, || false);
        }
    }

    /// The buyer went a step back in a field, or forth again.
    pub fn stepped(&'static self, id: FieldId, forth: bool) {
        if self.fields.step(id, forth) {
            self.edited(id, || false);
        }
    }

    /// The buyer chose the network at this place of those that are offered.
    pub fn choose_network(&self, place: usize) {
        self.fields.choose_network(place);
        self.keys.edited();
        self.refresh();
        self.report_change();
    }

    /// A field lost the focus: now it may be called wrong.
    pub fn left(&self, id: FieldId) {
        let before = self.states();
        if let Some(message) = self.fields.left(id) {
            say_urgently(&self.fields.sentence(&self.texts, message));
        }
        if self.is_collecting() {
            self.refresh();
            if self.states() != before {
                self.report_change();
            }
        }
        if id == FieldId::Email {
            // Slips in addresses are looked for by a script that comes only then.
            self.watch.notify("email");
        }
        self.host.send(&FrameMessage::Blur {
            field: id.id().into(),
        });
    }

    /// Derives anew what is on the screen.
    pub fn refresh(&self) {
        let flow = self.flow.borrow();
        let mut shown = ViewModel::of(
            flow.phase(),
            &self.fields,
            &self.texts,
            &self.card_used.borrow(),
            &self.session,
        );
        self.watch.amend(flow.phase(), &mut shown);
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
        matches!(self.flow.borrow().phase(), Phase::Collecting(_))
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
        let digits = self.session.text("cardSummary") != "NONE";
        self.fields.report(digits)
    }

    /// The state of the fields, for the page.
    fn change(&self) -> FrameMessage {
        let fields = self.fields.reports(&self.texts);
        let (bin, last4) = self.summary();
        FrameMessage::Change {
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
        }
    }

    /// A sentence about the whole form.
    pub fn sentence(&self, key: &str) -> String {
        let amount = self.session.text("amountText");
        self.texts.fill(key, &[("amount", &amount)])
    }

    /// What is missing, in the buyer's language, for the page's own form.
    fn lacking(&self) -> Option<String> {
        (!self.fields.are_complete()).then(|| self.texts.text("form_incomplete"))
    }

    /// First and last digits, as far as the merchant's server asked for them when it made the session.
    pub fn summary(&self) -> (Option<String>, Option<String>) {
        let wanted = self.session.text("cardSummary");
        let known = (wanted != "NONE").then(|| self.fields.summary()).flatten();
        match (wanted.as_str(), known) {
            ("LAST4", Some((_, last4))) => (None, Some(last4)),
            ("BIN_LAST4", Some((bin, last4))) => (Some(bin), Some(last4)),
            _ => (None, None),
        }
    }

    fn handle_command(&'static self, command: ShimCommand) {
        let collecting = self.is_collecting();
        match command {
            ShimCommand::Confirm { id } => {
                let refusal = self.submit().err();
                self.host.reply(id, refusal);
            }
            // Whatever was confirmed is on its way already; its true outcome will follow.
            ShimCommand::Abort { id } => self.host.reply(id, Some("wrong_state")),
            ShimCommand::Cancel { id } => {
                self.host.reply(id, None);
                self.watch.trouble("challenge_cancelled");
                self.dispatch(Event::CancelRequested);
            }
            ShimCommand::Focus { id, field } => {
                let mut asked = self.fields.wanted();
                let wanted = match &field {
                    Some(id) => asked.find(|asked| asked.id.id() == id),
                    None => asked.next(),
                };
                match wanted.filter(|_| collecting) {
                    Some(field) => {
                        field.focus();
                        self.host.reply(id, None);
                    }
                    None => self.host.reply(id, Some("wrong_state")),
                }
            }
            ShimCommand::Clear { id } if collecting => {
                self.fields.clear();
                self.typed_in.set(false);
                self.keys.edited();
                self.look_up();
                self.refresh();
                self.report_change();
                self.host.reply(id, None);
            }
            ShimCommand::Validate { id } if collecting => {
                let wrong = self.fields.check();
                self.refresh();
                self.report_change();
                if let Some((_, message)) = wrong {
                    say_urgently(&self.fields.sentence(&self.texts, message));
                }
                self.host.reply_faults(id, self.fields.faults());
            }
            ShimCommand::ServerError { id, field, code } if collecting => {
                let said = self.fields.state(field.as_deref(), code, &self.texts);
                self.refresh();
                self.report_change();
                say_urgently(&self.texts.text(said));
                self.host.reply(id, None);
            }
            ShimCommand::Clear { id }
            | ShimCommand::Validate { id }
            | ShimCommand::ServerError { id, .. } => self.host.reply(id, Some("wrong_state")),
            // The frame's session monitor takes these: see `crate::session_monitor`.
            ShimCommand::Renew { .. }
            | ShimCommand::Reveal { .. }
            | ShimCommand::Redirect { .. }
            | ShimCommand::Cover { .. } => {}
            ShimCommand::Update { id, options } => {
                dress(&options);
                // The words may be others now, also where the state is not.
                self.refresh();
                self.shown.notify();
                self.reported.set(None);
                if collecting {
                    self.report_change();
                }
                self.host.reply(id, None);
            }
        }
    }
}

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
    let options = host::options(&Json(options));
    dress(&options);
    // Mounting a view does this too, but there may be no field yet to mount anything for. The second time it says that it
    // is done already.
    let _ = Executor::init_wasm_bindgen();
    let root = Owner::new();
    root.set();
    let (closing, reading) = session.standing().ok_or("boot")?;
    let (flow, effects) = Flow::start(closing, reading);
    let fields = Fields::adopt(
        |id| session.wants(id.id()),
        session.networks,
        session.asking,
        session.today,
    )?;
    let texts = Texts::new(texts);
    let shown = ViewModel::of(flow.phase(), &fields, &texts, "", &session);
    let settling = Closure::<dyn Fn()>::new(|| {
        if let Some(form) = FORM.get() {
            form.settle();
        }
    });
    let app: Form = Box::leak(Box::new(App {
        texts,
        host: Host::new(port),
        client: GatewayClient::new(session.clone()),
        fields,
        flow: RefCell::new(flow),
        card_used: RefCell::default(),
        shown: RwSignal::new(shown),
        reported: Cell::new(None),
        told: Cell::new(None),
        keys: Keys::new(),
        elsewhere: RefCell::default(),
        offered: Cell::new(None),
        edits: Cell::new(0),
        asking: RwSignal::new(false),
        typed_in: Cell::new(false),
        own_move: Cell::default(),
        unsettled: Cell::new(false),
        settling: settling.into_js_value(),
        session,
        watch: SessionMonitor::new(&options),
    }));
    // The form lives as long as its document.
    std::mem::forget(root);
    PREPARED.set(Some((app, effects)));
    Ok(())
}

/// Draws the form that was prepared; see [`crate::draw`].
///
/// # Errors
/// Where the page lacks an element, or nothing was prepared.
pub fn draw() -> Result<(), JsValue> {
    let prepared = PREPARED.take().ok_or("prepare")?;
    view::draw(prepared.0)?;
    PREPARED.set(Some(prepared));
    Ok(())
}

/// Makes the form live that was prepared; see [`crate::start`].
///
/// # Errors
/// Where the page lacks an element, or nothing was prepared.
pub fn start(pressed: bool) -> Result<(), JsValue> {
    let (app, effects) = PREPARED.take().ok_or("prepare")?;
    view::bind(app)?;
    let message = app.fields.take_over();
    app.look_up();
    app.refresh();
    if let Some(message) = message {
        say_urgently(&app.fields.sentence(&app.texts, message));
    }
    app.perform(effects);
    app.host.listen(move |command| app.handle_command(command));
    host::listen_for_hints(move || app.dispatch(Event::Hinted));
    app.host.send(&FrameMessage::Ready {
        reason: app.lacking(),
    });
    app.report_state();
    if app.fields.wanted().any(|field| !field.is_empty()) {
        app.report_change();
    }
    if pressed {
        // A press that came too early counts; what is missing is shown as after any press.
        let _ = app.submit();
    }
    FORM.set(Some(app));
    app.watch.heard(&app.session.state());
    app.notify_phase();
    Ok(())
}

/// See [`crate::on_frame_event`].
pub fn on_frame_event(event: &str) {
    if let Some(form) = FORM.get() {
        form.on_frame_event(event);
    }
}

/// The frame of a field came or went; see [`crate::rebind`].
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
        view::networks::adopt(app)?;
    }
    app.look_up();
    app.refresh();
    // The page's element of a field that is back knows nothing of it.
    app.reported.set(None);
    app.report_change();
    Ok(())
}

thread_local! {
    /// Between [`prepare`] and [`start`]: the form, and what its flow begins with.
    static PREPARED: Cell<Option<(Form, Vec<Effect>)>> = const { Cell::new(None) };
    pub(crate) static FORM: Cell<Option<Form>> = const { Cell::new(None) };
}

/// Whether the focus may move on by itself.
fn moves_on() -> bool {
    let root = document().document_element();
    root.and_then(|root| root.get_attribute("data-advance"))
        .as_deref()
        != Some("off")
}

/// Applies what the page chose, as far as it is one of the known choices.
fn dress(options: &FrameOptions) {
    let Some(root) = document().document_element() else {
        return;
    };
    let choices = [
        (
            "data-theme",
            &options.theme,
            ["auto", "light", "dark"].as_slice(),
        ),
        (
            "data-button",
            &options.button,
            ["auto", "hidden"].as_slice(),
        ),
        ("data-advance", &options.advance, ["auto", "off"].as_slice()),
    ];
    for (attribute, chosen, known) in choices {
        if let Some(value) = chosen.as_deref().filter(|value| known.contains(value)) {
            // The name is a valid attribute name.
            let _ = root.set_attribute(attribute, value);
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
