//! Acquirers' clearing files, their lines, and how they differ from the books.
//!
//! The lines of a file are written once, together, and never changed, but for what a member notes about a difference.

mod difference_row;
mod differences;
mod listing;
mod missing;

pub use difference_row::{
    ALL_STATES, DifferenceFilter, DifferencePlace, DifferenceRow, DifferenceState, ResolvedBy,
    Target,
};
pub use differences::{difference, differences, open_differences, resolve};
pub use listing::{
    FileRow, LineRow, PayoutSum, Sums, file, files, lines, payout_sums, sum_files, sums,
};
pub use missing::{Scope, forget, keep, piece_end_ms, scopes};

use super::{Connection, Row, StoreError, amount, query, query_scalar};
use payframe_payment_domain::operation::{Capture, OperationResult, OperationType};
use payframe_payment_domain::settlement::{
    BookedOperation, ClearingLine, Difference, LineKind, clearing_kind,
};
use std::collections::{HashMap, HashSet};

/// A file that is imported.
pub struct NewFile<'a> {
    /// Its id: 18 digits.
    pub file_id: &'a str,
    /// The merchant.
    pub merchant_id: &'a str,
    /// The hash of its bytes.
    pub hash: &'a str,
    /// Its name, without a folder.
    pub name: &'a str,
    /// The name of its format.
    pub mapping: &'a str,
    /// The terminals that it is about.
    pub terminal_ids: &'a [String],
    /// When it is imported.
    pub imported_ms: i64,
    /// The user of the operating system who does it.
    pub imported_by: &'a str,
    /// How many of its lines were read before.
    pub repeated: usize,
}

/// A line that is imported.
pub struct NewLine<'a> {
    /// What the file says.
    pub line: &'a ClearingLine,
    /// The hash of its identity.
    pub hash: &'a str,
    /// The operation that it is about.
    pub operation_id: Option<&'a str>,
    /// How it differs from it.
    pub difference: Option<Difference>,
}

/// Which operations the files have to have.
pub struct NewScope<'a> {
    /// The terminal.
    pub terminal_id: &'a str,
    /// An acquirer of the operator's file. Empty: whichever.
    pub acquirer: &'a str,
    /// Operations from before are not missed.
    pub since_ms: i64,
    /// An operation is missed after so many days.
    pub missing_after_days: u16,
}

/// The file with this hash that a merchant has.
pub async fn imported_before(
    connection: &mut Connection,
    merchant_id: &str,
    hash: &str,
) -> Result<Option<String>, StoreError> {
    let found =
        query_scalar("SELECT file_id FROM settlement_file WHERE merchant_id = ? AND file_hash = ?")
            .bind(merchant_id)
            .bind(hash)
            .fetch_optional(connection)
            .await?;
    Ok(found)
}

/// How many files a merchant has.
pub async fn count_files(
    connection: &mut Connection,
    merchant_id: &str,
) -> Result<i64, StoreError> {
    let count = query_scalar("SELECT COUNT(*) FROM settlement_file WHERE merchant_id = ?")
        .bind(merchant_id)
        .fetch_one(connection)
        .await?;
    Ok(count)
}

/// The hashes of a merchant's lines that were booked from `from_ms` to `to_ms`, both included.
pub async fn known_lines(
    connection: &mut Connection,
    merchant_id: &str,
    (from_ms, to_ms): (i64, i64),
) -> Result<HashSet<String>, StoreError> {
    let hashes = query_scalar(
        "SELECT line_hash FROM settlement_line WHERE merchant_id = ? AND booked_ms >= ? AND booked_ms <= ?",
    )
    .bind(merchant_id)
    .bind(from_ms)
    .bind(to_ms)
    .fetch_all(connection)
    .await?;
    Ok(hashes.into_iter().collect())
}

