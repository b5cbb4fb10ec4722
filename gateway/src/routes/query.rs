//! Reading the query of a list: what is wrong is noted with the parameter's name, what is good is read.
//!
//! Unknown names are ignored, as unknown members of a body are (contract 1.2). A name that is sent twice
//! counts once, the first time.

use super::pipeline::Call;
use super::problem::Findings;
use crate::clock::parse_instant;
use crate::store::Window;
use payframe_checkout::money::Amount;
use std::ops::RangeInclusive;

/// The query of a call, and what was found wrong with it.
pub(super) struct Query<'a> {
    call: &'a Call,
    pub(super) findings: Findings,
}

impl<'a> Query<'a> {
    /// The query of `call`.
    pub(super) fn of(call: &'a Call) -> Query<'a> {
        Query {
            call,
            findings: Findings::default(),
        }
    }

    /// What was sent, as it was sent.
    pub(super) fn value(&self, name: &str) -> Option<&'a str> {
        self.call.query(name)
    }

    /// A text of so many characters.
    pub(super) fn text(
        &mut self,
        name: &str,
        characters: RangeInclusive<usize>,
    ) -> Option<&'a str> {
        let text = self.value(name)?;
        if characters.contains(&text.chars().count()) {
            return Some(text);
        }
        let (least, most) = (characters.start(), characters.end());
        self.findings.add(
            "PS0026",
            format!("{name} must be a text of {least} to {most} characters"),
        );
        None
    }

    /// One of several texts.
    pub(super) fn one_of(&mut self, name: &str, accepted: &[&'static str]) -> Option<&'static str> {
        let text = self.value(name)?;
        let found = accepted.iter().find(|known| **known == text).copied();
        if found.is_none() {
            self.findings.add(
                "PS0026",
                format!("{name} must be one of {}", accepted.join(", ")),
            );
        }
        found
    }

    /// An amount (contract 1.6).
    pub(super) fn amount(&mut self, name: &str) -> Option<Amount> {
        let amount = Amount::parse(self.value(name)?);
        if amount.is_none() {
            self.findings.add(
                "PS0036",
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
            self.findings.add("PS0012", "fromTime is after toTime");
        }
        let end_ms = to_ms.unwrap_or(now_ms);
        if from_ms.is_some_and(|from_ms| end_ms - from_ms > MONTH_MS) {
            self.findings.add(
                "PS0026",
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
        let instant = parse_instant(self.value(name)?);
        if instant.is_none() {
            self.findings.add(
                "PS0010",
                format!("{name} must be an ISO 8601 instant, as in 2022-09-01T01:20:00.001Z"),
            );
        }
        instant
    }

    fn max_records(&mut self) -> u32 {
        let Some(text) = self.value("maxRecords") else {
            return RECORDS;
        };
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        match text.parse() {
            Ok(count @ 1..=MOST_RECORDS) if digits => count,
            _ => {
                self.findings.add(
                    "PS0026",
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
