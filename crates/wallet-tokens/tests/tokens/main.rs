//! Tokens that are made here, with keys and roots of their own: good ones open, and a twin with one thing wrong is refused for that.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod applepay;
mod applepay_maker;
mod fixture;
mod googlepay;
mod googlepay_maker;

use p256::SecretKey;
use p256::pkcs8::{EncodePrivateKey, LineEnding};
use payframe_payment_domain::network_token::TokenCryptogram;
use payframe_wallet_tokens::{DecryptionKey, OpenedCard, TokenError};

/// 2026-11-20T10:00:00Z
const NOW_MS: i64 = 1_795_168_800_000;
const NUMBER: &str = "4111111111111111";

/// A key of 32 equal bytes.
fn secret(byte: u8) -> SecretKey {
    SecretKey::from_slice(&[byte; 32]).unwrap()
}

fn pem(key: &SecretKey) -> String {
    key.to_pkcs8_pem(LineEnding::LF).unwrap().to_string()
}

fn decryption_key(byte: u8) -> DecryptionKey {
    DecryptionKey::from_pem(&pem(&secret(byte))).unwrap()
}

/// Number, expiry, cryptogram and its ECI; or why it did not open.
fn seen(opened: Result<OpenedCard, TokenError>) -> Result<String, TokenError> {
    opened.map(|card| {
        assert!(!format!("{card:?}").contains("4111"));
        let cryptogram = card.cryptogram.as_ref();
        format!(
            "{} {} {} {}",
            // Exposed because the test searches for its own values.
            card.number.expose(),
            card.expiry,
            cryptogram.map_or("-", |cryptogram| cryptogram.value().expose()),
            cryptogram.and_then(TokenCryptogram::eci).unwrap_or("-"),
        )
    })
}

#[test]
fn keys_are_read_in_both_formats_and_nothing_else_is() {
    let key = secret(7);
    assert!(DecryptionKey::from_pem(&pem(&key)).is_ok());
    let sec1 = key.to_sec1_pem(LineEnding::LF).unwrap();
    assert!(DecryptionKey::from_pem(&format!("\n{}\n", *sec1)).is_ok());
    let other = rcgen::KeyPair::generate_for(&rcgen::PKCS_ECDSA_P384_SHA384).unwrap();
    let public = rcgen::PublicKeyData::der_bytes(&other).len().to_string();
    for text in [other.serialize_pem(), String::new(), public] {
        let refused = DecryptionKey::from_pem(&text).err().unwrap();
        assert!(refused.accepts().contains("P-256"), "{refused}");
    }
}
