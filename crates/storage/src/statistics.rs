//! Statistics of a merchant's payments: approved and refunded amounts by day, and the reasons of refusals.
//!
//! A payment counts for the day of its creation, in UTC, with its present result. Payments that the buyer cancelled, or that have no
//! result yet, are not counted. Days that are over are read from their sums ([`super::day_sums`]), all others from their operations. Each
//! operation belongs to one day, so it is counted once.

use super::{Connection, StoreError, query};
use payframe_payment_domain::operation::OperationResult;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// One day in one currency. Days without a payment have no entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DayFigures {
    /// Days since 1970-01-01.
    pub day: i64,
    /// The approved amount.
    pub approved_minor: i64,
    /// The refunded amount.
    pub refunded_minor: i64,
    /// The number of approved payments.
    pub approved: i64,
    /// The number of refused or failed payments.
    pub refused: i64,
}

/// A reason for refusals, and their number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusalCount {
    /// The result of the payments.
    pub result: OperationResult,
    /// The issuer's response code, if the issuer was called (contract 10.6).
    pub issuer_code: Option<String>,
    /// The number of payments.
    pub count: i64,
}

/// The figures of a merchant's days.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures(BTreeMap<i64, Vec<Count>>);

/// Operations of a day that are counted together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Count {
    currency: String,
    /// `None`: they count for nothing, but for the currency.
    part: Option<Part>,
    /// Of refused payments.
    result: Option<String>,
    /// Of refused payments, if the issuer was called.
    issuer_code: Option<String>,
    number: i64,
    minor: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Part {
    Approved,
    Refunded,
    Refused,
}

impl Figures {
    /// The figures of these days, counted since 1970-01-01.
    pub async fn of(
        connection: &mut Connection,
        merchant_id: &str,
        days: Range<i64>,
    ) -> Result<Figures, StoreError> {
        let mut all = summed(connection, merchant_id, days.clone()).await?;
        for days in missing(&all, days) {
            all.extend(counted(connection, merchant_id, days).await?);
        }
        Ok(Figures(all))
    }

    /// The currencies of payments and attempts, in the order of their codes.
    pub fn currencies(&self) -> Vec<&str> {
        let counts = self.0.values().flatten();
        let currencies: BTreeSet<_> = counts.map(|count| count.currency.as_str()).collect();
        currencies.into_iter().collect()
    }

    /// The days with payments in a currency, in ascending order.
    pub fn days(&self, currency: &str) -> Vec<DayFigures> {
        let days = self.0.iter().filter_map(|(day, counts)| {
            let of_currency = counts.iter().filter(|count| count.currency == currency);
            let mut parts = of_currency
                .filter_map(|count| Some((count.part?, count)))
                .peekable();
            parts.peek()?;
            let mut figures = DayFigures {
                day: *day,
                ..DayFigures::default()
            };
            for (part, count) in parts {
                match part {
                    Part::Approved => {
                        figures.approved += count.number;
                        figures.approved_minor += count.minor;
                    }
                    Part::Refunded => figures.refunded_minor += count.minor,
                    Part::Refused => figures.refused += count.number,
                }
            }
            Some(figures)
        });
        days.collect()
    }

    /// The reasons of refusals in a currency, the most frequent first.
    pub fn refused(&self, currency: &str) -> Result<Vec<RefusalCount>, StoreError> {
        let mut all: BTreeMap<(&str, Option<&str>), i64> = BTreeMap::new();
        for count in self.0.values().flatten() {
            if let Some(result) = &count.result
                && count.currency == currency
            {
                let reason = (result.as_str(), count.issuer_code.as_deref());
                *all.entry(reason).or_default() += count.number;
            }
        }
        let mut all: Vec<_> = all.into_iter().collect();
        all.sort_by_key(|(_, number)| Reverse(*number));
        let refused = all.into_iter().map(|((result, issuer_code), count)| {
            Ok(RefusalCount {
                result: OperationResult::from_code(result)
                    .ok_or(StoreError::Unreadable("operation result"))?,
                issuer_code: issuer_code.map(str::to_owned),
                count,
            })
        });
        refused.collect()
    }
}

