//! Test card numbers and their behaviour (contract 11.2 to 11.6).
//!
//! Numbers are `<prefix><scenario><check digit>`. Documented and widely known numbers are in a table. Every other valid number is refused
//! with 111 and never leaves the sandbox.

pub(crate) mod enrolled_ranges;
#[cfg(test)]
mod guide;

#[cfg(test)]
pub(crate) mod samples;

use payframe_card_rules::card_number::CardNumber;
use payframe_card_rules::expiry::Expiry;
use payframe_card_rules::network::Network;
use payframe_payment_domain::card::Funding;
use payframe_payment_domain::dispute::{DisputeCategory, DisputeKind};
use payframe_payment_domain::offer::ExchangeRate;
use payframe_payment_ports::acquirer::{
    AuthorizationResult, CardAuthorization, CardOrigin, DeclineReason, SecurityCodeData,
};
use payframe_payment_ports::bin_lookup::{BinLookup, Issuer};
use payframe_payment_ports::buyers_banks::{BuyersBanks, PlannedDispute};
use payframe_payment_ports::currency_conversion::{CurrencyConversion, Quote};
use payframe_payment_ports::risk_rules::{RiskDecision, RiskQuestion, RiskRules};
use payframe_payment_ports::three_ds_server::{Authentication, Enrollment};
use std::time::Duration;

/// The data of the sandbox's test cards.
pub(crate) struct TestCards;

impl BinLookup for TestCards {
    fn issuer_of(&self, first_digits: &str) -> Issuer {
        let range = first_digits
            .get(..8)
            .and_then(|bin| RANGES.iter().find(|range| range.bin == bin));
        match range {
            Some(range) => Issuer {
                networks: range.networks.iter().copied().collect(),
                country: Some(range.country),
                funding: Some(range.funding),
                currency: Some(range.currency),
            },
            None => Issuer::of_public_range(first_digits),
        }
    }

    /// The cards that the contract documents (11.2).
    fn takes_past_expiry(&self, number: &CardNumber, expiry: Expiry) -> bool {
        let mmyy = expiry.mmyy();
        // Exposed to be compared with the documented cards.
        DOCUMENTED
            .iter()
            .any(|(known, expiries)| *known == number.expose() && expiries.contains(&mmyy.as_str()))
    }
}

impl RiskRules for TestCards {
    fn decide(&self, question: &RiskQuestion<'_>) -> RiskDecision {
        // Exposed because the number of a test card defines its behaviour.
        if Scenario::of(question.number.expose()).is_too_risky() {
            RiskDecision::Deny
        } else {
            RiskDecision::Accept
        }
    }
}

impl BuyersBanks for TestCards {
    fn dispute_of(&self, masked: &str) -> Option<PlannedDispute> {
        let (bin, last) = (
            masked.get(..6)?,
            masked.get(masked.len().checked_sub(4)?..)?,
        );
        let is_planned = RANGES.iter().any(|range| range.bin.starts_with(bin));
        let scenario = last.get(..3)?.parse().ok().map(Scenario);
        (is_planned && scenario == Some(DISPUTED)).then_some(DISPUTE)
    }
}

impl CurrencyConversion for TestCards {
    fn quote(&self, merchant_currency: &str, card_currency: &str) -> Option<Quote> {
        if merchant_currency != "EUR" {
            return None;
        }
        let (_, rate) = RATES
            .iter()
            .find(|(currency, _)| *currency == card_currency)?;
        Some(Quote {
            rate: *rate,
            mark_up_percent: MARK_UP_PERCENT,
        })
    }
}

/// The scenario of a card: three digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scenario(u16);

/// The issuer's response, now and later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IssuerPlan {
    /// ISO response code.
    pub(crate) iso: &'static str,
    /// The result.
    pub(crate) result: AuthorizationResult,
    /// Why it declines, if the gateway acts on it.
    pub(crate) decline_reason: Option<DeclineReason>,
    /// With `Pending`: the final code and result.
    pub(crate) later: Option<(&'static str, AuthorizationResult)>,
}

/// The behaviour of a card's device check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeviceCheckScript {
    /// No device check is due.
    NotDue,
    /// Reports at once.
    Quick,
    /// Reports after some seconds.
    Slow,
    /// Never reports.
    Silent,
}

/// The behaviour of a card's challenge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChallengeScript {
    /// The correct code passes.
    Regular,
    /// Every answer fails.
    Failing,
    /// It never ends.
    Endless,
}

/// The response of the issuer's access control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AccessControl {
    /// The authentication is complete without a challenge.
    Pass(Authentication),
    /// A challenge is required.
    Challenge(ChallengeScript),
    /// A confirmation by the buyer's device is required where one is enrolled, else a challenge.
    Confirmation,
    /// The buyer is asked in the issuer's app.
    Decoupled,
    /// The buyer is not the cardholder.
    Refused,
    /// There is no authentication, unless a challenge is requested.
    OnDemand,
}

