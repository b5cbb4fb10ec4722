//! Reads `POST /orders/build` (contract 2.1 to 2.5, 3.1, 3.7).

use super::creation_rules::{Headers, Rules};
use super::error::{ApiError, RequestErrors};
use super::fields::{Presence, Section};
use super::form_request::{read_form, validate_card_on_file};
use super::payment_part::{Services, read_payment};
use super::requests::creation::OpenPayment;
use super::requests::{Member, Part};
use payframe_error_codes::ErrorCode::{GW0001, PS0026};
use payframe_payment_domain::operation::ActionType;
use payframe_payment_domain::terms::{FramingPages, Version};
use payframe_payment_service::create_session::NewSession;
use payframe_payment_service::merchant_urls::{exact_origin, merchant_origin};
use serde_json::Value;

/// Reads the request. Every error of the first group with an error is reported.
pub(crate) fn read(
    body: &Part<OpenPayment>,
    headers: &Headers<'_>,
    rules: &Rules<'_>,
) -> Result<NewSession, ApiError> {
    let mut findings = RequestErrors::default();
    let new_session = read_body(body, headers, rules, &mut findings);
    findings.into_result()?;
    // Without a finding, all mandatory members were read.
    new_session.ok_or(ApiError::Ours)
}

fn read_body(
    body: &Part<OpenPayment>,
    headers: &Headers<'_>,
    rules: &Rules<'_>,
    findings: &mut RequestErrors,
) -> Option<NewSession> {
    let whole = Section::body(body, findings);
    let sent = body.members();
    let version = read_version(&sent.version, findings);
    let url = sent.merchant_url.sent().and_then(Value::as_str);
    let merchant_origin = match url {
        Some(url) => merchant_origin(url, rules.config.mode.allows_insecure_urls()),
        None => None,
    };
    if merchant_origin.is_none() {
        findings.add(
            GW0001,
            "merchantUrl must be an https origin, as in https://shop.example",
        );
    }
    let ancestors = read_ancestors(&whole, &sent.ancestor_origins, rules, findings);
    let payment = read_payment(
        &whole,
        (&sent.order, &sent.payment_session),
        headers,
        rules,
        (Presence::Mandatory, Services::Methods),
        findings,
    );
    let form = read_form(&whole, &sent.form, findings);
    let payment = payment?;
    payment.order.refuse_terms(findings);
    let (form, offer) = form?;
    if let Some(form) = &form {
        validate_card_on_file(&form.card_on_file, &payment, rules.terminal, findings);
    }
    if payment.session.action != ActionType::Pay
        && form
            .as_ref()
            .is_some_and(|form| !form.installments.is_empty())
    {
        findings.add(
            PS0026,
            "form.installments is for paymentSession.actionType PAY",
        );
    }
    let (version, merchant_origin) = (version?, merchant_origin?);
    let framing = FramingPages {
        merchant: merchant_origin,
        ancestors,
    };
    Some(payment.new_session(version, framing, form, offer, headers, rules))
}

/// The origins that may contain the merchant's page in a frame: each exact.
fn read_ancestors(
    whole: &Section,
    member: &Member,
    rules: &Rules<'_>,
    findings: &mut RequestErrors,
) -> Vec<String> {
    let name = "ancestorOrigins";
    let insecure = rules.config.mode.allows_insecure_urls();
    let mut ancestors = Vec::new();
    for (place, text) in whole
        .texts(name, member, 0..=MOST_ANCESTORS, findings)
        .into_iter()
        .enumerate()
    {
        match exact_origin(text, insecure) {
            Some(origin) if !ancestors.contains(&origin) => ancestors.push(origin),
            Some(_) => {}
            None => findings.add(
                PS0026,
                format!("{name}[{place}] must be an https origin without a path, as in https://hotel.example"),
            ),
        }
    }
    ancestors
}

/// Enough for a widget in a widget in a page under several names.
const MOST_ANCESTORS: usize = 8;

