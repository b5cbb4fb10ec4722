//! Reads a reservation (contract 2.12).

use super::customer::{self, currency};
use super::error::RequestErrors;
use super::fields::{Presence, Section};
use super::order_part::{
    DatedInstallments, read_id, read_installments, read_summary, read_terms_ids,
};
use super::requests::forms::{CollectionTypes, PointUnits, ReservationTypes};
use super::requests::reservation::{CancelationDetails, Reservation};
use super::requests::{Member, Part};
use super::structures::read_times;
use payframe_card_rules::expiry::Date;
use payframe_error_codes::ErrorCode::{PS0008, PS0013, PS0026};
use payframe_money::Amount;
use payframe_payment_domain::calendar::day_text;
use payframe_payment_domain::reservation::{CollectionType, PointUnit, ReservationType};
use payframe_payment_service::reservation_lifecycle::NewReservation;
use serde_json::Value;

/// Reads the reservation `part`.
pub(super) fn read(
    part: &mut Section,
    sent: &Reservation,
    today: Date,
    findings: &mut RequestErrors,
) -> Option<NewReservation> {
    let (mandatory, optional) = (Presence::Mandatory, Presence::Optional);
    let reservation_id = &sent.reservation_id;
    let reservation_id = read_id(part, "reservationId", reservation_id, optional, findings);
    let amount = above_zero(part, "amount", &sent.amount, mandatory, findings);
    let currency = currency(part, &sent.currency, findings);
    let deposit = above_zero(part, "deposit", &sent.deposit, optional, findings);
    if let (Some(amount), Some(deposit)) = (amount, deposit)
        && deposit > amount
    {
        let path = part.path_of("deposit");
        findings.add(PS0026, format!("{path} must not be above the amount"));
    }
    part.free_text(
        "description",
        &sent.description,
        optional,
        0..=255,
        findings,
    );
    let kind = &sent.reservation_type;
    part.must_have("reservationType", kind.is_there(), findings);
    let kind = part.one_of("reservationType", kind, ReservationTypes::CODES, findings);
    let kind = kind.and_then(ReservationType::from_code);
    let structure_id = part.text(
        "structureId",
        &sent.structure_id,
        mandatory,
        1..=36,
        findings,
    );
    let terms_ids = read_terms_ids(part, &sent.terms_and_conditions_ids, findings);
    read_stay(part, sent, findings);
    number(part, "customerNumber", &sent.customer_number, 0, findings);
    part.free_text(
        "customerName",
        &sent.customer_name,
        optional,
        0..=255,
        findings,
    );
    part.free_text(
        "customerSurname",
        &sent.customer_surname,
        optional,
        0..=255,
        findings,
    );
    part.date("linkExpirationDate", &sent.link_expiration_date, findings);
    let collection = &sent.collection_type;
    let collection = part.one_of(
        "collectionType",
        collection,
        CollectionTypes::CODES,
        findings,
    );
    part.customers_id("customerId", &sent.customer_id, 27, findings);
    part.free_text(
        "customField",
        &sent.custom_field,
        optional,
        0..=255,
        findings,
    );
    part.customers_id("customerTaxCode", &sent.customer_tax_code, 21, findings);
    if let Some(info) = customer::read(part, &sent.customer_info, findings) {
        part.put("customerInfo", info);
    }
    let parts = &sent.installments;
    let dated = DatedInstallments::FromTheSecond;
    let first = read_installments(part, parts, amount, today, dated, findings);
    let collection = collection.and_then(CollectionType::from_code);
    let asked = Collection {
        kind,
        collection: collection.unwrap_or(CollectionType::Instant),
        has_parts: parts.is_there(),
        first,
        deposit,
    };
    judge_collection(part, asked, findings);
    read_summary(part, &sent.transaction_summary, findings);
    read_cancellation(part, &sent.cancelation_details, findings);
    Some(NewReservation {
        reservation_id: reservation_id.map(str::to_owned),
        kind: kind?,
        amount: amount?,
        currency: currency?,
        structure_id: structure_id?.to_owned(),
        terms_ids,
        document: part.take_document(),
        plugin_name: None,
    })
}

fn above_zero(
    part: &mut Section,
    name: &str,
    member: &Member,
    presence: Presence,
    findings: &mut RequestErrors,
) -> Option<Amount> {
    let amount = part.amount(name, member, presence, findings);
    if amount.is_some_and(Amount::is_zero) {
        let path = part.path_of(name);
        findings.add(PS0026, format!("{path} must be above 0"));
    }
    amount
}

/// The dates of the stay, and the number of nights.
fn read_stay(part: &mut Section, sent: &Reservation, findings: &mut RequestErrors) {
    let mut days = Vec::new();
    for (name, member) in [
        ("checkInDate", &sent.check_in_date),
        ("checkOutDate", &sent.check_out_date),
    ] {
        part.must_have(name, member.is_there(), findings);
        days.extend(part.date(name, member, findings));
    }
    if let [check_in, check_out] = days.as_slice()
        && check_out < check_in
    {
        let path = part.path_of("checkOutDate");
        findings.add(PS0013, format!("{path} is before checkInDate"));
    }
    let times = [
        &sent.check_in_from_time,
        &sent.check_in_to_time,
        &sent.check_out_from_time,
        &sent.check_out_to_time,
    ];
    read_times(part, times, findings);
    number(
        part,
        "reservationPeriod",
        &sent.reservation_period,
        1,
        findings,
    );
}

