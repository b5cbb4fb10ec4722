//! The member `recurrence` of a payment (contract 2.5).

use super::error::Findings;
use super::fields::{Presence, Section};
use super::request_schema;
use crate::error_code::ErrorCode::PS0026;
use payframe_card_rules::expiry::Date;
use payframe_payment_domain::contract::{Kind, Recurrence, Rules, is_contract_id};
use payframe_payment_domain::terms::Terminal;
use serde_json::{Value, json};

/// Reads the member of `holder`, if it is there. `None`: nothing is to be kept or used, or it is not good.
pub(super) fn read(
    holder: &Section<'_>,
    terminal: &Terminal,
    today: Date,
    findings: &mut Findings,
) -> Option<Recurrence> {
    if !holder.has("recurrence") {
        return None;
    }
    let mut recurrence = holder.section("recurrence", Presence::Optional, findings);
    recurrence.must_have("action", findings);
    let action = match recurrence.one_of("action", ACTIONS, findings) {
        // The documents name the members of a creation.
        None if recurrence.is_sketch() => CREATION,
        None | Some(NOTHING) => return None,
        Some(action) => action,
    };
    if !terminal.tokenization {
        let path = holder.path_of("recurrence");
        findings.add(PS0026, format!("{path} is not enabled on this terminal"));
        return None;
    }
    // It is not needed where nothing is asked for; the documents can't say when.
    let contract_id = contract_id(&mut recurrence, Presence::Optional, findings);
    let kind = recurrence
        .one_of("contractType", &Kind::CODES, findings)
        .and_then(Kind::from_code);
    if action == CREATION && !recurrence.has("contractType") {
        let path = recurrence.path_of("contractType");
        findings.add(
            PS0026,
            format!("{path} is missing: one of {}", Kind::CODES.join(", ")),
        );
    }
    let last_day = last_day(&mut recurrence, today, findings);
    let gap_days = gap_days(&recurrence, findings);
    for (name, is_there) in [
        ("contractExpiryDate", recurrence.has("contractExpiryDate")),
        ("contractFrequency", recurrence.has("contractFrequency")),
    ] {
        if is_there && kind.is_some_and(|kind| kind != Kind::Scheduled) {
            let path = recurrence.path_of(name);
            findings.add(PS0026, format!("{path} is only for MIT_SCHEDULED"));
        }
    }
    let contract_id = contract_id?.to_owned();
    match action {
        CREATION => Some(Recurrence::Create {
            contract_id,
            rules: Rules {
                kind: kind?,
                last_day,
                gap_days,
            },
        }),
        PAYMENT => Some(Recurrence::Pay { contract_id, kind }),
        _ => Some(Recurrence::Substitute { contract_id, kind }),
    }
}

/// A `contractId`, which must be there. `presence`: whether the documents say so.
pub(super) fn contract_id<'a>(
    section: &mut Section<'a>,
    presence: Presence,
    findings: &mut Findings,
) -> Option<&'a str> {
    let path = section.path_of("contractId");
    let schema =
        || request_schema::pattern(r"^[A-Za-z0-9#*+\-.:;=?\[\]_{|}]{1,255}$", "contract-7");
    let Some(value) = section.value_of("contractId", presence, schema) else {
        findings.add(PS0026, format!("{path} is missing"));
        return None;
    };
    let contract_id = value.as_str().filter(|text| is_contract_id(text));
    if contract_id.is_none() {
        findings.add(
            PS0026,
            format!("{path} must be 1 to 255 of A-Z a-z 0-9 # * + - . : ; = ? [ ] _ {{ | }}"),
        );
    }
    contract_id
}

fn last_day(recurrence: &mut Section<'_>, today: Date, findings: &mut Findings) -> Option<Date> {
    recurrence.date("contractExpiryDate", findings);
    let value = recurrence.value_of(
        "contractExpiryDate",
        Presence::Optional,
        request_schema::date,
    );
    let text = value?.as_str()?;
    let date = Date::parse(text)?;
    if date < today {
        let path = recurrence.path_of("contractExpiryDate");
        findings.add(PS0026, format!("{path} must not be past"));
    }
    Some(date)
}

fn gap_days(recurrence: &Section<'_>, findings: &mut Findings) -> Option<u16> {
    let schema = || json!({ "type": ["string", "integer"], "pattern": "^[0-9]{1,4}$", "minimum": 0, "maximum": 9999 });
    let value = recurrence.value_of("contractFrequency", Presence::Optional, schema)?;
    let days = match value {
        Value::String(text)
            if (1..=4).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            text.parse().ok()
        }
        Value::Number(number) => number
            .as_u64()
            .and_then(|days| u16::try_from(days).ok())
            .filter(|days| *days <= 9999),
        _ => None,
    };
    if days.is_none() {
        let path = recurrence.path_of("contractFrequency");
        findings.add(
            PS0026,
            format!("{path} must be a number of days, 1 to 4 digits"),
        );
    }
    days
}

const ACTIONS: &[&str] = &[NOTHING, CREATION, PAYMENT, "CARD_SUBSTITUTION"];
const NOTHING: &str = "NO_RECURRING";
const CREATION: &str = "CONTRACT_CREATION";
const PAYMENT: &str = "SUBSEQUENT_PAYMENT";
