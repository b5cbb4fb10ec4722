//! Tests of names and e-mail addresses.

use super::*;
use EmailError as E;
use HolderNameError as P;
use proptest::prelude::*;

fn check(text: &str, expected: Result<&str, P>) {
    let parsed = HolderName::parse(text);
    assert_eq!(
        parsed
            .as_ref()
            .map(HolderName::as_str)
            .map_err(|problem| *problem),
        expected,
        "{text:?}"
    );
}

/// C9: names in any script, with accents, hyphen or apostrophe, pass unchanged.
#[test]
fn names_of_many_scripts_pass_unchanged() {
    for name in [
        "Ada Lovelace",
        "Jean-Luc O'Neill",
        "Seán O’Casey",
        "J. R. R. Tolkien",
        "José María Ñíguez",
        "Zoë Müller-Weiß",
        "Łukasz Żółć",
        "Gal·la Mª",
        "Ngô Đình Diệm",
        "Ивáн Петров",
        "Ελένη",
        "محمد علي",
        "می‌خواهم",
        "שרה בת־שבע",
        "山田 太郎",
        "ジョン・スミス",
        "渡邉\u{e0101}",
        "김철수",
        "अनन्या शर्मा",
        "สมชาย",
        "ქეთევან",
        "Հայկ",
        "ʻOkina Kaʻahumanu",
        "e\u{301}ve",
        "𠮷野",
    ] {
        check(name, Ok(name));
    }
}

/// C9: names as they are embossed on cards of firms.
#[test]
fn names_as_embossed_pass_unchanged() {
    for name in [
        "3M Company",
        "Studio 54 Ltd",
        "John Smith 3rd",
        "ACME & CO",
        "Smith, John",
        "1984 Books",
        "7-Eleven, Inc.",
        "شركة ٣",
        "３Ｍ",
    ] {
        check(name, Ok(name));
    }
    for text in ["54", "12345", "3 & 4", "1, 2", "&", ",", "٣٤"] {
        check(text, Err(P::Symbols));
    }
    check("Ada 476173", Err(P::LooksLikeCardNumber));
    check("Ada 47617", Ok("Ada 47617"));
    check(&"ACME & CO ".repeat(5), Err(P::TooLong));
}

#[test]
fn blanks_are_folded() {
    check("  Ada   Lovelace ", Ok("Ada Lovelace"));
    check("Ada\u{a0}\t\nLovelace\u{3000}", Ok("Ada Lovelace"));
}

/// C10: a card number is no name.
#[test]
fn what_is_not_a_name() {
    for text in ["", "  ", "\u{a0}\n"] {
        check(text, Err(P::Empty));
    }
    check("A", Err(P::TooShort));
    check("é ", Err(P::TooShort));
    for text in [
        "4761 7300 0000 0003",
        "4761730000000003",
        "Ada 4761730000000003",
        "٤٧٦١٧٣٠٠",
        "４７６１７３００",
        "4761-7300",
        "Ada 4761730",
    ] {
        check(text, Err(P::LooksLikeCardNumber));
    }
    for text in [
        "Ada_L",
        "Ada/L",
        "a@b.it",
        "<b>Ada</b>",
        "Ada\u{0}",
        "Ada\u{7f}x",
        "Ada\u{85}x",
        "Ada €",
        "Ada ★",
        "Ada 😀",
        "Ada™",
        "Ada²",
        "Ada ‘L",
        "Ada\u{202e}L",
        "Ada\u{200b}L",
        "Ada\u{e000}",
        "Ada\u{fffd}",
        "Ada ×",
        "--",
        "..",
        "' '",
        "-",
        "Ada\u{10ffff}",
        "Ada！",
    ] {
        check(text, Err(P::Symbols));
    }
}

#[test]
fn length_counts_characters() {
    check("Li", Ok("Li"));
    check("李明", Ok("李明"));
    for letter in ["a", "ü", "山"] {
        check(&letter.repeat(45), Ok(&letter.repeat(45)));
        check(&letter.repeat(46), Err(P::TooLong));
    }
    check(&format!("a{}b", " ".repeat(60)), Ok("a b"));
}

fn check_email(text: &str, expected: Result<&str, E>) {
    let parsed = Email::parse(text);
    assert_eq!(
        parsed
            .as_ref()
            .map(Email::as_str)
            .map_err(|problem| *problem),
        expected,
        "{text:?}"
    );
}

