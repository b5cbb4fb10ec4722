//! Who holds the card: the name printed on it, and an e-mail address.
//!
//! Names are strict on ASCII and generous beyond it: letters and marks of every script pass, control characters and the
//! blocks of symbols do not. Cards of firms are embossed with names like "3M Company", "ACME & CO" or "Smith, John": a few
//! digits, `&` and `,` pass beside letters. Nothing is transliterated or put into upper case.

use crate::digit::digit_value;
use core::fmt;

/// A name of 2 to 45 characters, without outer blanks and with single inner ones.
#[derive(Clone, PartialEq, Eq)]
pub struct HolderName(String);

/// Why a text is not a name. Holds nothing of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HolderNameError {
    /// Nothing but blanks.
    Empty,
    /// Fewer than 2 characters.
    TooShort,
    /// More than 45 characters.
    TooLong,
    /// So many digits that it is probably a card number.
    LooksLikeCardNumber,
    /// A character that no name has, or no letter at all: only digits and marks.
    Symbols,
}

impl HolderName {
    /// Reads a name: letters and marks of any script, up to five digits, blanks, `'`, `’`, `.`, `-`, `&` and `,`. At least
    /// one letter.
    ///
    /// # Errors
    /// Empty, looks like a card number, symbols, too short, too long: in this order.
    pub fn parse(text: &str) -> Result<Self, HolderNameError> {
        let (mut name, mut length) = (String::with_capacity(text.len()), 0_usize);
        let (mut gap, mut letters, mut digits, mut refused) = (false, false, 0_u32, false);
        for c in text.chars() {
            if is_blank(c) {
                gap = true;
                continue;
            }
            if gap && !name.is_empty() {
                name.push(' ');
                length += 1;
            }
            gap = false;
            name.push(c);
            length += 1;
            let is_digit = digit_value(c).is_some();
            digits += u32::from(is_digit);
            letters |= !is_digit && !matches!(c, '\'' | '’' | '.' | '-' | '&' | ',');
            refused |= !may_stand_in_name(c);
        }
        if name.is_empty() {
            Err(HolderNameError::Empty)
        } else if digits >= FEWEST_SUSPICIOUS_DIGITS {
            Err(HolderNameError::LooksLikeCardNumber)
        } else if refused || !letters {
            Err(HolderNameError::Symbols)
        } else if length < 2 {
            Err(HolderNameError::TooShort)
        } else if length > 45 {
            Err(HolderNameError::TooLong)
        } else {
            Ok(Self(name))
        }
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for HolderName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HolderName(…)")
    }
}

impl HolderNameError {
    /// Stable code of the cause.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Empty => "holder_name_empty",
            Self::TooShort => "holder_name_too_short",
            Self::TooLong => "holder_name_too_long",
            Self::LooksLikeCardNumber => "holder_name_looks_like_card_number",
            Self::Symbols => "holder_name_symbols",
        }
    }
}

/// An e-mail address of at most 255 characters, without outer blanks.
#[derive(Clone, PartialEq, Eq)]
pub struct Email(String);

/// Why a text is not an e-mail address. Holds nothing of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmailError {
    /// Nothing but blanks.
    Empty,
    /// More than 255 characters.
    TooLong,
    /// Not of the form `name@host.domain`.
    Form,
}

impl Email {
    /// Reads an address of the plain form `name@host.domain`. Quoted names and numeric hosts are refused: whoever has
    /// one cannot use it in shops anyway, and a slip is far more likely.
    ///
    /// # Errors
    /// Empty, too long, form: in this order.
    pub fn parse(text: &str) -> Result<Self, EmailError> {
        let address = text.trim_matches(is_blank);
        if address.is_empty() {
            return Err(EmailError::Empty);
        }
        if address.chars().nth(255).is_some() {
            return Err(EmailError::TooLong);
        }
        let well_formed = is_address(address);
        if well_formed {
            Ok(Self(address.to_owned()))
        } else {
            Err(EmailError::Form)
        }
    }

    /// The address.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Email(…)")
    }
}

impl EmailError {
    /// Stable code of the cause.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Empty => "email_empty",
            Self::TooLong => "email_too_long",
            Self::Form => "email_form",
        }
    }
}

