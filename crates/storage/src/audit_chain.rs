//! The chain of the audit log: each entry has the hash of the entry before it, so that no entry can be changed, removed, inserted or
//! moved without changing every hash behind it.
//!
//! The hash needs no key: whoever has the exported entries can check it (docs/audit-log.md). Whoever can write to the database can also
//! compute a whole chain anew, which only a hash that was kept elsewhere shows.
//!
//! Entries from before there were hashes have none. Theirs are computed in the same way, and the first entry with a hash continues them.

pub use super::audit_content::Content;
use super::lock_order::Rank;
use super::{Connection, Row, StoreError, query, query_scalar};
use std::fmt;

/// What the chain begins with: the hash before the first entry.
pub const START: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// An entry with its place in the chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainedEntry {
    /// Its position in the order of entries.
    pub seq: i64,
    /// What it says.
    pub content: Content,
    /// The member's present name, which is not part of the entry.
    pub member_name: Option<String>,
    /// The hash of the entry before it. `None`: it is from before there were hashes.
    pub previous_hash: Option<String>,
    /// Its own.
    pub hash: Option<String>,
}

/// What is known of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// How many entries there are.
    pub entries: i64,
    /// How many of them are from before there were hashes. The first hash covers them.
    pub without_hash: i64,
    /// The hash of the newest entry, which stands for all entries.
    pub head: String,
    /// How many entries are up to the one with the hash that was asked for. `None`: there is none.
    pub asked_place: Option<i64>,
}

/// The first place where the chain is broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Break {
    /// How many entries before it are as they were written.
    pub sound: i64,
    /// The number of the entry.
    pub seq: i64,
    /// What is wrong.
    pub damage: Damage,
}

/// What is wrong with an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// It does not say what was written.
    Changed,
    /// The entry that it followed is not there.
    PreviousRemoved,
    /// It follows an entry further up than the one before it.
    Inserted,
    /// The entry that it followed is behind it.
    Moved,
    /// It was not written by a gateway, which gives each entry a hash.
    WithoutHash,
    /// It is the first with a hash, and the entries before it are not those of then.
    EarlierChanged,
    /// It is the newest, and there was a newer one.
    NewestRemoved,
    /// It is behind the one that the gateway wrote last.
    AddedBehind,
}

impl fmt::Display for Break {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seq = self.seq;
        match self.damage {
            Damage::Changed => write!(f, "entry {seq} was changed"),
            Damage::PreviousRemoved => write!(
                f,
                "before entry {seq}, the entry that it followed was removed or replaced"
            ),
            Damage::Inserted => write!(
                f,
                "entry {seq} follows an earlier entry than the one before it: it was inserted, or entries before it were"
            ),
            Damage::Moved => write!(
                f,
                "the entry that entry {seq} followed is behind it: one of the two was moved"
            ),
            Damage::WithoutHash => write!(
                f,
                "entry {seq} has no hash: it was inserted without the gateway, or its hash was deleted"
            ),
            Damage::EarlierChanged => write!(
                f,
                "entry {seq} is the first with a hash, and the entries before it are not those of then"
            ),
            Damage::NewestRemoved => write!(f, "the entries behind entry {seq} were removed"),
            Damage::AddedBehind => write!(
                f,
                "entry {seq} is behind the newest that a gateway wrote: it was inserted without the gateway"
            ),
        }
    }
}

/// Walks along entries, in their order.
#[derive(Debug)]
struct Walk {
    entries: i64,
    without_hash: i64,
    last_seq: i64,
    head: String,
}

/// What an entry shows alone, without the others.
#[derive(Debug, PartialEq, Eq)]
enum Step {
    /// It follows the entry before it.
    Follows,
    Damaged(Damage),
    /// It follows another entry than the one before it.
    FollowsAnother,
}

impl Walk {
    fn new() -> Walk {
        Walk {
            entries: 0,
            without_hash: 0,
            last_seq: i64::MIN,
            head: String::from(START),
        }
    }

