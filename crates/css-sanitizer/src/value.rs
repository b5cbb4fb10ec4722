//! The declarations of a rule. Every token of a value is rewritten, if its property may have it ([`super::property`]).
//!
//! Sizes with limits accept no calculation and no variable. An address is kept only if it is a `data:` address of an image; fonts are
//! read in [`super::font`].

use super::property::{Kind, Limits, PROPERTIES};
use super::{StyleParseError, font, listed, unfit};
use cssparser::{Parser, Token, serialize_string};

/// Reads the value of a property and rewrites the declaration.
pub(super) fn declaration(name: &str, input: &mut Parser<'_>) -> Result<String, StyleParseError> {
    let (name, kind) = if is_variable(name) {
        (name, Kind::Text)
    } else {
        PROPERTIES
            .iter()
            .flat_map(|(kind, names)| names.iter().map(move |known| (*known, *kind)))
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .ok_or_else(unfit)?
    };
    let mut writer = Writer::of(kind);
    writer.tokens(input, Depth(0))?;
    writer.declaration(name)
}

/// Reads a descriptor of `@font-face` and rewrites it.
pub(super) fn descriptor(name: &str, input: &mut Parser<'_>) -> Result<String, StyleParseError> {
    let name = listed(name, &DESCRIPTORS)?;
    if name == "src" {
        return Ok(format!("src: {}", font::source(input)?));
    }
    let mut writer = Writer::of(Kind::Text);
    writer.tokens(input, Depth(0))?;
    writer.declaration(name)
}

/// A number that can be written and read again.
pub(super) fn number(value: f32) -> Result<String, StyleParseError> {
    if value.is_finite() && value.abs() <= LARGEST_NUMBER {
        // Three digits after the point are finer than any screen.
        // Zero has no sign, so that the same number has one spelling.
        Ok(format!("{}", (value * 1000.0).round() / 1000.0 + 0.0))
    } else {
        Err(unfit())
    }
}

const FUNCTIONS: [&str; 25] = [
    "rgb",
    "rgba",
    "hsl",
    "hsla",
    "hwb",
    "lab",
    "lch",
    "oklab",
    "oklch",
    "color",
    "color-mix",
    "light-dark",
    "linear-gradient",
    "radial-gradient",
    "repeating-linear-gradient",
    "repeating-radial-gradient",
    "conic-gradient",
    "calc",
    "min",
    "max",
    "clamp",
    "var",
    "cubic-bezier",
    "steps",
    "linear",
];

/// With the number of pixels in one unit; 0 if that is not known here.
const UNITS: [(&str, f32); 23] = [
    ("px", 1.0),
    ("pt", 4.0 / 3.0),
    ("pc", 16.0),
    ("in", 96.0),
    ("cm", 37.8),
    ("mm", 3.78),
    ("q", 0.945),
    ("em", 16.0),
    ("rem", 16.0),
    ("ex", 8.0),
    ("ch", 8.0),
    ("lh", 0.0),
    ("vw", 0.0),
    ("vh", 0.0),
    ("vmin", 0.0),
    ("vmax", 0.0),
    ("fr", 0.0),
    ("deg", 0.0),
    ("grad", 0.0),
    ("rad", 0.0),
    ("turn", 0.0),
    ("s", 0.0),
    ("ms", 0.0),
];

const DESCRIPTORS: [&str; 6] = [
    "font-family",
    "font-style",
    "font-weight",
    "font-stretch",
    "font-display",
    "src",
];

const IMAGE_TYPES: [&str; 6] = [
    "image/svg+xml",
    "image/png",
    "image/webp",
    "image/jpeg",
    "image/jpg",
    "image/gif",
];

const LARGEST_NUMBER: f32 = 100_000.0;
/// Half of the largest sheet.
const LARGEST_DATA: usize = 32 * 1024;
const LONGEST_WORD: usize = 64;
const LONGEST_QUOTE: usize = 128;
const DEEPEST_FUNCTION: u8 = 5;

/// How many functions enclose the current token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Depth(u8);

