//! Message authentication codes: the last field of a message, over all bytes before it.
//!
//! They protect against changes on the way, between two sides that share a key. They do not hide anything: that is what TLS is for.

use crate::codec::{self, CodecError};
use crate::coding::{from_hex, to_hex};
use crate::layout::Layout;
use crate::message::{Message, field};
use des::Des;
use hmac::{Hmac, Mac as _};
use retail_mac::{KeyInit, Mac as _, RetailMac};
use serde::Deserialize;
use sha2::Sha256;
use std::fmt;
use zeroize::Zeroizing;

/// How a code is computed. All of them have eight bytes.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
pub enum MacAlgorithm {
    /// ANSI X9.19 (ISO 9797-1 algorithm 3 with padding method 1), over DES with a key of two parts.
    #[serde(rename = "x9.19")]
    X919,
    /// The first eight bytes of HMAC-SHA256.
    #[serde(rename = "hmac-sha256")]
    HmacSha256,
}

/// An algorithm with its key.
#[derive(Clone)]
pub struct MacKey {
    algorithm: MacAlgorithm,
    key: Zeroizing<Vec<u8>>,
}

impl MacKey {
    /// The key from a file's hexadecimal text. `None`: it is not [`MacAlgorithm::accepted`].
    pub fn parse(algorithm: MacAlgorithm, text: &str) -> Option<MacKey> {
        let key = from_hex(text.trim())?;
        let fits = match algorithm {
            MacAlgorithm::X919 => key.len() == 16,
            MacAlgorithm::HmacSha256 => (16..=64).contains(&key.len()),
        };
        fits.then_some(MacKey { algorithm, key })
    }

    fn code(&self, bytes: &[u8]) -> Option<Zeroizing<String>> {
        let code: Vec<u8> = match self.algorithm {
            MacAlgorithm::X919 => {
                let mac = <RetailMac<Des> as KeyInit>::new_from_slice(&self.key).ok()?;
                mac.chain_update(bytes).finalize().into_bytes().to_vec()
            }
            MacAlgorithm::HmacSha256 => {
                let mac = <Hmac<Sha256> as hmac::Mac>::new_from_slice(&self.key).ok()?;
                mac.chain_update(bytes).finalize().into_bytes().to_vec()
            }
        };
        Some(to_hex(code.get(..BYTES)?))
    }
}

impl MacAlgorithm {
    /// The keys that are accepted.
    pub fn accepted(self) -> &'static str {
        match self {
            MacAlgorithm::X919 => "the path of a file with a key of 16 bytes, as hexadecimal text",
            MacAlgorithm::HmacSha256 => {
                "the path of a file with a key of 16 to 64 bytes, as hexadecimal text"
            }
        }
    }
}

impl fmt::Debug for MacKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MacKey({:?})", self.algorithm)
    }
}

/// The bytes of a message with its code.
///
/// # Errors
/// A value does not fit its field.
pub fn encode(
    layout: &Layout,
    message: &Message,
    key: Option<&MacKey>,
) -> Result<Zeroizing<Vec<u8>>, CodecError> {
    let Some(key) = key else {
        return codec::encode(layout, message);
    };
    let number = place(message);
    // The bitmap says already that there is a code, and belongs to what the code is over.
    let mut coded = message.clone();
    coded.put(number, Zeroizing::new("0".repeat(2 * BYTES)));
    let mut bytes = codec::encode(layout, &coded)?;
    let before = bytes.len() - BYTES;
    let code = key.code(&bytes[..before]).and_then(|code| from_hex(&code));
    let code = code.ok_or(CodecError::Field {
        number,
        problem: "cannot be computed",
    })?;
    bytes[before..].copy_from_slice(&code);
    Ok(bytes)
}

/// The message of these bytes, without its code.
///
/// # Errors
/// They are not a message of this layout, or another key made the code.
pub fn decode(layout: &Layout, bytes: &[u8], key: Option<&MacKey>) -> Result<Message, CodecError> {
    let mut message = codec::decode(layout, bytes)?;
    let Some(key) = key else {
        return Ok(message);
    };
    let number = place(&message);
    let wrong = CodecError::Field {
        number,
        problem: "is not the code of this message",
    };
    let given = message.remove(number).ok_or(wrong)?;
    let before = bytes.len().checked_sub(BYTES).ok_or(wrong)?;
    let made = key.code(&bytes[..before]).ok_or(wrong)?;
    match is_equal(&given, &made) {
        true => Ok(message),
        false => Err(wrong),
    }
}