/// A value that is typed beside the number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Typed {
    /// `MMYY`
    Expiry,
    SecurityCode,
    HolderName,
}

impl Scenario {
    /// The scenario of a valid card number.
    pub(crate) fn of(number: &str) -> Scenario {
        if let Some((_, scenario)) = KNOWN.iter().find(|(known, _)| *known == number) {
            return Scenario(*scenario);
        }
        let planned = RANGES
            .iter()
            .flat_map(|range| range.prefixes)
            .filter_map(|prefix| number.strip_prefix(prefix))
            .find(|rest| rest.len() == 4)
            .and_then(|rest| rest[..3].parse().ok())
            .map(Scenario);
        match planned {
            Some(scenario) if scenario.is_listed() => scenario,
            _ => UNKNOWN_NUMBER,
        }
    }

    fn is_listed(self) -> bool {
        matches!(
            self.0,
            0 | 300..=IN_APP | COMPARING | 600 | 701 | 716 | 730 | 750
        ) || ISO.iter().any(|plan| plan.0 == self.0)
    }

    /// The behaviour of the device check of such a card.
    pub(crate) fn device_check(self) -> DeviceCheckScript {
        match self.0 {
            303 => DeviceCheckScript::Silent,
            304 => DeviceCheckScript::NotDue,
            309 => DeviceCheckScript::Slow,
            _ => DeviceCheckScript::Quick,
        }
    }

    /// The response of access control.
    pub(crate) fn access_control(self) -> AccessControl {
        match self.0 {
            300 | 308 | INSISTING => AccessControl::Challenge(ChallengeScript::Regular),
            301 => AccessControl::Challenge(ChallengeScript::Failing),
            302 => AccessControl::Challenge(ChallengeScript::Endless),
            // A form may continue without a device check that does not report. Then the result is the same as without 3-D Secure.
            303..=305 | UNREACHABLE => AccessControl::Pass(Authentication::None),
            306 => AccessControl::Refused,
            307 => AccessControl::Pass(Authentication::Attempted),
            DEMANDING | UNCONVINCED => AccessControl::OnDemand,
            CONFIRMING => AccessControl::Confirmation,
            IN_APP => AccessControl::Decoupled,
            _ => AccessControl::Pass(Authentication::Full),
        }
    }

    /// Whether the issuer grants an exemption that the merchant asks for, and then neither authenticates nor challenges. Where the challenge
    /// itself is the case to try, it does not.
    pub(crate) fn grants_exemptions(self) -> bool {
        !matches!(self.0, 301 | 302 | INSISTING)
    }

    /// Whether the issuer takes part in 3-D Secure. If the merchant's server controls the authentication, there is no device check that
    /// could fail. Then a card whose device check never reports counts as not available (contract 8.1.5, 11.4).
    pub(crate) fn enrollment(self) -> Enrollment {
        match self.0 {
            303 | 305 | UNREACHABLE => Enrollment::Unavailable,
            304 => Enrollment::NotEnrolled,
            _ => Enrollment::Enrolled,
        }
    }

    /// Whether the risk rules refuse it.
    pub(crate) fn is_too_risky(self) -> bool {
        self.0 == 600
    }

    /// The issuer's response to a payment.
    pub(crate) fn plan_of_payment(self, card: &CardAuthorization<'_>) -> IssuerPlan {
        if self.demands_authentication(card) {
            return IssuerPlan::AUTHENTICATION_REQUIRED;
        }
        if self.0 == COMPARING
            && let Some((_, _, refusal)) = COMPARED
                .iter()
                .find(|(typed, value, _)| typed.value_in(card).is_some_and(|said| said == *value))
        {
            return Scenario(*refusal).plan();
        }
        match card.origin {
            CardOrigin::Entered => self.plan(),
            CardOrigin::Stored => self.plan_of_stored_card(),
        }
    }

    /// Whether the issuer declines a payment because the buyer was not authenticated.
    fn demands_authentication(self, card: &CardAuthorization<'_>) -> bool {
        match self.0 {
            DEMANDING | UNREACHABLE => card.authentication.is_none(),
            UNCONVINCED => true,
            _ => false,
        }
    }

    /// The issuer's response to the first payment with such a card, if all typed values are correct.
    pub(crate) fn plan(self) -> IssuerPlan {
        let code = if self.0 == 308 { 116 } else { self.0 };
        match ISO.iter().find(|plan| plan.0 == code) {
            Some((_, iso, result, later)) => IssuerPlan {
                iso,
                result: *result,
                decline_reason: None,
                later: *later,
            },
            None => IssuerPlan::APPROVED,
        }
    }
}

