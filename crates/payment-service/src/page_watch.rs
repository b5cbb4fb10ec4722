//! What the SDK reports of merchants' pages: keeps the inventory of each page, and tells the merchant of changes.
//!
//! A report has two parts. First the fingerprints of all entries of a load. Mostly the gateway knows them, and the load only counts. If not, it
//! answers which it does not know, the SDK tells of these, and sends the fingerprints again. Only then the load counts, and is
//! compared with the one before.
//!
//! Whoever has a session of the terminal can write a report. So a report must come from a page of the session's origin, the size of
//! an inventory has limits, and the inventory decides nothing about payments.

use super::{PaymentContext, PaymentError};
use crate::meter;
use payframe_payment_domain::calendar::instant;
use payframe_payment_domain::page_watch::{
    Entry, EntryId, KnownEntry, PageDifference, compare, is_page,
};
use payframe_payment_domain::terms::Terms;
use payframe_protocol::notice::PageChange;
use payframe_storage::page_watch::{self, WatchedPage};
use payframe_storage::{Connection, Subject, Write, merchants, sessions};

/// A report of the SDK.
pub struct PageReport<'a> {
    /// The session whose form the page shows.
    pub session_id: &'a str,
    /// Origin of the page, as the browser said it.
    pub origin: &'a str,
    /// Origin and path, as the SDK said it.
    pub page: &'a str,
    /// What it says.
    pub told: PageReportPart,
}

/// The part of a report.
pub enum PageReportPart {
    /// The entries of a load.
    Load {
        /// Their names, in the order of the page.
        entries: Vec<EntryId>,
        /// Whether the security headers are among them.
        has_headers: bool,
    },
    /// What the entries are that the gateway does not know.
    Entries(Vec<Entry>),
}

/// What becomes of a report.
#[derive(Debug, PartialEq, Eq)]
pub enum PageReportAnswer {
    /// The load counts, or the entries are kept.
    Taken,
    /// The load does not count before somebody tells of these entries.
    Unknown(Vec<String>),
    /// No watched page has this session, or the report comes from another page.
    Refused,
}

impl PaymentContext {
    /// Takes a report.
    pub async fn take_page_report(
        &self,
        report: PageReport<'_>,
    ) -> Result<PageReportAnswer, PaymentError> {
        let hash = payframe_vault::hash(report.session_id);
        let mut connection = self.store().read().await?;
        let Some(session) = sessions::find(&mut connection, &hash).await? else {
            return Ok(PageReportAnswer::Refused);
        };
        let terms = &session.terms;
        let terminal = merchants::terminal(&mut connection, &terms.terminal_id).await?;
        let is_from_there =
            report.origin == terms.framing.merchant && is_page(report.page, report.origin);
        if !terminal.page_watch.takes(&hash) || !is_from_there {
            return Ok(PageReportAnswer::Refused);
        }
        drop(connection);
        let place = (terms.terminal_id.as_str(), report.page);
        let subject = Subject::PageWatch(&terms.terminal_id);
        let mut change = self.store().write(subject).await?;
        let found = page_watch::page(&mut change, place.0, place.1).await?;
        if found.is_none() && page_watch::count_pages(&mut change, place.0).await? >= MOST_PAGES {
            tracing::warn!(
                terminal_id = place.0,
                "a terminal has too many pages to watch"
            );
            return Ok(PageReportAnswer::Refused);
        }
        match report.told {
            PageReportPart::Entries(entries) => self.keep_entries(change, place, &entries).await,
            PageReportPart::Load {
                entries,
                has_headers,
            } => {
                let load = Load {
                    terms,
                    place,
                    page: found,
                    entries,
                    has_headers,
                };
                self.take_load(change, load).await
            }
        }
    }

    /// How many changes of pages nobody has decided about, of all merchants.
    pub async fn open_page_changes(&self) -> Result<i64, PaymentError> {
        let mut connection = self.store().read().await?;
        Ok(page_watch::count_open(&mut connection, None).await?)
    }

    async fn keep_entries(
        &self,
        mut change: Write,
        place: (&str, &str),
        entries: &[Entry],
    ) -> Result<PageReportAnswer, PaymentError> {
        let now_ms = self.clock().now_ms();
        let known = page_watch::known(&mut change, place.0, place.1).await?;
        let room = MOST_ENTRIES.saturating_sub(known.len());
        if entries.len() > room {
            let missing = (entries.len() - room) as i64;
            page_watch::make_room(&mut change, place.0, place.1, missing).await?;
            let left = page_watch::known(&mut change, place.0, place.1).await?;
            if left.len() + entries.len() > MOST_ENTRIES {
                tracing::warn!(terminal_id = place.0, "a watched page has too many entries");
                return Ok(PageReportAnswer::Refused);
            }
        }
        for entry in entries {
            page_watch::tell(&mut change, place, entry, now_ms).await?;
        }
        change.commit().await?;
        Ok(PageReportAnswer::Taken)
    }

