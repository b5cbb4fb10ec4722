//! What frames of the gateway's origin tell each other inside a merchant's page: pages that are nested in a frame of ours, and the
//! frames of one session beside each other. The merchant's page reads and sends none of it.
//!
//! The TypeScript of these types is `www/frame/own-frames.d.ts`, which `cargo xtask reference` writes.

use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

/// A page that is nested in a frame of ours, to that frame, by `postMessage` to our own origin. A hint: whoever hears it asks the gateway.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum NestedPageMessage {
    /// The buyer is back from the issuer's page.
    ChallengeReturned,
    /// The device check is over.
    DeviceCheckDone,
    /// The issuer's part of the device check is over.
    MethodDone,
}

/// What each frame of a session shows its siblings as `window.payframe`, beside the objects of its scripts: browsers let frames of one
/// origin read it, and no page of another origin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SiblingFrame {
    /// Session id: frames with another one are none of its siblings.
    pub session: String,
    /// Id of its field; `form` for the frame of a form whose fields are in frames of their own.
    pub id: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_message_is_read_by_the_name_that_is_written() {
        for (message, name) in [
            (NestedPageMessage::ChallengeReturned, "challenge-returned"),
            (NestedPageMessage::DeviceCheckDone, "device-check-done"),
            (NestedPageMessage::MethodDone, "method-done"),
        ] {
            assert_eq!(<&str>::from(message), name);
            assert_eq!(
                serde_json::to_value(message).unwrap(),
                json!({"type": name})
            );
        }
    }
}
