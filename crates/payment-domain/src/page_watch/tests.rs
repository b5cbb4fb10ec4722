//! Tests of the watch over merchants' pages.

use super::*;

fn id(name: &str) -> EntryId {
    EntryId {
        exact: format!("{name:_<11}"),
        shape: format!("{:_<8}", &name[..1]),
    }
}

/// A script that loads had before; `a1` and `a2` are two contents of one address.
fn script(name: &str) -> KnownEntry {
    KnownEntry {
        entry: Entry {
            id: id(name),
            kind: EntryKind::Script,
            source: format!("https://cdn.example/{}.js", &name[..1]),
            hash: String::new(),
            has_integrity: false,
        },
        is_counted: true,
        is_gone: false,
        varies: false,
        was_gone: false,
        is_rejected: false,
    }
}

fn told(name: &str) -> KnownEntry {
    KnownEntry {
        is_counted: false,
        ..script(name)
    }
}

fn load(names: &[&str]) -> Vec<EntryId> {
    names.iter().map(|name| id(name)).collect()
}

#[test]
fn a_sample_takes_its_share_and_off_takes_nothing() {
    let hashes: Vec<String> = (0..4000_u32)
        .map(|count| format!("{:08x}", count.wrapping_mul(2_654_435_761)))
        .collect();
    let taken = |code: &str| {
        let watch = PageWatch::from_code(code).unwrap();
        hashes.iter().filter(|hash| watch.takes(hash)).count()
    };
    assert_eq!((taken("off"), taken("1")), (0, 4000));
    assert!((300..=500).contains(&taken("10")), "{}", taken("10"));
    for code in ["off", "1", "10000"] {
        assert_eq!(PageWatch::from_code(code).unwrap().code(), code);
    }
    for code in ["", "0", "10001", "-1", "on", "1.5"] {
        assert_eq!(PageWatch::from_code(code), None, "{code}");
    }
}

#[test]
fn an_unchanged_load_differs_in_nothing() {
    let known = [script("a1"), script("b1")];
    let order_is_no_matter = load(&["b1", "a1"]);
    assert_eq!(
        compare(&known, &order_is_no_matter, true),
        PageDifference::default()
    );
}

#[test]
fn what_nobody_told_of_is_asked_for() {
    let found = compare(&[script("a1")], &load(&["a1", "c1"]), true);
    assert_eq!(found.unknown, [id("c1").exact]);
}

#[test]
fn a_new_content_replaces_the_one_that_is_gone() {
    let known = [script("a1"), told("a2"), told("c1")];
    let found = compare(&known, &load(&["a2", "c1"]), true);
    assert_eq!(found.added, [(1, Some(0)), (2, None)]);
    assert_eq!(found.removed, [0; 0]);
}

#[test]
fn a_second_content_beside_the_first_replaces_nothing() {
    let found = compare(&[script("a1"), told("a2")], &load(&["a1", "a2"]), true);
    assert_eq!((found.added, found.removed), (vec![(1, None)], vec![]));
}

#[test]
fn what_is_gone_is_removed_once_and_may_return() {
    let known = [script("a1"), script("b1")];
    assert_eq!(compare(&known, &load(&["a1"]), true).removed, [1]);
    let gone = KnownEntry {
        is_gone: true,
        ..script("b1")
    };
    let known = [script("a1"), gone];
    assert_eq!(
        compare(&known, &load(&["a1"]), true),
        PageDifference::default()
    );
    assert_eq!(compare(&known, &load(&["a1", "b1"]), true).returned, [1]);
}

#[test]
fn what_varies_is_known_by_its_shape() {
    let varying = KnownEntry {
        varies: true,
        ..script("a1")
    };
    let known = [varying, script("b1")];
    assert_eq!(
        compare(&known, &load(&["a9", "b1"]), true),
        PageDifference::default()
    );
    assert_eq!(compare(&known, &load(&["b1"]), true).removed, [0]);
}

#[test]
fn headers_that_could_not_be_read_are_not_gone() {
    let mut header = script("h1");
    header.entry.kind = EntryKind::Header;
    let known = [script("a1"), header];
    assert_eq!(
        compare(&known, &load(&["a1"]), false).removed,
        Vec::<usize>::new()
    );
    assert_eq!(compare(&known, &load(&["a1"]), true).removed, [1]);
}

#[test]
fn a_report_is_read_or_refused() {
    assert_eq!(entry_ids("abcdefghijk12345678").unwrap().len(), 1);
    assert_eq!(entry_ids("").unwrap(), []);
    for bad in ["abc", "abcdefghijk1234567 ", "abcdefghijk1234567é"] {
        assert_eq!(entry_ids(bad), None, "{bad}");
    }
    assert_eq!(entry_ids(&"a".repeat(19 * 100)), None);
    let read = |source: &str, hash: &str| Entry::read(id("a1"), "SCRIPT", source, hash, false);
    assert!(read("https://cdn.example/a.js", "").is_some());
    assert!(read("https://cdn.example/a.js", &"a".repeat(43)).is_some());
    for (source, hash) in [
        ("https://cdn.example/a.js?buyer=1", ""),
        ("https://cdn.example/a b.js", ""),
        ("<script>", ""),
        (&*"a".repeat(121), ""),
        ("https://cdn.example/a.js", "short"),
    ] {
        assert_eq!(read(source, hash), None, "{source} {hash}");
    }
    assert_eq!(Entry::read(id("a1"), "OTHER", "", "", false), None);
}

#[test]
fn a_page_is_its_origin_and_its_path() {
    let origin = "https://shop.example";
    for (page, expected) in [
        ("https://shop.example/", true),
        ("https://shop.example/checkout/*", true),
        ("https://shop.example", false),
        ("https://shop.example.evil.example/", false),
        ("https://shop.example/?name=Ada", false),
        ("https://shop.example/#x", false),
        ("https://other.example/", false),
    ] {
        assert_eq!(is_page(page, origin), expected, "{page}");
    }
}

#[test]
fn codes_of_kinds_lead_back() {
    for kind in EntryKind::ALL {
        assert_eq!(EntryKind::from_code(kind.code()), Some(kind));
    }
}
