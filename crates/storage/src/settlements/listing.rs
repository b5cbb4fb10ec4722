//! Files, their sums and their lines, for the back office, merchants' servers and exports.

use crate::{Connection, Row, RowPlace, StoreError, listed, query};
use payframe_payment_domain::settlement::{Difference, LineKind};

/// An imported file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileRow {
    /// Its id.
    pub file_id: String,
    /// Its name.
    pub name: String,
    /// The name of its format.
    pub mapping: String,
    /// The terminals that it is about.
    pub terminal_ids: Vec<String>,
    /// When it was imported.
    pub imported_ms: i64,
    /// How many lines it has that no file before it has.
    pub lines: i64,
    /// How many of its lines were read before.
    pub repeated: i64,
    /// The first day of booking.
    pub first_day: String,
    /// The last day of booking.
    pub last_day: String,
    /// How many differences nobody has cleared.
    pub open_differences: i64,
}

impl FileRow {
    /// Its place in the list.
    pub fn place(&self) -> RowPlace {
        RowPlace {
            at_ms: self.imported_ms,
            id: self.file_id.clone(),
        }
    }
}

/// Sums of lines in one currency, in minor units, with a sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sums {
    /// ISO 4217 code.
    pub currency: String,
    /// How many lines.
    pub lines: i64,
    /// Payments less refunds, and what else is in the file.
    pub gross_minor: i64,
    /// What the acquirer keeps.
    pub fee_minor: i64,
    /// What it pays out.
    pub net_minor: i64,
}

/// Sums of the lines of one payout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PayoutSum {
    /// As the acquirer calls it. `None`: the lines name none.
    pub payout_id: Option<String>,
    /// Its sums.
    pub sums: Sums,
}

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineRow {
    /// The file.
    pub file_id: String,
    /// Where it begins in the file.
    pub number: i64,
    /// What it is about.
    pub kind: LineKind,
    /// How it differs from the books.
    pub difference: Option<Difference>,
    /// The operation that it is about.
    pub operation_id: Option<String>,
    /// The order of that operation.
    pub order_id: Option<String>,
    /// What the file calls the operation, in the order in which it is searched for.
    pub references: [Option<String>; 3],
    /// The acquirer's own reference.
    pub acquirer_reference: Option<String>,
    /// The payout.
    pub payout_id: Option<String>,
    /// When it was booked.
    pub booked_day: String,
    /// Its sums, with a sign.
    pub gross_minor: i64,
    /// What the acquirer keeps.
    pub fee_minor: i64,
    /// What it pays out.
    pub net_minor: i64,
    /// ISO 4217 code.
    pub currency: String,
    /// Whether somebody cleared the difference.
    pub is_resolved: bool,
}

/// A merchant's files, newest first, at most `most`.
pub async fn files(
    connection: &mut Connection,
    merchant_id: &str,
    behind: Option<&RowPlace>,
    most: u32,
) -> Result<Vec<FileRow>, StoreError> {
    let (imported_ms, file_id) = RowPlace::bounds(behind);
    let rows = query(
        "SELECT f.*, (SELECT COUNT(*) FROM settlement_line l WHERE l.file_id = f.file_id \
                      AND l.difference IS NOT NULL AND l.resolved_ms IS NULL) AS open_differences \
         FROM settlement_file f WHERE f.merchant_id = ?1 AND f.imported_ms <= ?2 \
         AND (f.imported_ms < ?2 OR f.file_id < ?3) ORDER BY f.imported_ms DESC, f.file_id DESC LIMIT ?4",
    )
    .bind(merchant_id)
    .bind(imported_ms)
    .bind(file_id)
    .bind(i64::from(most))
    .fetch_all(connection)
    .await?;
    rows.iter().map(file_of).collect()
}

/// A merchant's file.
pub async fn file(
    connection: &mut Connection,
    merchant_id: &str,
    file_id: &str,
) -> Result<Option<FileRow>, StoreError> {
    let row = query(
        "SELECT f.*, (SELECT COUNT(*) FROM settlement_line l WHERE l.file_id = f.file_id \
                      AND l.difference IS NOT NULL AND l.resolved_ms IS NULL) AS open_differences \
         FROM settlement_file f WHERE f.merchant_id = ? AND f.file_id = ?",
    )
    .bind(merchant_id)
    .bind(file_id)
    .fetch_optional(connection)
    .await?;
    row.as_ref().map(file_of).transpose()
}

