//! The watch over merchants' pages: what a page that shows the form was made of, as the SDK reports it, and what is new, changed or gone.
//!
//! A report is evidence and nothing else: whoever has a session of the terminal can write one. So nothing about money depends on it, and
//! every part of it has a limit.

use std::collections::HashSet;

/// Whether a terminal's pages are watched, and how many of their loads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PageWatch(u32);

impl PageWatch {
    /// Pages are not watched.
    pub const OFF: PageWatch = PageWatch(0);

    /// `off`, or one of so many loads, up to 10,000.
    pub fn from_code(code: &str) -> Option<PageWatch> {
        if code == "off" {
            return Some(PageWatch::OFF);
        }
        let one_of = code.parse().ok()?;
        (1..=LARGEST_SAMPLE)
            .contains(&one_of)
            .then_some(PageWatch(one_of))
    }

    /// The code in settings.
    pub fn code(self) -> String {
        match self.0 {
            0 => String::from("off"),
            one_of => one_of.to_string(),
        }
    }

    /// Of so many loads one is reported; 0: none.
    pub fn one_of(self) -> u32 {
        self.0
    }

    /// Whether pages are watched.
    pub fn is_on(self) -> bool {
        self.0 > 0
    }

    /// Whether the page of a session is in the sample. `session_hash`: hexadecimal digits of a hash.
    pub fn takes(self, session_hash: &str) -> bool {
        let start = session_hash.get(..8);
        let number = start.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        self.is_on() && number.is_some_and(|number| number % self.0 == 0)
    }
}

/// What an entry of a page is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EntryKind {
    /// A script with an address.
    Script,
    /// A script in the page.
    Inline,
    /// All attributes that run code at events, together.
    Handlers,
    /// All addresses that run code, together.
    CodeAddresses,
    /// An import map, or rules of speculation: it decides which scripts are loaded.
    ImportMap,
    /// A frame with a document or code in its attributes.
    Frame,
    /// The address to which others are relative.
    Base,
    /// A policy in the page.
    Policy,
    /// A security header of the page.
    Header,
    /// What did not fit into the report, together.
    Rest,
}

impl EntryKind {
    /// All kinds, in the order in which lists show them.
    pub const ALL: [EntryKind; 10] = [
        EntryKind::Script,
        EntryKind::Inline,
        EntryKind::Handlers,
        EntryKind::CodeAddresses,
        EntryKind::ImportMap,
        EntryKind::Frame,
        EntryKind::Base,
        EntryKind::Policy,
        EntryKind::Header,
        EntryKind::Rest,
    ];

    /// The code in reports and in the database.
    pub fn code(self) -> &'static str {
        match self {
            EntryKind::Script => "SCRIPT",
            EntryKind::Inline => "INLINE",
            EntryKind::Handlers => "HANDLERS",
            EntryKind::CodeAddresses => "CODE_ADDRESSES",
            EntryKind::ImportMap => "IMPORT_MAP",
            EntryKind::Frame => "FRAME",
            EntryKind::Base => "BASE",
            EntryKind::Policy => "POLICY",
            EntryKind::Header => "HEADER",
            EntryKind::Rest => "REST",
        }
    }

    /// The kind of a code.
    pub fn from_code(code: &str) -> Option<EntryKind> {
        EntryKind::ALL.into_iter().find(|kind| kind.code() == code)
    }
}

/// Names an entry: the fingerprint of all of it, and of its place alone.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EntryId {
    /// Of kind, place, query, content and integrity: 64 bits in base64url.
    pub exact: String,
    /// Of kind and place, or of an inline script without its texts and numbers: 48 bits in base64url.
    pub shape: String,
}

/// What the SDK tells of an entry that the gateway does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name.
    pub id: EntryId,
    /// What it is.
    pub kind: EntryKind,
    /// Origin and path of a script, name of a header; empty for what is in the page.
    pub source: String,
    /// SHA-256 of the content, in base64url; empty where the page cannot read it.
    pub hash: String,
    /// Whether the browser refuses another content, because the tag has a hash.
    pub has_integrity: bool,
}

impl Entry {
    /// An entry of a report; `None` if a member is not what the SDK writes.
    pub fn read(
        id: EntryId,
        kind: &str,
        source: &str,
        hash: &str,
        has_integrity: bool,
    ) -> Option<Entry> {
        let is_plain = source.bytes().all(|byte| byte.is_ascii_graphic());
        let is_short =
            source.len() <= LONGEST_SOURCE && !source.contains(['?', '#', '<', '>', '"']);
        let is_hash = hash.is_empty() || (hash.len() == HASH_DIGITS && is_base64url(hash));
        let kind = EntryKind::from_code(kind)?;
        (is_plain && is_short && is_hash).then(|| Entry {
            id,
            kind,
            source: source.to_owned(),
            hash: hash.to_owned(),
            has_integrity,
        })
    }
}

