//! What merchants' pages were made of, as browsers reported it: pages, and the entries of each.
//!
//! All changes of a terminal's pages are made one after the other ([`super::Subject::PageWatch`]).

use super::{Connection, Row, StoreError, query, query_scalar};
use payframe_payment_domain::page_watch::{Entry, EntryId, EntryKind, KnownEntry};
use std::collections::HashMap;

/// A page that was reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WatchedPage {
    /// The terminal whose form it shows.
    pub terminal_id: String,
    /// Origin and path.
    pub page: String,
    /// Hash of the entries of the newest load.
    pub entries: String,
    /// How many loads were reported.
    pub loads: i64,
    /// The first of them.
    pub first_ms: i64,
    /// The newest.
    pub last_ms: i64,
    /// When a load could last read the headers.
    pub headers_ms: Option<i64>,
}

/// An entry of a page, with what members decided about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageEntry {
    /// The terminal.
    pub terminal_id: String,
    /// The page.
    pub page: String,
    /// What was told of it, and what loads had.
    pub known: KnownEntry,
    /// When a load first had it.
    pub first_ms: i64,
    /// Since when loads do not have it.
    pub gone_ms: Option<i64>,
    /// The hash that it had before; empty where it is not known.
    pub replaces: Option<String>,
    /// When it was last found to be new, changed or gone.
    pub alarm_ms: Option<i64>,
    /// Whether a member allows it.
    pub is_authorized: bool,
    /// Why it is needed, or what was done.
    pub justification: String,
    /// Who decided last, and when.
    pub judged: Option<(String, i64)>,
}

impl PageEntry {
    /// Whether nobody has decided since it was found.
    pub fn is_open(&self) -> bool {
        let judged_ms = self.judged.as_ref().map_or(i64::MIN, |(_, at_ms)| *at_ms);
        self.alarm_ms.is_some_and(|alarm_ms| judged_ms < alarm_ms)
    }
}

/// What a member decides about an entry.
pub struct Judgement<'a> {
    /// Whether it is allowed.
    pub is_authorized: bool,
    /// Whether it differs at each load.
    pub varies: bool,
    /// Why.
    pub justification: &'a str,
    /// The member.
    pub by: &'a str,
    /// When.
    pub at_ms: i64,
}

/// A page. `None`: it was never reported.
pub async fn page(
    connection: &mut Connection,
    terminal_id: &str,
    page: &str,
) -> Result<Option<WatchedPage>, StoreError> {
    let row = query("SELECT * FROM watched_page WHERE terminal_id = ? AND page = ?")
        .bind(terminal_id)
        .bind(page)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read_page).transpose()
}

/// The pages of a terminal.
pub async fn pages(
    connection: &mut Connection,
    terminal_id: &str,
) -> Result<Vec<WatchedPage>, StoreError> {
    let rows = query("SELECT * FROM watched_page WHERE terminal_id = ? ORDER BY page")
        .bind(terminal_id)
        .fetch_all(connection)
        .await?;
    rows.iter().map(read_page).collect()
}

/// How many pages of a terminal were reported.
pub async fn count_pages(
    connection: &mut Connection,
    terminal_id: &str,
) -> Result<i64, StoreError> {
    let count = query_scalar("SELECT COUNT(*) FROM watched_page WHERE terminal_id = ?");
    Ok(count.bind(terminal_id).fetch_one(connection).await?)
}

/// Writes a page.
pub async fn put_page(connection: &mut Connection, page: &WatchedPage) -> Result<(), StoreError> {
    query(
        "INSERT INTO watched_page (terminal_id, page, entries, loads, first_ms, last_ms, headers_ms) \
         VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (terminal_id, page) DO UPDATE SET entries = excluded.entries, \
         loads = excluded.loads, last_ms = excluded.last_ms, headers_ms = excluded.headers_ms",
    )
    .bind(&page.terminal_id)
    .bind(&page.page)
    .bind(&page.entries)
    .bind(page.loads)
    .bind(page.first_ms)
    .bind(page.last_ms)
    .bind(page.headers_ms)
    .execute(connection)
    .await?;
    Ok(())
}