    async fn take_load(
        &self,
        mut change: Write,
        load: Load<'_>,
    ) -> Result<PageReportAnswer, PaymentError> {
        let now_ms = self.clock().now_ms();
        let page = load.counted(now_ms);
        let before = load.page.as_ref();
        if before.is_some_and(|before| before.entries == page.entries) {
            page_watch::put_page(&mut change, &page).await?;
            change.commit().await?;
            return Ok(PageReportAnswer::Taken);
        }
        let (terminal_id, address) = load.place;
        let is_first =
            load.page.is_none() && page_watch::count_pages(&mut change, terminal_id).await? == 0;
        let mut known = page_watch::known(&mut change, terminal_id, address).await?;
        let mut found = compare(&known, &load.entries, load.has_headers);
        let has_room = known.len() + found.unknown.len() <= MOST_ENTRIES;
        if !found.unknown.is_empty() && has_room {
            for fingerprint in &found.unknown {
                page_watch::take_over(&mut change, load.place, fingerprint, now_ms).await?;
            }
            known = page_watch::known(&mut change, terminal_id, address).await?;
            found = compare(&known, &load.entries, load.has_headers);
        }
        if !found.unknown.is_empty() {
            change.commit().await?;
            return Ok(PageReportAnswer::Unknown(found.unknown));
        }
        page_watch::put_page(&mut change, &page).await?;
        let told = Found::of(&known, &found);
        // The first load of a terminal's pages is what later ones are compared with.
        let is_alarm = !is_first;
        write_difference(&mut change, load.place, &known, &found, (now_ms, is_alarm)).await?;
        let is_told = is_alarm && told.is_something() && {
            let alarms = page_watch::alarms_since(&mut change, terminal_id, now_ms - HOUR_MS);
            alarms.await? <= MOST_ALARMS_PER_HOUR
        };
        if is_told {
            let told = told.change(load.place, instant(now_ms));
            self.tell_of_page_change(&mut change, &load.terms.merchant_id, told)
                .await?;
        }
        change.commit().await?;
        if is_alarm && told.is_something() {
            meter::page_changed();
            tracing::warn!(terminal_id, page = address, "a watched page was changed");
        }
        if is_told {
            self.wake_notifier();
        }
        Ok(PageReportAnswer::Taken)
    }
}

/// A load that is reported.
struct Load<'a> {
    terms: &'a Terms,
    /// Terminal and page.
    place: (&'a str, &'a str),
    /// The page as it was before.
    page: Option<WatchedPage>,
    entries: Vec<EntryId>,
    has_headers: bool,
}

impl Load<'_> {
    /// The page with this load.
    fn counted(&self, now_ms: i64) -> WatchedPage {
        let mut names: Vec<&str> = self.entries.iter().map(|id| id.exact.as_str()).collect();
        names.sort_unstable();
        let before = self.page.as_ref();
        let headers_before_ms = before.and_then(|page| page.headers_ms);
        WatchedPage {
            terminal_id: self.place.0.to_owned(),
            page: self.place.1.to_owned(),
            // A load that could not read the headers is not the same as one whose page has none.
            entries: payframe_vault::hash(&format!("{} {}", self.has_headers, names.concat())),
            loads: before.map_or(0, |page| page.loads) + 1,
            first_ms: before.map_or(now_ms, |page| page.first_ms),
            last_ms: now_ms,
            headers_ms: if self.has_headers {
                Some(now_ms)
            } else {
                headers_before_ms
            },
        }
    }
}

/// How many entries a load adds, changes and lacks. One that a member did not allow is new whenever it comes back.
struct Found {
    added: u32,
    changed: u32,
    removed: u32,
}

impl Found {
    fn of(known: &[KnownEntry], difference: &PageDifference) -> Found {
        let is_change = |(_, replaced): &&(usize, Option<usize>)| replaced.is_some();
        let changed = difference.added.iter().filter(is_change).count();
        let is_news = |at: &&usize| !known[**at].was_gone;
        let is_back = |at: &&usize| known[**at].is_rejected;
        let back = difference.returned.iter().filter(is_back).count();
        Found {
            added: counted(difference.added.len() - changed + back),
            changed: counted(changed),
            removed: counted(difference.removed.iter().filter(is_news).count()),
        }
    }

    fn is_something(&self) -> bool {
        self.added + self.changed + self.removed > 0
    }

    fn change(&self, (terminal_id, page): (&str, &str), found_time: String) -> PageChange {
        PageChange {
            terminal_id: terminal_id.to_owned(),
            page: page.to_owned(),
            added: self.added,
            changed: self.changed,
            removed: self.removed,
            found_time,
        }
    }
}

fn counted(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Writes how a load differs. What comes and goes is an alarm the first time only.
async fn write_difference(
    connection: &mut Connection,
    place: (&str, &str),
    known: &[KnownEntry],
    difference: &PageDifference,
    (now_ms, is_alarm): (i64, bool),
) -> Result<(), PaymentError> {
    let name = |at: usize| known[at].entry.id.exact.as_str();
    for (at, replaced) in &difference.added {
        let replaces = replaced.map(|at| known[at].entry.hash.as_str());
        let when = (now_ms, is_alarm);
        page_watch::add(connection, place, name(*at), replaces, when).await?;
        if let Some(replaced) = *replaced {
            page_watch::remove(connection, place, name(replaced), (now_ms, false)).await?;
        }
    }
    for at in &difference.removed {
        let when = (now_ms, is_alarm && !known[*at].was_gone);
        page_watch::remove(connection, place, name(*at), when).await?;
    }
    for at in &difference.returned {
        let when = (now_ms, known[*at].is_rejected);
        page_watch::bring_back(connection, place, name(*at), when).await?;
    }
    Ok(())
}

/// How many pages of a terminal are watched.
const MOST_PAGES: i64 = 50;
/// How many entries of a page are kept.
const MOST_ENTRIES: usize = 300;
/// So many changes of a terminal's pages are told in an hour; more are only kept.
const MOST_ALARMS_PER_HOUR: i64 = 20;
const HOUR_MS: i64 = 3_600_000;
