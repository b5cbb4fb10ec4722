//! Messages of acquirers over ISO 8583, in the dialects that ship. What is read is written so that it is read again.

use payframe_acquirer_iso8583::codec::{decode, encode};
use payframe_acquirer_iso8583::dialect::Dialect;
use payframe_acquirer_iso8583::message::Message;
use std::sync::LazyLock;

static ASCII: LazyLock<Dialect> = LazyLock::new(|| {
    dialect(include_str!(
        "../../acquirer-iso8583/dialects/1987-ascii.toml"
    ))
});
static BINARY: LazyLock<Dialect> = LazyLock::new(|| {
    dialect(include_str!(
        "../../acquirer-iso8583/dialects/1993-binary.toml"
    ))
});

fn dialect(text: &str) -> Dialect {
    match Dialect::parse(text) {
        Ok(dialect) => dialect,
        Err(problem) => panic!("a dialect that ships is refused: {problem}"),
    }
}

pub(crate) fn ascii(bytes: &[u8]) {
    check(&ASCII, bytes);
}

pub(crate) fn binary(bytes: &[u8]) {
    check(&BINARY, bytes);
}

fn check(dialect: &Dialect, bytes: &[u8]) {
    let Ok(message) = decode(&dialect.layout, bytes) else {
        return;
    };
    // A value may be read that is not written so, such as a number with a letter in it: writing refuses it.
    if let Ok(written) = encode(&dialect.layout, &message) {
        let again = decode(&dialect.layout, &written);
        assert!(
            again.is_ok_and(|again| again == message),
            "written otherwise"
        );
    }
}

pub(crate) fn ascii_samples() -> Vec<Vec<u8>> {
    samples(&ASCII, "0100")
}

pub(crate) fn binary_samples() -> Vec<Vec<u8>> {
    samples(&BINARY, "1100")
}

/// Messages with more and more of the fields of a dialect.
fn samples(dialect: &Dialect, message_type: &str) -> Vec<Vec<u8>> {
    let mut message = Message::new(message_type);
    let mut found = Vec::new();
    for number in dialect.layout.fields.keys() {
        let length = (1..=99).find(|length| {
            let mut tried = message.clone();
            tried.put(*number, "1".repeat(*length).into());
            encode(&dialect.layout, &tried).is_ok()
        });
        let Some(length) = length else {
            continue;
        };
        message.put(*number, "1".repeat(length).into());
        if let Ok(bytes) = encode(&dialect.layout, &message) {
            found.push(bytes.to_vec());
        }
    }
    found
}
