//! Reports of merchants' pages: the JSON that the page's script sends, and the texts in it.

use crate::texts::samples;
use payframe_payment_domain::page_watch::{Entry, EntryId, entry_ids, is_page};
use payframe_protocol::page_report::{SentEntry, SentPart, SentReport};

/// The texts of a report: in its first line the page, in the second its entries, then what is told of one.
pub(crate) fn texts(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let mut lines = text.split('\n');
    let mut line = || lines.next().unwrap_or_default();
    let (page, ids) = (line(), line());
    check_page(page);
    check_ids(ids);
    check_entry(ids, [line(), line(), line()]);
}

pub(crate) fn text_samples() -> Vec<Vec<u8>> {
    samples(&[
        &format!("{ORIGIN}/checkout\n{IDS}\nSCRIPT\nhttps://cdn.example/a.js\n"),
        &format!("{ORIGIN}/\n{IDS}{IDS}\nINLINE\n\n{}", "A".repeat(43)),
        &format!("{ORIGIN}/?a\n"),
    ])
}

/// The body of a report. What is read is written so that it is read as the same.
pub(crate) fn body(bytes: &[u8]) {
    let Ok(report) = serde_json::from_slice::<SentReport>(bytes) else {
        return;
    };
    let again = serde_json::to_vec(&report).and_then(|text| serde_json::from_slice(&text));
    assert_eq!(again.ok().as_ref(), Some(&report));
    check_page(&report.page);
    match &report.part {
        SentPart::Load { entries, .. } => check_ids(entries),
        SentPart::Told { told } => {
            for SentEntry(id, kind, source, hash, _) in told {
                check_entry(id, [kind, source, hash]);
            }
        }
    }
}

pub(crate) fn body_samples() -> Vec<Vec<u8>> {
    let start = format!("{{\"session\":\"a-session\",\"page\":\"{ORIGIN}/checkout\"");
    samples(&[
        &format!("{start},\"entries\":\"{IDS}{IDS}\",\"headers\":true}}"),
        &format!(
            "{start},\"told\":[[\"{IDS}\",\"SCRIPT\",\"https://cdn.example/a.js\",\"\",true]]}}"
        ),
        &format!(
            "{start},\"told\":[[\"{IDS}\",\"INLINE\",\"\",\"{}\",false]]}}",
            "A".repeat(43)
        ),
    ])
}

/// A page that is taken is one of the origin, without what stands behind its path.
fn check_page(page: &str) {
    if is_page(page, ORIGIN) {
        assert!(
            page.starts_with(ORIGIN) && !page.contains(['?', '#']),
            "{page}"
        );
    }
}

/// What is read of names stands in them, in the same order.
fn check_ids(text: &str) {
    if let Some(ids) = entry_ids(text) {
        let name = |id: &EntryId| format!("{}{}", id.exact, id.shape);
        let together: String = ids.iter().map(name).collect();
        assert_eq!(entry_ids(&together).as_ref(), Some(&ids));
    }
}

/// An entry that is taken has its kind, and a source without markup.
fn check_entry(id: &str, [kind, source, hash]: [&str; 3]) {
    let first = entry_ids(id).and_then(|ids| ids.into_iter().next());
    if let Some(entry) = first.and_then(|id| Entry::read(id, kind, source, hash, true)) {
        assert_eq!(entry.kind.code(), kind);
        assert!(
            !entry.source.contains(['?', '#', '<', '>', '"']),
            "{source}"
        );
    }
}

const ORIGIN: &str = "https://shop.example";
const IDS: &str = "abcdefghijkABCDEFGH";
