//! Messages: to and from the shop's page over the private port, and hints from frames nested in ours.
//!
//! Nothing else in the widget handles messages. A message is read member by member: an unknown type or a
//! wrong shape is dropped, and nothing of it is executed or shown.
//!
//! What the first part of the module says has few members, and is written one by one ([`Host::ready`] and others); `tests/form/reports.rs`
//! holds it against [`FrameMessage`]. All else is said by the late part, with [`Host::send`].

use crate::build_events::Said;
use crate::page::on;
use crate::wire::{Json, object, set};
use leptos::prelude::window;
use payframe_protocol::field_id::FieldId;
use payframe_protocol::frame::{
    FieldError, FieldReport, FlowState, FrameMessage, FrameOptions, PayframeErrorCode, ShimCommand,
};
use payframe_protocol::own_frames::NestedPageMessage;
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use std::borrow::Cow;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{MessageEvent, MessagePort};

/// The connection to the shop's page.
pub struct Host {
    port: MessagePort,
}

impl Host {
    /// Over this port, which the loader has agreed on with the page.
    pub fn new(port: MessagePort) -> Self {
        Self { port }
    }

    /// Tells the page: a [`FrameMessage`], or in the Build protocol a message or event of it. Only for the late part: the code that writes
    /// any message is large.
    pub fn send(&self, message: &impl Serialize) {
        // It can not fail, because the message holds plain data only.
        if let Ok(message) = message.serialize(&Serializer::new()) {
            self.post(&message);
        }
    }

    /// The form is live. `reason`: what is missing, in the buyer's language.
    pub fn ready(&self, reason: Option<&str>) {
        let message = object(&[("type", "ready")]);
        if let Some(reason) = reason {
            set(&message, "reason", &reason.into());
        }
        self.post(&message);
    }

    /// The field has the focus.
    pub fn focused(&self, field: FieldId) {
        self.post(&object(&[("type", "focus"), ("field", field.id())]));
    }

    /// The field lost the focus.
    pub fn left(&self, field: FieldId) {
        self.post(&object(&[("type", "blur"), ("field", field.id())]));
    }

    /// The flow has a new state.
    pub fn state(&self, state: FlowState) {
        self.post(&object(&[("type", "statechange"), ("state", state.into())]));
    }

    /// Something went wrong that the merchant may want to know. `message` is English.
    pub fn error(&self, code: PayframeErrorCode, message: &'static str) {
        let members = [
            ("type", "error"),
            ("code", code.into()),
            ("message", message),
        ];
        self.post(&object(&members));
    }

    /// Answers a command: done, or refused.
    pub fn reply(&self, id: u32, refusal: Option<PayframeErrorCode>) {
        let message = object(&[("type", "reply")]);
        set(&message, "id", &id.into());
        if let Some(code) = refusal {
            let code = code.into();
            let error = object(&[("code", code), ("message", code)]);
            set(&message, "error", &error);
        }
        self.post(&message);
    }

    /// Answers `validate`.
    pub fn reply_field_errors(&self, id: u32, faults: Vec<FieldError>) {
        self.send(&FrameMessage::Reply {
            id,
            error: None,
            faults: Some(faults),
        });
    }

    fn post(&self, message: &JsValue) {
        // It can not fail, because the message holds plain data only. If it did, the page would miss only a hint.
        let _ = self.port.post_message(message);
    }

    /// Passes each message of the page to `act`.
    pub fn listen(&self, mut act: impl FnMut(Json) + 'static) {
        on(&self.port, "message", move |event| {
            let event: &MessageEvent = event.unchecked_ref();
            act(Json(event.data()));
        });
        self.port.start();
    }
}

/// Calls `act` when a page of our own origin, nested in this document, says that it is done.
pub fn listen_for_hints(mut act: impl FnMut() + 'static) {
    on(&window(), "message", move |event| {
        let event: &MessageEvent = event.unchecked_ref();
        let hints = [
            NestedPageMessage::ChallengeReturned,
            NestedPageMessage::DeviceCheckDone,
        ];
        if is_ours(event) && hints.into_iter().any(|hint| says(event, hint)) {
            act();
        }
    });
}

/// Calls `act` with the sender when a page of another origin claims that a challenge is over.
pub fn listen_for_false_ends(act: impl Fn(&JsValue) + 'static) {
    on(&window(), "message", move |event| {
        let event: &MessageEvent = event.unchecked_ref();
        if !is_ours(event) && says(event, NestedPageMessage::ChallengeReturned) {
            act(&Json(event.into()).member("source").0);
        }
    });
}

fn says(event: &MessageEvent, message: NestedPageMessage) -> bool {
    let kind = Json(event.data()).member("type").text();
    kind.as_deref() == Some(message.into())
}

fn is_ours(event: &MessageEvent) -> bool {
    let own_origin = window().location().origin();
    own_origin.is_ok_and(|origin| origin == event.origin())
}

/// The type of a message of the page, and the number under which it is answered. `None`: it is no command.
pub fn kind_and_id(data: &Json) -> Option<(String, u32)> {
    let id = data.member("id").0.as_f64();
    let id = id.filter(|id| *id >= 0.0 && *id <= f64::from(u32::MAX))? as u32;
    Some((data.member("type").text()?, id))
}

/// What the widget itself said, as a page of the Build protocol may be told of it. `None`: no event follows from the message.
pub fn said(data: &Json) -> Option<Said> {
    let field = || FieldId::from_id(&data.member("field").text()?);
    Some(match data.member("type").text()?.as_str() {
        "change" => Said::Changed(
            data.member("fields")
                .items()
                .filter_map(field_report)
                .collect(),
        ),
        "focus" => Said::Focused(field()?),
        "blur" => Said::Left(field()?),
        "reply" => Said::Refused(data.member("error").member("code").text()?.parse().ok()?),
        "statechange" => Said::Flow(data.member("state").text()?.parse().ok()?),
        _ => return None,
    })
}

fn field_report(report: Json) -> Option<FieldReport> {
    Some(FieldReport {
        id: FieldId::from_id(&report.member("id").text()?)?,
        empty: report.member("empty").0.is_truthy(),
        complete: report.member("complete").0.is_truthy(),
        error: report.member("error").text().map(Cow::Owned),
        message: report.member("message").text(),
    })
}

/// The command of a message of the page. `None`: its type is unknown, or its shape is wrong.
pub fn command(data: &Json) -> Option<ShimCommand> {
    let (kind, id) = kind_and_id(data)?;
    Some(match kind.as_str() {
        "confirm" => ShimCommand::Confirm { id },
        "abort" => ShimCommand::Abort { id },
        "cancel" => ShimCommand::Cancel { id },
        "clear" => ShimCommand::Clear { id },
        "validate" => ShimCommand::Validate { id },
        "reveal" => ShimCommand::Reveal { id },
        "redirect" => ShimCommand::Redirect { id },
        "cover" => ShimCommand::Cover { id },
        "renew" => ShimCommand::Renew {
            id,
            session: data.member("session").text_or_empty(),
        },
        "servererror" => ShimCommand::ServerError {
            id,
            field: data.member("field").text(),
            code: data.member("code").text()?,
        },
        "focus" => ShimCommand::Focus {
            id,
            field: data.member("field").text(),
        },
        "refresh" => ShimCommand::Refresh { id },
        "update" => ShimCommand::Update {
            id,
            // Applied when the message came: by `App::receive`, and by the loader.
            options: FrameOptions::default(),
        },
        _ => return None,
    })
}