/// Writes the sums of the files that have none yet. Lines never change.
pub async fn sum_files(connection: &mut Connection) -> Result<(), StoreError> {
    query(
        "INSERT INTO settlement_sum (file_id, payout_id, currency, line_count, gross_minor, fee_minor, net_minor) \
         SELECT file_id, COALESCE(payout_id, ''), currency, COUNT(*), SUM(gross_minor), SUM(fee_minor), SUM(net_minor) \
         FROM settlement_line WHERE file_id IN (SELECT f.file_id FROM settlement_file f \
         WHERE NOT EXISTS (SELECT 1 FROM settlement_sum s WHERE s.file_id = f.file_id)) \
         GROUP BY file_id, COALESCE(payout_id, ''), currency ON CONFLICT DO NOTHING",
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// The sums of a file, by currency.
pub async fn sums(connection: &mut Connection, file_id: &str) -> Result<Vec<Sums>, StoreError> {
    let rows = query(
        "SELECT currency, CAST(SUM(line_count) AS BIGINT) AS line_count, CAST(SUM(gross_minor) AS BIGINT) AS gross_minor, \
                CAST(SUM(fee_minor) AS BIGINT) AS fee_minor, CAST(SUM(net_minor) AS BIGINT) AS net_minor \
         FROM settlement_sum WHERE file_id = ? GROUP BY currency ORDER BY currency",
    )
    .bind(file_id)
    .fetch_all(connection)
    .await?;
    rows.iter().map(sums_of).collect()
}

/// The sums of the payouts of a file, by payout and currency.
pub async fn payout_sums(
    connection: &mut Connection,
    file_id: &str,
) -> Result<Vec<PayoutSum>, StoreError> {
    let rows = query(
        "SELECT NULLIF(payout_id, '') AS payout, currency, line_count, gross_minor, fee_minor, net_minor \
         FROM settlement_sum WHERE file_id = ? ORDER BY payout_id, currency",
    )
    .bind(file_id)
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(PayoutSum {
                payout_id: row.try_get("payout")?,
                sums: sums_of(row)?,
            })
        })
        .collect()
}

/// The lines of a merchant's file behind the one with this number, at most `most`, in the order of the file.
pub async fn lines(
    connection: &mut Connection,
    (merchant_id, file_id): (&str, &str),
    behind: i64,
    most: u32,
) -> Result<Vec<LineRow>, StoreError> {
    let rows = query(
        "SELECT l.*, o.order_id FROM settlement_line l LEFT JOIN operation o ON o.operation_id = l.operation_id \
         WHERE l.merchant_id = ? AND l.file_id = ? AND l.line_number > ? ORDER BY l.line_number LIMIT ?",
    )
    .bind(merchant_id)
    .bind(file_id)
    .bind(behind)
    .bind(i64::from(most))
    .fetch_all(connection)
    .await?;
    rows.iter().map(line_of).collect()
}

fn file_of(row: &Row) -> Result<FileRow, StoreError> {
    Ok(FileRow {
        file_id: row.try_get("file_id")?,
        name: row.try_get("file_name")?,
        mapping: row.try_get("mapping")?,
        terminal_ids: listed(row.try_get("terminal_ids")?),
        imported_ms: row.try_get("imported_ms")?,
        lines: row.try_get("line_count")?,
        repeated: row.try_get("repeated_count")?,
        first_day: row.try_get("first_day")?,
        last_day: row.try_get("last_day")?,
        open_differences: row.try_get("open_differences")?,
    })
}

fn sums_of(row: &Row) -> Result<Sums, StoreError> {
    Ok(Sums {
        currency: row.try_get("currency")?,
        lines: row.try_get("line_count")?,
        gross_minor: row.try_get("gross_minor")?,
        fee_minor: row.try_get("fee_minor")?,
        net_minor: row.try_get("net_minor")?,
    })
}

fn line_of(row: &Row) -> Result<LineRow, StoreError> {
    let unreadable = || StoreError::Unreadable("line of a clearing file");
    let difference: Option<&str> = row.try_get("difference")?;
    let resolved_ms: Option<i64> = row.try_get("resolved_ms")?;
    Ok(LineRow {
        file_id: row.try_get("file_id")?,
        number: row.try_get("line_number")?,
        kind: LineKind::from_code(row.try_get("kind")?).ok_or_else(unreadable)?,
        difference: difference
            .map(|code| Difference::from_code(code).ok_or_else(unreadable))
            .transpose()?,
        operation_id: row.try_get("operation_id")?,
        order_id: row.try_get("order_id")?,
        references: [
            row.try_get("operation_reference")?,
            row.try_get("retrieval_reference")?,
            row.try_get("order_reference")?,
        ],
        acquirer_reference: row.try_get("acquirer_reference")?,
        payout_id: row.try_get("payout_id")?,
        booked_day: row.try_get("booked_day")?,
        gross_minor: row.try_get("gross_minor")?,
        fee_minor: row.try_get("fee_minor")?,
        net_minor: row.try_get("net_minor")?,
        currency: row.try_get("currency")?,
        is_resolved: resolved_ms.is_some(),
    })
}
