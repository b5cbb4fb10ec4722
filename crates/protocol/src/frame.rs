//! The messages between the shim (merchant's page) and the frame (gateway's origin).
//!
//! Two phases. On the window: `hello` (frame to shim) and `init` (shim to frame, with a `MessagePort`),
//! each to one exact origin. After that only the port, with the closed sets of types below. No message
//! of either direction can hold a card number or a security code: there is no member for one.
//! The fixture `fixtures/frame-messages.json` holds one example of each; Rust and TypeScript tests read it.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Version of this protocol. The frame offers the versions it speaks, the shim picks one.
pub const FRAME_PROTOCOL_VERSION: u32 = 1;

/// Frame to shim, over the port.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum FrameMessage {
    /// The form is live. Sent once.
    Ready {
        /// What is missing, in the buyer's language; absent when the form is complete.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// The document's height in CSS pixels.
    Resize {
        /// Whole pixels.
        height: u32,
        /// The field whose own frame it is; absent for the form's frame.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        field: Option<Cow<'static, str>>,
    },
    /// Something that the buyer entered changed its state. No digit of any field but what `cardSummary` allows, and no state at
    /// a moment that depends on digits of the card number.
    #[serde(rename_all = "camelCase")]
    Change {
        /// Every required field holds a valid value.
        complete: bool,
        /// Every field is empty.
        empty: bool,
        /// Network code, from so many digits on as tell all networks of the session apart.
        brand: Option<Cow<'static, str>>,
        /// Network codes that are possible: those of the session until then.
        candidates: Vec<Cow<'static, str>>,
        /// One entry for each field, in order.
        fields: Vec<FieldReport>,
        /// What is missing, in the buyer's language; absent when the form is complete.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
        /// Only with `cardSummary` `BIN_LAST4`, once a good number was left or sent, and until it is edited.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bin: Option<String>,
        /// Only with `cardSummary` `LAST4` or `BIN_LAST4`, and as long as `bin`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        last4: Option<String>,
    },
    /// A field got the focus.
    Focus {
        /// Field id.
        field: Cow<'static, str>,
    },
    /// A field lost the focus.
    Blur {
        /// Field id.
        field: Cow<'static, str>,
    },
    /// The buyer pressed Enter in a field, and the form shows no button that it could press.
    Enter {
        /// Field id.
        field: Cow<'static, str>,
    },
    /// The flow moved on.
    StateChange {
        /// Where it stands.
        state: FlowState,
    },
    /// The payment has an outcome. A hint for the page: the truth is what the merchant's server reads.
    #[serde(rename_all = "camelCase")]
    Result {
        /// What became of it.
        outcome: Outcome,
        /// The merchant's order.
        order_id: String,
        /// 18 digits; absent where no operation is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        operation_id: Option<String>,
        /// Why there is no better outcome, where more is known than the refusal: `challenge_cancelled`, `challenge_timeout`,
        /// `acs_unreachable`, `blocked_by_policy`, `challenge_replaced`, `notification_mismatch`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cause: Option<Cow<'static, str>>,
        /// `false` when the buyer may try again in this form (a refusal with attempts left).
        #[serde(rename = "final")]
        is_final: bool,
        /// As in `change`; of another card than was told before, too, where it was entered anew.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bin: Option<String>,
        /// As `bin`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        last4: Option<String>,
    },
    /// The frame wants something of the page's side.
    #[serde(rename_all = "camelCase")]
    Ask {
        /// `renew`: another session for the same payment, answered by the command `renew`. `challenge`: room for the issuer's page,
        /// answered by `redirect` or `cover` where it is to have more than its place in the form. `uncover`: that is over.
        /// `expiring`: the page is to hear that the session, or the issuer's page, ends soon. `title`: the frame is to be called so.
        what: Cow<'static, str>,
        /// With `title`: the form's name in the buyer's language.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        title: Option<String>,
        /// With `title`: `true` for a session of the sandbox, so that the page may be told what is wrong with it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sandbox: Option<bool>,
        /// With `expiring`: whole seconds until then.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seconds_left: Option<u32>,
    },
    /// Something went wrong that the merchant may want to know; the form goes on.
    Error {
        /// Stable code.
        code: Cow<'static, str>,
        /// English, for developers.
        message: Cow<'static, str>,
    },
    /// The form cannot work. Sent at most once, and nothing follows it.
    Fatal {
        /// Stable code.
        code: Cow<'static, str>,
        /// English, for developers.
        message: Cow<'static, str>,
    },
    /// Answer to the command with this id.
    Reply {
        /// The command's id.
        id: u32,
        /// Absent when it worked.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<CommandRefusal>,
        /// What `validate` found; absent for other commands.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        faults: Option<Vec<Fault>>,
    },
}

/// What is wrong with a field, without its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// Field id.
    pub field: Cow<'static, str>,
    /// Stable code of the cause.
    pub code: Cow<'static, str>,
}

/// Why a command was not carried out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandRefusal {
    /// Stable code: `invalid_data`, `wrong_state`, `unknown_command`, `aborted`, `busy`, `focus_refused`, `locale_failed`,
    /// `too_many_calls`.
    pub code: Cow<'static, str>,
    /// English, for developers.
    pub message: Cow<'static, str>,
}

/// State of one field, without its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldReport {
    /// Field id.
    pub id: Cow<'static, str>,
    /// Holds nothing.
    pub empty: bool,
    /// Holds a valid value. Of the card number it is told once the field is left, filled at once, or can take no further digit.
    pub complete: bool,
    /// Stable code of the message that is shown, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Cow<'static, str>>,
    /// That message in the buyer's language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// Where the flow stands, for the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FlowState {
    /// The buyer picks a method.
    PaymentMethodSelection,
    /// The buyer enters the card.
    CardDataCollection,
    /// Card data is on its way, the device check runs, or a press waits for another session.
    Processing,
    /// The merchant's server is expected to finalize.
    ReadyForPayment,
    /// The closing call runs.
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

/// What became of a payment. A closed list; whatever is not listed is `Unknown`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Paid, held or verified.
    Approved,
    /// Not final; the merchant's server will hear.
    Pending,
    /// Refused by issuer, risk rules or 3-D Secure.
    Declined,
    /// The buyer or the merchant gave up.
    Cancelled,
    /// A technical failure; nothing was charged.
    Failed,
    /// Charged and given back.
    Reversed,
    /// Not known; do not pay again before the merchant has looked.
    Unknown,
}

/// Shim to frame, over the port. Each has an `id` that its `reply` repeats.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// A keypad came up over the page: show the field that has the focus, with its message. Has no `reply`.
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
    /// Another session, asked for by `renew`; empty where there is none.
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

/// What the page may choose about the form. Sent with `init` and `update`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FrameOptions {
    /// `auto`, `light` or `dark`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub theme: Option<String>,
    /// `auto` shows the form's own pay button, `hidden` leaves it to the merchant's, `none` leaves to the merchant also the sum and the way
    /// to give up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub button: Option<String>,
    /// `auto` moves the focus on from a field that is full, `off` never moves it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advance: Option<String>,
    /// How the form looks: a preset's name, or an object as JSON text; empty for the default look. Data, never style text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub appearance: Option<String>,
    /// The buyer's language, as tag or three-letter code; empty for the session's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locale: Option<String>,
    /// Texts of the merchant in place of ours: an object as JSON text, or empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub texts: Option<String>,
    /// Whether the page can bring another session when this one ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub renew: Option<bool>,
}
