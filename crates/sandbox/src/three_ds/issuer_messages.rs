//! The parts of an issuer's messages: what AReq says that it decides by, what its page shows, ARes and RReq.

use super::challenges::{Asking, Challenge};
use crate::cards::ChallengeScript;
use crate::issuer_decision::IssuerDecision;
use crate::page_behaviour::script;
use crate::three_ds_server::{APP_NOTICE, authentication_value};
use iso_currency::Currency;
use payframe_card_rules::network::Network;
use payframe_emv_3ds::element::TransactionId;
use payframe_emv_3ds::message::{
    AuthenticationCall, ChallengeIndicator, ChallengePreferences, Message, ResultsCall,
    TransactionStatus, Version, YesNo,
};
use payframe_money::Amount;
use payframe_payment_domain::external_3ds::eci;
use payframe_payment_domain::session::ChallengeMeans;
use payframe_payment_domain::terms::FramingPages;
use payframe_payment_ports::three_ds_server::{
    Authentication, ChallengePreference, Confirmation, RequestedExemption,
};
use payframe_payment_service::ChallengeView;
use serde_json::{Map, Value, json};

/// What ARes says of a decision. `may_ask_apart`: whether the merchant allows a decoupled authentication.
pub(super) fn decided(
    decision: IssuerDecision,
    network: Network,
    value: &str,
    may_ask_apart: Option<YesNo>,
) -> Map<String, Value> {
    let proven = |status, authentication| json!({ "transStatus": status, "authenticationValue": value, "eci": eci(network, authentication) });
    elements(match decision {
        IssuerDecision::Authenticated => proven("Y", Authentication::Full),
        IssuerDecision::Attempted => proven("A", Authentication::Attempted),
        IssuerDecision::Decoupled if may_ask_apart == Some(YesNo::Yes) => {
            json!({ "transStatus": "D", "acsDecConInd": "Y", "cardholderInfo": APP_NOTICE })
        }
        // Neither device nor app may be asked.
        IssuerDecision::Challenge | IssuerDecision::Confirmation | IssuerDecision::Decoupled => {
            json!({ "transStatus": "C", "acsChallengeMandated": "Y" })
        }
        IssuerDecision::Refused => {
            json!({ "transStatus": "R", "transStatusReason": SUSPECTED_FRAUD })
        }
        IssuerDecision::NotConfirmed => {
            json!({ "transStatus": "N", "transStatusReason": NOT_AUTHENTICATED })
        }
        IssuerDecision::Unavailable => {
            json!({ "transStatus": "U", "transStatusReason": TECHNICAL_ISSUE })
        }
        IssuerDecision::Exempt | IssuerDecision::DataShared => json!({ "transStatus": "I" }),
    })
}

/// What ARes says of a confirmation that the browser is asked for.
pub(super) fn asking_for(confirmation: &Confirmation) -> Map<String, Value> {
    let credential = |id| json!({ "rpID": confirmation.rp_id, "credentialIds": id });
    let credentials: Vec<Value> = confirmation.credential_ids.iter().map(credential).collect();
    let mut shown = elements(json!({
        "challenge": confirmation.challenge,
        "currency": confirmation.currency,
        "value": confirmation.value,
        "displayName": confirmation.instrument_name,
        "icon": confirmation.instrument_icon,
        "timeout": confirmation.timeout_ms.to_string(),
    }));
    let payee = [
        ("payeeName", &confirmation.payee_name),
        ("payeeOrigin", &confirmation.payee_origin),
    ];
    for (name, value) in payee {
        shown.extend(value.as_ref().map(|value| (name.to_owned(), json!(value))));
    }
    elements(json!({ "transStatus": "S", "spcTransData": shown, "webAuthnCredList": credentials }))
}

/// The elements of RReq.
pub(super) fn results(
    id: &TransactionId,
    challenge: &Challenge,
    status: TransactionStatus,
    is_cancelled: bool,
) -> Map<String, Value> {
    let mut results = elements(json!({
        "messageType": ResultsCall::TYPE,
        "messageVersion": challenge.version.code(),
        "messageCategory": PAYMENT,
        "threeDSServerTransID": &*challenge.server_transaction_id,
        "dsTransID": &*challenge.ds_transaction_id,
        "acsTransID": &**id,
        "transStatus": status.code(),
        "interactionCounter": format!("{:02}", challenge.wrong_codes.saturating_add(1)),
    }));
    results.extend(method_of(challenge.version, challenge.asking));
    results.extend(elements(match status {
        TransactionStatus::Authenticated => json!({
            "authenticationValue": authentication_value(&format!("{} after a challenge", &**id)),
            "eci": eci(challenge.network, Authentication::Full),
        }),
        _ => json!({ "transStatusReason": NOT_AUTHENTICATED }),
    }));
    if is_cancelled {
        results.insert(String::from("challengeCancel"), json!(CANCELLED_BY_BUYER));
    }
    results
}

