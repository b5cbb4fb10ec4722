//! Makes tokens of GOOGLEPAY as the wallet does.

use crate::{NOW_MS, NUMBER, secret};
use aes::Aes256;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ctr::Ctr128BE;
use ctr::cipher::{KeyIvInit, StreamCipher};
use hkdf::Hkdf;
use hmac::{Hmac, KeyInit, Mac};
use p256::ecdsa::signature::Signer;
use p256::ecdsa::{DerSignature, SigningKey};
use p256::elliptic_curve::sec1::ToSec1Point;
use p256::pkcs8::EncodePublicKey;
use serde_json::{Value, json};
use sha2::Sha256;

pub(crate) const GATEWAY: &str = "gateway:payframe";
pub(crate) const MERCHANT_ID: &str = "blumen";
/// The byte of the recipient's key.
pub(crate) const RECIPIENT: u8 = 5;
/// The byte of the root's key.
pub(crate) const ROOT: u8 = 21;
/// The bytes of the key that signs tokens, and of the sender's key.
const INTERMEDIATE: u8 = 22;
const SENDER: u8 = 23;

/// A token before it is made.
pub(crate) struct Offer {
    pub(crate) content: Value,
    pub(crate) recipient: &'static str,
    pub(crate) key: u8,
    pub(crate) root: u8,
    pub(crate) version: &'static str,
    pub(crate) key_expires_ms: i64,
    /// Changes the public key of the sender before it is signed.
    pub(crate) change_point: fn(&mut Vec<u8>),
}

impl Default for Offer {
    fn default() -> Offer {
        Offer {
            content: content("CRYPTOGRAM_3DS"),
            recipient: GATEWAY,
            key: RECIPIENT,
            root: ROOT,
            version: "ECv2",
            key_expires_ms: NOW_MS + 86_400_000,
            change_point: |_| {},
        }
    }
}

/// A card whose buyer was authenticated as this says.
pub(crate) fn content(method: &str) -> Value {
    let mut details = json!({
        "pan": NUMBER, "expirationMonth": 3, "expirationYear": 2030, "authMethod": method
    });
    if method == "CRYPTOGRAM_3DS" {
        details["cryptogram"] = json!("AgAAAAAABk4DWZ4C28yUQAAAAAA=");
        details["eciIndicator"] = json!("05");
    }
    json!({
        "gatewayMerchantId": MERCHANT_ID, "messageExpiration": (NOW_MS + 600_000).to_string(),
        "messageId": "m-1", "paymentMethod": "CARD", "paymentMethodDetails": details
    })
}

/// The file of roots with one key.
pub(crate) fn roots(byte: u8, expires_ms: i64) -> String {
    json!({ "keys": [
        { "keyValue": public(byte), "protocolVersion": "ECv1" },
        { "keyValue": public(byte), "protocolVersion": "ECv2", "keyExpiration": expires_ms.to_string() },
    ] })
    .to_string()
}

impl Offer {
    pub(crate) fn token(&self) -> Value {
        let sender = secret(SENDER);
        let mut point = uncompressed(&sender);
        let agreed = sender.diffie_hellman(&secret(self.key).public_key());
        let mut keys = [0; 64];
        Hkdf::<Sha256>::new(
            Some(&[0; 32]),
            &[&point, agreed.raw_secret_bytes().as_slice()].concat(),
        )
        .expand(b"Google", &mut keys)
        .unwrap();
        let mut text = self.content.to_string().into_bytes();
        Ctr128BE::<Aes256>::new_from_slices(&keys[..32], &[0; 16])
            .unwrap()
            .apply_keystream(&mut text);
        let code = Hmac::<Sha256>::new_from_slice(&keys[32..]).unwrap();
        let tag = code.chain_update(&text).finalize().into_bytes();
        (self.change_point)(&mut point);
        let message = json!({
            "encryptedMessage": STANDARD.encode(&text),
            "ephemeralPublicKey": STANDARD.encode(&point),
            "tag": STANDARD.encode(tag),
        })
        .to_string();
        let key = json!({
            "keyValue": public(INTERMEDIATE), "keyExpiration": self.key_expires_ms.to_string()
        })
        .to_string();
        json!({
            "protocolVersion": self.version,
            "signature": sign(INTERMEDIATE, &["Google", self.recipient, self.version, &message]),
            "intermediateSigningKey": {
                "signedKey": key,
                "signatures": [sign(self.root, &["Google", self.version, &key])],
            },
            "signedMessage": message,
        })
    }
}

fn uncompressed(key: &p256::SecretKey) -> Vec<u8> {
    key.public_key().to_sec1_point(false).as_bytes().to_vec()
}

fn public(byte: u8) -> String {
    let der = secret(byte).public_key().to_public_key_der().unwrap();
    STANDARD.encode(der.as_bytes())
}

fn sign(byte: u8, texts: &[&str]) -> String {
    let mut signed = Vec::new();
    for text in texts {
        signed.extend_from_slice(&(text.len() as u32).to_le_bytes());
        signed.extend_from_slice(text.as_bytes());
    }
    let signature: DerSignature = SigningKey::from(secret(byte)).sign(&signed);
    STANDARD.encode(signature.as_bytes())
}
