//! Differences between clearing files and the books: lines that do not agree, and operations that no file has in time.

use crate::{Connection, Row, StoreError, query};
use payframe_payment_domain::settlement::Difference;

/// A difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DifferenceRow {
    /// What it is about.
    pub target: Target,
    /// What differs.
    pub difference: Difference,
    /// When the acquirer booked the line, or when the operation was made.
    pub at_ms: i64,
    /// The day of the booking in the file's time zone. `None`: no file has it.
    pub booked_day: Option<String>,
    /// The file that the line is in: its id and its name.
    pub file: Option<(String, String)>,
    /// The operation.
    pub operation_id: Option<String>,
    /// Its order.
    pub order_id: Option<String>,
    /// What the line calls the operation, if it names one.
    pub reference: Option<String>,
    /// What the file has, with a sign.
    pub cleared: Option<(i64, String)>,
    /// What the books have, without a sign.
    pub booked: Option<(i64, String)>,
    /// Who cleared it. `None`: nobody.
    pub resolved: Option<ResolvedBy>,
}

/// Who cleared a difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedBy {
    /// The name of the member.
    pub member: String,
    /// When.
    pub at_ms: i64,
    /// Why.
    pub note: String,
}

/// What a difference is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A line of a file.
    Line {
        /// The file.
        file_id: String,
        /// Where it begins.
        number: i64,
    },
    /// An operation that no file has.
    Operation {
        /// Its id.
        operation_id: String,
    },
}

/// Which differences are asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct DifferenceFilter<'a> {
    /// Only this one.
    pub difference: Option<Difference>,
    /// Only these.
    pub state: Option<DifferenceState>,
    /// Only those of this file.
    pub file_id: Option<&'a str>,
}

/// Whether somebody cleared a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DifferenceState {
    /// Nobody did.
    Open,
    /// Somebody did.
    Cleared,
}

/// All of them.
pub const ALL_STATES: [DifferenceState; 2] = [DifferenceState::Open, DifferenceState::Cleared];

impl DifferenceState {
    /// Its code in addresses.
    pub fn code(self) -> &'static str {
        match self {
            DifferenceState::Open => "OPEN",
            DifferenceState::Cleared => "CLEARED",
        }
    }

    /// The state of a code.
    pub fn from_code(code: &str) -> Option<DifferenceState> {
        ALL_STATES.into_iter().find(|state| state.code() == code)
    }
}

/// A place in the list: behind this difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DifferencePlace {
    /// Its time.
    pub at_ms: i64,
    /// What it is about, as [`Target::parse`] reads it.
    pub target: String,
}

impl Target {
    /// The target of a text that [`std::fmt::Display`] wrote.
    pub fn parse(text: &str) -> Option<Target> {
        let is_id = |id: &str| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
        match text.split_once('-') {
            Some((file_id, number)) if is_id(file_id) && is_id(number) => Some(Target::Line {
                file_id: file_id.to_owned(),
                number: number.parse().ok()?,
            }),
            None if is_id(text) => Some(Target::Operation {
                operation_id: text.to_owned(),
            }),
            _ => None,
        }
    }
}

impl std::fmt::Display for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Target::Line { file_id, number } => write!(f, "{file_id}-{number}"),
            Target::Operation { operation_id } => f.write_str(operation_id),
        }
    }
}

/// Whether an acquirer clears the operation `o`. What was undone on its own day is left out of files, and so is an authorization that is
/// captured later: it has a time of release, and its captures are cleared.
macro_rules! is_expected {
    () => {
        "o.amount_minor > 0 AND (o.operation_type <> 'AUTHORIZATION' OR o.release_ms IS NULL) \
         AND (o.operation_type IN ('AUTHORIZATION', 'CAPTURE', 'NOSHOW', 'DELAY_CHARGE') AND o.result IN ('EXECUTED', 'REFUNDED') \
              OR o.operation_type = 'REFUND' AND o.result = 'EXECUTED' AND NOT EXISTS \
                 (SELECT 1 FROM operation t WHERE t.operation_id = o.target_id AND t.result = 'VOIDED'))"
    };
}
pub(super) use is_expected;