/// How the issuer authenticates.
pub(super) fn method_of(version: Version, asking: Asking) -> Map<String, Value> {
    elements(match (version, asking) {
        (Version::V2_2_0, Asking::ByCode) => json!({ "authenticationType": BY_CODE }),
        (Version::V2_2_0, Asking::InApp) => json!({ "authenticationType": DECOUPLED }),
        (Version::V2_3_1, Asking::ByCode) => json!({ "authenticationMethod": [BY_CODE] }),
        (Version::V2_3_1, Asking::InApp) => json!({ "authenticationMethod": [PUSH_CONFIRMATION] }),
    })
}

/// What the merchant prefers most.
pub(super) fn preference(told: Option<&ChallengePreferences>) -> ChallengePreference {
    let first = match told {
        None => return ChallengePreference::None,
        Some(ChallengePreferences::One(indicator)) => Some(*indicator),
        Some(ChallengePreferences::List(list)) => list.first().copied(),
    };
    let exemption = match first {
        None | Some(ChallengeIndicator::NoPreference) => return ChallengePreference::None,
        Some(ChallengeIndicator::Requested | ChallengeIndicator::TrustPrompt) => {
            return ChallengePreference::ChallengeRequested;
        }
        Some(ChallengeIndicator::Mandated) => return ChallengePreference::ChallengeMandated,
        Some(ChallengeIndicator::DataShareOnly) => return ChallengePreference::DataShareOnly,
        Some(ChallengeIndicator::NoChallenge) => RequestedExemption::RecurringSameAmount,
        Some(ChallengeIndicator::RiskAnalysed) => RequestedExemption::RiskAnalysis,
        Some(ChallengeIndicator::AuthenticatedElsewhere) => {
            RequestedExemption::DelegatedAuthentication
        }
        Some(ChallengeIndicator::Trusted) => RequestedExemption::TrustedBeneficiary,
        Some(ChallengeIndicator::LowValue) => RequestedExemption::LowValue,
    };
    ChallengePreference::Exemption(exemption)
}

/// What is to be paid: the amount, and the letters of its currency.
pub(super) fn sum(asked: &AuthenticationCall) -> (Amount, &'static str) {
    let currency = asked.currency.parse().ok().and_then(Currency::from_numeric);
    let amount = asked.amount.parse().ok().and_then(Amount::from_minor);
    (
        amount.unwrap_or_default(),
        currency.map_or("", |currency| currency.code()),
    )
}

/// What the page of the challenge shows.
pub(super) fn view(asked: &AuthenticationCall, number: &str) -> ChallengeView {
    let (amount, currency) = sum(asked);
    ChallengeView {
        framing: FramingPages::only(&*asked.requestor_url),
        merchant: asked.merchant_name.to_string(),
        amount,
        currency: currency.to_owned(),
        language: asked.browser_language.to_string(),
        last4: number
            .get(number.len().saturating_sub(4)..)
            .unwrap_or_default()
            .to_owned(),
        never_ends: script(asked.account_number.secret()) == ChallengeScript::Endless,
        means: Some(ChallengeMeans::Page),
        framed_by_us: false,
    }
}

pub(super) fn elements(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(elements) => elements,
        _ => Map::new(),
    }
}

const PAYMENT: &str = "01";
/// `transStatusReason`
const NOT_AUTHENTICATED: &str = "01";
const SUSPECTED_FRAUD: &str = "11";
const TECHNICAL_ISSUE: &str = "22";
/// `authenticationType`, `authenticationMethod`: a code that was sent to the buyer.
const BY_CODE: &str = "02";
/// `authenticationType`: apart from the browser.
const DECOUPLED: &str = "04";
/// `authenticationMethod`: the buyer confirms a message of the issuer's app.
const PUSH_CONFIRMATION: &str = "11";
/// `challengeCancel`: the cardholder pressed "cancel".
const CANCELLED_BY_BUYER: &str = "01";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preference_is_read_as_either_version_writes_it() {
        use ChallengeIndicator::{DataShareOnly, LowValue, Mandated, Requested};
        let one = |indicator| preference(Some(&ChallengePreferences::One(indicator)));
        let list = |list: &[ChallengeIndicator]| {
            preference(Some(&ChallengePreferences::List(list.to_vec())))
        };
        assert_eq!(preference(None), ChallengePreference::None);
        assert_eq!(one(Mandated), ChallengePreference::ChallengeMandated);
        assert_eq!(one(DataShareOnly), ChallengePreference::DataShareOnly);
        assert_eq!(
            list(&[Requested, Mandated]),
            ChallengePreference::ChallengeRequested
        );
        assert_eq!(
            list(&[LowValue]),
            ChallengePreference::Exemption(RequestedExemption::LowValue)
        );
        assert_eq!(list(&[]), ChallengePreference::None);
    }
}
