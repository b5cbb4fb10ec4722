//! Payments whose merchant wants no challenge: the exemptions from the authentication of the buyer, and the mere sharing of data (contract
//! 2.4, `exemptions`).
//!
//! Whoever asks for an exemption takes over the liability ([`super::liability`]). The issuer decides: it may demand a challenge nevertheless,
//! and then the exemption is not claimed. Who only shares data asks for no authentication, claims nothing and keeps the liability. Payments
//! without a buyer, and orders by mail or telephone, are no matter of this module.

use super::contract::Recurrence;
use super::operation::ActionType;
use payframe_money::Amount;

/// A request that the issuer does not challenge the buyer. A terminal may make it if its operator allows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoChallengeRequest {
    /// Data share only: the issuer receives the data of the payment, and authenticates nobody.
    DataShareOnly,
    /// An exemption from authentication.
    Exemption(RequestedExemption),
}

/// An exemption that a merchant asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestedExemption {
    /// The amount is low.
    LowValue,
    /// Merchant or acquirer have analysed the risk of the transaction, and found it low.
    RiskAnalysis,
    /// The buyer has named the merchant a trusted beneficiary at the issuer.
    TrustedBeneficiary,
    /// A payment of a series with the same amount, whose first payment was authenticated.
    RecurringSameAmount,
    /// The merchant has authenticated the buyer strongly, on behalf of the issuer.
    DelegatedAuthentication,
}

/// What decides whether the issuer of a payment can be asked for no challenge.
#[derive(Clone, Copy, Debug)]
pub struct UnchallengedPayment<'a> {
    /// What it does with money.
    pub action: ActionType,
    /// Its amount.
    pub amount: Amount,
    /// ISO 4217 letters.
    pub currency: &'a str,
    /// What it does with a contract.
    pub recurrence: Option<&'a Recurrence>,
}

impl NoChallengeRequest {
    /// The code on the wire.
    pub fn code(self) -> &'static str {
        match self {
            NoChallengeRequest::DataShareOnly => "DATA_SHARE_ONLY",
            NoChallengeRequest::Exemption(exemption) => exemption.code(),
        }
    }

    /// The request of a code on the wire. `None`: another value of `exemptions`, by which a challenge is left to the issuer, or wanted.
    pub fn from_code(code: &str) -> Option<NoChallengeRequest> {
        NoChallengeRequest::ALL
            .into_iter()
            .find(|request| request.code() == code)
    }

    /// The exemption that it asks for.
    pub fn exemption(self) -> Option<RequestedExemption> {
        match self {
            NoChallengeRequest::DataShareOnly => None,
            NoChallengeRequest::Exemption(exemption) => Some(exemption),
        }
    }

    /// Why it can not be made for a payment, as the end of a sentence about the member. `None`: it can.
    pub fn obstacle(self, payment: &UnchallengedPayment<'_>) -> Option<&'static str> {
        if payment.action == ActionType::Verify || payment.amount.is_zero() {
            return Some("is not possible with VERIFY or the amount 0");
        }
        match (self.exemption(), payment.recurrence) {
            (_, Some(Recurrence::Create { .. } | Recurrence::Substitute { .. })) => {
                return Some("is not possible where a card is stored: its buyer is authenticated");
            }
            (Some(RequestedExemption::RecurringSameAmount), None) => {
                return Some("is only for recurrence.action SUBSEQUENT_PAYMENT");
            }
            (_, Some(Recurrence::Pay { .. }) | None) => {}
        }
        let allows = self.allows(payment.amount, payment.currency);
        (!allows).then_some("is only for amounts up to 30.00 EUR, in EUR")
    }

    /// Whether it can be made for this amount. The amount of a session can change after the request was made.
    pub fn allows(self, amount: Amount, currency: &str) -> bool {
        match self {
            NoChallengeRequest::Exemption(RequestedExemption::LowValue) => {
                currency == LOW_VALUE_CURRENCY && amount.minor() <= LOW_VALUE_MINOR
            }
            NoChallengeRequest::DataShareOnly | NoChallengeRequest::Exemption(_) => true,
        }
    }

    /// Every request, in the order of the contract.
    pub const ALL: [NoChallengeRequest; 6] = [
        NoChallengeRequest::DataShareOnly,
        NoChallengeRequest::Exemption(RequestedExemption::LowValue),
        NoChallengeRequest::Exemption(RequestedExemption::RiskAnalysis),
        NoChallengeRequest::Exemption(RequestedExemption::TrustedBeneficiary),
        NoChallengeRequest::Exemption(RequestedExemption::RecurringSameAmount),
        NoChallengeRequest::Exemption(RequestedExemption::DelegatedAuthentication),
    ];
}