/// All entries of a page, also those that no load had.
pub async fn known(
    connection: &mut Connection,
    terminal_id: &str,
    page: &str,
) -> Result<Vec<KnownEntry>, StoreError> {
    let rows = query(
        "SELECT * FROM page_entry WHERE terminal_id = ? AND page = ? ORDER BY told_ms, fingerprint",
    )
    .bind(terminal_id)
    .bind(page)
    .fetch_all(connection)
    .await?;
    rows.iter().map(read_known).collect()
}

/// Writes what was told of an entry. One that is there stays.
pub async fn tell(
    connection: &mut Connection,
    (terminal_id, page): (&str, &str),
    entry: &Entry,
    now_ms: i64,
) -> Result<(), StoreError> {
    query(
        "INSERT INTO page_entry (terminal_id, page, fingerprint, shape, kind, source, hash, has_integrity, told_ms) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (terminal_id, page, fingerprint) DO NOTHING",
    )
    .bind(terminal_id)
    .bind(page)
    .bind(&entry.id.exact)
    .bind(&entry.id.shape)
    .bind(entry.kind.code())
    .bind(&entry.source)
    .bind(&entry.hash)
    .bind(i64::from(entry.has_integrity))
    .bind(now_ms)
    .execute(connection)
    .await?;
    Ok(())
}

/// Takes an entry over from another page of the terminal, with what members decided about it. `false`: no load of another page had it.
pub async fn take_over(
    connection: &mut Connection,
    (terminal_id, page): (&str, &str),
    fingerprint: &str,
    now_ms: i64,
) -> Result<bool, StoreError> {
    let taken = query(
        "INSERT INTO page_entry (terminal_id, page, fingerprint, shape, kind, source, hash, has_integrity, told_ms, first_ms, varies, \
         is_authorized, justification, judged_by, judged_ms) \
         SELECT terminal_id, ?, fingerprint, shape, kind, source, hash, has_integrity, ?, ?, varies, is_authorized, justification, \
         judged_by, judged_ms FROM page_entry WHERE terminal_id = ? AND fingerprint = ? AND first_ms IS NOT NULL AND page <> ? \
         ORDER BY is_authorized DESC, page LIMIT 1 ON CONFLICT (terminal_id, page, fingerprint) DO NOTHING",
    )
    .bind(page)
    .bind(now_ms)
    .bind(now_ms)
    .bind(terminal_id)
    .bind(fingerprint)
    .bind(page)
    .execute(connection)
    .await?;
    Ok(taken > 0)
}

/// Writes down that a load first had an entry. `replaces`: the hash of the entry that it replaces. `alarm`: it was not there before.
pub async fn add(
    connection: &mut Connection,
    (terminal_id, page): (&str, &str),
    fingerprint: &str,
    replaces: Option<&str>,
    (now_ms, alarm): (i64, bool),
) -> Result<(), StoreError> {
    query(
        "UPDATE page_entry SET first_ms = ?, replaces = ?, alarm_ms = ? WHERE terminal_id = ? AND page = ? AND fingerprint = ?",
    )
    .bind(now_ms)
    .bind(replaces)
    .bind(alarm.then_some(now_ms))
    .bind(terminal_id)
    .bind(page)
    .bind(fingerprint)
    .execute(connection)
    .await?;
    Ok(())
}

/// Writes down that loads do not have an entry any more.
pub async fn remove(
    connection: &mut Connection,
    (terminal_id, page): (&str, &str),
    fingerprint: &str,
    (now_ms, alarm): (i64, bool),
) -> Result<(), StoreError> {
    query(
        "UPDATE page_entry SET gone_ms = ?, was_gone = 1, alarm_ms = CASE WHEN ? = 1 THEN ? ELSE alarm_ms END \
         WHERE terminal_id = ? AND page = ? AND fingerprint = ?",
    )
    .bind(now_ms)
    .bind(i64::from(alarm))
    .bind(now_ms)
    .bind(terminal_id)
    .bind(page)
    .bind(fingerprint)
    .execute(connection)
    .await?;
    Ok(())
}

/// Writes down that loads have an entry again.
pub async fn bring_back(
    connection: &mut Connection,
    (terminal_id, page): (&str, &str),
    fingerprint: &str,
    (now_ms, alarm): (i64, bool),
) -> Result<(), StoreError> {
    query(
        "UPDATE page_entry SET gone_ms = NULL, alarm_ms = CASE WHEN ? = 1 THEN ? ELSE alarm_ms END \
         WHERE terminal_id = ? AND page = ? AND fingerprint = ?",
    )
    .bind(i64::from(alarm))
    .bind(now_ms)
    .bind(terminal_id)
    .bind(page)
    .bind(fingerprint)
    .execute(connection)
    .await?;
    Ok(())
}

