//! The postal code of a billing address, by the rule of its country.
//!
//! A rule is one line of a table that the caller has ([`PostalCodeRule::read`]), so that the widget carries no table. Buyers write a code with
//! or without blanks and dashes, in small or capital letters, with the digits of their keyboard: all are read, and written as the
//! country writes them. A country's code may exist and still not be that of the card: only the bank knows.

use crate::digit::digit_value;
use core::fmt;

/// Whether a country's addresses have postal codes of a certain form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PostalCodeRule<'a> {
    /// What buyers call the code.
    pub kind: PostalCodeKind,
    /// Whether an address needs one.
    pub is_required: bool,
    /// `#` is a digit, `@` a letter, `*` either, `_` a blank, everything else itself; `|` is between formats.
    formats: &'a str,
}

/// What buyers call the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PostalCodeKind {
    /// ZIP code: in the United States and where their post delivers.
    Zip,
    /// Postal code.
    Postal,
}

/// A postal code, written as its country writes it.
#[derive(Clone, PartialEq, Eq)]
pub struct PostalCode(String);

/// Why a text is not a postal code of the country. Holds nothing of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PostalCodeError {
    /// Nothing but blanks, and the country's addresses need a code.
    #[error("no postal code")]
    Empty,
    /// Of none of the country's formats.
    #[error("not of a format of the country")]
    Format,
}

impl<'a> PostalCodeRule<'a> {
    /// Reads a rule: `zip required #####|#####-####`. `None`: the country has no postal codes.
    #[must_use]
    pub fn read(line: &'a str) -> Option<Self> {
        let mut words = line.split(' ');
        let kind = match words.next()? {
            "zip" => PostalCodeKind::Zip,
            "postal" => PostalCodeKind::Postal,
            _ => return None,
        };
        Some(Self {
            kind,
            is_required: words.next()? == "required",
            formats: words.next()?,
        })
    }

    /// Reads what a buyer typed. `None`: nothing was typed, and the country's addresses need no code.
    ///
    /// # Errors
    /// Empty where a code is needed; or of none of the country's formats.
    pub fn parse(&self, text: &str) -> Result<Option<PostalCode>, PostalCodeError> {
        let mut typed = String::with_capacity(text.len());
        for c in text.chars() {
            match plain(c) {
                Some(c) => typed.push(c),
                None if is_between(c) => {}
                None => return Err(PostalCodeError::Format),
            }
        }
        if typed.is_empty() {
            return match self.is_required {
                true => Err(PostalCodeError::Empty),
                false => Ok(None),
            };
        }
        self.formats
            .split('|')
            .find_map(|format| written(&typed, format))
            .map(|code| Some(PostalCode(code)))
            .ok_or(PostalCodeError::Format)
    }

    /// Whether the codes are digits only.
    #[must_use]
    pub fn is_numeric(&self) -> bool {
        !self
            .formats
            .contains(|c: char| matches!(c, '@' | '*') || c.is_ascii_alphabetic())
    }

    /// A code of the usual format, made up: `12345`, `A1B 2C3`.
    #[must_use]
    pub fn example(&self) -> String {
        let (mut digit, mut letter) = (b'0', b'A');
        let format = self.formats.split('|').next().unwrap_or("");
        let sign = |sign: char| match sign {
            '#' | '*' => {
                digit = if digit == b'9' { b'1' } else { digit + 1 };
                char::from(digit)
            }
            '@' => {
                letter += 1;
                char::from(letter - 1)
            }
            '_' => ' ',
            other => other,
        };
        format.chars().map(sign).collect()
    }
}

impl PostalCode {
    /// The code.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for PostalCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PostalCode(…)")
    }
}

/// A digit of any script, or a letter, as plain capitals.
fn plain(c: char) -> Option<char> {
    let of_full_width = match c {
        '\u{ff21}'..='\u{ff3a}' | '\u{ff41}'..='\u{ff5a}' => {
            char::from_u32(c as u32 - 0xfee0).unwrap_or(c)
        }
        _ => c,
    };
    match digit_value(c) {
        Some(value) => Some(char::from(b'0' + value)),
        None => of_full_width
            .is_ascii_alphabetic()
            .then(|| of_full_width.to_ascii_uppercase()),
    }
}