    fn step(&mut self, entry: &ChainedEntry) -> Step {
        let (previous, hash) = match (&entry.previous_hash, &entry.hash) {
            (Some(previous), Some(hash)) => (previous, hash),
            _ if self.without_hash < self.entries => return Step::Damaged(Damage::WithoutHash),
            _ => {
                self.without_hash += 1;
                let hash = entry.content.hash(&self.head);
                return self.follows(entry, hash);
            }
        };
        if entry.content.hash(previous) != *hash {
            return Step::Damaged(Damage::Changed);
        }
        if *previous == self.head {
            return self.follows(entry, hash.clone());
        }
        if self.without_hash > 0 && self.without_hash == self.entries {
            return Step::Damaged(Damage::EarlierChanged);
        }
        Step::FollowsAnother
    }

    fn follows(&mut self, entry: &ChainedEntry, hash: String) -> Step {
        self.entries += 1;
        self.last_seq = entry.seq;
        self.head = hash;
        Step::Follows
    }

    fn broken(&self, seq: i64, damage: Damage) -> Break {
        Break {
            sound: self.entries,
            seq,
            damage,
        }
    }
}

/// Checks the whole log, and looks for the entry with the hash `asked`. Entries may be written meanwhile.
pub async fn verify(
    connection: &mut Connection,
    asked: Option<&str>,
) -> Result<Result<Verified, Break>, StoreError> {
    let mut walk = Walk::new();
    let mut asked_place = (asked == Some(START)).then_some(0);
    loop {
        // Before the entries: so none of those that it stands for can be missing among them.
        let newest: String = query_scalar("SELECT hash FROM audit_head WHERE one = 1")
            .fetch_one(connection)
            .await?;
        let page = after(connection, walk.last_seq, PAGE).await?;
        if page.is_empty() {
            return Ok(match ending(connection, &walk, &newest).await? {
                Some(damage) => Err(walk.broken(walk.last_seq.max(0), damage)),
                None => Ok(Verified {
                    entries: walk.entries,
                    without_hash: walk.without_hash,
                    head: walk.head,
                    asked_place,
                }),
            });
        }
        for entry in &page {
            let damage = match walk.step(entry) {
                Step::Follows => {
                    if asked == Some(walk.head.as_str()) {
                        asked_place = Some(walk.entries);
                    }
                    continue;
                }
                Step::Damaged(damage) => damage,
                Step::FollowsAnother => displaced(connection, entry).await?,
            };
            return Ok(Err(walk.broken(entry.seq, damage)));
        }
    }
}

/// The next entries of all merchants behind a position, oldest first, at most `max`.
pub async fn after(
    connection: &mut Connection,
    seq: i64,
    max: i64,
) -> Result<Vec<ChainedEntry>, StoreError> {
    let rows = query(
        "SELECT a.*, m.name FROM audit_entry a LEFT JOIN member m ON m.member_id = a.member_id \
         WHERE a.seq > ? ORDER BY a.seq LIMIT ?",
    )
    .bind(seq)
    .bind(max)
    .fetch_all(connection)
    .await?;
    rows.iter().map(read).collect()
}

/// What is wrong with an entry that follows another one than the entry before it.
async fn displaced(
    connection: &mut Connection,
    entry: &ChainedEntry,
) -> Result<Damage, StoreError> {
    let followed = match &entry.previous_hash {
        Some(previous) if previous == START => return Ok(Damage::Inserted),
        Some(previous) => seq_of(connection, previous).await?,
        None => None,
    };
    Ok(match followed {
        None => Damage::PreviousRemoved,
        Some(seq) if seq > entry.seq => Damage::Moved,
        Some(_) => Damage::Inserted,
    })
}

/// What is wrong with the end of the log, whose newest entry a gateway has noted.
async fn ending(
    connection: &mut Connection,
    walk: &Walk,
    newest: &str,
) -> Result<Option<Damage>, StoreError> {
    let has_hashes = walk.without_hash < walk.entries;
    if newest == walk.head || (newest.is_empty() && !has_hashes) {
        return Ok(None);
    }
    let is_there = newest.is_empty() || seq_of(connection, newest).await?.is_some();
    Ok(Some(match is_there {
        true => Damage::AddedBehind,
        false => Damage::NewestRemoved,
    }))
}

