//! Who bears the loss if a cardholder disputes a payment as fraud: the general rule of the card networks.
//!
//! The rule is general, not a promise: networks and acquirers have exceptions, by country, by kind of goods and by programme. It knows the
//! authentication and the exemption that was claimed, and nothing else of a payment.

use super::exemption::RequestedExemption;
use super::session::Authentication;

/// Who bears the loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Liability {
    /// The issuer of the card.
    Issuer,
    /// The merchant.
    Merchant,
}

impl Liability {
    /// Who bears the loss of an approved payment. `claimed`: the exemption in the authorization request. An exemption that was asked for and
    /// not granted is not claimed.
    pub fn of(authentication: Authentication, claimed: Option<RequestedExemption>) -> Liability {
        match (authentication, claimed) {
            // Who asks that the issuer does not ask, answers for it: also where the issuer agreed without a challenge.
            (_, Some(_)) => Liability::Merchant,
            (Authentication::Full | Authentication::Attempted, None) => Liability::Issuer,
            (Authentication::DataShared | Authentication::None | Authentication::NotDue, None) => {
                Liability::Merchant
            }
        }
    }

    /// The code on the wire.
    pub fn code(self) -> &'static str {
        match self {
            Liability::Issuer => "ISSUER",
            Liability::Merchant => "MERCHANT",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Authentication, what the guide calls it, liability without an exemption, and liability with one.
    const TABLE: [(Authentication, &str, &str, &str); 5] = [
        (Authentication::Full, "`FULL_SECURE`", "ISSUER", "MERCHANT"),
        (
            Authentication::Attempted,
            "`ATTEMPTED`",
            "ISSUER",
            "MERCHANT",
        ),
        (
            Authentication::DataShared,
            "`NOT_SECURE`, `dataShareOnly`",
            "MERCHANT",
            "MERCHANT",
        ),
        (Authentication::None, "`NOT_SECURE`", "MERCHANT", "MERCHANT"),
        (Authentication::NotDue, "none", "MERCHANT", "MERCHANT"),
    ];

    #[test]
    fn liability_follows_authentication_and_exemption() {
        for (authentication, _, without, with) in TABLE {
            assert_eq!(Liability::of(authentication, None).code(), without);
            for exemption in RequestedExemption::ALL {
                let found = Liability::of(authentication, Some(exemption));
                assert_eq!(found.code(), with, "{authentication:?} {exemption:?}");
            }
        }
    }

    #[test]
    fn the_guide_has_this_table() {
        let guide = include_str!("../../../docs/3-d-secure.md");
        for (_, name, without, with) in TABLE {
            let row = format!("| {name} | `{without}` |{} ", " `MERCHANT` |".repeat(5));
            assert_eq!(with, "MERCHANT");
            assert!(
                guide.contains(row.trim_end()),
                "docs/3-d-secure.md is to have the row\n{row}"
            );
        }
        for exemption in RequestedExemption::ALL {
            let code = format!("`{}`", exemption.code());
            assert!(
                guide.contains(&code),
                "docs/3-d-secure.md is to name {code}"
            );
        }
    }
}
