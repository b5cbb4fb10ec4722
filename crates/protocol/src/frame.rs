//! The messages between the shim (merchant's page) and the frame (gateway's origin).
//!
//! Two phases. On the window: [`Hello`] (frame to shim) and [`Init`] (shim to frame, with a `MessagePort`),
//! each to one exact origin. After that only the port, with the closed sets of types below. No message
//! of either direction can hold a card number or a security code: there is no member for one.
//! The fixture `fixtures/frame-messages.json` holds one example of each; Rust and TypeScript tests read it. The TypeScript of these
//! types is `www/sdk/messages.d.ts`, which `cargo xtask reference` writes.

mod error_code;
mod options;

pub use crate::field_id::FieldId;
pub use error_code::PayframeErrorCode;
pub use options::{Advance, Cancellation, FrameOptions, PayButton, Theme};

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use strum::{EnumString, IntoStaticStr};

/// Version of this protocol. The frame offers the versions it speaks, the shim picks one.
pub const FRAME_PROTOCOL_VERSION: u32 = 1;

/// Between frame and merchant's page, on their windows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum WindowMessage {
    /// The first message.
    Hello(Hello),
    /// The last one that is not on the port.
    Init(Init),
    /// For a frame that was loaded before the page's script.
    Greet(Greet),
}

/// Merchant's page to frame: the page listens from now on, and wants another `hello`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Greet {
    /// Distinguishes the message from messages of others.
    #[cfg_attr(feature = "typescript", ts(type = "1"))]
    pub payframe: u32,
}

/// Frame to merchant's page: the frame's document has started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Hello {
    /// Distinguishes the message from messages of others.
    #[cfg_attr(feature = "typescript", ts(type = "1"))]
    pub payframe: u32,
    /// 32 hexadecimal digits, used once.
    pub nonce: String,
    /// Protocol versions that the frame speaks.
    pub versions: Vec<u32>,
}

/// Merchant's page to frame, with a `MessagePort`. The last message that is not on the port.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Init {
    /// Distinguishes the message from messages of others.
    #[cfg_attr(feature = "typescript", ts(type = "1"))]
    pub payframe: u32,
    /// The nonce of the `hello`.
    pub nonce: String,
    /// The version that the page has chosen.
    #[cfg_attr(feature = "typescript", ts(type = "1"))]
    pub version: u32,
    /// What the page chose about the form.
    pub options: FrameOptions,
}

/// Frame to shim, on the port.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum FrameMessage {
    /// The form is live. Sent once.
    Ready {
        /// What is missing, in the buyer's language; absent when the form is complete.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// The document's height.
    Resize {
        /// Whole CSS pixels.
        height: u32,
        /// The field whose own frame it is; absent for the form's frame.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        field: Option<FieldId>,
    },
    /// The state of what the buyer entered has changed.
    Change(ChangeDetail),
    /// A field got the focus.
    Focus(FieldDetail),
    /// A field lost the focus.
    Blur(FieldDetail),
    /// The buyer pressed Enter in a field, and the form shows no button that it could press.
    Enter(FieldDetail),
    /// The flow has a new state.
    StateChange(StateChangeDetail),
    /// The payment has an outcome. A hint for the page: only what the merchant's server reads is reliable.
    Result(ResultDetail),
    /// The frame has a request to the shim.
    Ask(Ask),
    /// Something went wrong that the merchant may want to know; the form goes on.
    Error {
        /// What went wrong.
        code: PayframeErrorCode,
        /// English, for developers.
        message: Cow<'static, str>,
    },
    /// The form can not work. Sent at most once, and nothing follows it.
    Fatal {
        /// What went wrong.
        code: PayframeErrorCode,
        /// English, for developers.
        message: Cow<'static, str>,
    },
    /// Answer to the command with this id.
    Reply {
        /// The command's id.
        id: u32,
        /// Absent when it worked.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<CommandError>,
        /// What `validate` found; absent for other commands.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        faults: Option<Vec<FieldError>>,
    },
}

/// What the buyer entered, without any value. No digit of any field but what `cardSummary` allows, and no state at a moment that
/// depends on digits of the card number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
pub struct ChangeDetail {
    /// Every required field holds a valid value.
    pub complete: bool,
    /// Every field is empty.
    pub empty: bool,
    /// Network code; `null` until there are enough digits to distinguish all networks of the session.
    #[cfg_attr(feature = "typescript", ts(optional = false))]
    pub brand: Option<Cow<'static, str>>,
    /// Network codes that are possible. Until there are enough digits, all networks of the session.
    pub candidates: Vec<Cow<'static, str>>,
    /// One entry for each field, in order.
    pub fields: Vec<FieldReport>,
    /// While not complete: what is missing, in the buyer's language. It is also the reason why the page's own form is not valid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Only where the merchant's server asked for it when it made the session (`cardSummary` `BIN_LAST4`): of the first good number
    /// that is left or sent, until it is edited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bin: Option<String>,
    /// As `bin`, with `cardSummary` `LAST4` too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last4: Option<String>,
}

/// State of one field, without its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
pub struct FieldReport {
    /// Which field.
    pub id: FieldId,
    /// Whether it is empty.
    pub empty: bool,
    /// Whether it has a valid value. For a card number that is typed, this is told when the field is left, or when no digit can follow.
    pub complete: bool,
    /// Stable code of its error, if one is shown. The error of a card number is removed with the first edit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Cow<'static, str>>,
    /// That message in the buyer's language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// The field that something happened to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct FieldDetail {
    /// Which field.
    pub field: FieldId,
}

/// The state of the payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct StateChangeDetail {
    /// Where.
    pub state: FlowState,
}

