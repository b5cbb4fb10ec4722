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
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HolderNameError {
    /// Nothing but blanks.
    #[error("no name")]
    Empty,
    /// Fewer than 2 characters.
    #[error("shorter than 2 characters")]
    TooShort,
    /// More than 45 characters.
    #[error("longer than 45 characters")]
    TooLong,
    /// So many digits that it is probably a card number.
    #[error("probably a card number")]
    LooksLikeCardNumber,
    /// A character that no name has, or no letter at all: only digits and marks.
    #[error("no name has these characters")]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EmailError {
    /// Nothing but blanks.
    #[error("no address")]
    Empty,
    /// More than 255 characters.
    #[error("longer than 255 characters")]
    TooLong,
    /// Not of the form `name@host.domain`.
    #[error("not of the form name@host.domain")]
    Form,
}

impl Email {
    /// Reads an address of the plain form `name@host.domain`. Quoted names and numeric hosts are refused: shops
    /// do not accept them anyway, and a typing mistake is far more likely.
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

/// From this number of digits on, a name is probably a card number, or the beginning of one (an issuer's number has six).
const FEWEST_SUSPICIOUS_DIGITS: u32 = 6;

/// Blocks beyond ASCII whose characters are in no name: controls, marks that change the direction of text, punctuation,
/// currency signs, arrows, mathematics, pictures, private use. Not refused: `ª`, `º`, the middle dots of Catalan and
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
mod tests;