/// C12: outer blanks of an address go.
#[test]
fn addresses() {
    for address in [
        "a@b.it",
        "ada.lovelace+card@mail.example.com",
        "o'neill@example.ie",
        "ada@müller.example",
        "用户@例え.jp",
        "a_b@x-y.museum",
        "1@2.co",
    ] {
        check_email(address, Ok(address));
        check_email(&format!(" {address}\u{a0}\n"), Ok(address));
    }
    for text in [
        "ada",
        "ada@",
        "@example.com",
        "ada@example",
        "ada@@example.com",
        "a@b@c.it",
        "ada@example..com",
        "ada@.example.com",
        "ada@example.com.",
        ".ada@example.com",
        "ada.@example.com",
        "a..b@example.com",
        "ada lovelace@example.com",
        "ada@exam ple.com",
        "ada@-example.com",
        "ada@example-.com",
        "ada@[127.0.0.1]",
        "ada@127.0.0.1",
        "\"ada\"@example.com",
        "ada@example.com,eve@example.com",
        "ada@exam_ple.com",
        "<ada@example.com>",
        "ada@example.com\u{202e}",
        "a\u{0}da@example.com",
    ] {
        check_email(text, Err(E::Form));
    }
    check_email("  ", Err(E::Empty));
}

#[test]
fn address_length() {
    let host = format!("{}.com", vec!["a".repeat(45); 4].join("."));
    let longest = format!("{}@{host}", "b".repeat(64));
    assert_eq!(longest.len(), 252);
    check_email(&longest, Ok(&longest));
    check_email(&format!("{}@{host}", "b".repeat(65)), Err(E::Form));
    check_email(
        &format!("{longest}{}", "m".repeat(3)),
        Ok(&format!("{longest}mmm")),
    );
    check_email(&format!("{longest}{}", "m".repeat(4)), Err(E::TooLong));
}

#[test]
fn nothing_of_them_is_printed() {
    assert_eq!(
        format!("{:?}", HolderName::parse("Ada Lovelace")),
        "Ok(HolderName(…))"
    );
    assert_eq!(
        format!("{:?}", Email::parse("ada@example.com")),
        "Ok(Email(…))"
    );
}

/// D7: the codes of names and addresses.
#[test]
fn codes_are_stable() {
    let codes = [
        P::Empty,
        P::TooShort,
        P::TooLong,
        P::LooksLikeCardNumber,
        P::Symbols,
    ]
    .map(HolderNameError::code);
    assert_eq!(
        codes,
        [
            "holder_name_empty",
            "holder_name_too_short",
            "holder_name_too_long",
            "holder_name_looks_like_card_number",
            "holder_name_symbols"
        ]
    );
    assert_eq!(
        [E::Empty, E::TooLong, E::Form].map(EmailError::code),
        ["email_empty", "email_too_long", "email_form"]
    );
}

#[test]
fn refused_blocks_stand_in_order() {
    assert!(REFUSED.iter().all(|(from, to)| from <= to));
    assert!(REFUSED.windows(2).all(|pair| pair[0].1 < pair[1].0));
}

/// What Unicode calls a letter passes, but for presentation forms and look-alikes inside the blocks of symbols.
#[test]
fn letters_of_every_script_pass() {
    let spared = |c: char| matches!(c as u32, 0x2070..=0x20cf | 0x2100..=0x2bff | 0x2e00..=0x2e7f | 0x3001..=0x3020 | 0xb5 | 0x1d000..=0x1d7ff | 0x1f000..=0x1ffff | 0xff00..=0xffff);
    for c in ('\0'..=char::MAX).filter(|c| c.is_alphabetic() && !spared(*c)) {
        assert!(may_stand_in_name(c), "{c} {:x}", c as u32);
    }
    for c in ('\0'..=char::MAX).filter(|c| c.is_control()) {
        assert!(!may_stand_in_name(c), "{:x}", c as u32);
    }
}

proptest! {
    #[test]
    fn a_name_is_read_back(text in any::<String>(), names in "[A-Za-zäéß' .-]{0,50}") {
        for text in [text, names] {
            if let Ok(name) = HolderName::parse(&text) {
                prop_assert_eq!(HolderName::parse(name.as_str()), Ok(name));
            }
        }
    }

    #[test]
    fn an_address_is_read_back(text in any::<String>(), name in "[a-z.@ ]{1,9}", host in "[a-z.-]{1,9}") {
        for text in [text, format!("{name}@{host}")] {
            if let Ok(address) = Email::parse(&text) {
                prop_assert_eq!(address.as_str().matches('@').count(), 1);
                prop_assert_eq!(Email::parse(address.as_str()), Ok(address));
            }
        }
    }

    /// C9: a few digits pass beside a letter, never alone.
    /// C10: many never pass.
    #[test]
    fn digits_pass_beside_a_letter_and_only_a_few(few in "[0-9٠-٩０-９]{2,5}", many in "[0-9٠-٩０-９]{6,19}") {
        prop_assert_eq!(HolderName::parse(&few), Err(P::Symbols));
        let named = format!("a{few}");
        prop_assert!(HolderName::parse(&named).is_ok());
        prop_assert_eq!(HolderName::parse(&format!("a{many}")), Err(P::LooksLikeCardNumber));
    }
}