/// The result of the payment, as far as the browser knows. Only what the merchant's server reads is reliable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct ResultDetail {
    /// The outcome.
    pub outcome: Outcome,
    /// The merchant's order.
    pub order_id: String,
    /// 18 digits; absent where no operation is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation_id: Option<String>,
    /// The cause, if more is known than the refusal. Newer frames may send others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "typescript",
        ts(type = "ChallengeProblem | (string & {})", optional)
    )]
    pub cause: Option<ChallengeProblem>,
    /// `false`: refused, but the buyer may try again in this form.
    #[serde(rename = "final")]
    pub is_final: bool,
    /// As in `change`. Absent where the number that was told before was edited: the merchant's server reads them, by
    /// `GET /build/cardData`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bin: Option<String>,
    /// As `bin`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last4: Option<String>,
}

/// Requests of the frame to the shim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
#[serde(tag = "what", rename_all = "lowercase")]
pub enum Ask {
    /// Asks for another session for the same payment. The answer is the command `renew`.
    Renew,
    /// Asks for room for the issuer's page. The answer is `redirect` or `cover`, if it gets more than its place in the form.
    Challenge,
    /// The issuer's page does not need more room any more.
    Uncover,
    /// Asks to tell the page that the session, or the issuer's page, ends soon.
    Expiring(ExpiringDetail),
    /// Asks for this accessible name of the frame.
    Title {
        /// The form's name in the buyer's language.
        title: String,
        /// `true` if the page gets diagnostics of how it embeds the form.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        diagnostics: Option<bool>,
        /// `true` if the page reports which scripts and security headers it has.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        watch: Option<bool>,
    },
}

/// How soon something ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ExpiringDetail {
    /// Whole seconds until the session, or the issuer's page, ends.
    pub seconds_left: u32,
}

/// Problems of the issuer's page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ChallengeProblem {
    /// The buyer left it.
    ChallengeCancelled,
    /// Its time limit has passed.
    ChallengeTimeout,
    /// It did not load.
    AcsUnreachable,
    /// A Content-Security-Policy keeps it out.
    BlockedByPolicy,
    /// The frame was sent elsewhere.
    ChallengeReplaced,
    /// A page that is not ours reported its end.
    NotificationMismatch,
}

/// What is wrong with a field, without its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct FieldError {
    /// Which field.
    pub field: FieldId,
    /// Stable; the same in every language. `docs/errors.md` lists them.
    pub code: Cow<'static, str>,
}

/// Why a command was not carried out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CommandError {
    /// Why.
    pub code: PayframeErrorCode,
    /// English, for developers.
    pub message: Cow<'static, str>,
}

/// The state of the payment.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, EnumString, IntoStaticStr,
)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum FlowState {
    /// The buyer picks a method.
    PaymentMethodSelection,
    /// The buyer enters the card.
    CardDataCollection,
    /// Card data is on its way, the device check runs, or a press waits for another session.
    Processing,
    /// The merchant's server is expected to finalize.
    ReadyForPayment,
    /// The completion call runs.
    Finalizing,
    /// The issuer's page is open inside the frame.
    Challenge,
    /// The browser is sent elsewhere.
    RedirectedToExternalDomain,
    /// The session has its outcome.
    PaymentComplete,
    /// The session ended without an outcome.
    Expired,
}

/// The outcome of the payment. A closed list. `unknown`: do not pay again before the merchant has checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Paid, held or verified.
    Approved,
    /// Not final; the merchant's server will be told.
    Pending,
    /// Refused by issuer, risk rules or 3-D Secure.
    Declined,
    /// The buyer or the merchant gave up.
    Cancelled,
    /// A technical failure; nothing was charged.
    Failed,
    /// Charged and given back.
    Reversed,
    /// Not known: do not pay again before the merchant has checked.
    Unknown,
}

/// Shim to frame, on the port. Each has an `id` that its `reply` repeats.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum ShimCommand {
    /// Check and submit, like the form's own button. Replied to when the submission was accepted or refused; the outcome comes as `result`.
    Confirm {
        /// Command id.
        id: u32,
    },
    /// Withdraw a `confirm` that has not been sent yet.
    Abort {
        /// Command id.
        id: u32,
    },
    /// Give the payment up, as the form's own cancel button does.
    Cancel {
        /// Command id.
        id: u32,
    },
    /// Put the focus into a field, or into the first one.
    Focus {
        /// Command id.
        id: u32,
        /// Field id; absent means the first field.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(as = "Option<FieldId>"))]
        field: Option<String>,
    },
    /// Empty all fields and messages.
    Clear {
        /// Command id.
        id: u32,
    },
    /// Show all faults without a submission, and answer with them.
    Validate {
        /// Command id.
        id: u32,
    },
    /// A keypad has opened over the page: show the field that has the focus, with its message. Has no `reply`.
    Reveal {
        /// Command id.
        id: u32,
    },
    /// Open the issuer's page in the whole window.
    Redirect {
        /// Command id.
        id: u32,
    },
    /// The frame has the whole of a small screen now.
    Cover {
        /// Command id.
        id: u32,
    },
    /// The merchant's server changed the session: ask the gateway, and show what it says.
    Refresh {
        /// Command id.
        id: u32,
    },
    /// Another session, asked for by `renew` or with another sum; empty where there is none.
    Renew {
        /// Command id.
        id: u32,
        /// Session id.
        session: String,
    },
    /// Show what the merchant's server found wrong.
    ServerError {
        /// Command id.
        id: u32,
        /// Field id; absent where it concerns no field.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(as = "Option<FieldId>"))]
        field: Option<String>,
        /// One of our codes; an unknown one gives a general text.
        code: String,
    },
    /// Change options in place.
    Update {
        /// Command id.
        id: u32,
        /// The options to change; absent ones stay.
        options: FrameOptions,
    },
}
