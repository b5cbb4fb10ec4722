//! Differences between clearing files and the books: lines that do not agree, and operations that no file has in time.

use super::difference_row::{
    DifferenceFilter, DifferencePlace, DifferenceRow, DifferenceState, Target, resolved,
};
use super::missing;
use crate::{Connection, Row, StoreError, query};
use payframe_payment_domain::settlement::Difference;
use std::cmp::Reverse;

/// The lines `l` of files with a difference. What other tables have is looked up for each line of the answer.
macro_rules! differing_lines {
    ($rest:literal) => {
        concat!(
            "SELECT l.difference, l.booked_ms, l.booked_day, l.file_id, l.line_number, l.operation_id, \
             COALESCE(l.operation_reference, l.retrieval_reference, l.order_reference) AS reference, l.gross_minor, l.currency, \
             l.resolved_ms, l.resolved_note, \
             (SELECT f.file_name FROM settlement_file f WHERE f.file_id = l.file_id) AS file_name, \
             (SELECT o.order_id FROM operation o WHERE o.operation_id = l.operation_id) AS order_id, \
             (SELECT o.amount_minor FROM operation o WHERE o.operation_id = l.operation_id) AS booked_minor, \
             (SELECT o.currency FROM operation o WHERE o.operation_id = l.operation_id) AS booked_currency, \
             (SELECT b.name FROM member b WHERE b.member_id = l.resolved_by) AS resolver \
             FROM settlement_line l WHERE l.merchant_id = ?1 AND l.difference IS NOT NULL AND ",
            $rest
        )
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
    let mut found = Vec::new();
    if filter.difference != Some(Difference::NotInFile) {
        let (at_ms, file_id, number) = behind.map_or((i64::MAX, "", 0), DifferencePlace::lines);
        let rows = query(differing_lines!(
            "(?2 IS NULL OR l.difference = ?2) \
             AND (?3 IS NULL OR CASE ?3 WHEN 'OPEN' THEN l.resolved_ms IS NULL ELSE l.resolved_ms IS NOT NULL END) \
             AND (?4 IS NULL OR l.file_id = ?4) \
             AND l.booked_ms <= ?5 AND (l.booked_ms < ?5 OR l.file_id < ?6 OR l.file_id = ?6 AND l.line_number < ?7) \
             ORDER BY l.booked_ms DESC, l.file_id DESC, l.line_number DESC LIMIT ?8"
        ))
        .bind(merchant_id)
        .bind(filter.difference.map(Difference::code))
        .bind(filter.state.map(DifferenceState::code))
        .bind(filter.file_id)
        .bind(at_ms)
        .bind(file_id)
        .bind(number)
        .bind(most)
        .fetch_all(&mut *connection)
        .await?;
        for row in &rows {
            found.push(of_line(row)?);
        }
    }
    let asks_for_missing = filter
        .difference
        .is_none_or(|one| one == Difference::NotInFile);
    if asks_for_missing && filter.file_id.is_none() {
        let before = behind.map_or((i64::MAX, ""), DifferencePlace::operations);
        let merchant = (merchant_id, now_ms);
        found.extend(missing::list(connection, merchant, filter.state, before, most).await?);
    }
    found.sort_by_cached_key(|row| Reverse(row.place()));
    found.dedup_by(|one, other| one.target == other.target);
    found.truncate(usize::try_from(most).unwrap_or(usize::MAX));
    Ok(found)
}

/// A merchant's difference.
pub async fn difference(
    connection: &mut Connection,
    (merchant_id, now_ms): (&str, i64),
    target: &Target,
) -> Result<Option<DifferenceRow>, StoreError> {
    let (file_id, number) = match target {
        Target::Line { file_id, number } => (file_id, *number),
        Target::Operation { operation_id } => {
            return missing::find(connection, (merchant_id, now_ms), operation_id).await;
        }
    };
    let row = query(differing_lines!("l.file_id = ?2 AND l.line_number = ?3"))
        .bind(merchant_id)
        .bind(file_id)
        .bind(number)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(of_line).transpose()
}

/// How many differences of a merchant nobody has cleared, by what differs. Of operations that no file has, at most `most` are counted.
pub async fn open_differences(
    connection: &mut Connection,
    (merchant_id, now_ms): (&str, i64),
    most: u32,
) -> Result<Vec<(Difference, i64)>, StoreError> {
    let rows = query(
        "SELECT difference, COUNT(*) AS found FROM settlement_line \
         WHERE merchant_id = ? AND difference IS NOT NULL AND resolved_ms IS NULL GROUP BY difference",
    )
    .bind(merchant_id)
    .fetch_all(&mut *connection)
    .await?;
    let mut found = Vec::new();
    for row in &rows {
        found.push((difference_of(row)?, row.try_get("found")?));
    }
    let missing = missing::count_open(connection, (merchant_id, now_ms), most).await?;
    let missing = i64::try_from(missing).unwrap_or(i64::MAX);
    found.push((Difference::NotInFile, missing));
    Ok(found)
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
            // What is cleared is kept, so that a list of it need not ask for other operations.
            query(
                "INSERT INTO settlement_unmatched (operation_id, merchant_id, time_ms) \
                 SELECT operation_id, merchant_id, time_ms FROM operation WHERE operation_id = ? ON CONFLICT DO NOTHING",
            )
            .bind(operation_id)
            .execute(&mut *connection)
            .await?;
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

fn of_line(row: &Row) -> Result<DifferenceRow, StoreError> {
    let file_id: String = row.try_get("file_id")?;
    let booked_minor: Option<i64> = row.try_get("booked_minor")?;
    let booked_currency: Option<String> = row.try_get("booked_currency")?;
    Ok(DifferenceRow {
        target: Target::Line {
            file_id: file_id.clone(),
            number: row.try_get("line_number")?,
        },
        difference: difference_of(row)?,
        at_ms: row.try_get("booked_ms")?,
        booked_day: row.try_get("booked_day")?,
        file: Some((file_id, row.try_get("file_name")?)),
        operation_id: row.try_get("operation_id")?,
        order_id: row.try_get("order_id")?,
        reference: row.try_get("reference")?,
        cleared: Some((row.try_get("gross_minor")?, row.try_get("currency")?)),
        booked: booked_minor.zip(booked_currency),
        resolved: resolved(row)?,
    })
}
