//! The panel that is shown in place of the fields: choice of method, review, challenge, outcome.

use crate::app::Form;
use crate::page::{element, focus, mark, on, show, write};
use crate::session_monitor::now_ms;
use crate::view::{question, react};
use crate::view_model::{Panel, PanelAction};
use leptos::prelude::*;
use payframe_checkout_flow::flow::Event;
use std::time::Duration;
use wasm_bindgen::JsValue;
use web_sys::Element;

/// Makes the panel of the page live.
pub fn adopt(form: Form) -> Result<(), JsValue> {
    on(&element("press")?, "click", move |_| {
        let press = form
            .shown
            .with_untracked(|shown| shown.stage.as_ref().and_then(|stage| stage.press));
        if let Some(press) = press {
            match press {
                PanelAction::ByCard => form.dispatch(Event::MethodChosen),
                PanelAction::Pay => form.dispatch(Event::Submitted(now_ms())),
                PanelAction::Leave => form.dispatch(Event::LeaveRequested),
                PanelAction::Recheck => form.dispatch(Event::RecheckRequested),
                PanelAction::TryAgain => form.dispatch(Event::RetryRequested),
            }
        }
    });
    on(&element("leave")?, "click", move |_| {
        let challenged = form.shown.with_untracked(|shown| {
            shown
                .stage
                .as_ref()
                .is_some_and(|stage| stage.challenge_url.is_some())
        });
        if challenged {
            form.dispatch(Event::ChallengeLeft);
        } else {
            question::give_up(form);
        }
    });
    let (panel, sign): (Element, Element) = (element("panel")?, element("mark")?);
    let shown = form.shown;
    let title = StoredValue::new("");
    react(move || {
        let stage = shown.with(|shown| shown.stage.clone());
        show("card", stage.is_none());
        show("panel", stage.is_some());
        let stage = stage.unwrap_or_default();
        fill(form, &stage);
        let dialog = stage.challenge_url.is_some();
        mark(
            &panel,
            "class",
            Some(if dialog { "stage wide" } else { "stage" }),
        );
        mark(&panel, "role", dialog.then_some("dialog"));
        mark(&panel, "aria-modal", dialog.then_some("true"));
        mark(&panel, "aria-labelledby", dialog.then_some("title"));
        mark(&sign, "class", Some(stage.mark_class));
        if title.get_value() != stage.title {
            title.set_value(stage.title);
            if !stage.title.is_empty() {
                set_timeout(focus_heading, Duration::ZERO);
            }
        }
    });
    Ok(())
}

fn fill(form: Form, stage: &Panel) {
    let session = form.session.borrow();
    let sum_texts = form.sum_texts.borrow();
    let (merchant, order) = (session.text("merchant"), session.text("orderId"));
    let values = [
        ("amount", sum_texts.amount.as_str()),
        ("merchant", &merchant),
        ("order", &order),
    ];
    let sentence = |key: &str| {
        if key.is_empty() {
            String::new()
        } else {
            form.texts.fill(key, &values)
        }
    };
    write("mark", stage.mark);
    write("title", &sentence(stage.title));
    write("text", &sentence(stage.text));
    form.shown
        .with(|shown| write("card-used", &shown.card_used));
    let press = stage.press.map(|press| match press {
        PanelAction::ByCard => form.texts.text("pay_with_card"),
        PanelAction::Pay => sum_texts.pay.clone(),
        PanelAction::Leave => form.texts.text("elsewhere_go"),
        PanelAction::Recheck => form.texts.text("check_again"),
        PanelAction::TryAgain => form.texts.text("try_again"),
    });
    show("others", stage.press == Some(PanelAction::ByCard));
    show("press", press.is_some());
    write("press", &press.unwrap_or_default());
    // Tells the frame's clickjacking guard which presses it has to check.
    if let Ok(press) = element::<Element>("press") {
        let pays = stage.press == Some(PanelAction::Pay);
        mark(&press, "data-pays", pays.then_some(""));
    }
    let leave = if stage.challenge_url.is_some() {
        "challenge_leave"
    } else {
        "cancel_payment"
    };
    write("leave", &form.texts.text(leave));
    show("leave", stage.may_cancel);
}

/// Screen readers read what replaced the fields, from its heading on.
fn focus_heading() {
    focus("title");
}