async fn seq_of(connection: &mut Connection, hash: &str) -> Result<Option<i64>, StoreError> {
    let found = query_scalar("SELECT MIN(seq) FROM audit_entry WHERE hash = ?").bind(hash);
    Ok(found.fetch_one(connection).await?)
}

/// The hash that the next entry follows. Until the change ends, nobody else gets one.
pub(crate) async fn take_head(connection: &mut Connection) -> Result<String, StoreError> {
    connection.takes_lock(Rank::AuditLog, "audit log")?;
    let head: String =
        query_scalar("UPDATE audit_head SET hash = hash WHERE one = 1 RETURNING hash")
            .fetch_one(connection)
            .await?;
    if !head.is_empty() {
        return Ok(head);
    }
    let mut walk = Walk::new();
    loop {
        let page = after(connection, walk.last_seq, PAGE).await?;
        if page.is_empty() {
            return Ok(walk.head);
        }
        for entry in &page {
            walk.step(entry);
        }
    }
}

/// Notes the hash of an entry that the same change writes.
pub(crate) fn put_head(connection: &mut Connection, hash: &str) {
    connection
        .enqueue("UPDATE audit_head SET hash = ? WHERE one = 1")
        .bind(hash);
}

fn read(row: &Row) -> Result<ChainedEntry, StoreError> {
    Ok(ChainedEntry {
        seq: row.try_get("seq")?,
        content: Content {
            merchant_id: row.try_get("merchant_id")?,
            member_id: row.try_get("member_id")?,
            address: row.try_get("address")?,
            os_user: row.try_get("os_user")?,
            key_id: row.try_get("key_id")?,
            at_ms: row.try_get("at_ms")?,
            act: row.try_get("act")?,
            subject: row.try_get("subject")?,
            detail: row.try_get("detail")?,
        },
        member_name: row.try_get("name")?,
        previous_hash: row.try_get("previous_hash")?,
        hash: row.try_get("hash")?,
    })
}

/// How many entries are read at a time.
const PAGE: i64 = 1000;

#[cfg(test)]
mod tests {
    use super::super::audit_content::tests::content;
    use super::*;

    fn entry(seq: i64, previous: &str) -> ChainedEntry {
        let content = Content {
            subject: seq.to_string(),
            ..content()
        };
        ChainedEntry {
            seq,
            hash: Some(content.hash(previous)),
            previous_hash: Some(previous.to_owned()),
            member_name: None,
            content,
        }
    }

    #[test]
    fn a_walk_goes_on_where_an_entry_follows_the_one_before_it() {
        let first = entry(1, START);
        let second = entry(2, first.hash.as_deref().unwrap());
        let mut walk = Walk::new();
        assert_eq!(walk.step(&first), Step::Follows);
        assert_eq!(walk.step(&first), Step::FollowsAnother);
        assert_eq!(walk.step(&second), Step::Follows);
        assert_eq!(Some(walk.head), second.hash);
        assert_eq!(Walk::new().step(&second), Step::FollowsAnother);
        let mut changed = first.clone();
        changed.content.detail.push('!');
        assert_eq!(Walk::new().step(&changed), Step::Damaged(Damage::Changed));
    }

    #[test]
    fn the_first_hash_covers_the_entries_without_one() {
        let mut old = entry(1, START);
        let hash = old.hash.take().unwrap();
        old.previous_hash = None;
        let mut walk = Walk::new();
        assert_eq!(walk.step(&old), Step::Follows);
        assert_eq!(walk.step(&entry(2, &hash)), Step::Follows);
        assert_eq!(
            walk.step(&old),
            Step::Damaged(Damage::WithoutHash),
            "only before the first hash"
        );
        old.content.detail.push('!');
        let mut walk = Walk::new();
        assert_eq!(walk.step(&old), Step::Follows);
        assert_eq!(
            walk.step(&entry(2, &hash)),
            Step::Damaged(Damage::EarlierChanged)
        );
    }
}