/// Makes room for entries of a page that has too many: deletes those about which nobody decided, oldest first, that were only told, and then
/// those that are gone.
pub async fn make_room(
    connection: &mut Connection,
    terminal_id: &str,
    page: &str,
    count: i64,
) -> Result<(), StoreError> {
    query(
        "DELETE FROM page_entry WHERE terminal_id = ?1 AND page = ?2 AND fingerprint IN (\
         SELECT fingerprint FROM page_entry WHERE terminal_id = ?1 AND page = ?2 AND judged_ms IS NULL \
         AND (first_ms IS NULL OR gone_ms IS NOT NULL) \
         ORDER BY CASE WHEN first_ms IS NULL THEN 0 ELSE 1 END, told_ms, fingerprint LIMIT ?3)",
    )
    .bind(terminal_id)
    .bind(page)
    .bind(count)
    .execute(connection)
    .await?;
    Ok(())
}

/// The instants since `since_ms` at which changes of a terminal's pages were found.
pub async fn alarms_since(
    connection: &mut Connection,
    terminal_id: &str,
    since_ms: i64,
) -> Result<i64, StoreError> {
    let count = query_scalar(
        "SELECT COUNT(DISTINCT alarm_ms) FROM page_entry WHERE terminal_id = ? AND alarm_ms > ?",
    );
    Ok(count
        .bind(terminal_id)
        .bind(since_ms)
        .fetch_one(connection)
        .await?)
}

/// The entries of a merchant's pages that loads had, by terminal and page, behind this one, at most `max`.
pub async fn list(
    connection: &mut Connection,
    merchant_id: &str,
    (terminal_id, page, fingerprint): (&str, &str, &str),
    max: i64,
) -> Result<Vec<PageEntry>, StoreError> {
    let rows = query(
        "SELECT e.* FROM page_entry e JOIN terminal t ON t.terminal_id = e.terminal_id \
         WHERE t.merchant_id = ?1 AND e.first_ms IS NOT NULL AND (e.terminal_id > ?2 OR (e.terminal_id = ?2 AND (e.page > ?3 \
         OR (e.page = ?3 AND e.fingerprint > ?4)))) ORDER BY e.terminal_id, e.page, e.fingerprint LIMIT ?5",
    )
    .bind(merchant_id)
    .bind(terminal_id)
    .bind(page)
    .bind(fingerprint)
    .bind(max)
    .fetch_all(connection)
    .await?;
    rows.iter().map(read_entry).collect()
}

/// The entries of a page that loads had, in the order in which they were told.
pub async fn of_page(
    connection: &mut Connection,
    terminal_id: &str,
    page: &str,
) -> Result<Vec<PageEntry>, StoreError> {
    let rows = query(
        "SELECT * FROM page_entry WHERE terminal_id = ? AND page = ? AND first_ms IS NOT NULL ORDER BY told_ms, source, fingerprint",
    )
    .bind(terminal_id)
    .bind(page)
    .fetch_all(connection)
    .await?;
    rows.iter().map(read_entry).collect()
}

/// The entries with this fingerprint that loads of a terminal's pages had.
pub async fn with_fingerprint(
    connection: &mut Connection,
    terminal_id: &str,
    fingerprint: &str,
) -> Result<Vec<PageEntry>, StoreError> {
    let rows = query(
        "SELECT * FROM page_entry WHERE terminal_id = ? AND fingerprint = ? AND first_ms IS NOT NULL ORDER BY page",
    )
    .bind(terminal_id)
    .bind(fingerprint)
    .fetch_all(connection)
    .await?;
    rows.iter().map(read_entry).collect()
}

