//! The panel that is shown in place of the fields: choice of method, review, challenge, outcome. What it shows is a [`Panel`], drawn here in the
//! buyer's language. Around the issuer's page are the time that is left, a sentence if the page was removed, a button that opens it in the whole
//! window, and the elements that keep the focus in the dialog.

use crate::app::Form;
use crate::page::{focus, show};
use crate::session_monitor::now_ms;
use crate::view::time_left::{Clock, sentence};
use crate::view::{LocalForm, pressed_button, question, react};
use crate::view_model::{Panel, PanelAction};
use leptos::prelude::*;
use payframe_checkout_flow::flow::{Event, IssuerPage};
use std::cell::Cell;
use std::time::Duration;

/// The panel. Its element is always in the page, and hidden while there are fields.
///
/// It is one closure, which gives the whole view. Leptos keeps the elements and changes what differs, so the focus stays, and so does the frame
/// that [`crate::view::nested`] puts into its place.
#[component]
pub fn PanelInPlace(
    /// The form.
    form: LocalForm,
    /// What the buyer sees of the issuer's page.
    issuer_page: RwSignal<Option<IssuerPage>>,
    /// The seconds left that the buyer is told.
    time_left: RwSignal<Option<u32>>,
) -> impl IntoView {
    follow(form.get_value());
    move || {
        let shown = Shown::of(form.get_value(), issuer_page.get(), time_left.get());
        view! {
            <div
                id="panel"
                class=if shown.is_dialog { "stage wide" } else { "stage" }
                role=shown.is_dialog.then_some("dialog")
                aria-modal=shown.is_dialog.then_some("true")
                aria-labelledby=shown.is_dialog.then_some("title")
                hidden=!shown.is_there
                on:click=move |event| {
                    if let Some(button) = pressed_button(&event) {
                        press(form.get_value(), &button);
                    }
                }
            >
                <DialogEdge id="before-challenge" is_there=shown.holds_focus next="leave" />
                <span id="mark" class=shown.mark_class aria-hidden="true">
                    {shown.mark}
                </span>
                <h2 id="title" class="title" tabindex="-1">
                    {shown.title}
                </h2>
                <Clock id="challenge-time-left" sentence=shown.time_left />
                <p id="text">{shown.text}</p>
                <p id="card-used" class="muted">
                    {shown.card_used}
                </p>
                <div id="nested" data-empty=shown.is_empty.then_some("")></div>
                <p id="challenge-away" class="message bad" hidden=!shown.is_away>
                    {shown.away}
                </p>
                <PanelButton id="press" class="pay" label=shown.press pays=shown.pays />
                <div id="others" hidden=!shown.offers_methods></div>
                <PanelButton id="whole" class="pay" label=shown.whole />
                <PanelButton id="leave" class="quiet" label=shown.leave />
                <DialogEdge id="after-challenge" is_there=shown.holds_focus next="title" />
            </div>
        }
    }
}

/// A button, hidden while it has no label.
#[component]
fn PanelButton(
    id: &'static str,
    class: &'static str,
    label: Option<String>,
    /// Tells the frame's clickjacking guard which presses it has to check.
    #[prop(optional)]
    pays: bool,
) -> impl IntoView {
    let is_hidden = label.is_none();
    view! {
        <button
            id=id
            class=class
            type="button"
            data-pays=pays.then_some("")
            hidden=is_hidden
        >
            {label}
        </button>
    }
}

/// An edge of the dialog. The dialog keeps the focus: after its end comes its beginning.
#[component]
fn DialogEdge(
    id: &'static str,
    is_there: bool,
    /// What gets the focus.
    next: &'static str,
) -> impl IntoView {
    view! {
        <div
            id=id
            class="sr-only"
            tabindex="0"
            hidden=!is_there
            on:focus=move |_| focus(next)
        ></div>
    }
}

/// What is on the screen.
struct Shown {
    is_there: bool,
    is_dialog: bool,
    holds_focus: bool,
    mark: &'static str,
    mark_class: &'static str,
    title: String,
    time_left: Option<String>,
    text: String,
    card_used: String,
    is_empty: bool,
    is_away: bool,
    away: String,
    pays: bool,
    press: Option<String>,
    offers_methods: bool,
    whole: Option<String>,
    leave: Option<String>,
}

impl Shown {
    /// Reads the panel: whoever calls it in a reactive closure is called again when the panel or the language changes.
    fn of(form: Form, issuer_page: Option<IssuerPage>, seconds: Option<u32>) -> Self {
        let (stage, card_used) = form
            .shown
            .with(|shown| (shown.stage.clone(), shown.card_used.clone()));
        let is_there = stage.is_some();
        let panel = stage.unwrap_or_default();
        let page = issuer_page.unwrap_or_default();
        let text = |key| form.texts.text(key);
        Self {
            is_there,
            is_dialog: panel.is_dialog(),
            holds_focus: issuer_page.is_some(),
            mark: panel.mark,
            mark_class: panel.mark_class,
            title: about_payment(form, panel.title),
            time_left: seconds
                .filter(|_| issuer_page.is_some())
                .map(|seconds| sentence(form, seconds)),
            text: about_payment(form, panel.text),
            card_used,
            is_empty: !page.has_come,
            is_away: page.is_away,
            away: text("challenge_away"),
            pays: panel.pays(),
            press: panel.press.map(|action| label(form, action)),
            offers_methods: panel.offers_methods(),
            whole: page.offers_window.then(|| text("challenge_open")),
            leave: panel.may_cancel.then(|| text(panel.leave_label())),
        }
    }
}

/// The text of this key, with what is paid, to whom, and for which order. No key is no text.
fn about_payment(form: Form, key: &str) -> String {
    if key.is_empty() {
        return String::new();
    }
    let session = form.session.borrow();
    let values = [
        ("amount", &*form.sum_texts.borrow().amount),
        ("merchant", &session.text("merchant")),
        ("order", &session.text("orderId")),
    ];
    form.texts.fill(key, &values)
}

fn label(form: Form, action: PanelAction) -> String {
    match action.label() {
        Some(key) => form.texts.text(key),
        None => form.sum_texts.borrow().pay.clone(),
    }
}

/// A button of the panel was pressed.
fn press(form: Form, button: &str) {
    let panel: Panel = form
        .shown
        .with_untracked(|shown| shown.stage.clone())
        .unwrap_or_default();
    match button {
        "press" => {
            if let Some(action) = panel.press {
                form.dispatch(action.event(now_ms()));
            }
        }
        "whole" => form.dispatch(Event::WindowRequested),
        "leave" if panel.is_dialog() => form.dispatch(Event::ChallengeLeft),
        "leave" => question::give_up(form),
        _ => {}
    }
}

/// Hides the fields while there is a panel. Screen readers read what replaced the fields, from its heading on.
fn follow(form: Form) {
    let heading = Cell::new("");
    react(move || {
        let title = form
            .shown
            .with(|shown| shown.stage.as_ref().map(|stage| stage.title));
        show("card", title.is_none());
        let title = title.unwrap_or_default();
        if heading.replace(title) != title && !title.is_empty() {
            set_timeout(|| focus("title"), Duration::ZERO);
        }
    });
}
