//! The audit log: what members did, in order. It is written and read, never changed.

use super::{Connection, Row, StoreError, query};
use payframe_payment_domain::office::Act;

/// One thing that was done.
pub struct Entry<'a> {
    /// The merchant whose it is.
    pub merchant_id: &'a str,
    /// Who did it; nobody: a command on the gateway's machine.
    pub member_id: Option<&'a str>,
    /// When it was done.
    pub at_ms: i64,
    /// What was done.
    pub act: Act,
    /// What it was done to; empty for the member themselves.
    pub subject: &'a str,
    /// How, in words.
    pub detail: &'a str,
}

/// An entry as it is read.
pub struct EntryRow {
    /// Its place in the order of entries.
    pub seq: i64,
    /// Name of who did it.
    pub member: Option<String>,
    /// When it was done.
    pub at_ms: i64,
    /// What was done.
    pub act: Act,
    /// To what it was done.
    pub subject: String,
    /// How, in words.
    pub detail: String,
}

/// Which entries are asked for. What is `None` narrows nothing.
#[derive(Default)]
pub struct EntryFilter<'a> {
    /// Who did it.
    pub member_id: Option<&'a str>,
    /// What was done.
    pub act: Option<Act>,
    /// From this instant on.
    pub from_ms: Option<i64>,
    /// Before this instant.
    pub to_ms: Option<i64>,
    /// Older than the entry with this number.
    pub before: Option<i64>,
}

/// Writes an entry, in the transaction of what it tells of where there is one.
pub async fn add(connection: &mut Connection, entry: &Entry<'_>) -> Result<(), StoreError> {
    query(
        "INSERT INTO audit_entry (merchant_id, member_id, at_ms, act, subject, detail) VALUES (?, ?, ?, ?, ?, ?)",
    )
    .bind(entry.merchant_id)
    .bind(entry.member_id)
    .bind(entry.at_ms)
    .bind(entry.act.code())
    .bind(entry.subject)
    .bind(entry.detail)
    .execute(connection)
    .await?;
    Ok(())
}

/// The newest entries of a merchant that fit, newest first, at most `max`.
pub async fn list(
    connection: &mut Connection,
    merchant_id: &str,
    filter: &EntryFilter<'_>,
    max: i64,
) -> Result<Vec<EntryRow>, StoreError> {
    let rows = query(
        "SELECT a.seq, m.name, a.at_ms, a.act, a.subject, a.detail FROM audit_entry a \
         LEFT JOIN member m ON m.member_id = a.member_id \
         WHERE a.merchant_id = ?1 AND a.seq < ?2 AND a.at_ms >= ?3 AND a.at_ms < ?4 \
         AND (?5 = '' OR a.member_id = ?5) AND (?6 = '' OR a.act = ?6) \
         ORDER BY a.seq DESC LIMIT ?7",
    )
    .bind(merchant_id)
    .bind(filter.before.unwrap_or(i64::MAX))
    .bind(filter.from_ms.unwrap_or(i64::MIN))
    .bind(filter.to_ms.unwrap_or(i64::MAX))
    .bind(filter.member_id.unwrap_or_default())
    .bind(filter.act.map_or("", Act::code))
    .bind(max)
    .fetch_all(connection)
    .await?;
    rows.iter().map(read).collect()
}

fn read(row: &Row) -> Result<EntryRow, StoreError> {
    Ok(EntryRow {
        seq: row.try_get("seq")?,
        member: row.try_get("name")?,
        at_ms: row.try_get("at_ms")?,
        act: Act::from_code(row.try_get("act")?).ok_or(StoreError::Unreadable("act"))?,
        subject: row.try_get("subject")?,
        detail: row.try_get("detail")?,
    })
}