/// The differences of merchant ?1, where ?2 is the time of payments. Operations that are older than ?3 are not missed any more.
macro_rules! found {
    () => {
        concat!("SELECT d.*, b.name AS resolver FROM ( \
         SELECT l.difference, l.booked_ms AS at_ms, l.booked_day, l.file_id || '-' || CAST(l.line_number AS TEXT) AS target, l.file_id, f.file_name, \
                l.operation_id, o.order_id, COALESCE(l.operation_reference, l.retrieval_reference, l.order_reference) AS reference, \
                l.gross_minor AS cleared_minor, l.currency AS cleared_currency, \
                o.amount_minor AS booked_minor, o.currency AS booked_currency, l.resolved_by, l.resolved_ms, l.resolved_note \
         FROM settlement_line l JOIN settlement_file f ON f.file_id = l.file_id \
         LEFT JOIN operation o ON o.operation_id = l.operation_id \
         WHERE l.merchant_id = ?1 AND l.difference IS NOT NULL \
         UNION ALL \
         SELECT 'NOT_IN_FILE', o.time_ms, NULL, o.operation_id, NULL, NULL, o.operation_id, o.order_id, NULL, NULL, NULL, \
                o.amount_minor, o.currency, m.resolved_by, m.resolved_ms, m.resolved_note \
         FROM operation o LEFT JOIN settlement_missing m ON m.operation_id = o.operation_id \
         WHERE o.merchant_id = ?1 AND o.time_ms >= ?3 AND ", is_expected!(), " \
         AND EXISTS (SELECT 1 FROM settlement_scope s WHERE s.terminal_id = o.terminal_id AND o.time_ms >= s.since_ms \
                     AND o.time_ms < ?2 - s.missing_after_days * 86400000 \
                     AND (s.acquirer = '' OR EXISTS (SELECT 1 FROM acquirer_choice c \
                          WHERE c.operation_id = COALESCE(o.payment_id, o.operation_id) AND c.acquirer = s.acquirer))) \
         AND NOT EXISTS (SELECT 1 FROM settlement_line l WHERE l.operation_id = o.operation_id) \
         ) AS d LEFT JOIN member b ON b.member_id = d.resolved_by ")
    };
}

/// A merchant's differences, newest first, at most `most`. `now_ms` is the time of payments.
pub async fn differences(
    connection: &mut Connection,
    (merchant_id, now_ms): (&str, i64),
    filter: &DifferenceFilter<'_>,
    behind: Option<&DifferencePlace>,
    most: u32,
) -> Result<Vec<DifferenceRow>, StoreError> {
    let (at_ms, target) =
        behind.map_or((i64::MAX, ""), |place| (place.at_ms, place.target.as_str()));
    let rows = query(concat!(
        found!(),
        "WHERE (?4 IS NULL OR d.difference = ?4) \
         AND (?5 IS NULL OR CASE ?5 WHEN 'OPEN' THEN d.resolved_ms IS NULL ELSE d.resolved_ms IS NOT NULL END) \
         AND (?6 IS NULL OR d.file_id = ?6) AND d.at_ms <= ?7 AND (d.at_ms < ?7 OR d.target < ?8) \
         ORDER BY d.at_ms DESC, d.target DESC LIMIT ?9"
    ))
    .bind(merchant_id)
    .bind(now_ms)
    .bind(now_ms - MISSED_FOR_MS)
    .bind(filter.difference.map(Difference::code))
    .bind(filter.state.map(DifferenceState::code))
    .bind(filter.file_id)
    .bind(at_ms)
    .bind(target)
    .bind(i64::from(most))
    .fetch_all(connection)
    .await?;
    rows.iter().map(read).collect()
}