/// A number of up to four digits, sent as a text or a number; kept as a text.
fn number(
    part: &mut Section,
    name: &str,
    member: &Member,
    least: u64,
    findings: &mut RequestErrors,
) {
    let Some(value) = member.sent() else {
        return;
    };
    let is_digits = |text: &&str| {
        (1..=4).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let found = match value {
        Value::String(text) => Some(text.as_str())
            .filter(is_digits)
            .and_then(|text| text.parse().ok()),
        other => other.as_u64().filter(|number| *number <= 9999),
    };
    match found.filter(|number| *number >= least) {
        Some(number) => part.put(name, number.to_string()),
        None => {
            let path = part.path_of(name);
            findings.add(
                PS0026,
                format!("{path} must be a whole number from {least} to 9999"),
            );
        }
    }
}

/// How a reservation's money is collected.
struct Collection {
    kind: Option<ReservationType>,
    collection: CollectionType,
    has_parts: bool,
    /// The amount of the first part.
    first: Option<Amount>,
    deposit: Option<Amount>,
}

/// Checks that collection, parts and deposit fit together.
fn judge_collection(part: &Section, asked: Collection, findings: &mut RequestErrors) {
    let Collection {
        kind,
        collection,
        has_parts,
        first,
        deposit,
    } = asked;
    let (type_path, parts_path) = (part.path_of("collectionType"), part.path_of("installments"));
    if kind.is_some_and(ReservationType::is_guaranteed) && collection != CollectionType::Instant {
        let sentence = format!("{type_path} must be INSTANT with a guaranteed reservation");
        findings.add(PS0026, sentence);
    }
    match (collection, has_parts) {
        (CollectionType::Installment, false) => {
            findings.add(PS0026, format!("{parts_path} is missing"));
        }
        (CollectionType::Instant | CollectionType::Delayed, true) => {
            let sentence = format!("{parts_path} is for {type_path} INSTALLMENT");
            findings.add(PS0026, sentence);
        }
        _ => {}
    }
    if let (Some(first), Some(deposit)) = (first, deposit)
        && first != deposit
    {
        let path = part.path_of("deposit");
        findings.add(PS0026, format!("{path} must be the first installment"));
    }
}

/// The cancellation penalties, for each point in time. The member's name comes from the contract.
fn read_cancellation(
    part: &mut Section,
    sent: &Part<CancelationDetails>,
    findings: &mut RequestErrors,
) {
    const NAME: &str = "CancelationDetails";
    const CONDITIONS: &str = "cancellationCondition";
    if !sent.is_there() {
        return;
    }
    let mut details = part.section(NAME, sent, Presence::Optional, findings);
    let sent = sent.members();
    details.must_have("dataType", sent.data_type.is_there(), findings);
    let unit = details.one_of("dataType", &sent.data_type, PointUnits::CODES, findings);
    let unit = unit.and_then(PointUnit::from_code);
    let points = &sent.cancellation_condition;
    details.must_have(CONDITIONS, points.is_there(), findings);
    let mut conditions = Vec::new();
    for (index, item) in details
        .array(CONDITIONS, points, 1..=20, findings)
        .iter()
        .enumerate()
    {
        let mut condition = details.element(CONDITIONS, index, item, findings);
        let sent = item.members();
        read_point(&mut condition, &sent.data_type_value, unit, findings);
        condition.amount("value", &sent.value, Presence::Mandatory, findings);
        conditions.push(Value::Object(condition.document()));
    }
    details.put(CONDITIONS, conditions);
    let details = details.document();
    part.put(NAME, details);
}

/// A day, or a number of hours or days before the check-in.
fn read_point(
    condition: &mut Section,
    member: &Member,
    unit: Option<PointUnit>,
    findings: &mut RequestErrors,
) {
    const NAME: &str = "dataTypeValue";
    let path = condition.path_of(NAME);
    let text = match member.sent() {
        None => {
            findings.add(PS0026, format!("{path} is missing"));
            return;
        }
        Some(Value::String(text)) => text.clone(),
        Some(value) => value
            .as_u64()
            .map(|number| number.to_string())
            .unwrap_or_default(),
    };
    let day = Date::parse(&text);
    let is_count = (1..=4).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    match (unit, day) {
        (Some(PointUnit::Date), Some(day)) => condition.put(NAME, day_text(day)),
        (Some(PointUnit::Date), None) if is_count => {
            findings.add(PS0008, format!("{path} must be a date, YYYY-MM-DD"));
        }
        (Some(PointUnit::HoursBefore | PointUnit::DaysBefore), _) if is_count => {
            condition.put(NAME, text);
        }
        (None, _) if is_count || day.is_some() => {}
        _ => findings.add(
            PS0026,
            format!("{path} must be a whole number from 0 to 9999, or with DATE a date"),
        ),
    }
}
