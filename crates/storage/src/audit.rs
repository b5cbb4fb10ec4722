//! The audit log: actions of members, in order. Entries are written and read, never changed.

use super::{Connection, Row, StoreError, query};
use payframe_payment_domain::back_office::Act;

/// One action.
pub struct Entry<'a> {
    /// The merchant of the action.
    pub merchant_id: &'a str,
    /// The member who did it. `None`: a command on the gateway's machine.
    pub member_id: Option<&'a str>,
    /// The time of the action.
    pub at_ms: i64,
    /// The kind of action.
    pub act: Act,
    /// The object of the action. Empty for the member themselves.
    pub subject: &'a str,
    /// Details, as text.
    pub detail: &'a str,
}

/// A stored entry.
pub struct EntryRow {
    /// Its position in the order of entries.
    pub seq: i64,
    /// The member's name.
    pub member: Option<String>,
    /// The time of the action.
    pub at_ms: i64,
    /// The kind of action.
    pub act: Act,
    /// The object of the action.
    pub subject: String,
    /// Details, as text.
    pub detail: String,
}

/// A filter for entries. `None` does not filter.
#[derive(Default)]
pub struct EntryFilter<'a> {
    /// The member who did it.
    pub member_id: Option<&'a str>,
    /// The kind of action.
    pub act: Option<Act>,
    /// From this instant on.
    pub from_ms: Option<i64>,
    /// Before this instant.
    pub to_ms: Option<i64>,
    /// Older than the entry with this number.
    pub before: Option<i64>,
}

/// Writes an entry, in the transaction of the action if there is one.
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

/// The newest entries of a merchant that match, newest first, at most `max`.
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
