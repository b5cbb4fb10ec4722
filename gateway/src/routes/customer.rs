//! `customerInfo`: who buys, where the goods go, and what 3-D Secure may use (contract 2.3).

use super::error::RequestErrors;
use super::fields::{Presence, Section};
use super::requests::customer::{AccountInfo, Address, CustomerInfo, RiskIndicator};
use super::requests::forms::{Indicators2, Indicators4, Indicators5, Indicators7};
use super::requests::{Member, Part};
use payframe_error_codes::ErrorCode::{PS0009, PS0026};
use payframe_money::minor_digits;
use serde_json::{Map, Value};

/// Reads `customerInfo` and returns it clean.
pub(crate) fn read(
    holder: &Section,
    part: &Part<CustomerInfo>,
    findings: &mut RequestErrors,
) -> Option<Map<String, Value>> {
    if !part.is_there() {
        return None;
    }
    let optional = Presence::Optional;
    let mut info = holder.section("customerInfo", part, optional, findings);
    let sent = part.members();
    for (name, member) in [
        ("cardHolderName", &sent.card_holder_name),
        ("cardHolderEmail", &sent.card_holder_email),
    ] {
        info.free_text(name, member, optional, 0..=255, findings);
    }
    for (name, part) in [
        ("billingAddress", &sent.billing_address),
        ("shippingAddress", &sent.shipping_address),
    ] {
        if part.is_there() {
            let section = info.section(name, part, optional, findings);
            let address = address(section, part.members(), findings);
            info.put(name, address);
        }
    }
    for (name, member, most) in [
        ("mobilePhoneCountryCode", &sent.mobile_phone_country_code, 4),
        ("mobilePhone", &sent.mobile_phone, 15),
        ("homePhone", &sent.home_phone, 19),
        ("workPhone", &sent.work_phone, 19),
    ] {
        info.customers_id(name, member, most, findings);
    }
    let part = &sent.card_holder_acct_info;
    if part.is_there() {
        let section = info.section("cardHolderAcctInfo", part, optional, findings);
        let account = account(section, part.members(), findings);
        info.put("cardHolderAcctInfo", account);
    }
    let part = &sent.merchant_risk_indicator;
    if part.is_there() {
        let section = info.section("merchantRiskIndicator", part, optional, findings);
        let risk = risk(section, part.members(), findings);
        info.put("merchantRiskIndicator", risk);
    }
    info.customers_id("taxCode", &sent.tax_code, 21, findings);
    Some(info.document())
}

fn address(
    mut address: Section,
    sent: &Address,
    findings: &mut RequestErrors,
) -> Map<String, Value> {
    for (name, member, characters) in [
        ("name", &sent.name, 0..=50),
        ("street", &sent.street, 1..=50),
        ("additionalInfo", &sent.additional_info, 0..=50),
        ("city", &sent.city, 1..=50),
        ("postCode", &sent.post_code, 0..=16),
        ("province", &sent.province, 0..=3),
    ] {
        address.free_text(name, member, Presence::Optional, characters, findings);
    }
    // An unknown country does not get here: such an address is left out (`super::addresses`).
    if let Some(country) = country_of(&sent.country) {
        address.put("country", country);
    }
    address.document()
}

/// The country that a member names.
pub(super) fn country_of(member: &Member) -> Option<String> {
    member.sent().and_then(Value::as_str).and_then(country)
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

fn account(
    mut account: Section,
    sent: &AccountInfo,
    findings: &mut RequestErrors,
) -> Map<String, Value> {
    for (name, member) in [
        ("chAccDate", &sent.ch_acc_date),
        ("chAccChangeDate", &sent.ch_acc_change_date),
        ("chAccPwChangeDate", &sent.ch_acc_pw_change_date),
        (
            "destinationAddressUsageDate",
            &sent.destination_address_usage_date,
        ),
        ("paymentAccAgeDate", &sent.payment_acc_age_date),
    ] {
        account.date(name, member, findings);
    }
    for (name, member) in [
        ("nbPurchaseAccount", &sent.nb_purchase_account),
        ("txnActivityDay", &sent.txn_activity_day),
        ("txnActivityYear", &sent.txn_activity_year),
        ("provisionAttemptsDay", &sent.provision_attempts_day),
    ] {
        account.count(name, member, 0..=u64::MAX, findings);
    }
    for (name, member, codes) in [
        (
            "chAccAgeIndicator",
            &sent.ch_acc_age_indicator,
            Indicators5::CODES,
        ),
        (
            "chAccPwChangeIndicator",
            &sent.ch_acc_pw_change_indicator,
            Indicators5::CODES,
        ),
        (
            "paymentAccIndicator",
            &sent.payment_acc_indicator,
            Indicators5::CODES,
        ),
        (
            "chAccChangeIndicator",
            &sent.ch_acc_change_indicator,
            Indicators4::CODES,
        ),
        (
            "destinationAddressUsageIndicator",
            &sent.destination_address_usage_indicator,
            Indicators4::CODES,
        ),
        (
            "destinationNameIndicator",
            &sent.destination_name_indicator,
            Indicators2::CODES,
        ),
        (
            "suspiciousAccActivity",
            &sent.suspicious_acc_activity,
            Indicators2::CODES,
        ),
    ] {
        account.one_of(name, member, codes, findings);
    }
    account.document()
}

fn risk(
    mut risk: Section,
    sent: &RiskIndicator,
    findings: &mut RequestErrors,
) -> Map<String, Value> {
    let optional = Presence::Optional;
    risk.free_text(
        "deliveryEmail",
        &sent.delivery_email,
        optional,
        0..=255,
        findings,
    );
    let timeframe = &sent.delivery_timeframe;
    risk.one_of("deliveryTimeframe", timeframe, Indicators4::CODES, findings);
    let part = &sent.gift_card_amount;
    if part.is_there() {
        let mut gift = risk.section("giftCardAmount", part, optional, findings);
        let sent = part.members();
        gift.amount("value", &sent.value, Presence::Mandatory, findings);
        // A number is returned as a number: existing clients compare it with what they sent.
        if let Some(Value::Number(value)) = sent.value.sent() {
            gift.put("value", value.clone());
        }
        currency(&mut gift, &sent.currency, findings);
        let gift = gift.document();
        risk.put("giftCardAmount", gift);
    }
    risk.count(
        "giftCardCount",
        &sent.gift_card_count,
        0..=u64::MAX,
        findings,
    );
    risk.date("preOrderDate", &sent.pre_order_date, findings);
    for (name, member, codes) in [
        (
            "preOrderPurchaseIndicator",
            &sent.pre_order_purchase_indicator,
            Indicators2::CODES,
        ),
        (
            "reorderItemsIndicator",
            &sent.reorder_items_indicator,
            Indicators2::CODES,
        ),
        ("shipIndicator", &sent.ship_indicator, Indicators7::CODES),
    ] {
        risk.one_of(name, member, codes, findings);
    }
    risk.document()
}

/// A currency's letters, upper-cased (contract 10.2).
pub(crate) fn currency(
    section: &mut Section,
    member: &Member,
    findings: &mut RequestErrors,
) -> Option<String> {
    currency_of(section, member, Presence::Mandatory, findings)
}

/// The same for an optional member.
pub(crate) fn currency_of(
    section: &mut Section,
    member: &Member,
    presence: Presence,
    findings: &mut RequestErrors,
) -> Option<String> {
    let path = section.path_of("currency");
    let Some(value) = member.sent() else {
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