impl Depth {
    fn nested(self) -> Result<Depth, StyleParseError> {
        if self.0 < DEEPEST_FUNCTION {
            Ok(Depth(self.0 + 1))
        } else {
            Err(unfit())
        }
    }
}

/// Writes a value token by token.
struct Writer {
    kind: Kind,
    written: String,
    is_important: bool,
}

impl Writer {
    fn of(kind: Kind) -> Writer {
        Writer {
            kind,
            written: String::new(),
            is_important: false,
        }
    }

    fn declaration(self, name: &str) -> Result<String, StyleParseError> {
        if self.written.is_empty() {
            return Err(unfit());
        }
        // Elements that the frame hides must stay hidden, so their words never get `!important`.
        let counts_more = self.is_important && !matches!(self.kind, Kind::Words(_));
        let important = if counts_more { " !important" } else { "" };
        Ok(format!("{name}: {}{important}", self.written))
    }

    fn tokens(&mut self, input: &mut Parser<'_>, depth: Depth) -> Result<(), StyleParseError> {
        while let Ok(token) = input.next() {
            let token = token.clone();
            match &token {
                Token::Ident(name) if matches!(self.kind, Kind::Words(_)) => {
                    self.listed_word(name)?
                }
                Token::Delim('!') if depth == Depth(0) => {
                    input.expect_ident_matching("important")?;
                    input.expect_exhausted()?;
                    self.is_important = true;
                }
                Token::Function(name) if name.eq_ignore_ascii_case("url") => {
                    let url = input.parse_nested_block(|input| {
                        let url = input.expect_string_cloned()?;
                        Ok(url)
                    })?;
                    self.image(&url)?;
                }
                Token::Function(name) => {
                    if self.kind.limits().is_some() || matches!(self.kind, Kind::Words(_)) {
                        return Err(unfit());
                    }
                    let name = listed(name, &FUNCTIONS)?;
                    self.block(&format!("{name}("), input, depth)?;
                }
                Token::ParenthesisBlock if depth != Depth(0) => self.block("(", input, depth)?,
                Token::UnquotedUrl(url) => self.image(url)?,
                _ if matches!(self.kind, Kind::Words(_)) => return Err(unfit()),
                other => {
                    let word = self.word(other, depth)?;
                    self.add(&word);
                }
            }
        }
        Ok(())
    }

    fn block(
        &mut self,
        open: &str,
        input: &mut Parser<'_>,
        depth: Depth,
    ) -> Result<(), StyleParseError> {
        let deeper = depth.nested()?;
        self.add(open);
        input.parse_nested_block(|input| self.tokens(input, deeper))?;
        self.written.push(')');
        Ok(())
    }

    /// The one word of a property that has its own.
    fn listed_word(&mut self, name: &str) -> Result<(), StyleParseError> {
        match self.kind {
            Kind::Words(words) if self.written.is_empty() => {
                self.written.push_str(listed(name, words)?);
                Ok(())
            }
            _ => Err(unfit()),
        }
    }

    fn image(&mut self, url: &str) -> Result<(), StyleParseError> {
        if self.kind != Kind::Image {
            return Err(unfit());
        }
        let image = data_url(url, &IMAGE_TYPES, is_picture_byte)?;
        self.add(&image);
        Ok(())
    }

    /// Adds a space between words where one is needed or allowed.
    fn add(&mut self, word: &str) {
        if !self.written.is_empty() && !self.written.ends_with('(') && word != "," {
            self.written.push(' ');
        }
        self.written.push_str(word);
    }