/// The payments of a merchant's operations from `from_ms` to `to_ms`, by the retrieval reference of the operation.
pub async fn payments_by_retrieval(
    connection: &mut Connection,
    merchant_id: &str,
    (from_ms, to_ms): (i64, i64),
) -> Result<HashMap<String, Vec<String>>, StoreError> {
    let rows = query(
        "SELECT rrn, COALESCE(payment_id, operation_id) AS payment_id FROM operation \
         WHERE merchant_id = ? AND time_ms >= ? AND time_ms <= ? AND rrn IS NOT NULL ORDER BY time_ms",
    )
    .bind(merchant_id)
    .bind(from_ms)
    .bind(to_ms)
    .fetch_all(connection)
    .await?;
    let mut found: HashMap<String, Vec<String>> = HashMap::new();
    for row in &rows {
        let payments = found.entry(row.try_get("rrn")?).or_default();
        let payment_id: String = row.try_get("payment_id")?;
        if !payments.contains(&payment_id) {
            payments.push(payment_id);
        }
    }
    Ok(found)
}

/// The operations of a merchant's payment that moved money, oldest first. The merchant is compared as an expression: by the column, SQLite would
/// read all operations of the merchant in the order of their times.
pub async fn booked_of_payment(
    connection: &mut Connection,
    merchant_id: &str,
    payment_id: &str,
) -> Result<Vec<BookedOperation>, StoreError> {
    let rows = query(
        "SELECT o.operation_id, o.order_id, o.operation_type, o.result, o.release_ms, o.amount_minor, o.currency, \
                EXISTS (SELECT 1 FROM settlement_line l WHERE l.operation_id = o.operation_id) AS is_cleared \
         FROM operation o WHERE o.merchant_id || '' = ?1 AND (o.operation_id = ?2 OR o.payment_id = ?2) ORDER BY o.time_ms",
    )
    .bind(merchant_id)
    .bind(payment_id)
    .fetch_all(connection)
    .await?;
    booked(&rows)
}

/// The operations of a merchant's order that moved money, oldest first.
pub async fn booked_of_order(
    connection: &mut Connection,
    merchant_id: &str,
    order_id: &str,
) -> Result<Vec<BookedOperation>, StoreError> {
    let rows = query(
        "SELECT o.operation_id, o.order_id, o.operation_type, o.result, o.release_ms, o.amount_minor, o.currency, \
                EXISTS (SELECT 1 FROM settlement_line l WHERE l.operation_id = o.operation_id) AS is_cleared \
         FROM operation o WHERE o.merchant_id = ? AND o.order_id = ? ORDER BY o.time_ms",
    )
    .bind(merchant_id)
    .bind(order_id)
    .fetch_all(connection)
    .await?;
    booked(&rows)
}

fn booked(rows: &[Row]) -> Result<Vec<BookedOperation>, StoreError> {
    let mut found = Vec::new();
    for row in rows {
        let unreadable = || StoreError::Unreadable("operation");
        let kind =
            OperationType::from_code(row.try_get("operation_type")?).ok_or_else(unreadable)?;
        let result = OperationResult::from_code(row.try_get("result")?).ok_or_else(unreadable)?;
        let release_ms: Option<i64> = row.try_get("release_ms")?;
        let capture = match release_ms {
            Some(_) => Capture::Explicit,
            None => Capture::Implicit,
        };
        if let Some(kind) = clearing_kind(kind, result, capture) {
            found.push(BookedOperation {
                operation_id: row.try_get("operation_id")?,
                order_id: row.try_get("order_id")?,
                kind,
                amount: amount(row.try_get("amount_minor")?)?,
                currency: row.try_get("currency")?,
                is_cleared: row.try_get("is_cleared")?,
            });
        }
    }
    Ok(found)
}