impl Scenario {
    /// The issuer's response to a payment with a stored card.
    pub(crate) fn plan_of_stored_card(self) -> IssuerPlan {
        match self.0 {
            701 => Scenario(101).plan(),
            716 => Scenario(116).plan(),
            _ => self.plan(),
        }
    }

    /// The issuer's response to a refund.
    pub(crate) fn refund_plan(self) -> IssuerPlan {
        match self.0 {
            730 => IssuerPlan {
                iso: "888",
                result: AuthorizationResult::Pending,
                decline_reason: None,
                later: Some(("909", AuthorizationResult::Failed)),
            },
            _ => IssuerPlan::APPROVED,
        }
    }
}

impl IssuerPlan {
    /// Approved at once.
    pub(crate) const APPROVED: IssuerPlan = IssuerPlan {
        iso: "000",
        result: AuthorizationResult::Approved,
        decline_reason: None,
        later: None,
    };
    /// The buyer was not authenticated.
    pub(crate) const AUTHENTICATION_REQUIRED: IssuerPlan = IssuerPlan {
        iso: "100",
        result: AuthorizationResult::Declined,
        decline_reason: Some(DeclineReason::AuthenticationRequired),
        later: None,
    };
    /// The amount is not valid.
    pub(crate) const BAD_AMOUNT: IssuerPlan = IssuerPlan {
        iso: "110",
        result: AuthorizationResult::Declined,
        decline_reason: None,
        later: None,
    };
}

impl Typed {
    /// The value in a request. `None` if it is missing.
    fn value_in(self, card: &CardAuthorization<'_>) -> Option<String> {
        match self {
            Typed::Expiry => Some(card.expiry.mmyy()),
            // Exposed to be compared with test values.
            Typed::SecurityCode => match card.security_code {
                SecurityCodeData::Given(code) => Some(code.expose().to_owned()),
                SecurityCodeData::NotGiven | SecurityCodeData::Lost => None,
            },
            // Exposed to be compared with test values.
            Typed::HolderName => card.holder_name.map(|name| name.expose().to_uppercase()),
        }
    }
}

/// The mark-up of every rate, over the reference rate.
const MARK_UP_PERCENT: &str = "3.00";

const UNKNOWN_NUMBER: Scenario = Scenario(111);

/// The scenario whose issuer insists on a challenge, whichever exemption is asked for.
const INSISTING: u16 = 310;

/// The scenario whose issuer declines payments without an authentication.
const DEMANDING: u16 = 311;

/// The scenario whose issuer declines all payments for want of an authentication, also after a challenge.
const UNCONVINCED: u16 = 312;

/// The scenario whose issuer declines payments without an authentication, and offers none.
const UNREACHABLE: u16 = 313;

/// The scenario whose issuer asks for a confirmation by the buyer's device.
const CONFIRMING: u16 = 314;

/// The scenario whose issuer asks the buyer in its app.
const IN_APP: u16 = 315;

/// The scenario whose issuer compares the values that were typed beside the number.
const COMPARING: u16 = 400;

/// The buyer's bank disputes each capture.
const DISPUTED: Scenario = Scenario(750);

/// What the bank of such a card opens.
const DISPUTE: PlannedDispute = PlannedDispute {
    after: Duration::from_secs(60),
    kind: DisputeKind::Chargeback,
    category: DisputeCategory::NotReceived,
    reason_code: "TEST",
    to_respond: Duration::from_secs(10 * 86_400),
};

/// The values that this issuer refuses, and the response code. The first match counts. All other values are approved.
const COMPARED: &[(Typed, &str, u16)] = &[
    (Typed::Expiry, "1240", 101),
    (Typed::SecurityCode, "999", 129),
    (Typed::SecurityCode, "9999", 129),
    (Typed::HolderName, "NO MATCH", 119),
];

struct Range {
    bin: &'static str,
    /// The digits before the scenario.
    prefixes: &'static [&'static str],
    networks: &'static [Network],
    country: &'static str,
    funding: Funding,
    currency: &'static str,
}

const fn range(
    bin: &'static str,
    prefixes: &'static [&'static str],
    networks: &'static [Network],
    issuer: (&'static str, Funding, &'static str),
) -> Range {
    Range {
        bin,
        prefixes,
        networks,
        country: issuer.0,
        funding: issuer.1,
        currency: issuer.2,
    }
}

const ITALIAN: (&str, Funding, &str) = ("ITA", Funding::Credit, "EUR");
const ITALIAN_DEBIT: (&str, Funding, &str) = ("ITA", Funding::Debit, "EUR");
const ITALIAN_PREPAID: (&str, Funding, &str) = ("ITA", Funding::Prepaid, "EUR");
const FRENCH_DEBIT: (&str, Funding, &str) = ("FRA", Funding::Debit, "EUR");