/// Reads the entries of a report: for each 11 characters of the exact fingerprint and 8 of the shape, without anything between.
pub fn entry_ids(text: &str) -> Option<Vec<EntryId>> {
    let is_whole = text.len().is_multiple_of(EXACT_DIGITS + SHAPE_DIGITS);
    let is_readable = is_whole && is_base64url(text) && text.len() <= LONGEST_IDS;
    if !is_readable {
        return None;
    }
    let mut rest = text;
    let mut ids = Vec::new();
    while !rest.is_empty() {
        let (exact, behind) = rest.split_at(EXACT_DIGITS);
        let (shape, behind) = behind.split_at(SHAPE_DIGITS);
        ids.push(EntryId {
            exact: exact.to_owned(),
            shape: shape.to_owned(),
        });
        rest = behind;
    }
    Some(ids)
}

/// Whether a text names a page as the SDK does: its origin and its path, without query and fragment.
pub fn is_page(text: &str, origin: &str) -> bool {
    let path = text.strip_prefix(origin).unwrap_or_default();
    let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic());
    path.starts_with('/')
        && is_plain
        && text.len() <= LONGEST_SOURCE
        && !path.contains(['?', '#', '<', '>', '"'])
}

/// An entry as the gateway knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownEntry {
    /// What was told of it.
    pub entry: Entry,
    /// Whether a load of the page had it. Otherwise it was only told.
    pub is_counted: bool,
    /// Whether the newest load did not have it.
    pub is_gone: bool,
    /// Whether a member said that it differs at each load, so that its shape is enough.
    pub varies: bool,
    /// Whether it was gone before.
    pub was_gone: bool,
    /// Whether a member decided that it is not allowed.
    pub is_rejected: bool,
}

/// How the load of a page differs from what is known of the page. Positions are those of the known entries.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct PageDifference {
    /// Entries of the load that nobody told of.
    pub unknown: Vec<String>,
    /// Entries that no load had before, with the entry that each replaces.
    pub added: Vec<(usize, Option<usize>)>,
    /// Entries that the load does not have, without those that are replaced.
    pub removed: Vec<usize>,
    /// Entries that were gone.
    pub returned: Vec<usize>,
}

/// Compares a load with what is known of its page. `has_headers`: whether the load could read the headers of its page; if not, none of them
/// is gone.
pub fn compare(known: &[KnownEntry], load: &[EntryId], has_headers: bool) -> PageDifference {
    let exact: HashSet<&str> = load.iter().map(|id| id.exact.as_str()).collect();
    let known_exact: HashSet<&str> = known
        .iter()
        .map(|one| one.entry.id.exact.as_str())
        .collect();
    let varying: HashSet<&str> = known
        .iter()
        .filter(|one| one.varies)
        .map(|one| one.entry.id.shape.as_str())
        .collect();
    let unknown = load
        .iter()
        .filter(|id| !known_exact.contains(id.exact.as_str()))
        .filter(|id| !varying.contains(id.shape.as_str()))
        .map(|id| id.exact.clone())
        .collect();
    let positions = |is_wanted: &dyn Fn(&KnownEntry) -> bool| -> Vec<usize> {
        (0..known.len())
            .filter(|at| is_wanted(&known[*at]))
            .collect()
    };
    let is_there = |one: &KnownEntry| exact.contains(one.entry.id.exact.as_str());
    let shapes: HashSet<&str> = load.iter().map(|id| id.shape.as_str()).collect();
    let added = positions(&|one| is_there(one) && !one.is_counted);
    let returned = positions(&|one| is_there(one) && one.is_counted && one.is_gone);
    let mut removed = positions(&|one| {
        let is_readable = has_headers || one.entry.kind != EntryKind::Header;
        let still_varies = one.varies && shapes.contains(one.entry.id.shape.as_str());
        one.is_counted && !one.is_gone && !is_there(one) && is_readable && !still_varies
    });
    let added = added
        .into_iter()
        .map(|at| {
            let this = &known[at].entry;
            let place = removed.iter().position(|gone| {
                let that = &known[*gone].entry;
                that.kind == this.kind && that.source == this.source
            });
            (at, place.map(|place| removed.remove(place)))
        })
        .collect();
    PageDifference {
        unknown,
        added,
        removed,
        returned,
    }
}

fn is_base64url(text: &str) -> bool {
    text.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}

const LARGEST_SAMPLE: u32 = 10_000;
const EXACT_DIGITS: usize = 11;
const SHAPE_DIGITS: usize = 8;
const HASH_DIGITS: usize = 43;
/// The SDK cuts pages and sources at 120 characters.
const LONGEST_SOURCE: usize = 120;
/// A report has at most 1,000 bytes.
const LONGEST_IDS: usize = 1_000;

#[cfg(test)]
mod tests;