/// The operations of a terminal from `from_ms` and before `to_ms` that files have to have, oldest first.
pub async fn expected(
    connection: &mut Connection,
    terminal_id: &str,
    (from_ms, to_ms): (i64, i64),
) -> Result<Vec<(String, LineKind)>, StoreError> {
    let rows = query(concat!(
        "SELECT o.operation_id, o.operation_type FROM operation o \
         WHERE o.merchant_id = (SELECT t.merchant_id FROM terminal t WHERE t.terminal_id = ?1) \
         AND o.terminal_id = ?1 AND o.time_ms >= ?2 AND o.time_ms < ?3 AND ",
        missing::is_expected!(),
        " ORDER BY o.time_ms"
    ))
    .bind(terminal_id)
    .bind(from_ms)
    .bind(to_ms)
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            let kind = match row.try_get("operation_type")? {
                "REFUND" => LineKind::Refund,
                _ => LineKind::Payment,
            };
            Ok((row.try_get("operation_id")?, kind))
        })
        .collect()
}

/// Writes which operations the files have to have.
pub async fn put_scope(
    connection: &mut Connection,
    scope: &NewScope<'_>,
) -> Result<(), StoreError> {
    query(
        "INSERT INTO settlement_scope (terminal_id, acquirer, since_ms, missing_after_days) VALUES (?, ?, ?, ?) \
         ON CONFLICT (terminal_id, acquirer) DO UPDATE SET missing_after_days = excluded.missing_after_days, \
         since_ms = CASE WHEN settlement_scope.since_ms < excluded.since_ms \
                         THEN settlement_scope.since_ms ELSE excluded.since_ms END",
    )
    .bind(scope.terminal_id)
    .bind(scope.acquirer)
    .bind(scope.since_ms)
    .bind(scope.missing_after_days)
    .execute(connection)
    .await?;
    Ok(())
}

/// Writes a file with its lines.
pub async fn add(
    connection: &mut Connection,
    file: &NewFile<'_>,
    lines: &[NewLine<'_>],
) -> Result<(), StoreError> {
    let days = || lines.iter().map(|new| new.line.booked_day.as_str());
    query(
        "INSERT INTO settlement_file (file_id, merchant_id, file_hash, file_name, mapping, terminal_ids, imported_ms, \
         imported_by, line_count, repeated_count, first_day, last_day) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(file.file_id)
    .bind(file.merchant_id)
    .bind(file.hash)
    .bind(file.name)
    .bind(file.mapping)
    .bind(file.terminal_ids.join(","))
    .bind(file.imported_ms)
    .bind(file.imported_by)
    .bind(lines.len() as i64)
    .bind(file.repeated as i64)
    .bind(days().min().unwrap_or_default())
    .bind(days().max().unwrap_or_default())
    .execute(&mut *connection)
    .await?;
    for (at, new) in lines.iter().enumerate() {
        add_line(connection, file, new);
        if at % AT_ONCE == AT_ONCE - 1 {
            connection.send().await?;
        }
    }
    connection
        .enqueue(
            "DELETE FROM settlement_unmatched WHERE operation_id IN \
             (SELECT operation_id FROM settlement_line WHERE file_id = ? AND operation_id IS NOT NULL)",
        )
        .bind(file.file_id);
    sum_files(connection).await
}

fn add_line(connection: &mut Connection, file: &NewFile<'_>, new: &NewLine<'_>) {
    let line = new.line;
    let references = &line.references;
    connection
        .enqueue(
            "INSERT INTO settlement_line (file_id, line_number, merchant_id, line_hash, kind, difference, operation_id, \
             operation_reference, order_reference, retrieval_reference, acquirer_reference, payout_id, booked_day, booked_ms, \
             gross_minor, fee_minor, net_minor, currency) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )
        .bind(file.file_id)
        .bind(line.number as i64)
        .bind(file.merchant_id)
        .bind(new.hash)
        .bind(line.kind.code())
        .bind(new.difference.map(Difference::code))
        .bind(new.operation_id)
        .bind(&references.operation_id)
        .bind(&references.order_id)
        .bind(&references.retrieval)
        .bind(&references.acquirer)
        .bind(&line.payout_id)
        .bind(&line.booked_day)
        .bind(line.booked_ms)
        .bind(line.gross_minor)
        .bind(line.fee_minor)
        .bind(line.net_minor)
        .bind(&line.currency);
}

/// How many lines are sent to the database together. A server takes at most 65,535 values.
const AT_ONCE: usize = 100;