#[cfg(test)]
impl From<BTreeMap<i64, Vec<Count>>> for Figures {
    fn from(all: BTreeMap<i64, Vec<Count>>) -> Figures {
        Figures(all)
    }
}

#[cfg(test)]
impl Count {
    pub(crate) fn number(&self) -> i64 {
        self.number
    }
}

/// The parts of these days that are not there, each without a gap.
fn missing(there: &BTreeMap<i64, Vec<Count>>, days: Range<i64>) -> Vec<Range<i64>> {
    let mut parts: Vec<Range<i64>> = Vec::new();
    for day in days.filter(|day| !there.contains_key(day)) {
        match parts.last_mut() {
            Some(part) if part.end == day => part.end += 1,
            _ => parts.push(day..day + 1),
        }
    }
    parts
}

/// The sums of these days that hold.
pub(crate) async fn summed(
    connection: &mut Connection,
    merchant_id: &str,
    days: Range<i64>,
) -> Result<BTreeMap<i64, Vec<Count>>, StoreError> {
    let rows = query(
        "SELECT s.day, s.document FROM summed_day s WHERE s.merchant_id = ? AND s.day >= ? AND s.day < ? \
         AND NOT EXISTS (SELECT 1 FROM changed_day c WHERE c.merchant_id = s.merchant_id AND c.day = s.day)",
    )
    .bind(merchant_id)
    .bind(days.start)
    .bind(days.end)
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            let counts = serde_json::from_str(row.try_get("document")?);
            let counts = counts.map_err(|_| StoreError::Unreadable("sum of a day"))?;
            Ok((row.try_get("day")?, counts))
        })
        .collect()
}

/// The counts of these days, from their operations. Days without one have no entry.
pub(crate) async fn counted(
    connection: &mut Connection,
    merchant_id: &str,
    days: Range<i64>,
) -> Result<BTreeMap<i64, Vec<Count>>, StoreError> {
    let rows = query(
        "SELECT day, currency, part, refusal, refusal_code, COUNT(*) AS number, CAST(SUM(amount_minor) AS BIGINT) AS minor FROM ( \
         SELECT day, currency, amount_minor, part, CASE part WHEN 'REFUSED' THEN result END AS refusal, \
         CASE part WHEN 'REFUSED' THEN issuer_code END AS refusal_code FROM ( \
         SELECT time_ms / 86400000 AS day, currency, amount_minor, result, issuer_code, \
         CASE WHEN operation_type = 'REFUND' THEN CASE WHEN result IN ('EXECUTED', 'VOIDED', 'REFUNDED') THEN 'REFUNDED' END \
              WHEN operation_type NOT IN ('AUTHORIZATION', 'CARD_VERIFICATION', 'NOSHOW', 'DELAY_CHARGE') THEN NULL \
              WHEN result IN ('AUTHORIZED', 'EXECUTED', 'VOIDED', 'REFUNDED') THEN 'APPROVED' \
              WHEN result IN ('DECLINED', 'DENIED_BY_RISK', 'THREEDS_FAILED', 'FAILED') THEN 'REFUSED' END AS part \
         FROM operation WHERE merchant_id = ? AND time_ms >= ? AND time_ms < ?) AS sorted) AS listed \
         GROUP BY day, currency, part, refusal, refusal_code",
    )
    .bind(merchant_id)
    .bind(days.start * DAY_MS)
    .bind(days.end * DAY_MS)
    .fetch_all(connection)
    .await?;
    let mut all: BTreeMap<i64, Vec<Count>> = BTreeMap::new();
    for row in &rows {
        let count = Count {
            currency: row.try_get("currency")?,
            part: match row.try_get::<Option<&str>>("part")? {
                Some("APPROVED") => Some(Part::Approved),
                Some("REFUNDED") => Some(Part::Refunded),
                Some("REFUSED") => Some(Part::Refused),
                _ => None,
            },
            result: row.try_get("refusal")?,
            issuer_code: row.try_get("refusal_code")?,
            number: row.try_get("number")?,
            minor: row.try_get("minor")?,
        };
        all.entry(row.try_get("day")?).or_default().push(count);
    }
    Ok(all)
}

/// Milliseconds of a day.
pub const DAY_MS: i64 = 86_400_000;
