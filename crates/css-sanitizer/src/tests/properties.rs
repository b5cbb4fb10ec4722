//! What holds for every sheet, made at random of valid and invalid pieces.

use super::super::checks::{assert_harmless, assert_passes_again};
use super::super::filter;
use proptest::prelude::*;

/// Pieces for sheets, valid and invalid.
fn piece() -> impl Strategy<Value = String> {
    const PIECES: [&str; 60] = [
        "input",
        "#CARD_NUMBER",
        ".a",
        ":hover",
        "::placeholder",
        "[value",
        "[value^='4']",
        "[type=text]",
        "*",
        ">",
        ",",
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        ";",
        ":",
        "!",
        "important",
        "@import",
        "@media",
        "@font-face",
        "@charset",
        "@\\69mport",
        "screen",
        "(min-width: 1px)",
        "color",
        "background",
        "background-image",
        "font-family",
        "src",
        "--x",
        "margin",
        "content",
        "red",
        "#fff",
        "1px",
        "-5px",
        "50%",
        "1e9",
        "url(",
        "url(http://evil.example/a)",
        "url('http://evil.example/a')",
        "url(data:image/png;base64,AA)",
        "u\\72l(",
        "\\75rl(http:",
        "var(--x)",
        "calc(",
        "'",
        "\"",
        "\\",
        "/*",
        "*/",
        "<!--",
        "-->",
        "\n",
        "expression(",
        "data:",
    ];
    prop_oneof![
        6 => prop::sample::select(&PIECES[..]).prop_map(str::to_owned),
        1 => "[ -~]{0,4}",
        1 => any::<char>().prop_map(String::from),
        1 => "[a-z-]{1,12}: ?[ -~]{0,12};",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_sheet_gets_an_address_or_an_import_through(pieces in prop::collection::vec(piece(), 0..40), gap in "| ") {
        assert_harmless(&filter(&pieces.join(&gap)).css);
    }

    #[test]
    fn no_text_gets_an_address_or_an_import_through(text in "\\PC{0,200}") {
        assert_harmless(&filter(&text).css);
    }

    #[test]
    fn no_value_gets_an_address_or_an_import_through(
        property in prop::sample::select(&["background", "color", "font-family", "--x", "transition", "margin", "src"][..]),
        pieces in prop::collection::vec(piece(), 0..8),
    ) {
        let value = pieces.join(" ");
        assert_harmless(&filter(&format!("input {{ {property}: {value} }}")).css);
        assert_harmless(&filter(&format!("@font-face {{ font-family: a; {property}: {value} }}")).css);
    }

    #[test]
    fn what_was_filtered_passes_a_second_time(pieces in prop::collection::vec(piece(), 0..40)) {
        assert_passes_again(&filter(&pieces.join(" ")));
    }
}
