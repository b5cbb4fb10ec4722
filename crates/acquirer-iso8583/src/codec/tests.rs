//! Each rule of the codec with its bytes, and properties over all layouts.

use super::*;
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use std::collections::BTreeMap;

fn layout(fields: &str) -> Layout {
    let fields: BTreeMap<String, FieldLayout> = toml::from_str(fields).unwrap();
    Layout {
        message_type: Coding::Ascii,
        bitmap: BitmapCoding::Hex,
        fields: fields
            .into_iter()
            .map(|(number, field)| (number.parse().unwrap(), field))
            .collect(),
    }
}

fn message(fields: &[(u8, &str)]) -> Message {
    let mut message = Message::new("0100");
    for (number, value) in fields {
        message.put(*number, Zeroizing::new((*value).to_owned()));
    }
    message
}

/// The bytes of one field, which is read back as `read`.
fn check(field: &str, value: &str, bytes: &[u8], read: &str) {
    let layout = layout(&format!("2 = {{ {field} }}"));
    let written = encode(&layout, &message(&[(2, value)])).unwrap();
    assert_eq!(&written[20..], bytes, "{field}");
    let back = decode(&layout, &written).unwrap();
    assert_eq!(back.field(2), Some(read), "{field}");
}

#[test]
fn a_field_is_written_as_its_layout_says() {
    check("length = 3, coding = 'ascii'", "A 1", b"A 1", "A 1");
    check(
        "length = 6, coding = 'ascii', pad = 'zeros'",
        "12",
        b"000012",
        "000012",
    );
    check(
        "length = 4, coding = 'ascii', pad = 'spaces'",
        "AB",
        b"AB  ",
        "AB",
    );
    check("length = 2, coding = 'ebcdic'", "A1", &[0xC1, 0xF1], "A1");
    check(
        "length = 4, coding = 'bcd', pad = 'zeros'",
        "12",
        &[0x00, 0x12],
        "0012",
    );
    check("length = 3, coding = 'bcd'", "978", &[0x09, 0x78], "978");
    check(
        "length = 2, coding = 'binary'",
        "00FF",
        &[0x00, 0xFF],
        "00FF",
    );
    check(
        "kind = 'll', length = 19, coding = 'ascii'",
        "476",
        b"03476",
        "476",
    );
    check(
        "kind = 'lll', length = 99, coding = 'ascii'",
        "AB",
        b"002AB",
        "AB",
    );
    check(
        "kind = 'll', length = 19, coding = 'bcd', length_coding = 'bcd'",
        "476",
        &[0x03, 0x04, 0x76],
        "476",
    );
    check(
        "kind = 'll', length = 19, coding = 'bcd', length_coding = 'bcd', odd = 'f-behind'",
        "476",
        &[0x03, 0x47, 0x6F],
        "476",
    );
    check(
        "kind = 'll', length = 19, coding = 'ascii', length_coding = 'binary'",
        "476",
        &[3, b'4', b'7', b'6'],
        "476",
    );
    check(
        "kind = 'lll', length = 19, coding = 'binary', length_coding = 'binary'",
        "AA",
        &[0, 1, 0xAA],
        "AA",
    );
    check(
        "kind = 'lll', length = 19, coding = 'ascii', length_coding = 'bcd'",
        "A",
        &[0x00, 0x01, b'A'],
        "A",
    );
    check(
        "kind = 'll', length = 19, coding = 'ebcdic', length_coding = 'ebcdic'",
        "1",
        &[0xF0, 0xF1, 0xF1],
        "1",
    );
}

#[test]
fn a_value_that_does_not_fit_is_refused() {
    let refused = |field: &str, value: &str| {
        let layout = layout(&format!("2 = {{ {field} }}"));
        encode(&layout, &message(&[(2, value)])).unwrap_err()
    };
    let field = |problem| CodecError::Field { number: 2, problem };
    assert_eq!(
        refused("length = 3, coding = 'ascii'", "1234"),
        field(TOO_LONG)
    );
    assert_eq!(
        refused("length = 3, coding = 'ascii'", "12"),
        field("is shorter than its fixed length")
    );
    assert_eq!(
        refused("length = 3, coding = 'bcd'", "12A"),
        field(OTHER_CHARACTERS)
    );
    assert_eq!(
        refused("length = 3, coding = 'ascii'", "1\u{e9}"),
        field(OTHER_CHARACTERS)
    );
    assert_eq!(
        refused("length = 3, coding = 'binary'", "ABC"),
        field(OTHER_CHARACTERS)
    );
    let unknown = encode(&layout(""), &message(&[(2, "1")]));
    assert_eq!(unknown.unwrap_err(), CodecError::UnknownField(2));
}

