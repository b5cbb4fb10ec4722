//! The words between the widget and the scripts of its frame: what the widget tells the session monitor, and what that sees.
//!
//! Both are strings in JavaScript. The TypeScript of these types is in `www/frame/port.d.ts`, which `cargo xtask reference` writes.

use crate::frame::ChallengeProblem;
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

/// What the widget tells the session monitor: what the form does from now on (`rest`: it waits for the buyer, `wait`: the buyer waits,
/// `challenge`: the issuer's page is open, `renew`: the page is to bring another session, `over`: nothing follows), or what the
/// buyer did (`active`: typed, `email`: left the e-mail address).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum FormNotice {
    /// The form waits for the buyer.
    Rest,
    /// The buyer waits for the gateway.
    Wait,
    /// The issuer's page is open.
    Challenge,
    /// The page is to bring another session.
    Renew,
    /// Nothing follows.
    Over,
    /// The buyer typed.
    Active,
    /// The buyer left the e-mail address.
    Email,
}

/// What the session monitor tells the widget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(untagged)]
pub enum FrameEvent {
    /// About the session.
    Session(SessionEvent),
    /// About the issuer's page.
    Challenge(ChallengeProblem),
}

impl FrameEvent {
    /// The event of this word.
    pub fn parse(word: &str) -> Option<Self> {
        let session = word.parse().map(Self::Session);
        session.or_else(|_| word.parse().map(Self::Challenge)).ok()
    }
}

/// What the session monitor learns about the session. `refresh_state`: the buyer is back or gave a sign, or the time is over.
/// `renewed`, `renewed_otherwise`: another session's data stand in those of this one, and it asks for the same or not. `not_renewed`:
/// the page has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, EnumString)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum SessionEvent {
    /// The buyer is back or gave a sign, or the time is over: the gateway is to be asked.
    RefreshState,
    /// Another session's data stand in those of this one, and it asks for the same.
    Renewed,
    /// As `renewed`, but it asks for something else.
    RenewedOtherwise,
    /// The page has no other session.
    NotRenewed,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{from_value, to_value};

    /// The word that Rust writes or reads is the one that TypeScript knows.
    #[test]
    fn words_are_those_that_are_declared() {
        use FormNotice::*;
        for notice in [Rest, Wait, Challenge, Renew, Over, Active, Email] {
            assert_eq!(to_value(notice).unwrap(), <&str>::from(notice));
        }
        let words = [
            "refresh_state",
            "renewed",
            "renewed_otherwise",
            "not_renewed",
            "challenge_cancelled",
            "challenge_timeout",
            "acs_unreachable",
            "blocked_by_policy",
            "challenge_replaced",
            "notification_mismatch",
        ];
        for word in words {
            let event: FrameEvent = from_value(word.into()).unwrap();
            assert_eq!(FrameEvent::parse(word), Some(event), "{word}");
        }
        assert_eq!(FrameEvent::parse("rest"), None);
    }
}
