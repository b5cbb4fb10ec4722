//! Exemptions from the authentication of the buyer that a merchant may ask for (contract 2.4, `exemptions`).
//!
//! Whoever asks for one takes over the liability ([`super::liability`]). The issuer decides: it may demand a challenge nevertheless, and
//! then the exemption is not claimed. Payments without a buyer, and orders by mail or telephone, are no matter of this module.

use super::contract::Recurrence;
use super::operation::ActionType;
use payframe_money::Amount;

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

/// What decides whether a payment can have an exemption.
#[derive(Clone, Copy, Debug)]
pub struct ExemptPayment<'a> {
    /// What it does with money.
    pub action: ActionType,
    /// Its amount.
    pub amount: Amount,
    /// ISO 4217 letters.
    pub currency: &'a str,
    /// What it does with a contract.
    pub recurrence: Option<&'a Recurrence>,
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

    /// The exemption of a code on the wire. `None`: another value of `exemptions`, by which no exemption is asked for.
    pub fn from_code(code: &str) -> Option<RequestedExemption> {
        RequestedExemption::ALL
            .into_iter()
            .find(|exemption| exemption.code() == code)
    }

    /// Why a payment can not have it, as the end of a sentence about the member. `None`: it can.
    pub fn obstacle(self, payment: &ExemptPayment<'_>) -> Option<&'static str> {
        if payment.action == ActionType::Verify || payment.amount.is_zero() {
            return Some("is not possible with VERIFY or the amount 0");
        }
        match (self, payment.recurrence) {
            (_, Some(Recurrence::Create { .. } | Recurrence::Substitute { .. })) => {
                return Some("is not possible where a card is stored: its buyer is authenticated");
            }
            (RequestedExemption::RecurringSameAmount, None) => {
                return Some("is only for recurrence.action SUBSEQUENT_PAYMENT");
            }
            (_, Some(Recurrence::Pay { .. }) | None) => {}
        }
        let allows = self.allows(payment.amount, payment.currency);
        (!allows).then_some("is only for amounts up to 30.00 EUR, in EUR")
    }

    /// Whether a payment of this amount may have it. The amount of a session can change after the exemption was asked for.
    pub fn allows(self, amount: Amount, currency: &str) -> bool {
        match self {
            RequestedExemption::LowValue => {
                currency == LOW_VALUE_CURRENCY && amount.minor() <= LOW_VALUE_MINOR
            }
            RequestedExemption::RiskAnalysis
            | RequestedExemption::TrustedBeneficiary
            | RequestedExemption::RecurringSameAmount
            | RequestedExemption::DelegatedAuthentication => true,
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
    use RequestedExemption::{LowValue, RecurringSameAmount, RiskAnalysis, TrustedBeneficiary};

    #[test]
    fn an_exemption_is_refused_where_a_payment_can_not_have_it() {
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
        let check = |exemption: RequestedExemption, action, minor, currency, recurrence, why| {
            let payment = ExemptPayment {
                action,
                amount: Amount::from_minor(minor).unwrap(),
                currency,
                recurrence,
            };
            let obstacle = exemption.obstacle(&payment).unwrap_or("none");
            assert!(
                obstacle.contains(why),
                "{exemption:?} {payment:?}: {obstacle}"
            );
        };
        use ActionType::{Pay, PreAuth, Verify};
        check(LowValue, Pay, 3000, "EUR", None, "none");
        check(LowValue, PreAuth, 1, "EUR", Some(&pay), "none");
        check(LowValue, Pay, 3001, "EUR", None, "30.00 EUR");
        check(LowValue, Pay, 3000, "GBP", None, "30.00 EUR");
        check(LowValue, Pay, 1, "JPY", None, "30.00 EUR");
        check(RecurringSameAmount, Pay, 999_999, "USD", Some(&pay), "none");
        check(RecurringSameAmount, Pay, 999, "EUR", None, "SUBSEQUENT");
        check(RiskAnalysis, Pay, 999_999, "USD", None, "none");
        check(TrustedBeneficiary, PreAuth, 999_999, "USD", None, "none");
        for exemption in RequestedExemption::ALL {
            check(exemption, Verify, 100, "EUR", None, "VERIFY");
            check(exemption, Pay, 0, "EUR", None, "VERIFY");
            check(exemption, Pay, 100, "EUR", Some(&create), "stored");
            check(exemption, Pay, 100, "EUR", Some(&substitute), "stored");
        }
    }

    #[test]
    fn every_code_is_read_again() {
        for exemption in RequestedExemption::ALL {
            let read = RequestedExemption::from_code(exemption.code());
            assert_eq!(read, Some(exemption));
        }
        for code in ["NO_PREFERENCE", "CHALLENGE_REQUESTED", "low_value", ""] {
            assert_eq!(RequestedExemption::from_code(code), None, "{code}");
        }
    }
}