#[test]
fn the_second_bitmap_is_there_if_a_field_needs_it() {
    let layout =
        layout("3 = { length = 1, coding = 'ascii' }\n70 = { length = 3, coding = 'ascii' }");
    let bytes = encode(&layout, &message(&[(3, "1"), (70, "301")])).unwrap();
    assert_eq!(
        std::str::from_utf8(&bytes).unwrap(),
        "0100A00000000000000004000000000000001301"
    );
    let bytes = encode(&layout, &message(&[(3, "1")])).unwrap();
    assert_eq!(
        std::str::from_utf8(&bytes).unwrap(),
        "010020000000000000001"
    );
}

#[test]
fn what_is_no_message_is_an_error() {
    let layout = layout("2 = { kind = 'll', length = 4, coding = 'ascii' }");
    let check = |bytes: &str, expected: CodecError| {
        assert_eq!(decode(&layout, bytes.as_bytes()).unwrap_err(), expected);
    };
    let field = |problem| CodecError::Field { number: 2, problem };
    check("", CodecError::TooShort);
    check("01X04000000000000000", CodecError::MessageType);
    check("0100400000000000000G", CodecError::Bitmap);
    check("01004000000000000000", CodecError::TooShort);
    check(
        "010040000000000000000X1",
        field("has a length that is no number"),
    );
    check("01004000000000000000051", field(TOO_LONG));
    check("010040000000000000000112", CodecError::TooLong(1));
    check("0100100000000000000011", CodecError::UnknownField(4));
}

fn any_field() -> impl Strategy<Value = FieldLayout> {
    let kinds = prop_oneof![Just(Kind::Fixed), Just(Kind::Ll), Just(Kind::Lll)];
    let codings = prop_oneof![
        Just(Coding::Ascii),
        Just(Coding::Ebcdic),
        Just(Coding::Bcd),
        Just(Coding::Binary)
    ];
    let lengths = prop_oneof![
        Just(LengthCoding::Ascii),
        Just(LengthCoding::Ebcdic),
        Just(LengthCoding::Bcd),
        Just(LengthCoding::Binary)
    ];
    let odds = prop_oneof![Just(Odd::ZeroBefore), Just(Odd::FBehind)];
    (kinds, codings, lengths, odds, 1..40_usize).prop_map(|(kind, coding, lengths, odd, length)| {
        FieldLayout {
            kind,
            length,
            coding,
            length_coding: (kind != Kind::Fixed).then_some(lengths),
            pad: None,
            odd,
        }
    })
}

/// A value for the field, from numbers.
fn value_of(field: &FieldLayout, seed: &[u8]) -> String {
    let length = match field.kind {
        Kind::Fixed => field.length,
        Kind::Ll | Kind::Lll => usize::from(seed[0]) % (field.length + 1),
    };
    let seeds = seed.iter().cycle();
    match field.coding {
        Coding::Ascii | Coding::Ebcdic => seeds
            .take(length)
            .map(|seed| char::from(b' ' + seed % 95))
            .collect(),
        Coding::Bcd => seeds
            .take(length)
            .map(|seed| char::from(b'0' + seed % 10))
            .collect(),
        Coding::Binary => seeds
            .take(length)
            .map(|seed| format!("{seed:02X}"))
            .collect(),
    }
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(
        fields in btree_map(2..=128_u8, (any_field(), vec(any::<u8>(), 1..40)), 0..20),
        is_hex in any::<bool>(),
        message_type in prop_oneof![Just(Coding::Ascii), Just(Coding::Ebcdic), Just(Coding::Bcd)],
    ) {
        let layout = Layout {
            message_type,
            bitmap: if is_hex { BitmapCoding::Hex } else { BitmapCoding::Binary },
            fields: fields.iter().map(|(number, (field, _))| (*number, *field)).collect(),
        };
        let mut message = Message::new("1420");
        for (number, (field, seed)) in &fields {
            message.put(*number, Zeroizing::new(value_of(field, seed)));
        }
        let bytes = encode(&layout, &message).unwrap();
        prop_assert_eq!(decode(&layout, &bytes).unwrap(), message);
        for end in 0..bytes.len() {
            prop_assert!(decode(&layout, &bytes[..end]).is_err());
        }
    }

    #[test]
    fn any_bytes_are_a_message_or_an_error(
        fields in btree_map(2..=128_u8, any_field(), 0..128),
        bytes in vec(any::<u8>(), 0..200),
    ) {
        let layout = Layout { message_type: Coding::Bcd, bitmap: BitmapCoding::Binary, fields };
        if let Ok(message) = decode(&layout, &bytes) {
            // Not the same bytes: a second bitmap may have been empty.
            let again = encode(&layout, &message).unwrap();
            prop_assert_eq!(decode(&layout, &again).unwrap(), message);
        }
    }
}