#[rustfmt::skip]
const RANGES: &[Range] = {
    use Network::*;
    &[
        range("47617300", &["476173000000", "476173000", "476173000000000"], &[Visa], ITALIAN),
        range("54133300", &["541333000000"], &[Mastercard], ITALIAN),
        range("22230000", &["222300000000"], &[Mastercard], ITALIAN),
        range("37424500", &["37424500000"], &[Amex], ITALIAN),
        range("36148900", &["3614890000"], &[Diners], ITALIAN),
        range("67999900", &["679999000000000"], &[Maestro], ITALIAN_DEBIT),
        range("62000000", &["620000000000000"], &[UnionPay], ("CHN", Funding::Credit, "CNY")),
        range("35301100", &["353011000000"], &[Jcb], ("JPN", Funding::Credit, "JPY")),
        range("65100000", &["651000000000"], &[Discover], ("USA", Funding::Credit, "USD")),
        range("47617325", &["476173250000"], &[Visa, CartesBancaires], FRENCH_DEBIT),
        range("54133325", &["541333250000"], &[Mastercard, CartesBancaires], FRENCH_DEBIT),
        range("67030000", &["670300000000"], &[Maestro, Bancontact], ("BEL", Funding::Debit, "EUR")),
        range("47617350", &["476173500000"], &[Visa], ITALIAN_PREPAID),
        range("54133350", &["541333500000"], &[Mastercard], ITALIAN_PREPAID),
        range("47617356", &["476173560000"], &[Visa], ITALIAN_DEBIT),
        range("54133356", &["541333560000"], &[Mastercard], ITALIAN_DEBIT),
        range("47617384", &["476173840000"], &[Visa], ("USA", Funding::Credit, "USD")),
        range("47617382", &["476173826000"], &[Visa], ("GBR", Funding::Credit, "GBP")),
        range("54133339", &["541333392000"], &[Mastercard], ("JPN", Funding::Credit, "JPY")),
        range("47617341", &["476173414000"], &[Visa], ("KWT", Funding::Credit, "KWD")),
    ]
};

/// The documented and the widely known cards, with their scenarios.
#[rustfmt::skip]
const KNOWN: &[(&str, u16)] = &[
    ("4349940199004549", 0), ("5186151650005008", 0), ("4349940199997007", 100), ("5533893874304465", 100),
    ("4111111111111111", 0), ("5555555555554444", 0), ("2223003122003222", 0), ("378282246310005", 0),
    ("371449635398431", 0), ("30569309025904", 0), ("38520000023237", 0), ("6759649826438453", 0),
    ("6205500000000000004", 0), ("3530111333300000", 0), ("6011111111111117", 0),
];

const DOCUMENTED: &[(&str, &[&str])] = &[
    ("4349940199004549", &["0526", "1230"]),
    ("5186151650005008", &["1226"]),
    ("4349940199997007", &["1228"]),
    ("5533893874304465", &["1228"]),
];

const RATES: &[(&str, ExchangeRate)] = &[
    ("USD", ExchangeRate::from_billionths(897_085_020)),
    ("GBP", ExchangeRate::from_billionths(1_168_224_299)),
    ("JPY", ExchangeRate::from_billionths(6_147_000)),
    ("KWD", ExchangeRate::from_billionths(2_918_500_000)),
];

type IsoPlan = (
    u16,
    &'static str,
    AuthorizationResult,
    Option<(&'static str, AuthorizationResult)>,
);

#[rustfmt::skip]
const ISO: &[IsoPlan] = {
    use AuthorizationResult::*;
    &[
        (100, "100", Declined, None), (101, "101", Declined, None), (102, "102", Declined, None),
        (104, "104", Declined, None), (106, "106", Declined, None), (109, "109", Declined, None),
        (110, "110", Declined, None), (111, "111", Declined, None), (115, "115", Declined, None),
        (116, "116", Declined, None), (117, "117", Declined, None), (118, "118", Declined, None),
        (119, "119", Declined, None), (120, "120", Declined, None), (121, "121", Declined, None),
        (122, "122", Declined, None), (123, "123", Declined, None), (124, "124", Declined, None),
        (125, "125", Declined, None), (126, "126", Declined, None), (129, "129", Declined, None),
        (200, "200", Declined, None), (202, "202", Declined, None), (204, "204", Declined, None),
        (208, "208", Declined, None), (209, "209", Declined, None), (210, "210", Declined, None),
        (413, "413", Declined, None), (888, "888", Pending, Some(("000", Approved))),
        (902, "902", Failed, None), (903, "903", Failed, None), (904, "904", Failed, None),
        (906, "906", Failed, None), (907, "907", Pending, Some(("907", Declined))),
        (908, "908", Failed, None), (909, "909", Failed, None),
        (911, "911", Pending, Some(("000", Approved))), (913, "913", Declined, None),
        (999, "999", Failed, None),
    ]
};

#[cfg(test)]
mod tests;