fn read_version(member: &Member, findings: &mut RequestErrors) -> Option<Version> {
    let version = match member.sent() {
        None => Some(Version::Three),
        Some(Value::String(text)) if text == "2" => Some(Version::Two),
        Some(Value::String(text)) if text == "3" => Some(Version::Three),
        Some(Value::Number(number)) if number.as_u64() == Some(2) => Some(Version::Two),
        Some(Value::Number(number)) if number.as_u64() == Some(3) => Some(Version::Three),
        Some(_) => None,
    };
    if version.is_none() {
        findings.add(PS0026, "version must be one of 2, 3");
    }
    version
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use payframe_card_rules::expiry::Date;
    use payframe_payment_domain::terms::Terminal;
    use payframe_payment_ports::bin_lookup::PublicRanges;
    use payframe_payment_ports::wallet_tokens::NoWalletTokens;
    use proptest::prelude::*;
    use serde_json::json;

    /// Stands for every value that must not be repeated in an answer.
    const MARK: &str = "Xq7Zt";

    fn read_any(body: &Value) -> Result<NewSession, ApiError> {
        let terminal = Terminal::with_everything();
        let today = Date {
            year: 2026,
            month: 11,
            day: 20,
        };
        let rules = Rules {
            config: &Config::sandbox(),
            terminal: &terminal,
            bins: &PublicRanges,
            wallet_tokens: &NoWalletTokens,
            today,
        };
        let headers = Headers {
            plugin_name: None,
            correlation_id: "",
        };
        read(&Part::of(body), &headers, &rules)
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            ".{0,40}".prop_map(|text| Value::from(format!("{MARK}{text}"))),
            Just(json!("PAY")),
            Just(json!("3545")),
        ];
        leaf.prop_recursive(3, 24, 4, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                proptest::collection::hash_map("[a-z]{1,8}", inner, 0..4)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    const PLACES: [&str; 24] = [
        "/version",
        "/merchantUrl",
        "/order",
        "/order/orderId",
        "/order/amount",
        "/order/currency",
        "/order/description",
        "/order/customerInfo",
        "/order/customerInfo/billingAddress",
        "/order/customerInfo/cardHolderAcctInfo",
        "/order/customerInfo/merchantRiskIndicator",
        "/order/transactionSummary",
        "/order/installments",
        "/order/installments/0",
        "/order/plan",
        "/order/termsAndConditionsIds",
        "/paymentSession",
        "/paymentSession/amount",
        "/paymentSession/recurrence",
        "/paymentSession/language",
        "/paymentSession/resultUrl",
        "/paymentSession/captureType",
        "/form",
        "/form/attempts",
    ];

    proptest! {
        #[test]
        fn no_body_makes_the_reader_panic_or_repeat_what_was_sent(
            values in proptest::collection::vec((0..PLACES.len(), any_json()), 1..4),
        ) {
            let mut body = json!({
                "version": "3", "merchantUrl": "https://shop.example",
                "order": {
                    "orderId": "A1", "amount": "3545", "currency": "EUR", "description": "",
                    "customerInfo": { "billingAddress": {}, "cardHolderAcctInfo": {}, "merchantRiskIndicator": {} },
                    "transactionSummary": [], "plan": {}, "termsAndConditionsIds": [],
                    "installments": [{ "date": "2027-01-01", "amount": "1" }, { "date": "2027-02-01", "amount": "1" }]
                },
                "paymentSession": {
                    "amount": "3545", "recurrence": {}, "language": "ita", "captureType": "IMPLICIT",
                    "resultUrl": "https://shop.example", "cancelUrl": "https://shop.example"
                },
                "form": { "attempts": 1 }
            });
            for (place, value) in values {
                if let Some(member) = body.pointer_mut(PLACES[place]) {
                    *member = value;
                }
            }
            match read_any(&body) {
                Ok(_) => {}
                Err(ApiError::Because(_, problems)) => {
                    for problem in problems {
                        prop_assert!(problem.description.chars().count() <= 255, "{}", problem.description);
                        prop_assert!(!problem.description.contains(MARK), "{}", problem.description);
                    }
                }
                Err(other) => prop_assert!(false, "{other:?}"),
            }
        }
    }
}
