//! Checks the query of a list: an error is noted with the parameter's name, a valid value is read.
//!
//! Unknown names are ignored, like unknown members of a body (contract 1.2). If a name is sent twice,
//! the first value counts.

use super::error::{ApiError, RequestErrors};
use super::requests::Member;
use super::requests::queries::ListWindow;
use payframe_error_codes::ErrorCode::{PS0010, PS0012, PS0026, PS0036};
use payframe_money::Amount;
use payframe_payment_domain::calendar::parse_instant;
use payframe_storage::Window;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::ops::RangeInclusive;

/// The members of a query, as they were sent.
pub(super) fn sent<T: DeserializeOwned + Default>(query: &[(String, String)]) -> T {
    let mut parameters = Map::new();
    for (name, value) in query {
        let value = || Value::String(value.clone());
        parameters.entry(name.as_str()).or_insert_with(value);
    }
    // Members accept every value, so a query is never refused as a whole.
    T::deserialize(Value::Object(parameters)).unwrap_or_default()
}

/// The text of a parameter.
pub(super) fn text_of(member: &Member) -> Option<&str> {
    member.sent().and_then(Value::as_str)
}

/// The errors found in a query.
#[derive(Default)]
pub(crate) struct Query {
    pub(super) findings: RequestErrors,
}

impl Query {
    /// `Ok` if there are no errors.
    pub(super) fn into_result(self) -> Result<(), ApiError> {
        self.findings.into_result()
    }

    /// A text of limited length.
    pub(super) fn text<'a>(
        &mut self,
        name: &str,
        member: &'a Member,
        characters: RangeInclusive<usize>,
    ) -> Option<&'a str> {
        let (least, most) = (*characters.start(), *characters.end());
        let text = text_of(member)?;
        if characters.contains(&text.chars().count()) {
            return Some(text);
        }
        self.findings.add(
            PS0026,
            format!("{name} must be a text of {least} to {most} characters"),
        );
        None
    }

    /// One of several texts.
    pub(super) fn one_of(
        &mut self,
        name: &str,
        member: &Member,
        accepted: &'static [&'static str],
    ) -> Option<&'static str> {
        let text = text_of(member)?;
        let found = accepted.iter().find(|known| **known == text).copied();
        if found.is_none() {
            self.findings.add(
                PS0026,
                format!("{name} must be one of {}", accepted.join(", ")),
            );
        }
        found
    }

    /// An amount (contract 1.6).
    pub(super) fn amount(&mut self, name: &str, member: &Member) -> Option<Amount> {
        let amount = Amount::parse(text_of(member)?);
        if amount.is_none() {
            self.findings.add(
                PS0036,
                format!("{name} must be 1 to 12 digits, in the minor unit"),
            );
        }
        amount
    }

    /// The part of a list that is asked for (contract 1.8). Without `toTime` there is no upper bound.
    pub(super) fn window(&mut self, sent: &ListWindow, now_ms: i64) -> Window {
        let from_ms = self.instant("fromTime", &sent.from_time);
        let to_ms = self.instant("toTime", &sent.to_time);
        if let (Some(from_ms), Some(to_ms)) = (from_ms, to_ms)
            && from_ms > to_ms
        {
            self.findings.add(PS0012, "fromTime is after toTime");
        }
        let end_ms = to_ms.unwrap_or(now_ms);
        if from_ms.is_some_and(|from_ms| end_ms - from_ms > MONTH_MS) {
            self.findings.add(
                PS0026,
                "fromTime must be at most 31 days before toTime, which is now where it is left out",
            );
        }
        Window {
            from_ms: from_ms.unwrap_or(end_ms - MONTH_MS),
            to_ms: to_ms.unwrap_or(i64::MAX),
            max_records: self.count("maxRecords", &sent.max_records, RECORDS),
        }
    }

    fn instant(&mut self, name: &str, member: &Member) -> Option<i64> {
        let instant = parse_instant(text_of(member)?);
        if instant.is_none() {
            self.findings.add(
                PS0010,
                format!("{name} must be an ISO 8601 instant, as in 2022-09-01T01:20:00.001Z"),
            );
        }
        instant
    }

    /// The largest number of rows of an answer.
    pub(super) fn count(&mut self, name: &str, member: &Member, default: u32) -> u32 {
        let Some(text) = text_of(member) else {
            return default;
        };
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        match text.parse() {
            Ok(count @ 1..=MOST_RECORDS) if digits => count,
            _ => {
                self.findings.add(
                    PS0026,
                    format!("{name} must be a whole number from 1 to {MOST_RECORDS}"),
                );
                default
            }
        }
    }
}

/// 31 days.
const MONTH_MS: i64 = 31 * 86_400_000;
const RECORDS: u32 = 20;
const MOST_RECORDS: u32 = 500;
