//! `customerInfo`: who buys, where it goes, and what 3-D Secure may want to know (contract 2.3).

use super::error::Findings;
use super::fields::{Presence, Section};
use super::request_schema;
use crate::error_code::ErrorCode::{PS0009, PS0026};
use payframe_money::minor_digits;
use serde_json::{Map, Value};

/// Reads `customerInfo` and answers it clean.
pub(crate) fn read(order: &Section<'_>, findings: &mut Findings) -> Option<Map<String, Value>> {
    if !order.has("customerInfo") {
        return None;
    }
    let mut info = order.section("customerInfo", Presence::Optional, findings);
    info.text("cardHolderName", Presence::Optional, 0..=255, findings);
    info.text("cardHolderEmail", Presence::Optional, 0..=255, findings);
    for name in ["billingAddress", "shippingAddress"] {
        if info.has(name) {
            let address = address(info.section(name, Presence::Optional, findings), findings);
            info.put(name, address);
        }
    }
    info.text(
        "mobilePhoneCountryCode",
        Presence::Optional,
        0..=4,
        findings,
    );
    info.text("mobilePhone", Presence::Optional, 0..=15, findings);
    info.text("homePhone", Presence::Optional, 0..=19, findings);
    info.text("workPhone", Presence::Optional, 0..=19, findings);
    if info.has("cardHolderAcctInfo") {
        let account = account(
            info.section("cardHolderAcctInfo", Presence::Optional, findings),
            findings,
        );
        info.put("cardHolderAcctInfo", account);
    }
    if info.has("merchantRiskIndicator") {
        let risk = risk(
            info.section("merchantRiskIndicator", Presence::Optional, findings),
            findings,
        );
        info.put("merchantRiskIndicator", risk);
    }
    info.text("taxCode", Presence::Optional, 0..=21, findings);
    Some(info.document())
}

fn address(mut address: Section<'_>, findings: &mut Findings) -> Map<String, Value> {
    address.text("name", Presence::Optional, 0..=50, findings);
    address.text("street", Presence::Optional, 1..=50, findings);
    address.text("additionalInfo", Presence::Optional, 0..=50, findings);
    address.text("city", Presence::Optional, 1..=50, findings);
    address.text("postCode", Presence::Optional, 0..=16, findings);
    address.text("province", Presence::Optional, 0..=3, findings);
    // No other one comes so far: such an address is left out (`super::addresses`).
    let value = address.value_of("country", Presence::Optional, request_schema::country);
    if let Some(country) = value.and_then(Value::as_str).and_then(country) {
        address.put("country", country);
    }
    address.document()
}

/// A country's three letters, upper-cased (contract 10.4). Existing clients send two: `IT` is `ITA`.
pub(super) fn country(text: &str) -> Option<String> {
    let upper = text.to_ascii_uppercase();
    if upper == "XK" {
        return Some(String::from("XKX"));
    }
    if upper.len() == 2 {
        return rust_iso3166::from_alpha2(&upper).map(|country| country.alpha3.to_owned());
    }
    (upper == "XKX" || (upper.len() == 3 && rust_iso3166::from_alpha3(&upper).is_some()))
        .then_some(upper)
}

fn account(mut account: Section<'_>, findings: &mut Findings) -> Map<String, Value> {
    for name in [
        "chAccDate",
        "chAccChangeDate",
        "chAccPwChangeDate",
        "destinationAddressUsageDate",
        "paymentAccAgeDate",
    ] {
        account.date(name, findings);
    }
    for name in [
        "nbPurchaseAccount",
        "txnActivityDay",
        "txnActivityYear",
        "provisionAttemptsDay",
    ] {
        account.count(name, 0..=u64::MAX, findings);
    }
    for name in [
        "chAccAgeIndicator",
        "chAccPwChangeIndicator",
        "paymentAccIndicator",
    ] {
        account.one_of(name, &["01", "02", "03", "04", "05"], findings);
    }
    for name in ["chAccChangeIndicator", "destinationAddressUsageIndicator"] {
        account.one_of(name, &["01", "02", "03", "04"], findings);
    }
    account.one_of("destinationNameIndicator", &["01", "02"], findings);
    account.one_of("suspiciousAccActivity", &["01", "02"], findings);
    account.document()
}

fn risk(mut risk: Section<'_>, findings: &mut Findings) -> Map<String, Value> {
    risk.text("deliveryEmail", Presence::Optional, 0..=255, findings);
    risk.one_of("deliveryTimeframe", &["01", "02", "03", "04"], findings);
    if risk.has("giftCardAmount") {
        let mut gift = risk.section("giftCardAmount", Presence::Optional, findings);
        gift.amount("value", Presence::Mandatory, findings);
        // A number is answered as one: existing clients compare what they have sent.
        if let Some(Value::Number(value)) =
            gift.value_of("value", Presence::Mandatory, request_schema::amount)
        {
            gift.put("value", value.clone());
        }
        currency(&mut gift, findings);
        let gift = gift.document();
        risk.put("giftCardAmount", gift);
    }
    risk.count("giftCardCount", 0..=u64::MAX, findings);
    risk.date("preOrderDate", findings);
    risk.one_of("preOrderPurchaseIndicator", &["01", "02"], findings);
    risk.one_of("reorderItemsIndicator", &["01", "02"], findings);
    risk.one_of(
        "shipIndicator",
        &["01", "02", "03", "04", "05", "06", "07"],
        findings,
    );
    risk.document()
}

/// A currency's letters, upper-cased (contract 10.2).
pub(crate) fn currency(section: &mut Section<'_>, findings: &mut Findings) -> Option<String> {
    currency_of(section, Presence::Mandatory, findings)
}

/// The same where it may be missing.
pub(crate) fn currency_of(
    section: &mut Section<'_>,
    presence: Presence,
    findings: &mut Findings,
) -> Option<String> {
    let path = section.path_of("currency");
    let schema = || request_schema::pattern("^[A-Za-z]{3}$", "EUR");
    let Some(value) = section.value_of("currency", presence, schema) else {
        if presence == Presence::Mandatory {
            findings.add(PS0026, format!("{path} is missing"));
        }
        return None;
    };
    let Some(text) = value.as_str() else {
        findings.add(PS0026, format!("{path} must be a text"));
        return None;
    };
    let upper = text.to_ascii_uppercase();
    if minor_digits(&upper).is_none() {
        findings.add(
            PS0009,
            format!("{path} must be the letters of a currency that the terminal accepts"),
        );
        return None;
    }
    section.put("currency", upper.as_str());
    Some(upper)
}