    /// A token that contains no others.
    fn word(&self, token: &Token<'_>, depth: Depth) -> Result<String, StyleParseError> {
        match token {
            Token::Ident(name) if is_plain(name) => Ok(name.to_string()),
            Token::Hash(digits) | Token::IDHash(digits) => {
                let is_colour = matches!(digits.len(), 3 | 4 | 6 | 8)
                    && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
                is_colour.then(|| format!("#{digits}")).ok_or_else(unfit)
            }
            Token::QuotedString(text) if matches!(self.kind, Kind::Text | Kind::LimitedText(_)) => {
                let is_name = text.len() <= LONGEST_QUOTE
                    && text
                        .chars()
                        .all(|c| c.is_alphanumeric() || " -_.,&+'".contains(c));
                if !is_name {
                    return Err(unfit());
                }
                let mut written = String::new();
                serialize_string(text, &mut written).map_err(|_| unfit())?;
                Ok(written)
            }
            Token::Number { value, .. } => {
                self.within(|limits| limits.number, *value)?;
                number(*value)
            }
            Token::Percentage { unit_value, .. } => {
                self.within(|limits| limits.percent, *unit_value)?;
                Ok(format!("{}%", number(unit_value * 100.0)?))
            }
            Token::Dimension { value, unit, .. } => {
                let (unit, pixels) = UNITS
                    .iter()
                    .find(|(known, _)| known.eq_ignore_ascii_case(unit))
                    .ok_or_else(unfit)?;
                if self.kind.limits().is_some() && *pixels == 0.0 {
                    return Err(unfit());
                }
                self.within(|limits| limits.length, value * pixels)?;
                Ok(format!("{}{unit}", number(*value)?))
            }
            Token::Comma => Ok(String::from(",")),
            Token::Delim('/') => Ok(String::from("/")),
            Token::Delim(sign @ ('+' | '-' | '*')) if depth != Depth(0) => Ok(sign.to_string()),
            _ => Err(unfit()),
        }
    }

    fn within(
        &self,
        of: impl Fn(&Limits) -> (f32, f32),
        value: f32,
    ) -> Result<(), StyleParseError> {
        match self.kind.limits().map(of) {
            Some((least, most)) if value < least || value > most => Err(unfit()),
            _ => Ok(()),
        }
    }
}

/// A `data:` address of one of these types, in quotes. It contains no character that could end the quotes: other
/// characters that a picture may contain are percent-encoded.
fn data_url(url: &str, types: &[&str], fits: fn(u8) -> bool) -> Result<String, StyleParseError> {
    let rest = strip_prefix(url, "data:").ok_or_else(unfit)?;
    let rest = types
        .iter()
        .find_map(|kind| strip_prefix(rest, kind))
        .ok_or_else(unfit)?;
    let is_plain = rest.starts_with([';', ','])
        && rest.contains(',')
        && rest.bytes().all(fits)
        && url.len() <= LARGEST_DATA;
    if !is_plain {
        return Err(unfit());
    }
    let mut address = String::with_capacity(url.len());
    for byte in url.bytes() {
        match byte {
            _ if is_plain_byte(byte) => address.push(char::from(byte)),
            _ => address.push_str(&format!("%{byte:02X}")),
        }
    }
    let mut written = String::from("url(");
    serialize_string(&address, &mut written).map_err(|_| unfit())?;
    written.push(')');
    Ok(written)
}

/// A character that needs no escape in a `data:` address.
fn is_plain_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+/=,;:%-_.~!*".contains(&byte)
}

/// A character of a picture's markup, as people write it into a sheet. A background picture runs no scripts and loads nothing.
fn is_picture_byte(byte: u8) -> bool {
    is_plain_byte(byte) || b" <>'\"()#?&@$[]{}|^`".contains(&byte)
}

fn strip_prefix<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let (start, rest) = text.split_at_checked(prefix.len())?;
    start.eq_ignore_ascii_case(prefix).then_some(rest)
}

/// Whether a name can be written without an escape (CSS Syntax Level 3, section 4.3.9).
pub(super) fn is_plain(name: &str) -> bool {
    // One hyphen may be in front, then a number cannot begin.
    let start = name.strip_prefix('-').unwrap_or(name);
    let starts_plainly = start.starts_with(|c: char| !c.is_ascii_digit());
    starts_plainly
        && name.len() <= LONGEST_WORD
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}

/// The name of a variable, if it needs no escape.
fn is_variable(name: &str) -> bool {
    name.len() > 2 && name.starts_with("--") && is_plain(name)
}
