//! Messages to bytes and back, by a [`Layout`].
//!
//! Whatever comes from outside is read without a panic: a message that does not fit the layout to its last byte is an error. Errors name
//! fields and lengths, never values.

use crate::coding::{from_ascii, from_bcd, from_ebcdic, from_hex, to_bcd, to_ebcdic, to_hex};
use crate::layout::{BitmapCoding, Coding, FieldLayout, Kind, Layout, LengthCoding, Odd, Pad};
use crate::message::Message;
use std::collections::BTreeSet;
use thiserror::Error;
use zeroize::Zeroizing;

/// Why a message cannot be written or read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum CodecError {
    /// The message type is not four digits.
    #[error("the message type is not four digits")]
    MessageType,
    /// The bitmap is not hexadecimal.
    #[error("the bitmap is not hexadecimal")]
    Bitmap,
    /// The dialect has no such field.
    #[error("the dialect has no field {0}")]
    UnknownField(u8),
    /// A value does not fit its field.
    #[error("field {number} {problem}")]
    Field {
        /// Its number.
        number: u8,
        /// What is wrong.
        problem: &'static str,
    },
    /// The message ends too early.
    #[error("the message ends before its last field")]
    TooShort,
    /// There are bytes after the last field.
    #[error("the message has {0} bytes after its last field")]
    TooLong(usize),
}

/// The bytes of a message.
///
/// # Errors
/// A value does not fit its field.
pub fn encode(layout: &Layout, message: &Message) -> Result<Zeroizing<Vec<u8>>, CodecError> {
    let has_second = message.fields().any(|(number, _)| number > HALF);
    // Reserved at once, so that no copy with card data is left behind.
    let mut bytes = Zeroizing::new(Vec::with_capacity(LONGEST));
    let message_type = &message.message_type;
    if message_type.len() != 4 || !message_type.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(CodecError::MessageType);
    }
    let written = written(layout.message_type, message_type, Odd::ZeroBefore);
    bytes.extend_from_slice(&written.ok_or(CodecError::MessageType)?);
    let mut bits = [0_u8; 16];
    if has_second {
        bits[0] |= 0x80;
    }
    for (number, _) in message.fields() {
        if !layout.fields.contains_key(&number) {
            return Err(CodecError::UnknownField(number));
        }
        let place = usize::from(number - 1);
        bits[place / 8] |= 0x80 >> (place % 8);
    }
    let bits = if has_second { &bits[..] } else { &bits[..8] };
    match layout.bitmap {
        BitmapCoding::Binary => bytes.extend_from_slice(bits),
        BitmapCoding::Hex => bytes.extend_from_slice(to_hex(bits).as_bytes()),
    }
    for (number, value) in message.fields() {
        let field = layout.fields.get(&number);
        let field = field.ok_or(CodecError::UnknownField(number))?;
        let written = encode_field(field, value);
        let written = written.map_err(|problem| CodecError::Field { number, problem })?;
        bytes.extend_from_slice(&written);
    }
    Ok(bytes)
}

/// The message of these bytes.
///
/// # Errors
/// They are not a message of this layout.
pub fn decode(layout: &Layout, bytes: &[u8]) -> Result<Message, CodecError> {
    let mut rest = bytes;
    let message_type = take(&mut rest, bytes_of(layout.message_type, 4))?;
    let message_type = read(layout.message_type, message_type, 4, Odd::ZeroBefore);
    let message_type = message_type
        .filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))
        .ok_or(CodecError::MessageType)?;
    let mut message = Message::new(&message_type);
    for number in decode_bitmaps(layout, &mut rest)? {
        let field = layout.fields.get(&number);
        let field = field.ok_or(CodecError::UnknownField(number))?;
        let length = match field.kind {
            Kind::Fixed => field.length,
            Kind::Ll | Kind::Lll => decode_length(field, &mut rest)?.ok_or(CodecError::Field {
                number,
                problem: "has a length that is no number",
            })?,
        };
        let problem = |problem| CodecError::Field { number, problem };
        if length > field.length {
            return Err(problem(TOO_LONG));
        }
        let content = take(&mut rest, bytes_of(field.coding, length))?;
        let value = read(field.coding, content, length, field.odd);
        let mut value = value.ok_or(problem(OTHER_CHARACTERS))?;
        if field.pad == Some(Pad::Spaces) {
            let end = value.trim_end_matches(' ').len();
            value.truncate(end);
        }
        message.put(number, value);
    }
    match rest.len() {
        0 => Ok(message),
        left => Err(CodecError::TooLong(left)),
    }
}

