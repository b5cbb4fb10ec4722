//! How a message looks in bytes, as the file of a dialect says it.

use serde::Deserialize;
use std::collections::BTreeMap;

/// How a message looks in bytes.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The coding of the message type.
    pub message_type: Coding,
    /// The coding of the bitmaps.
    pub bitmap: BitmapCoding,
    /// The fields, by number from 2 to 128.
    pub fields: BTreeMap<u8, FieldLayout>,
}

/// One field.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct FieldLayout {
    /// Whether its length is fixed, or written before it.
    #[serde(default)]
    pub kind: Kind,
    /// Its length, or its largest one: digits or characters; bytes if it is binary.
    pub length: usize,
    /// How its content is written.
    pub coding: Coding,
    /// How the length before it is written. Without it as text in ASCII.
    pub length_coding: Option<LengthCoding>,
    /// How a shorter value fills a fixed length. Without it every value has the whole length.
    pub pad: Option<Pad>,
    /// Where an odd number of digits in BCD is filled up.
    #[serde(default)]
    pub odd: Odd,
}

/// Whether the length of a field is fixed.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Every value has the length.
    #[default]
    Fixed,
    /// Two digits before it say the length.
    Ll,
    /// Three digits before it say the length.
    Lll,
}

impl Kind {
    /// How many digits say the length.
    pub(crate) fn digits(self) -> usize {
        match self {
            Kind::Fixed => 0,
            Kind::Ll => 2,
            Kind::Lll => 3,
        }
    }
}

/// How a value is written.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Coding {
    /// One byte for each character, in ASCII.
    Ascii,
    /// One byte for each character, in EBCDIC (code page 37).
    Ebcdic,
    /// Two digits in each byte.
    Bcd,
    /// Bytes as they are. The value is hexadecimal text.
    Binary,
}

/// How the length before a field is written.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum LengthCoding {
    /// As digits, in ASCII.
    Ascii,
    /// As digits, in EBCDIC.
    Ebcdic,
    /// Two digits in each byte.
    Bcd,
    /// As a number: one byte for LL, two for LLL.
    Binary,
}

/// What fills a short value.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Pad {
    /// Zeros before it.
    Zeros,
    /// Spaces behind it. They are taken away from values that are read.
    Spaces,
}

/// Where an odd number of digits in BCD is filled up.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Odd {
    /// With a zero before the digits.
    #[default]
    ZeroBefore,
    /// With F behind them.
    FBehind,
}

/// The coding of the bitmaps.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum BitmapCoding {
    /// Eight bytes for each.
    Binary,
    /// Sixteen hexadecimal digits for each, in ASCII.
    Hex,
}

impl FieldLayout {
    /// What is accepted, if something is not.
    pub(crate) fn problem(&self) -> Option<&'static str> {
        let longest = match self.kind {
            Kind::Fixed | Kind::Lll => 999,
            Kind::Ll => 99,
        };
        if !(1..=longest).contains(&self.length) {
            return Some("length must be from 1 to 999, for kind ll from 1 to 99");
        }
        match (self.kind, self.length_coding, self.pad) {
            (Kind::Fixed, Some(_), _) => Some("length_coding is for kind ll and lll alone"),
            (Kind::Ll | Kind::Lll, _, Some(_)) => Some("pad is for kind fixed alone"),
            (_, _, Some(Pad::Spaces)) if matches!(self.coding, Coding::Bcd | Coding::Binary) => {
                Some("pad = \"spaces\" is for text alone")
            }
            (_, _, Some(_)) if self.coding == Coding::Binary => {
                Some("pad is for digits and text alone")
            }
            _ => None,
        }
    }
}
