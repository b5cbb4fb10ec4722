//! What the widget draws, one visible part per file, and the listeners on what the page already shows.
//!
//! Each part is mounted into a place of the frame page that waits for it. Parts read the one flow signal through
//! derived values and dispatch events; they hold no state of their own.

pub mod brand;
pub mod challenge;
pub mod field;
pub mod outcome;
pub mod panel;
pub mod pay;

use crate::app::Form;
use crate::page::{element, show};
use leptos::mount::mount_to;
use leptos::prelude::*;
use payframe_checkout::flow::{Event, Phase};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::HtmlElement;

/// Mounts every part.
///
/// # Errors
/// If the page lacks a place for one.
pub fn mount(form: Form) -> Result<(), JsValue> {
    field::adopt_all(form)?;
    place("brand", move || brand::Brand(brand::BrandProps { form }))?;
    place("message", move || pay::Notice(pay::NoticeProps { form }))?;
    place("pay-label", move || pay::Label(pay::LabelProps { form }))?;
    place("panel", move || panel::Panel(panel::PanelProps { form }))?;
    pay::adopt_buttons(form)?;
    show_form_or_panel(form)?;
    announce(form);
    mount_to(body()?, move || challenge::DeviceCheck(challenge::DeviceCheckProps { form })).forget();
    Ok(())
}

/// What the buyer sees instead of the fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Screen {
    /// The fields.
    Fields,
    /// A choice of methods.
    Methods,
    /// The card is known; a press pays.
    Review,
    /// The issuer's page at this address.
    Challenge(String),
    /// How it ended, or that nobody knows.
    Outcome,
}

impl Screen {
    /// The screen of a phase.
    pub fn of(phase: &Phase) -> Self {
        match phase {
            Phase::ChoosingMethod | Phase::OpeningCard => Self::Methods,
            Phase::Reviewing => Self::Review,
            Phase::Challenge { url } => Self::Challenge(url.clone()),
            Phase::Complete(_) | Phase::Unknown { .. } | Phase::Expired => Self::Outcome,
            _ => Self::Fields,
        }
    }
}

/// The text of a wait; `None` where the buyer is to act.
pub fn waiting_key(phase: &Phase) -> Option<&'static str> {
    Some(match phase {
        Phase::Sending { .. } => "sending",
        Phase::CheckingDevice { .. } => "checking",
        Phase::AwaitingServer { .. } => "waiting_for_shop",
        Phase::Closing { .. } => "paying",
        Phase::Cancelling { .. } => "cancelling",
        Phase::Rereading { .. } => "reading",
        _ => return None,
    })
}

fn place<N: IntoView + 'static>(id: &str, part: impl FnOnce() -> N + 'static) -> Result<(), JsValue> {
    let place: HtmlElement = element(id)?;
    place.set_text_content(None);
    mount_to(place.unchecked_into(), part).forget();
    Ok(())
}

fn body() -> Result<HtmlElement, JsValue> {
    document().body().ok_or_else(|| JsValue::from_str("body"))
}

fn show_form_or_panel(form: Form) -> Result<(), JsValue> {
    let card: HtmlElement = element("card")?;
    let panel: HtmlElement = element("panel")?;
    let fields_shown = form.derived(|phase| Screen::of(phase) == Screen::Fields);
    let (card, panel) = (StoredValue::new_local(card), StoredValue::new_local(panel));
    Effect::new(move || {
        let shown = fields_shown.get();
        card.with_value(|card| show(card, shown));
        panel.with_value(|panel| show(panel, !shown));
    });
    Ok(())
}

/// Brand, waits and outcomes are told politely to who can't see them.
fn announce(form: Form) {
    let wait = form.derived(waiting_key);
    let network = form.app().fields.network;
    Effect::new(move || {
        if let Some(network) = network.get() {
            let app = form.app();
            app.say(&app.texts.fill("brand_found", &[("{brand}", network.name())]));
        }
    });
    Effect::new(move || {
        if let Some(key) = wait.get() {
            let app = form.app();
            app.say(&app.texts.text(key));
        }
    });
}

/// A listener for giving the payment up.
pub fn give_up(form: Form) {
    form.dispatch(Event::CancelRequested);
}
