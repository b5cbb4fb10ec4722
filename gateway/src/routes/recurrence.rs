//! The member `recurrence` of a payment (contract 2.5).

use super::error::RequestErrors;
use super::fields::{Presence, Section};
use super::requests::forms::{ContractTypes, RecurrenceActions};
use super::requests::payment_session::Recurrence as SentRecurrence;
use super::requests::{Member, Part};
use payframe_card_rules::expiry::Date;
use payframe_error_codes::ErrorCode::PS0026;
use payframe_payment_domain::contract::{Kind, Recurrence, Rules, is_contract_id};
use payframe_payment_domain::terms::Terminal;
use serde_json::Value;

/// Reads the member `recurrence` of `holder`, if it is there. `None`: no card is to be stored or used, or the member is not valid.
pub(super) fn read(
    holder: &Section,
    part: &Part<SentRecurrence>,
    terminal: &Terminal,
    today: Date,
    findings: &mut RequestErrors,
) -> Option<Recurrence> {
    if !part.is_there() {
        return None;
    }
    let mut recurrence = holder.section("recurrence", part, Presence::Optional, findings);
    let sent = part.members();
    recurrence.must_have("action", sent.action.is_there(), findings);
    let action = match recurrence.one_of("action", &sent.action, RecurrenceActions::CODES, findings)
    {
        None | Some(NOTHING) => return None,
        Some(action) => action,
    };
    if !terminal.tokenization {
        let path = holder.path_of("recurrence");
        findings.add(PS0026, format!("{path} is not enabled on this terminal"));
        return None;
    }
    let contract_id = contract_id(&recurrence, &sent.contract_id, findings);
    let kind = recurrence
        .one_of(
            "contractType",
            &sent.contract_type,
            ContractTypes::CODES,
            findings,
        )
        .and_then(Kind::from_code);
    if action == CREATION && !sent.contract_type.is_there() {
        let path = recurrence.path_of("contractType");
        findings.add(
            PS0026,
            format!("{path} is missing: one of {}", Kind::CODES.join(", ")),
        );
    }
    let last_day = last_day(&mut recurrence, &sent.contract_expiry_date, today, findings);
    let gap_days = gap_days(&recurrence, &sent.contract_frequency, findings);
    for (name, member) in [
        ("contractExpiryDate", &sent.contract_expiry_date),
        ("contractFrequency", &sent.contract_frequency),
    ] {
        if member.is_there() && kind.is_some_and(|kind| kind != Kind::Scheduled) {
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

/// A `contractId`, which must be there.
pub(super) fn contract_id<'a>(
    section: &Section,
    member: &'a Member,
    findings: &mut RequestErrors,
) -> Option<&'a str> {
    let path = section.path_of("contractId");
    let Some(value) = member.sent() else {
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

fn last_day(
    recurrence: &mut Section,
    member: &Member,
    today: Date,
    findings: &mut RequestErrors,
) -> Option<Date> {
    let date = recurrence.date("contractExpiryDate", member, findings)?;
    if date < today {
        let path = recurrence.path_of("contractExpiryDate");
        findings.add(PS0026, format!("{path} must not be past"));
    }
    Some(date)
}

fn gap_days(recurrence: &Section, member: &Member, findings: &mut RequestErrors) -> Option<u16> {
    let days = match member.sent()? {
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

const NOTHING: &str = "NO_RECURRING";
const CREATION: &str = "CONTRACT_CREATION";
const PAYMENT: &str = "SUBSEQUENT_PAYMENT";
