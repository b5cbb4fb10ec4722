//! Characters and digits as bytes: ASCII, EBCDIC, BCD, and hexadecimal text.

use crate::layout::Odd;
use zeroize::Zeroizing;

/// The bytes of printable ASCII characters in EBCDIC (code page 37).
pub(crate) fn to_ebcdic(text: &str) -> Option<Zeroizing<Vec<u8>>> {
    let byte = |byte: u8| EBCDIC.get(usize::from(byte.checked_sub(b' ')?)).copied();
    text.bytes()
        .map(byte)
        .collect::<Option<Vec<u8>>>()
        .map(Zeroizing::new)
}

/// The characters of bytes in EBCDIC.
pub(crate) fn from_ebcdic(bytes: &[u8]) -> Option<Zeroizing<String>> {
    let character = |byte: &u8| {
        let place = EBCDIC.iter().position(|known| known == byte)?;
        Some(char::from(b' ' + u8::try_from(place).ok()?))
    };
    bytes
        .iter()
        .map(character)
        .collect::<Option<String>>()
        .map(Zeroizing::new)
}

/// The printable characters of bytes in ASCII.
pub(crate) fn from_ascii(bytes: &[u8]) -> Option<Zeroizing<String>> {
    let is_printable = bytes.iter().all(|byte| (b' '..=b'~').contains(byte));
    let text = std::str::from_utf8(bytes).ok().filter(|_| is_printable)?;
    Some(Zeroizing::new(text.to_owned()))
}

/// Two digits in each byte. `None`: it is not digits alone.
pub(crate) fn to_bcd(digits: &str, odd: Odd) -> Option<Zeroizing<Vec<u8>>> {
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let text = Zeroizing::new(match (digits.len() % 2, odd) {
        (0, _) => digits.to_owned(),
        (_, Odd::ZeroBefore) => format!("0{digits}"),
        (_, Odd::FBehind) => format!("{digits}F"),
    });
    from_hex(&text)
}

/// That many digits from BCD. `None`: there is another nibble than a digit, or the filling is another.
pub(crate) fn from_bcd(bytes: &[u8], digits: usize, odd: Odd) -> Option<Zeroizing<String>> {
    let text = to_hex(bytes);
    let text = match (digits % 2, odd) {
        (0, _) => &text[..],
        (_, Odd::ZeroBefore) => text.strip_prefix('0')?,
        (_, Odd::FBehind) => text.strip_suffix('F')?,
    };
    let is_digits = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    is_digits.then(|| Zeroizing::new(text.to_owned()))
}

/// The bytes of hexadecimal text.
pub(crate) fn from_hex(text: &str) -> Option<Zeroizing<Vec<u8>>> {
    let digit = |byte: u8| {
        char::from(byte)
            .to_digit(16)
            .and_then(|digit| u8::try_from(digit).ok())
    };
    let pair = |pair: &[u8]| match pair {
        [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
        _ => None,
    };
    text.as_bytes()
        .chunks(2)
        .map(pair)
        .collect::<Option<Vec<u8>>>()
        .map(Zeroizing::new)
}

/// Bytes as hexadecimal text, in capitals.
pub(crate) fn to_hex(bytes: &[u8]) -> Zeroizing<String> {
    let mut text = Zeroizing::new(String::with_capacity(2 * bytes.len()));
    for nibble in bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]) {
        text.push(char::from(HEX[usize::from(nibble)]));
    }
    text
}

const HEX: &[u8; 16] = b"0123456789ABCDEF";

/// Of the characters from the space to the tilde.
const EBCDIC: [u8; 95] = [
    0x40, 0x5A, 0x7F, 0x7B, 0x5B, 0x6C, 0x50, 0x7D, 0x4D, 0x5D, 0x5C, 0x4E, 0x6B, 0x60, 0x4B, 0x61,
    0xF0, 0xF1, 0xF2, 0xF3, 0xF4, 0xF5, 0xF6, 0xF7, 0xF8, 0xF9, 0x7A, 0x5E, 0x4C, 0x7E, 0x6E, 0x6F,
    0x7C, 0xC1, 0xC2, 0xC3, 0xC4, 0xC5, 0xC6, 0xC7, 0xC8, 0xC9, 0xD1, 0xD2, 0xD3, 0xD4, 0xD5, 0xD6,
    0xD7, 0xD8, 0xD9, 0xE2, 0xE3, 0xE4, 0xE5, 0xE6, 0xE7, 0xE8, 0xE9, 0xBA, 0xE0, 0xBB, 0xB0, 0x6D,
    0x79, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96,
    0x97, 0x98, 0x99, 0xA2, 0xA3, 0xA4, 0xA5, 0xA6, 0xA7, 0xA8, 0xA9, 0xC0, 0x4F, 0xD0, 0xA1,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ebcdic_has_every_printable_character_once() {
        let all: String = (b' '..=b'~').map(char::from).collect();
        let bytes = to_ebcdic(&all).unwrap();
        assert_eq!(from_ebcdic(&bytes).unwrap().as_str(), all);
        // From the code page's table.
        assert_eq!(
            to_ebcdic("A1 a").unwrap().as_slice(),
            [0xC1, 0xF1, 0x40, 0x81]
        );
        assert_eq!(to_ebcdic("\u{e9}"), None);
        assert_eq!(from_ebcdic(&[0x00]), None);
    }

    #[test]
    fn digits_in_bcd() {
        let check = |digits: &str, odd: Odd, expected: &[u8]| {
            let bytes = to_bcd(digits, odd).unwrap();
            assert_eq!(bytes.as_slice(), expected);
            assert_eq!(
                from_bcd(&bytes, digits.len(), odd).unwrap().as_str(),
                digits
            );
        };
        check("1234", Odd::ZeroBefore, &[0x12, 0x34]);
        check("123", Odd::ZeroBefore, &[0x01, 0x23]);
        check("123", Odd::FBehind, &[0x12, 0x3F]);
        check("", Odd::FBehind, &[]);
        assert_eq!(to_bcd("12A", Odd::ZeroBefore), None);
        assert_eq!(from_bcd(&[0x1A], 2, Odd::ZeroBefore), None);
        assert_eq!(from_bcd(&[0x11, 0x23], 3, Odd::ZeroBefore), None);
        assert_eq!(from_bcd(&[0x12, 0x34], 3, Odd::FBehind), None);
    }
}
