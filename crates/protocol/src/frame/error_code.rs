//! Why a call of the merchant's page was refused, or what went wrong with a form: [`PayframeErrorCode`].

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

/// Codes of `PayframeError` and of the event `error`. A closed list: `docs/errors.md` has the remedy for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, EnumString, IntoStaticStr)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS, strum::EnumIter, strum::EnumMessage)
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum PayframeErrorCode {
    /// The page: `gateway` is not an origin with https (http only for the browser's own machine).
    BadGatewayUrl,
    /// The page: there is no `session`.
    SessionMissing,
    /// `update({ session })`: the form can not go on in that session; the former one stays.
    SessionRejected,
    /// The page: an option has the wrong type or an unknown value.
    BadOption,
    /// The page: this option can not change in place. Setting its attribute loads the form again.
    OptionFixed,
    /// The page: `mount()` found no such element.
    MountTarget,
    /// The page: the element can not be made here: on a server, or where the page keeps elements from being defined.
    NoBrowser,
    /// The page's Content-Security-Policy blocks the frame.
    FramePolicy,
    /// The frame loaded without the form: the session is of another origin, unknown or over, or something between browser and gateway refused it.
    FrameBlocked,
    /// The gateway does not answer this browser.
    GatewayUnreachable,
    /// A script that the call needs did not load. The next call tries again.
    ScriptBlocked,
    /// The form did not start in time.
    LoadTimeout,
    /// The frame speaks no version of the protocol that this module speaks.
    ProtocolVersion,
    /// WebAssembly is blocked or missing in the frame.
    WasmBlocked,
    /// The form's program did not load.
    WasmFailed,
    /// The form failed after it was live.
    FrameCrashed,
    /// The frame was loaded again (the element was moved, or reloaded); what was typed is lost.
    DataLost,
    /// `destroy()` was called.
    Destroyed,
    /// `focus()`: the browser refused it, or it would open a phone's keypad without a gesture.
    FocusRefused,
    /// The texts of another language did not load; the form stays in its language.
    LocaleFailed,
    /// A text of the option `texts` is not one that a page can change, or is not a valid label. It is left out.
    BadText,
    /// The session is over; the form says so.
    SessionExpired,
    /// The script that encrypts the card did not load, so nothing was sent; what was typed is still there.
    EncryptionUnavailable,
    /// The page's header Permissions-Policy prevents browsers from filling in the form; everything else works.
    AutofillWithheld,
    /// A press on Pay did not count, because the page covers, clips or moves the button; the message says which.
    ButtonCovered,
    /// The page took the focus out of a number or code that is half typed; the form took it back, and the buyer is told.
    FocusTaken,
    /// `confirm()`: the sum in the form is not wholly visible; the form shows it and asks for another press.
    FormUnseen,
    /// `confirm()`: not called soon after a gesture of the buyer, in browsers that report gestures; the form asks for another press.
    PressNeeded,
    /// The element is not in the page.
    Unmounted,
    /// `confirm()`: what was typed is incomplete or wrong; the form shows where.
    InvalidData,
    /// The form can not do this now.
    WrongState,
    /// The form is at work already.
    Busy,
    /// `confirm()`: the browser is offline; nothing was sent, and what was typed is still there.
    Offline,
    /// `confirm()`: withdrawn by its signal before anything was sent.
    Aborted,
    /// `confirm()`: accepted, but there is no outcome: the session is over, or the form is editable again and the buyer may try again.
    NotCompleted,
    /// More than ten calls in a second: this one was dropped. The event `error` reports it once.
    TooManyCalls,
    /// The gateway takes longer than eight seconds to answer; the buyer is told so.
    GatewaySlow,
    /// The issuer's page did not load; the buyer may open it in the whole window, or go back to the card.
    AcsUnreachable,
    /// The issuer's page refused to be framed, or a policy blocked it; the buyer may open it in the whole window.
    BlockedByPolicy,
    /// Something else was in the place of the issuer's page; the form took it away.
    ChallengeReplaced,
    /// The issuer sent the buyer back to another address than the gateway's.
    NotificationMismatch,
    /// The frame is of a newer release and reports what this script does not know; the message has its words.
    UnknownCause,
}
