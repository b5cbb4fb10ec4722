//! The authentication of a 3-step payment, which the merchant's server leads (contract 8.1.5 to 8.1.7, 2.11).
//!
//! The session of such a payment is ready to be closed from the first step to the last one. This module has the status in the
//! meantime: whether the buyer has to be asked, the answer, and the strength of the authentication.

use super::session::{
    Authentication, Challenge, ChallengeMeans, ChallengeProgress, ChallengeReply, Verdict,
};
use payframe_card_rules::network::Network;

/// The status of the authentication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuthenticationStatus {
    /// The issuer has not been asked: the buyer's browser has to be described first.
    BrowserDue,
    /// The buyer has to be asked.
    Due(Challenge),
    /// The issuer is content: the buyer gave the correct answer, or did not have to. The merchant's server does not know it yet.
    Passed(Authentication),
    /// The issuer is not. The merchant's server does not know it yet.
    Failed,
    /// The issuer did not ask the buyer. The merchant's server may validate that, or pay at once (contract 13, D129).
    Frictionless(Authentication),
    /// It is complete, and the payment may be made.
    Authenticated(Authentication),
}

/// Whether an issuer takes part in 3-D Secure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Enrollment {
    /// It does.
    Enrolled,
    /// It does not.
    NotEnrolled,
    /// It could not be asked.
    Unavailable,
}

impl AuthenticationStatus {
    /// The strength of the authentication, if the payment may be made.
    pub fn authentication(self) -> Option<Authentication> {
        match self {
            AuthenticationStatus::Frictionless(authentication)
            | AuthenticationStatus::Authenticated(authentication) => Some(authentication),
            AuthenticationStatus::BrowserDue
            | AuthenticationStatus::Due(_)
            | AuthenticationStatus::Passed(_)
            | AuthenticationStatus::Failed => None,
        }
    }

    /// The status after the issuer's verdict, once it has been asked with the buyer's browser. Every other status stays.
    pub fn after_verdict(self, verdict: Verdict) -> AuthenticationStatus {
        match (self, verdict) {
            (AuthenticationStatus::BrowserDue, Verdict::Pass(authentication)) => {
                AuthenticationStatus::Passed(authentication)
            }
            (AuthenticationStatus::BrowserDue, Verdict::Challenge) => {
                AuthenticationStatus::challenged()
            }
            // A confirmation by the buyer's device is not offered, and no decoupled authentication.
            (
                AuthenticationStatus::BrowserDue,
                Verdict::Confirmation
                | Verdict::Decoupled { .. }
                | Verdict::Refused
                | Verdict::Risk
                | Verdict::Stopped,
            ) => AuthenticationStatus::Failed,
            (other, _) => other,
        }
    }

    /// A challenge that begins. Its limit is that of the session.
    pub fn challenged() -> AuthenticationStatus {
        AuthenticationStatus::Due(Challenge {
            means: ChallengeMeans::Page,
            wrong_codes: 0,
            since_ms: 0,
        })
    }

    /// The status after the answer to the challenge. A final status does not change.
    pub fn after(self, reply: ChallengeReply) -> AuthenticationStatus {
        match self {
            AuthenticationStatus::Due(challenge) => match challenge.after_reply(reply) {
                ChallengeProgress::Passed(authentication) => {
                    AuthenticationStatus::Passed(authentication)
                }
                ChallengeProgress::Again(challenge) => AuthenticationStatus::Due(challenge),
                ChallengeProgress::Failed => AuthenticationStatus::Failed,
            },
            over => over,
        }
    }
}

impl Enrollment {
    /// The code on the wire.
    pub fn code(self) -> &'static str {
        match self {
            Enrollment::Enrolled => "ENROLLED",
            Enrollment::NotEnrolled => "NOT_ENROLLED",
            Enrollment::Unavailable => "UNAVAILABLE",
        }
    }
}

/// The electronic commerce indicator. Mastercard and Maestro use other values than the other networks.
pub fn eci(network: Network, authentication: Authentication) -> &'static str {
    let counts_up = matches!(network, Network::Mastercard | Network::Maestro);
    match (authentication, counts_up) {
        (Authentication::Full, false) => "05",
        (Authentication::Full, true) => "02",
        (Authentication::Attempted, false) => "06",
        (Authentication::Attempted, true) => "01",
        // Networks have an indicator of their own for shared data, or none. What the issuer says of it counts.
        (Authentication::DataShared | Authentication::None | Authentication::NotDue, false) => "07",
        (Authentication::DataShared | Authentication::None | Authentication::NotDue, true) => "00",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn due(wrong_codes: u8) -> AuthenticationStatus {
        AuthenticationStatus::Due(Challenge {
            means: ChallengeMeans::Page,
            wrong_codes,
            since_ms: 0,
        })
    }

    #[test]
    fn answers_do_what_they_do_in_the_form() {
        use ChallengeReply::{Attempted, No, Right, Undecided, Wrong};
        let passed = AuthenticationStatus::Passed(Authentication::Full);
        for (before, reply, after) in [
            (due(0), Right, passed),
            (due(2), Right, passed),
            (due(0), Wrong, due(1)),
            (due(1), Wrong, due(2)),
            (due(2), Wrong, AuthenticationStatus::Failed),
            (due(0), No, AuthenticationStatus::Failed),
            (
                due(0),
                Attempted,
                AuthenticationStatus::Passed(Authentication::Attempted),
            ),
            (due(1), Undecided, due(1)),
            (passed, No, passed),
            (
                AuthenticationStatus::BrowserDue,
                Right,
                AuthenticationStatus::BrowserDue,
            ),
            (
                AuthenticationStatus::Failed,
                Right,
                AuthenticationStatus::Failed,
            ),
            (
                AuthenticationStatus::Authenticated(Authentication::Full),
                No,
                AuthenticationStatus::Authenticated(Authentication::Full),
            ),
        ] {
            assert_eq!(before.after(reply), after, "{before:?} {reply:?}");
        }
    }

    #[test]
    fn the_issuers_verdict_counts_once() {
        let asked = AuthenticationStatus::BrowserDue;
        for (verdict, after) in [
            (
                Verdict::Pass(Authentication::Attempted),
                AuthenticationStatus::Passed(Authentication::Attempted),
            ),
            (Verdict::Challenge, due(0)),
            (Verdict::Refused, AuthenticationStatus::Failed),
            (Verdict::Confirmation, AuthenticationStatus::Failed),
            (
                Verdict::Decoupled { until_ms: 1 },
                AuthenticationStatus::Failed,
            ),
        ] {
            assert_eq!(asked.after_verdict(verdict), after, "{verdict:?}");
            for other in [Verdict::Refused, Verdict::Pass(Authentication::Full)] {
                assert_eq!(after.after_verdict(other), after, "{verdict:?} {other:?}");
            }
        }
        assert_eq!(asked.authentication(), None);
    }

    #[test]
    fn indicators_are_those_of_the_contract() {
        use Authentication::{Attempted, DataShared, Full, None};
        for (network, expected) in [
            (Network::Visa, ["05", "06", "07", "07"]),
            (Network::Amex, ["05", "06", "07", "07"]),
            (Network::UnionPay, ["05", "06", "07", "07"]),
            (Network::Mastercard, ["02", "01", "00", "00"]),
            (Network::Maestro, ["02", "01", "00", "00"]),
        ] {
            let found = [Full, Attempted, DataShared, None]
                .map(|authentication| eci(network, authentication));
            assert_eq!(found, expected, "{network:?}");
        }
    }
}