/// One pass, because this is compiled into the widget. Parts stand between dots and are never empty; those of the host do
/// not begin or end with a dash, and the last does not end with a digit, as a numeric address would.
fn is_address(text: &str) -> bool {
    let mut dots_in_host = None;
    let mut before = '.';
    for (place, c) in text.char_indices() {
        let ends_part = before != '.' && (dots_in_host.is_none() || before != '-');
        match (c, &mut dots_in_host) {
            ('@', host @ None) if ends_part && place <= 64 => *host = Some(0),
            ('.', None) if ends_part => {}
            ('.', Some(dots)) if ends_part => *dots += 1,
            ('-', Some(_)) if before != '.' => {}
            ('@' | '.' | '-', Some(_)) | ('@' | '.', None) => return false,
            (_, host) if is_part_of_address(c, host.is_some()) => {}
            _ => return false,
        }
        before = if c == '@' { '.' } else { c };
    }
    dots_in_host.is_some_and(|dots| dots > 0)
        && !matches!(before, '.' | '-')
        && !before.is_ascii_digit()
}

fn is_part_of_address(c: char, in_host: bool) -> bool {
    match c {
        '"' | '(' | ')' | ',' | ':' | ';' | '<' | '>' | '[' | '\\' | ']' => false,
        '!'..='~' => !in_host || c.is_ascii_alphanumeric(),
        _ => !c.is_ascii() && !is_refused(c) && !is_blank(c),
    }
}

fn may_stand_in_name(c: char) -> bool {
    if c.is_ascii() {
        c.is_ascii_alphanumeric() || matches!(c, '\'' | '.' | '-' | '&' | ',')
    } else {
        // Some scripts keep their digits in a block of symbols.
        digit_value(c).is_some() || !is_refused(c)
    }
}

fn is_blank(c: char) -> bool {
    matches!(
        c,
        ' ' | '\t' | '\n' | '\r' | '\u{a0}' | '\u{1680}' | '\u{2000}'
            ..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
    )
}

fn is_refused(c: char) -> bool {
    let code = c as u32;
    REFUSED
        .iter()
        .any(|(from, to)| (*from..=*to).contains(&code))
}

/// The digits from which on a name is rather a card number, or the beginning of one (an issuer's number has six).
const FEWEST_SUSPICIOUS_DIGITS: u32 = 6;

/// Blocks beyond ASCII that no name is written with: controls, marks that turn the direction of text around, punctuation,
/// currency signs, arrows, mathematics, pictures, private use. Spared: `ª`, `º`, the middle dots of Catalan and
/// Japanese, typographic hyphens and apostrophe, joiners, and the variation selectors of ideographs.
const REFUSED: &[(u32, u32)] = &[
    (0x80, 0x9f),
    (0xa1, 0xa9),
    (0xab, 0xb6),
    (0xb8, 0xb9),
    (0xbb, 0xbf),
    (0xd7, 0xd7),
    (0xf7, 0xf7),
    (0x2c2, 0x2c5),
    (0x2d2, 0x2df),
    (0x37e, 0x37e),
    (0x589, 0x58f),
    (0x600, 0x60f),
    (0x61b, 0x61b),
    (0x61d, 0x61f),
    (0x66a, 0x66d),
    (0x6d4, 0x6d4),
    (0x964, 0x965),
    (0x200b, 0x200b),
    (0x2012, 0x2018),
    (0x201a, 0x202e),
    (0x2030, 0x205e),
    (0x2060, 0x20cf),
    (0x2100, 0x2bff),
    (0x2e00, 0x2e7f),
    (0x2ff0, 0x2fff),
    (0x3001, 0x3004),
    (0x3008, 0x3020),
    (0x3030, 0x3030),
    (0x3036, 0x3037),
    (0x303d, 0x303f),
    (0x3200, 0x33ff),
    (0x4dc0, 0x4dff),
    (0xe000, 0xf8ff),
    (0xfe10, 0xfe1f),
    (0xfe30, 0xfe6f),
    (0xfeff, 0xff0f),
    (0xff1a, 0xff20),
    (0xff3b, 0xff40),
    (0xff5b, 0xff65),
    (0xffe0, 0xffff),
    (0x1d000, 0x1d7ff),
    (0x1f000, 0x1ffff),
    (0xe0000, 0xe00ff),
    (0xe01f0, 0x10ffff),
];

#[cfg(test)]
mod tests {
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
}