/// How many entries each page of a terminal has, and about how many changes of it nobody has decided.
pub async fn counts(
    connection: &mut Connection,
    terminal_id: &str,
) -> Result<HashMap<String, (i64, i64)>, StoreError> {
    let rows = query(
        "SELECT page, COUNT(CASE WHEN gone_ms IS NULL THEN 1 END) AS present, \
         COUNT(CASE WHEN alarm_ms IS NOT NULL AND (judged_ms IS NULL OR judged_ms < alarm_ms) THEN 1 END) AS undecided \
         FROM page_entry WHERE terminal_id = ? AND first_ms IS NOT NULL GROUP BY page",
    )
    .bind(terminal_id)
    .fetch_all(connection)
    .await?;
    let read = |row: &Row| {
        Ok((
            row.try_get("page")?,
            (row.try_get("present")?, row.try_get("undecided")?),
        ))
    };
    rows.iter().map(read).collect()
}

/// Writes what a member decided about an entry, on all pages of its terminal.
pub async fn judge(
    connection: &mut Connection,
    terminal_id: &str,
    fingerprint: &str,
    judgement: &Judgement<'_>,
) -> Result<(), StoreError> {
    query(
        "UPDATE page_entry SET is_authorized = ?, varies = ?, justification = ?, judged_by = ?, judged_ms = ? \
         WHERE terminal_id = ? AND fingerprint = ? AND first_ms IS NOT NULL",
    )
    .bind(i64::from(judgement.is_authorized))
    .bind(i64::from(judgement.varies))
    .bind(judgement.justification)
    .bind(judgement.by)
    .bind(judgement.at_ms)
    .bind(terminal_id)
    .bind(fingerprint)
    .execute(connection)
    .await?;
    Ok(())
}

/// How many changes of pages nobody has decided about: of all merchants, or of one.
pub async fn count_open(
    connection: &mut Connection,
    merchant_id: Option<&str>,
) -> Result<i64, StoreError> {
    let count = query_scalar(
        "SELECT COUNT(*) FROM page_entry e JOIN terminal t ON t.terminal_id = e.terminal_id \
         WHERE e.alarm_ms IS NOT NULL AND (e.judged_ms IS NULL OR e.judged_ms < e.alarm_ms) AND t.merchant_id = COALESCE(?, t.merchant_id)",
    );
    Ok(count.bind(merchant_id).fetch_one(connection).await?)
}

fn read_page(row: &Row) -> Result<WatchedPage, StoreError> {
    Ok(WatchedPage {
        terminal_id: row.try_get("terminal_id")?,
        page: row.try_get("page")?,
        entries: row.try_get("entries")?,
        loads: row.try_get("loads")?,
        first_ms: row.try_get("first_ms")?,
        last_ms: row.try_get("last_ms")?,
        headers_ms: row.try_get("headers_ms")?,
    })
}

fn read_known(row: &Row) -> Result<KnownEntry, StoreError> {
    let is_set = |column: &str| Ok::<_, sqlx::Error>(row.try_get::<i64>(column)? != 0);
    let kind = EntryKind::from_code(row.try_get("kind")?);
    Ok(KnownEntry {
        entry: Entry {
            id: EntryId {
                exact: row.try_get("fingerprint")?,
                shape: row.try_get("shape")?,
            },
            kind: kind.ok_or(StoreError::Unreadable("page entry"))?,
            source: row.try_get("source")?,
            hash: row.try_get("hash")?,
            has_integrity: is_set("has_integrity")?,
        },
        is_counted: row.try_get::<Option<i64>>("first_ms")?.is_some(),
        is_gone: row.try_get::<Option<i64>>("gone_ms")?.is_some(),
        varies: is_set("varies")?,
        was_gone: is_set("was_gone")?,
        is_rejected: row.try_get::<Option<i64>>("judged_ms")?.is_some()
            && !is_set("is_authorized")?,
    })
}

fn read_entry(row: &Row) -> Result<PageEntry, StoreError> {
    let judged_by: Option<String> = row.try_get("judged_by")?;
    let judged_ms: Option<i64> = row.try_get("judged_ms")?;
    Ok(PageEntry {
        terminal_id: row.try_get("terminal_id")?,
        page: row.try_get("page")?,
        known: read_known(row)?,
        first_ms: row.try_get("first_ms")?,
        gone_ms: row.try_get("gone_ms")?,
        replaces: row.try_get("replaces")?,
        alarm_ms: row.try_get("alarm_ms")?,
        is_authorized: row.try_get::<i64>("is_authorized")? != 0,
        justification: row.try_get("justification")?,
        judged: judged_by.zip(judged_ms),
    })
}