impl RequestedExemption {
    /// The code on the wire.
    pub fn code(self) -> &'static str {
        match self {
            RequestedExemption::LowValue => "LOW_VALUE",
            RequestedExemption::RiskAnalysis => "TRANSACTION_RISK_ANALYSIS",
            RequestedExemption::TrustedBeneficiary => "TRUSTED_BENEFICIARY",
            RequestedExemption::RecurringSameAmount => "RECURRING_SAME_AMOUNT",
            RequestedExemption::DelegatedAuthentication => "DELEGATED_AUTHENTICATION",
        }
    }

    /// Every exemption, in the order of the contract.
    pub const ALL: [RequestedExemption; 5] = [
        RequestedExemption::LowValue,
        RequestedExemption::RiskAnalysis,
        RequestedExemption::TrustedBeneficiary,
        RequestedExemption::RecurringSameAmount,
        RequestedExemption::DelegatedAuthentication,
    ];
}

/// The greatest low value: 30.00 EUR (Delegated Regulation (EU) 2018/389, article 16). Its equal in another currency changes every day, so
/// only EUR counts.
const LOW_VALUE_MINOR: u64 = 3000;
const LOW_VALUE_CURRENCY: &str = "EUR";

#[cfg(test)]
mod tests {
    use super::super::contract::{Kind, Rules};
    use super::*;
    use NoChallengeRequest::{DataShareOnly, Exemption};
    use RequestedExemption::{LowValue, RecurringSameAmount, RiskAnalysis, TrustedBeneficiary};

    #[test]
    fn a_request_is_refused_where_a_payment_can_not_have_it() {
        let contract_id = || String::from("C1");
        let rules = Rules {
            kind: Kind::WithBuyer,
            last_day: None,
            gap_days: None,
        };
        let create = Recurrence::Create {
            contract_id: contract_id(),
            rules,
        };
        let pay = Recurrence::Pay {
            contract_id: contract_id(),
            kind: None,
        };
        let substitute = Recurrence::Substitute {
            contract_id: contract_id(),
            kind: None,
        };
        let check = |request: NoChallengeRequest, action, minor, currency, recurrence, why| {
            let payment = UnchallengedPayment {
                action,
                amount: Amount::from_minor(minor).unwrap(),
                currency,
                recurrence,
            };
            let obstacle = request.obstacle(&payment).unwrap_or("none");
            assert!(
                obstacle.contains(why),
                "{request:?} {payment:?}: {obstacle}"
            );
        };
        use ActionType::{Pay, PreAuth, Verify};
        check(Exemption(LowValue), Pay, 3000, "EUR", None, "none");
        check(Exemption(LowValue), PreAuth, 1, "EUR", Some(&pay), "none");
        check(Exemption(LowValue), Pay, 3001, "EUR", None, "30.00 EUR");
        check(Exemption(LowValue), Pay, 3000, "GBP", None, "30.00 EUR");
        check(Exemption(LowValue), Pay, 1, "JPY", None, "30.00 EUR");
        check(
            Exemption(RecurringSameAmount),
            Pay,
            999_999,
            "USD",
            Some(&pay),
            "none",
        );
        check(
            Exemption(RecurringSameAmount),
            Pay,
            999,
            "EUR",
            None,
            "SUBSEQUENT",
        );
        check(Exemption(RiskAnalysis), Pay, 999_999, "USD", None, "none");
        check(
            Exemption(TrustedBeneficiary),
            PreAuth,
            999_999,
            "USD",
            None,
            "none",
        );
        check(DataShareOnly, Pay, 999_999, "USD", None, "none");
        check(DataShareOnly, PreAuth, 1, "JPY", Some(&pay), "none");
        for request in NoChallengeRequest::ALL {
            check(request, Verify, 100, "EUR", None, "VERIFY");
            check(request, Pay, 0, "EUR", None, "VERIFY");
            check(request, Pay, 100, "EUR", Some(&create), "stored");
            check(request, Pay, 100, "EUR", Some(&substitute), "stored");
        }
    }

    #[test]
    fn every_code_is_read_again() {
        for request in NoChallengeRequest::ALL {
            let read = NoChallengeRequest::from_code(request.code());
            assert_eq!(read, Some(request));
        }
        for code in ["NO_PREFERENCE", "CHALLENGE_REQUESTED", "low_value", ""] {
            assert_eq!(NoChallengeRequest::from_code(code), None, "{code}");
        }
    }

    #[test]
    fn every_exemption_can_be_asked_for() {
        let asked = NoChallengeRequest::ALL.map(NoChallengeRequest::exemption);
        let exemptions: Vec<_> = asked.into_iter().flatten().collect();
        assert_eq!(exemptions, RequestedExemption::ALL);
    }
}
