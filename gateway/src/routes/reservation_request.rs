//! Reading a reservation (contract 2.12): of `POST /reservations`, where it may stand in `reservation` or be the body itself.

use super::customer::{self, currency};
use super::error::Findings;
use super::fields::{Presence, Section};
use super::order_part::{Dated, read_id, read_installments, read_summary, read_terms_ids};
use super::structures::{read_times, wrapped};
use crate::error_code::ErrorCode::{PS0008, PS0013, PS0026};
use crate::payments::reservation_life::NewReservation;
use payframe_card_rules::expiry::Date;
use payframe_money::Amount;
use payframe_payment_domain::calendar::day_text;
use payframe_payment_domain::reservation::{CollectionType, PointUnit, ReservationType};
use serde_json::{Value, json};

/// Reads the reservation of a body.
pub(super) fn read(
    body: &mut Section<'_>,
    today: Date,
    findings: &mut Findings,
) -> Option<NewReservation> {
    match wrapped(body, "reservation", findings) {
        Some(mut reservation) => read_members(&mut reservation, today, findings),
        None => read_members(body, today, findings),
    }
}

fn read_members(
    part: &mut Section<'_>,
    today: Date,
    findings: &mut Findings,
) -> Option<NewReservation> {
    let optional = Presence::Optional;
    let reservation_id = read_id(part, "reservationId", optional, findings);
    let amount = above_zero(part, "amount", Presence::Mandatory, findings);
    let currency = currency(part, findings);
    let deposit = above_zero(part, "deposit", optional, findings);
    if let (Some(amount), Some(deposit)) = (amount, deposit)
        && deposit > amount
    {
        let path = part.path_of("deposit");
        findings.add(PS0026, format!("{path} must not be above the amount"));
    }
    part.text("description", optional, 0..=255, findings);
    part.must_have("reservationType", findings);
    let kind = part.one_of("reservationType", &ReservationType::CODES, findings);
    let kind = kind.and_then(ReservationType::from_code);
    let structure_id = part.text("structureId", Presence::Mandatory, 1..=36, findings);
    let terms_ids = read_terms_ids(part, findings);
    read_stay(part, findings);
    number(part, "customerNumber", 0, findings);
    for name in ["customerName", "customerSurname"] {
        part.text(name, optional, 0..=255, findings);
    }
    part.date("linkExpirationDate", findings);
    let collection = part.one_of("collectionType", &CollectionType::CODES, findings);
    part.text("customerId", optional, 0..=27, findings);
    part.text("customField", optional, 0..=255, findings);
    part.text("customerTaxCode", optional, 0..=21, findings);
    if let Some(info) = customer::read(part, findings) {
        part.put("customerInfo", info);
    }
    let first = read_installments(part, amount, today, Dated::FromTheSecond, findings);
    let collection = collection.and_then(CollectionType::from_code);
    let collection = collection.unwrap_or(CollectionType::Instant);
    judge_collection(part, (kind, collection), first, deposit, findings);
    read_summary(part, findings);
    read_cancellation(part, findings);
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
    part: &mut Section<'_>,
    name: &str,
    presence: Presence,
    findings: &mut Findings,
) -> Option<Amount> {
    let amount = part.amount(name, presence, findings);
    if amount.is_some_and(Amount::is_zero) {
        let path = part.path_of(name);
        findings.add(PS0026, format!("{path} must be above 0"));
    }
    amount
}

/// From when to when, and how many nights that is.
fn read_stay(part: &mut Section<'_>, findings: &mut Findings) {
    let mut days = Vec::new();
    for name in ["checkInDate", "checkOutDate"] {
        part.must_have(name, findings);
        days.extend(part.date(name, findings));
    }
    if let [check_in, check_out] = days.as_slice()
        && check_out < check_in
    {
        let path = part.path_of("checkOutDate");
        findings.add(PS0013, format!("{path} is before checkInDate"));
    }
    read_times(part, findings);
    number(part, "reservationPeriod", 1, findings);
}

/// A number of up to four digits, as text or as a number; kept as text.
fn number(part: &mut Section<'_>, name: &str, least: u64, findings: &mut Findings) {
    let schema = || json!({ "type": ["string", "integer"], "pattern": "^[0-9]{1,4}$", "minimum": least, "maximum": 9999, "examples": ["3"] });
    let Some(value) = part.value_of(name, Presence::Optional, schema) else {
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

/// Whether collection, parts and deposit go together.
fn judge_collection(
    part: &Section<'_>,
    (kind, collection): (Option<ReservationType>, CollectionType),
    first: Option<Amount>,
    deposit: Option<Amount>,
    findings: &mut Findings,
) {
    if part.is_sketch() {
        return;
    }
    let (type_path, parts_path) = (part.path_of("collectionType"), part.path_of("installments"));
    if kind.is_some_and(ReservationType::is_guaranteed) && collection != CollectionType::Instant {
        let sentence = format!("{type_path} must be INSTANT with a guaranteed reservation");
        findings.add(PS0026, sentence);
    }
    match (collection, part.has("installments")) {
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

/// What who cancels owes, point by point. The name is the contract's.
fn read_cancellation(part: &mut Section<'_>, findings: &mut Findings) {
    const NAME: &str = "CancelationDetails";
    const CONDITIONS: &str = "cancellationCondition";
    if !part.has(NAME) {
        return;
    }
    let mut details = part.section(NAME, Presence::Optional, findings);
    details.must_have("dataType", findings);
    let unit = details.one_of("dataType", &PointUnit::CODES, findings);
    let unit = unit.and_then(PointUnit::from_code);
    details.must_have(CONDITIONS, findings);
    let mut conditions = Vec::new();
    for (index, item) in details
        .array(CONDITIONS, 1..=20, findings)
        .iter()
        .enumerate()
    {
        let mut condition = details.element(CONDITIONS, index, item, findings);
        read_point(&mut condition, unit, findings);
        condition.amount("value", Presence::Mandatory, findings);
        conditions.push(Value::Object(condition.document()));
    }
    details.put(CONDITIONS, conditions);
    let details = details.document();
    part.put(NAME, details);
}

/// A day, or how many hours or days before the check-in.
fn read_point(condition: &mut Section<'_>, unit: Option<PointUnit>, findings: &mut Findings) {
    const NAME: &str = "dataTypeValue";
    let path = condition.path_of(NAME);
    let schema = || json!({ "type": ["string", "integer"], "pattern": "^([0-9]{1,4}|[0-9]{4}-[0-9]{2}-[0-9]{2})$", "minimum": 0, "maximum": 9999, "examples": ["24"] });
    let value = condition.value_of(NAME, Presence::Mandatory, schema);
    let text = match value {
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
