//! Encrypted card data, as a browser sends it. Nothing opens that was not encrypted for the key.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use payframe_jwe::{Message, PrivateKey};
use serde::Deserialize;
use std::sync::LazyLock;

/// A key that is used nowhere else, and a message for it.
struct Vector {
    key: PrivateKey,
    message: String,
    /// The message's header as JSON, and its other parts.
    header: Vec<u8>,
    rest: String,
}

static VECTOR: LazyLock<Vector> = LazyLock::new(|| match vector() {
    Some(vector) => vector,
    None => panic!("the vector of crates/jwe is not a key and a message"),
});

fn vector() -> Option<Vector> {
    #[derive(Deserialize)]
    struct File {
        private: String,
        message: String,
    }
    let file = include_str!("../../jwe/fixtures/encrypted-card.json");
    let File { private, message } = serde_json::from_str(file).ok()?;
    let key = PrivateKey::from_bytes(&URL_SAFE_NO_PAD.decode(private).ok()?)?;
    let (header, rest) = message.split_once('.')?;
    Some(Vector {
        key,
        header: URL_SAFE_NO_PAD.decode(header).ok()?,
        rest: rest.to_owned(),
        message,
    })
}

/// The bytes as a whole message, and as the header of one. Only the message that a browser encrypted opens.
pub(crate) fn check(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        assert_eq!(opens(text), text == VECTOR.message, "the message");
    }
    let text = format!("{}.{}", URL_SAFE_NO_PAD.encode(bytes), VECTOR.rest);
    assert_eq!(opens(&text), bytes == VECTOR.header, "the header");
}

fn opens(text: &str) -> bool {
    Message::parse(text).is_ok_and(|message| message.open(&VECTOR.key).is_ok())
}

pub(crate) fn samples() -> Vec<Vec<u8>> {
    vec![VECTOR.message.clone().into_bytes(), VECTOR.header.clone()]
}
