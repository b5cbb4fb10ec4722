//! The messages between the class `Build` on a merchant's page and the frames that the page made for its fields (contract 7).
//!
//! They go from window to window, each to one exact origin. Commands and what the script alone reads have a `type` and the mark `payframe`;
//! what a merchant's callback gets is an event, as the contract has it, with a member `event`. No message of either direction can hold a
//! card number or a security code: there is no member for one. The widget's late part makes the events of fields; scripts send and read
//! everything.
//! The fixture `fixtures/build-messages.json` holds one example of each; Rust and TypeScript tests read it. The TypeScript of these types
//! is `www/sdk/build-messages.d.ts`, which `cargo xtask reference` writes.

use crate::api::{BuildState, FieldSet};
use serde::{Deserialize, Serialize};

/// The class `Build` to a frame.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "type")]
pub enum BuildCommand {
    /// The page listens from now on, and wants the frame's first message again.
    #[serde(rename = "build-here")]
    Here {
        /// Distinguishes the message from messages of others.
        #[cfg_attr(feature = "typescript", ts(type = "1"))]
        payframe: u32,
    },
    /// How the frame is to look.
    #[serde(rename = "build-options")]
    #[cfg_attr(feature = "typescript", ts(optional_fields))]
    Options {
        /// Distinguishes the message from messages of others.
        #[cfg_attr(feature = "typescript", ts(type = "1"))]
        payframe: u32,
        /// Absolute address of a style sheet.
        #[serde(rename = "cssLink", default, skip_serializing_if = "Option::is_none")]
        css_link: Option<String>,
        /// Classes of the input or button.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        component: Option<String>,
        /// Classes of the element around it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        container: Option<String>,
    },
    /// Send what was entered.
    #[serde(rename = "build-confirm")]
    Confirm {
        /// Distinguishes the message from messages of others.
        #[cfg_attr(feature = "typescript", ts(type = "1"))]
        payframe: u32,
        /// Distinguishes the command: it comes to the driver through every frame, and counts once.
        call: String,
    },
    /// Press the frame's button.
    #[serde(rename = "build-click")]
    Click {
        /// Distinguishes the message from messages of others.
        #[cfg_attr(feature = "typescript", ts(type = "1"))]
        payframe: u32,
        /// The button's id, such as `PAY_WITH_CARD`.
        id: String,
    },
}

/// A frame to the class `Build`, for the script itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "type")]
pub enum FieldFrameMessage {
    /// The frame takes commands.
    #[serde(rename = "field-up")]
    Up {
        /// Distinguishes the message from messages of others.
        #[cfg_attr(feature = "typescript", ts(type = "1"))]
        payframe: u32,
        /// The field's id.
        id: String,
        /// The session's trace id, by which frames of one session are known.
        session: String,
    },
    /// A confirm has begun.
    #[serde(rename = "build-loading")]
    Loading {
        /// Distinguishes the message from messages of others.
        #[cfg_attr(feature = "typescript", ts(type = "1"))]
        payframe: u32,
    },
    /// The page is to report which scripts and security headers it has.
    #[serde(rename = "build-watch")]
    Watch {
        /// Distinguishes the message from messages of others.
        #[cfg_attr(feature = "typescript", ts(type = "1"))]
        payframe: u32,
        /// Session id.
        session: String,
    },
    /// The frame can not work.
    #[serde(rename = "unavailable", rename_all = "camelCase")]
    Unavailable {
        /// Distinguishes the message from messages of others.
        #[cfg_attr(feature = "typescript", ts(type = "1"))]
        payframe: u32,
        /// The field's id.
        id: String,
        /// `HF9002` or `HF9003`.
        error_code: BuildErrorCode,
        /// English, for developers.
        error_message: String,
    },
}

/// A frame to the class `Build`, and from there to the merchant's callbacks (contract 7.3).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "event", rename_all = "SCREAMING_SNAKE_CASE")]
pub enum BuildEvent {
    /// The field, or the button, is live. The script alone reads it.
    Ready {
        /// The field's id.
        id: String,
    },
    /// The field got the focus. No callback gets it.
    FieldFocussed {
        /// The field's id.
        id: String,
    },
    /// The field lost the focus. No callback gets it.
    FieldBlurred {
        /// The field's id.
        id: String,
    },
    /// The field became valid.
    BuildSuccess {
        /// The field's id.
        id: String,
    },
    /// The field is wrong, or its session is over.
    #[serde(rename_all = "camelCase")]
    BuildError {
        /// The field's id.
        id: String,
        /// What is wrong.
        error_code: BuildErrorCode,
        /// In the buyer's language where it is about what was typed, else English, for developers.
        error_message: String,
    },
    /// `confirmData()` failed.
    #[serde(rename_all = "camelCase")]
    ConfirmError {
        /// The name of the call.
        #[cfg_attr(feature = "typescript", ts(type = "'confirmData'"))]
        id: String,
        /// Why.
        error_code: BuildErrorCode,
        /// English, for developers.
        error_message: String,
        /// The inputs, without the buttons.
        validation_status: Vec<InputValidity>,
    },
    /// The session has a new state.
    #[serde(rename_all = "camelCase")]
    #[cfg_attr(feature = "typescript", ts(optional_fields))]
    BuildFlowStateChange {
        /// Where it stands.
        state: BuildState,
        /// With `CARD_DATA_COLLECTION`: what to show now.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        field_set: Option<FieldSet>,
        /// With `REDIRECTED_TO_EXTERNAL_DOMAIN`: where the browser is to go.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        url: Option<String>,
        /// With `PAYMENT_COMPLETE`. A hint: only what the server reads is reliable.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        operation: Option<Box<BuildOperation>>,
        /// The same members once more, from a device check frame.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        data: Option<Box<DeviceCheckEnd>>,
    },
}

/// Whether an input is valid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct InputValidity {
    /// The field's id.
    pub id: String,
    /// Whether its value is complete and not wrong.
    pub valid: bool,
}

/// What a merchant's page may know of an operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BuildOperation {
    /// The merchant's order.
    pub order_id: String,
    /// 18 digits.
    pub operation_id: String,
    /// E.g. `AUTHORIZATION`, `CANCEL`.
    pub operation_type: String,
    /// E.g. `EXECUTED`, `DECLINED`. An unlisted spelling is unknown, never a success.
    pub operation_result: String,
    /// Instant, UTC with milliseconds.
    pub operation_time: String,
}

/// The state of a session after the device check of version 2.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
pub struct DeviceCheckEnd {
    /// Where it stands.
    pub state: BuildState,
    /// As in the event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// As in the event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<BuildOperation>,
}

/// Codes for a merchant's page (contract 7.5): the table is in `docs/build.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum BuildErrorCode {
    /// The security code, the e-mail address, a consent or a choice is wrong.
    HF0001,
    /// The service is briefly unavailable.
    HF0002,
    /// The session is over.
    HF0003,
    /// The card number has a wrong check digit or length.
    HF0004,
    /// The card's network is not accepted.
    HF0005,
    /// The card has expired, or the value is not an expiry date.
    HF0006,
    /// The holder's name is wrong; at `confirmData()`: some field is.
    HF0007,
    /// The device check failed, and the payment with it.
    HF0009,
    /// The currency offer has expired, or does not match this payment.
    HF9001,
    /// The frame can not run.
    HF9002,
    /// The page's origin is not that of `merchantUrl`.
    HF9003,
    /// A method was called in a state that does not allow it.
    HF9004,
}