/// What people write between the parts of a code.
fn is_between(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '-' | '.'
                | '\u{2010}'..='\u{2015}'
                | '\u{2212}'
                | '\u{30fc}'
                | '\u{ff0d}'
                | '\u{200b}'..='\u{200f}'
                | '\u{feff}'
        )
}

/// The typed digits and letters in the format, if they fit.
fn written(typed: &str, format: &str) -> Option<String> {
    let mut typed = typed.chars();
    let mut code = String::with_capacity(format.len());
    for sign in format.chars() {
        code.push(match sign {
            '_' => ' ',
            '-' => '-',
            sign => {
                let c = typed.next()?;
                let fits = match sign {
                    '#' => c.is_ascii_digit(),
                    '@' => c.is_ascii_alphabetic(),
                    '*' => true,
                    own => c == own,
                };
                fits.then_some(c)?
            }
        });
    }
    typed.next().is_none().then_some(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    const US: &str = "zip required #####|#####-####";
    const GB: &str = "postal required @@#*_#@@|@#_#@@|@#*_#@@|@@#_#@@";
    const JP: &str = "postal required ###-####";
    const LV: &str = "postal required LV-####|####";
    const IE: &str = "postal optional ***_****";

    #[test]
    fn a_code_is_read_as_buyers_type_it_and_written_as_its_country_does() {
        for (rule, typed, expected) in [
            (US, "95014", "95014"),
            (US, " 950142083 ", "95014-2083"),
            (US, "95014 2083", "95014-2083"),
            (US, "٩٥٠١٤", "95014"),
            (GB, "sw1a1aa", "SW1A 1AA"),
            (GB, "M1 1AE", "M1 1AE"),
            (GB, "ec1y-8sy", "EC1Y 8SY"),
            (JP, "１５４－００２３", "154-0023"),
            (JP, "1540023", "154-0023"),
            (LV, "lv1010", "LV-1010"),
            (LV, "1010", "1010"),
            (IE, "d02x285", "D02 X285"),
        ] {
            let rule = PostalCodeRule::read(rule).unwrap();
            let code = rule.parse(typed).unwrap().unwrap();
            assert_eq!(code.as_str(), expected, "{typed}");
        }
    }

    #[test]
    fn what_is_no_code_of_the_country_is_refused() {
        use PostalCodeError::{Empty, Format};
        for (rule, typed, expected) in [
            (US, "", Empty),
            (US, " - ", Empty),
            (US, "9501", Format),
            (US, "950141", Format),
            (US, "9501A", Format),
            (US, "95014;", Format),
            (US, "95014\u{301}", Format),
            (GB, "1SWA 1AA", Format),
            (GB, "SW1A 1A", Format),
            (LV, "XX-1010", Format),
            (IE, "D02", Format),
        ] {
            let rule = PostalCodeRule::read(rule).unwrap();
            assert_eq!(rule.parse(typed), Err(expected), "{typed}");
        }
    }

    #[test]
    fn an_optional_code_may_be_left_out() {
        let rule = PostalCodeRule::read(IE).unwrap();
        assert_eq!(rule.parse(" "), Ok(None));
    }

    #[test]
    fn a_country_without_codes_has_no_rule() {
        assert_eq!(PostalCodeRule::read(""), None);
        assert_eq!(PostalCodeRule::read("other required #"), None);
    }

    #[test]
    fn a_rule_says_its_keyboard_and_its_example() {
        for (rule, is_numeric, example) in [
            (US, true, "12345"),
            (GB, false, "AB12 3CD"),
            (JP, true, "123-4567"),
            (LV, false, "LV-1234"),
            ("postal required @#@_#@#", false, "A1B 2C3"),
        ] {
            let rule = PostalCodeRule::read(rule).unwrap();
            assert_eq!((rule.is_numeric(), &*rule.example()), (is_numeric, example));
            assert!(rule.parse(example).is_ok(), "{example}");
        }
    }

    #[test]
    fn what_was_typed_is_in_no_debug_text() {
        let code = PostalCodeRule::read(US).unwrap().parse("95014").unwrap();
        assert_eq!(format!("{code:?}"), "Some(PostalCode(…))");
    }
}