fn encode_field(field: &FieldLayout, value: &str) -> Result<Zeroizing<Vec<u8>>, &'static str> {
    let length = match field.coding {
        Coding::Binary if !value.len().is_multiple_of(2) => return Err(OTHER_CHARACTERS),
        Coding::Binary => value.len() / 2,
        Coding::Ascii | Coding::Ebcdic | Coding::Bcd => value.len(),
    };
    if length > field.length {
        return Err(TOO_LONG);
    }
    let width = field.length;
    let padded = Zeroizing::new(match (field.kind, field.pad) {
        (Kind::Fixed, Some(Pad::Zeros)) => format!("{value:0>width$}"),
        (Kind::Fixed, Some(Pad::Spaces)) => format!("{value:<width$}"),
        (Kind::Fixed, None) if length < width => return Err("is shorter than its fixed length"),
        _ => value.to_owned(),
    });
    let content = written(field.coding, &padded, field.odd).ok_or(OTHER_CHARACTERS)?;
    let mut bytes = Zeroizing::new(Vec::with_capacity(content.len() + 3));
    let digits = field.kind.digits();
    if digits > 0 {
        bytes.extend_from_slice(&encode_length(field, digits, length).ok_or(TOO_LONG)?);
    }
    bytes.extend_from_slice(&content);
    Ok(bytes)
}

fn encode_length(field: &FieldLayout, digits: usize, length: usize) -> Option<Vec<u8>> {
    let text = format!("{length:0digits$}");
    let coding = match field.length_coding.unwrap_or(LengthCoding::Ascii) {
        LengthCoding::Ascii => Coding::Ascii,
        LengthCoding::Ebcdic => Coding::Ebcdic,
        LengthCoding::Bcd => Coding::Bcd,
        LengthCoding::Binary => {
            let number = u16::try_from(length).ok()?.to_be_bytes();
            return Some(number[3 - digits..].to_vec());
        }
    };
    written(coding, &text, Odd::ZeroBefore).map(|bytes| bytes.to_vec())
}

/// The length before a field. `None`: it is no number.
fn decode_length(field: &FieldLayout, rest: &mut &[u8]) -> Result<Option<usize>, CodecError> {
    let digits = field.kind.digits();
    let coding = match field.length_coding.unwrap_or(LengthCoding::Ascii) {
        LengthCoding::Ascii => Coding::Ascii,
        LengthCoding::Ebcdic => Coding::Ebcdic,
        LengthCoding::Bcd => Coding::Bcd,
        LengthCoding::Binary => {
            let number = take(rest, digits - 1)?.iter();
            return Ok(Some(
                number.fold(0, |sum, byte| sum * 256 + usize::from(*byte)),
            ));
        }
    };
    let bytes = take(rest, bytes_of(coding, digits))?;
    let text = read(coding, bytes, digits, Odd::ZeroBefore);
    let is_number = |text: &Zeroizing<String>| text.bytes().all(|byte| byte.is_ascii_digit());
    Ok(text
        .filter(is_number)
        .and_then(|text| text.parse::<usize>().ok()))
}

/// The numbers of the fields that the bitmaps name.
fn decode_bitmaps(layout: &Layout, rest: &mut &[u8]) -> Result<BTreeSet<u8>, CodecError> {
    let mut numbers = BTreeSet::new();
    for first in [0, HALF] {
        if first == HALF && !numbers.remove(&1) {
            break;
        }
        let bits = match layout.bitmap {
            BitmapCoding::Binary => Zeroizing::new(take(rest, 8)?.to_vec()),
            BitmapCoding::Hex => {
                let text = std::str::from_utf8(take(rest, 16)?).ok();
                text.and_then(from_hex).ok_or(CodecError::Bitmap)?
            }
        };
        let places = (0..HALF).filter(|place| {
            let byte = bits.get(usize::from(place / 8)).copied().unwrap_or(0);
            byte & (0x80 >> (place % 8)) != 0
        });
        numbers.extend(places.map(|place| first + place + 1));
    }
    Ok(numbers)
}

/// How many bytes so many characters or digits take.
fn bytes_of(coding: Coding, length: usize) -> usize {
    match coding {
        Coding::Bcd => length.div_ceil(2),
        Coding::Ascii | Coding::Ebcdic | Coding::Binary => length,
    }
}

fn written(coding: Coding, value: &str, odd: Odd) -> Option<Zeroizing<Vec<u8>>> {
    match coding {
        Coding::Ascii => {
            from_ascii(value.as_bytes()).map(|text| Zeroizing::new(text.as_bytes().to_vec()))
        }
        Coding::Ebcdic => to_ebcdic(value),
        Coding::Bcd => to_bcd(value, odd),
        Coding::Binary => from_hex(value),
    }
}

fn read(coding: Coding, bytes: &[u8], length: usize, odd: Odd) -> Option<Zeroizing<String>> {
    match coding {
        Coding::Ascii => from_ascii(bytes),
        Coding::Ebcdic => from_ebcdic(bytes),
        Coding::Bcd => from_bcd(bytes, length, odd),
        Coding::Binary => Some(to_hex(bytes)),
    }
}

fn take<'a>(rest: &mut &'a [u8], count: usize) -> Result<&'a [u8], CodecError> {
    let (taken, left) = rest.split_at_checked(count).ok_or(CodecError::TooShort)?;
    *rest = left;
    Ok(taken)
}

const TOO_LONG: &str = "is longer than the dialect says";
const OTHER_CHARACTERS: &str = "has characters that its coding does not have";

/// The fields of one bitmap.
const HALF: u8 = 64;

/// No message of a payment is longer.
const LONGEST: usize = 2_048;

#[cfg(test)]
mod tests;
