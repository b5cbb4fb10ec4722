//! Reading the query of a list: what is wrong is noted with the parameter's name, what is good is read.
//!
//! Unknown names are ignored, as unknown members of a body are (contract 1.2). A name that is sent twice
//! counts once, the first time.

use super::error::{ApiError, Findings};
use super::fields::Presence;
use super::pipeline::Call;
use super::request_schema::{self, RequestSchema};
use crate::error_code::ErrorCode::{PS0010, PS0012, PS0026, PS0036};
use payframe_money::Amount;
use payframe_payment_domain::calendar::parse_instant;
use payframe_storage::Window;
use serde_json::{Value, json};
use std::ops::RangeInclusive;

/// The query of a call, and what was found wrong with it.
pub(crate) struct Query<'a> {
    sent: &'a [(String, String)],
    pub(super) findings: Findings,
    /// Where there is no request, and what would be read of one is noted.
    sketch: Option<RequestSchema>,
}

impl<'a> Query<'a> {
    /// The query of `call`.
    pub(super) fn of(call: &'a Call) -> Query<'a> {
        Query {
            sent: &call.query,
            findings: Findings::default(),
            sketch: None,
        }
    }

    /// No request: what is asked for is noted in `sketch`.
    pub(super) fn noting(sketch: &RequestSchema) -> Query<'static> {
        Query {
            sent: &[],
            findings: Findings::default(),
            sketch: Some(sketch.clone()),
        }
    }

    /// What was sent, for a rule that no other reader has. `schema` says what the rule accepts.
    pub(super) fn value_of(
        &self,
        name: &str,
        presence: Presence,
        schema: impl FnOnce() -> Value,
    ) -> Option<&'a str> {
        if let Some(sketch) = &self.sketch {
            sketch.member(name, presence, schema());
        }
        self.sent(name)
    }

    /// Whether a name was sent.
    pub(super) fn has(&self, name: &str) -> bool {
        self.sent(name).is_some()
    }

    /// Nothing was found wrong.
    pub(super) fn into_result(self) -> Result<(), ApiError> {
        self.findings.into_result()
    }

    fn sent(&self, name: &str) -> Option<&'a str> {
        let found = self.sent.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    fn optional(&self, name: &str, schema: impl FnOnce() -> Value) -> Option<&'a str> {
        self.value_of(name, Presence::Optional, schema)
    }

    /// A text of so many characters.
    pub(super) fn text(
        &mut self,
        name: &str,
        characters: RangeInclusive<usize>,
    ) -> Option<&'a str> {
        let (least, most) = (*characters.start(), *characters.end());
        let text = self.optional(name, || request_schema::text(least, most))?;
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
    pub(super) fn one_of(&mut self, name: &str, accepted: &[&'static str]) -> Option<&'static str> {
        let text = self.optional(name, || request_schema::one_of(accepted))?;
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
    pub(super) fn amount(&mut self, name: &str) -> Option<Amount> {
        let schema = || request_schema::pattern("^[0-9]{1,12}$", "3545");
        let amount = Amount::parse(self.optional(name, schema)?);
        if amount.is_none() {
            self.findings.add(
                PS0036,
                format!("{name} must be 1 to 12 digits, in the minor unit"),
            );
        }
        amount
    }

    /// Which part of a list is asked for (contract 1.8). Without `toTime` nothing is too new.
    pub(super) fn window(&mut self, now_ms: i64) -> Window {
        let from_ms = self.instant("fromTime");
        let to_ms = self.instant("toTime");
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
            max_records: self.max_records(),
        }
    }

    fn instant(&mut self, name: &str) -> Option<i64> {
        let instant = parse_instant(self.optional(name, request_schema::date_time)?);
        if instant.is_none() {
            self.findings.add(
                PS0010,
                format!("{name} must be an ISO 8601 instant, as in 2022-09-01T01:20:00.001Z"),
            );
        }
        instant
    }

    fn max_records(&mut self) -> u32 {
        let schema = || {
            let mut schema = request_schema::count(1, MOST_RECORDS.into());
            schema["default"] = json!(RECORDS);
            schema
        };
        let Some(text) = self.optional("maxRecords", schema) else {
            return RECORDS;
        };
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        match text.parse() {
            Ok(count @ 1..=MOST_RECORDS) if digits => count,
            _ => {
                self.findings.add(
                    PS0026,
                    format!("maxRecords must be a whole number from 1 to {MOST_RECORDS}"),
                );
                RECORDS
            }
        }
    }
}

/// 31 days.
const MONTH_MS: i64 = 31 * 86_400_000;
const RECORDS: u32 = 20;
const MOST_RECORDS: u32 = 500;