/// Compared in the same time wherever they differ.
fn is_equal(one: &str, other: &str) -> bool {
    let differences = one
        .bytes()
        .zip(other.bytes())
        .map(|(one, other)| one ^ other);
    one.len() == other.len() && differences.fold(0, |sum, difference| sum | difference) == 0
}

/// The last field: of the second half, if there is one.
fn place(message: &Message) -> u8 {
    let has_second = message
        .fields()
        .any(|(number, _)| number > field::FIRST_MAC);
    match has_second {
        true => field::SECOND_MAC,
        false => field::FIRST_MAC,
    }
}

/// The length of a code.
pub(crate) const BYTES: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{BitmapCoding, Coding, FieldLayout, Kind, Odd};

    const KEY: &str = "0123456789ABCDEFFEDCBA9876543210";

    fn layout() -> Layout {
        let field = |length, coding| FieldLayout {
            kind: Kind::Fixed,
            length,
            coding,
            length_coding: None,
            pad: None,
            odd: Odd::ZeroBefore,
        };
        Layout {
            message_type: Coding::Ascii,
            bitmap: BitmapCoding::Binary,
            fields: [
                (11, field(6, Coding::Ascii)),
                (64, field(8, Coding::Binary)),
                (70, field(3, Coding::Ascii)),
                (128, field(8, Coding::Binary)),
            ]
            .into(),
        }
    }

    fn message(has_second: bool) -> Message {
        let mut message = Message::new("0800");
        message.put(11, Zeroizing::new(String::from("000001")));
        if has_second {
            message.put(70, Zeroizing::new(String::from("301")));
        }
        message
    }

    #[test]
    fn the_retail_code_is_that_of_the_standard() {
        let key = MacKey::parse(MacAlgorithm::X919, KEY).unwrap();
        // ISO 9797-1, annex A: algorithm 3 with padding method 1.
        let code = key.code(b"Now is the time for all ").unwrap();
        assert_eq!(code.as_str(), "A1C72E74EA3FA9B6");
    }

    #[test]
    fn a_changed_message_and_another_key_are_noticed() {
        for algorithm in [MacAlgorithm::X919, MacAlgorithm::HmacSha256] {
            let key = MacKey::parse(algorithm, KEY).unwrap();
            let other = MacKey::parse(algorithm, &KEY.replacen('0', "4", 1)).unwrap();
            for has_second in [false, true] {
                let bytes = encode(&layout(), &message(has_second), Some(&key)).unwrap();
                let read = decode(&layout(), &bytes, Some(&key)).unwrap();
                assert_eq!(read, message(has_second));
                let by_other = decode(&layout(), &bytes, Some(&other));
                assert!(by_other.is_err());
                let mut changed = bytes.clone();
                // In the number: the message is still one of the layout.
                let place = if has_second { 25 } else { 17 };
                changed[place] = b'9';
                assert!(decode(&layout(), &changed, None).is_ok());
                assert!(decode(&layout(), &changed, Some(&key)).is_err());
            }
        }
        let key = MacKey::parse(MacAlgorithm::X919, KEY).unwrap();
        let without = encode(&layout(), &message(false), None).unwrap();
        assert!(decode(&layout(), &without, Some(&key)).is_err());
    }

    #[test]
    fn a_key_has_the_length_of_its_algorithm() {
        assert!(MacKey::parse(MacAlgorithm::X919, &KEY[2..]).is_none());
        assert!(MacKey::parse(MacAlgorithm::HmacSha256, &KEY[2..]).is_none());
        assert!(MacKey::parse(MacAlgorithm::HmacSha256, &KEY.repeat(4)).is_some());
        let key = MacKey::parse(MacAlgorithm::X919, &format!("{KEY}\n")).unwrap();
        assert_eq!(format!("{key:?}"), "MacKey(X919)");
    }
}
