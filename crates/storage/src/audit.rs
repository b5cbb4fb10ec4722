//! The audit log: actions of members, of merchants' servers and of commands, in order. Entries are written and read, never changed. Each has the hash of the
//! entry before it ([`super::audit_chain`]).

use super::audit_chain::{self, Content};
use super::{Connection, Row, StoreError, query, query_scalar};
use core::net::IpAddr;
use payframe_payment_domain::back_office::Act;

/// Who acted, and from where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Author<'a> {
    /// A member of the back office.
    Member {
        /// Their id.
        member_id: &'a str,
        /// The address of their browser. Empty: a proxy of ours did not tell it.
        address: &'a str,
    },
    /// A merchant's server, by a call of the API.
    ApiKey {
        /// The key's id, which gives no access.
        key_id: &'a str,
        /// The server's address. `None`: a proxy of ours did not tell it.
        address: Option<IpAddr>,
    },
    /// A command on the gateway's machine.
    Command {
        /// The user of the operating system who gave it.
        os_user: &'a str,
    },
    /// The gateway itself, by a rule.
    Gateway,
}

/// One action.
pub struct Entry<'a> {
    /// The merchant of the action.
    pub merchant_id: &'a str,
    /// Who did it.
    pub author: Author<'a>,
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
    /// The address of the member's browser, or of the merchant's server. Empty: unknown.
    pub address: Option<String>,
    /// The user of the operating system who gave the command.
    pub os_user: Option<String>,
    /// The id of the key with which the API was called.
    pub key_id: Option<String>,
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

/// Writes an entry, in the transaction of the action if there is one. It locks the end of the log, so it comes last in its change: until
/// that ends, no other entry is written. No payment writes one; what a merchant's server does to it afterwards does.
pub async fn add(connection: &mut Connection, entry: &Entry<'_>) -> Result<(), StoreError> {
    let previous = audit_chain::take_head(connection).await?;
    let content = entry.content();
    let hash = content.hash(&previous);
    connection
        .enqueue(
            "INSERT INTO audit_entry (merchant_id, member_id, address, os_user, key_id, at_ms, act, subject, detail, previous_hash, hash) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )
        .bind(content.merchant_id)
        .bind(content.member_id)
        .bind(content.address)
        .bind(content.os_user)
        .bind(content.key_id)
        .bind(content.at_ms)
        .bind(content.act)
        .bind(content.subject)
        .bind(content.detail)
        .bind(previous)
        .bind(hash.as_str());
    audit_chain::put_head(connection, &hash);
    Ok(())
}

impl Entry<'_> {
    fn content(&self) -> Content {
        let address = match self.author {
            Author::Member { address, .. } => Some(address.to_owned()),
            Author::ApiKey { address, .. } => {
                Some(address.map_or_else(String::new, |address| address.to_string()))
            }
            Author::Command { .. } | Author::Gateway => None,
        };
        let (member_id, os_user, key_id) = match self.author {
            Author::Member { member_id, .. } => (Some(member_id), None, None),
            Author::ApiKey { key_id, .. } => (None, None, Some(key_id)),
            Author::Command { os_user } => (None, Some(os_user), None),
            Author::Gateway => (None, None, None),
        };
        let owned = |text: Option<&str>| text.map(str::to_owned);
        Content {
            merchant_id: self.merchant_id.to_owned(),
            member_id: owned(member_id),
            address,
            os_user: owned(os_user),
            key_id: owned(key_id),
            at_ms: self.at_ms,
            act: self.act.code().to_owned(),
            subject: self.subject.to_owned(),
            detail: self.detail.to_owned(),
        }
    }
}

/// The newest entries of a merchant that match, newest first, at most `max`.
pub async fn list(
    connection: &mut Connection,
    merchant_id: &str,
    filter: &EntryFilter<'_>,
    max: i64,
) -> Result<Vec<EntryRow>, StoreError> {
    let rows = query(
        "SELECT a.seq, m.name, a.address, a.os_user, a.key_id, a.at_ms, a.act, a.subject, a.detail FROM audit_entry a \
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

/// Whether a command of this user has left an entry about reading the log after `since_ms`.
pub async fn was_read_by_command(
    connection: &mut Connection,
    os_user: &str,
    since_ms: i64,
) -> Result<bool, StoreError> {
    let reads: i64 = query_scalar(
        "SELECT COUNT(*) FROM audit_entry WHERE act = 'READ_AUDIT_LOG' AND os_user = ? AND at_ms > ?",
    )
    .bind(os_user)
    .bind(since_ms)
    .fetch_one(connection)
    .await?;
    Ok(reads > 0)
}

fn read(row: &Row) -> Result<EntryRow, StoreError> {
    Ok(EntryRow {
        seq: row.try_get("seq")?,
        member: row.try_get("name")?,
        address: row.try_get("address")?,
        os_user: row.try_get("os_user")?,
        key_id: row.try_get("key_id")?,
        at_ms: row.try_get("at_ms")?,
        act: Act::from_code(row.try_get("act")?).ok_or(StoreError::Unreadable("act"))?,
        subject: row.try_get("subject")?,
        detail: row.try_get("detail")?,
    })
}
