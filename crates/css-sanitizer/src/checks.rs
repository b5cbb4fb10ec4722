//! What holds for every filtered sheet, as assertions: for the tests of this crate and for `crates/fuzz`.

use super::{Dropped, Filtered, filter};

/// Panics if a filtered sheet has anything that loads, leaks or closes the element that it is in.
#[track_caller]
pub fn assert_harmless(css: &str) {
    let lower = css.to_ascii_lowercase();
    let (rules, addresses) = apart(&lower);
    for word in FORBIDDEN {
        assert!(!rules.contains(word), "{word}: {css}");
    }
    for address in addresses {
        assert!(
            ADDRESSES.iter().any(|start| address.starts_with(start)),
            "{css}"
        );
        // Nothing that ends the quotes, the line or the element.
        let is_inside = |c: char| c.is_ascii_graphic() && !"\"\\<>".contains(c);
        assert!(address.chars().all(is_inside), "{css}");
    }
}

/// A sheet without what is in `url("…")`, and that.
fn apart(css: &str) -> (String, Vec<&str>) {
    let mut parts = css.split("url(");
    let mut rules = parts.next().unwrap_or_default().to_owned();
    let mut addresses = Vec::new();
    for part in parts {
        let inside = part.strip_prefix('"').and_then(|rest| rest.split_once('"'));
        // Without quotes it is refused as an address.
        let (address, rest) = inside.unwrap_or((part, ""));
        addresses.push(address);
        rules.push_str(rest);
    }
    (rules, addresses)
}

/// Panics if the filter does not take what it wrote, or takes it otherwise.
#[track_caller]
pub fn assert_passes_again(once: &Filtered) {
    let twice = filter(&once.css);
    assert_eq!(twice.css, once.css);
    assert_eq!(twice.dropped, Dropped::default(), "{}", once.css);
}

/// How addresses begin: all are inside the sheet.
const ADDRESSES: [&str; 3] = ["data:image/", "data:font/", "data:application/"];

const FORBIDDEN: [&str; 13] = [
    "@import",
    "@charset",
    "[value",
    "http:",
    "https:",
    "expression(",
    ":has",
    "content:",
    "\\",
    // `</style` above all.
    "<",
    "/*",
    "attr(",
    "image-set",
];