/// A merchant's difference.
pub async fn difference(
    connection: &mut Connection,
    (merchant_id, now_ms): (&str, i64),
    target: &Target,
) -> Result<Option<DifferenceRow>, StoreError> {
    let row = query(concat!(found!(), "WHERE d.target = ?4"))
        .bind(merchant_id)
        .bind(now_ms)
        .bind(now_ms - MISSED_FOR_MS)
        .bind(target.to_string())
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read).transpose()
}

/// How many differences of a merchant nobody has cleared, by what differs.
pub async fn open_differences(
    connection: &mut Connection,
    (merchant_id, now_ms): (&str, i64),
) -> Result<Vec<(Difference, i64)>, StoreError> {
    let rows = query(concat!(
        "SELECT difference, COUNT(*) AS found FROM (",
        found!(),
        "WHERE d.resolved_ms IS NULL) AS open GROUP BY difference"
    ))
    .bind(merchant_id)
    .bind(now_ms)
    .bind(now_ms - MISSED_FOR_MS)
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| Ok((difference_of(row)?, row.try_get("found")?)))
        .collect()
}

/// Notes that a member cleared a difference. `false`: somebody did before.
pub async fn resolve(
    connection: &mut Connection,
    target: &Target,
    (member_id, at_ms, note): (&str, i64, &str),
) -> Result<bool, StoreError> {
    let changed = match target {
        Target::Line { file_id, number } => {
            query(
                "UPDATE settlement_line SET resolved_by = ?, resolved_ms = ?, resolved_note = ? \
                 WHERE file_id = ? AND line_number = ? AND difference IS NOT NULL AND resolved_ms IS NULL",
            )
            .bind(member_id)
            .bind(at_ms)
            .bind(note)
            .bind(file_id)
            .bind(*number)
            .execute(connection)
            .await?
        }
        Target::Operation { operation_id } => {
            query(
                "INSERT INTO settlement_missing (operation_id, resolved_by, resolved_ms, resolved_note) VALUES (?, ?, ?, ?) \
                 ON CONFLICT (operation_id) DO NOTHING",
            )
            .bind(operation_id)
            .bind(member_id)
            .bind(at_ms)
            .bind(note)
            .execute(connection)
            .await?
        }
    };
    Ok(changed > 0)
}

fn difference_of(row: &Row) -> Result<Difference, StoreError> {
    Difference::from_code(row.try_get("difference")?).ok_or(StoreError::Unreadable("difference"))
}

fn read(row: &Row) -> Result<DifferenceRow, StoreError> {
    let money = |minor: &str, currency: &str| -> Result<_, StoreError> {
        let minor: Option<i64> = row.try_get(minor)?;
        let currency: Option<String> = row.try_get(currency)?;
        Ok(minor.zip(currency))
    };
    let file_id: Option<String> = row.try_get("file_id")?;
    let file_name: Option<String> = row.try_get("file_name")?;
    let resolved_ms: Option<i64> = row.try_get("resolved_ms")?;
    let resolved = match resolved_ms {
        None => None,
        Some(at_ms) => Some(ResolvedBy {
            member: row
                .try_get::<Option<String>>("resolver")?
                .unwrap_or_default(),
            at_ms,
            note: row
                .try_get::<Option<String>>("resolved_note")?
                .unwrap_or_default(),
        }),
    };
    Ok(DifferenceRow {
        target: Target::parse(row.try_get("target")?)
            .ok_or(StoreError::Unreadable("difference"))?,
        difference: difference_of(row)?,
        at_ms: row.try_get("at_ms")?,
        booked_day: row.try_get("booked_day")?,
        file: file_id.zip(file_name),
        operation_id: row.try_get("operation_id")?,
        order_id: row.try_get("order_id")?,
        reference: row.try_get("reference")?,
        cleared: money("cleared_minor", "cleared_currency")?,
        booked: money("booked_minor", "booked_currency")?,
        resolved,
    })
}

/// For how long an operation is missed: half a year.
const MISSED_FOR_MS: i64 = 180 * 86_400_000;
