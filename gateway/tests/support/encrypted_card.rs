//! Encrypts card data as the frames do.

use aes_gcm::aead::{Aead, KeyInit, Payload};
use aes_gcm::{Aes256Gcm, Key, Nonce};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use p256::elliptic_curve::sec1::ToEncodedPoint;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// Encrypts as the frames do, with a key pair that is made from `seed`.
pub(crate) fn encrypted(content: &Value, public: &str, session: &str, seed: u8) -> String {
    let own = p256::SecretKey::from_slice(&[seed; 32]).unwrap();
    let point = own.public_key().to_encoded_point(false);
    let gateway = URL_SAFE_NO_PAD.decode(public).unwrap();
    let gateway = p256::PublicKey::from_sec1_bytes(&gateway).unwrap();
    let agreed = p256::ecdh::diffie_hellman(own.to_nonzero_scalar(), gateway.as_affine());
    let party = Sha256::digest(session);
    let header = json!({
        "alg": "ECDH-ES", "enc": "A256GCM", "kid": &public[..16], "apv": URL_SAFE_NO_PAD.encode(party),
        "epk": { "kty": "EC", "crv": "P-256", "x": URL_SAFE_NO_PAD.encode(point.x().unwrap()), "y": URL_SAFE_NO_PAD.encode(point.y().unwrap()) },
    });
    let header = URL_SAFE_NO_PAD.encode(header.to_string());
    let mut derived = Sha256::new();
    derived.update([0, 0, 0, 1]);
    derived.update(agreed.raw_secret_bytes());
    derived.update([0, 0, 0, 7]);
    derived.update("A256GCM");
    derived.update([0, 0, 0, 0, 0, 0, 0, 32]);
    derived.update(party);
    derived.update([0, 0, 1, 0]);
    let content = content.to_string();
    let payload = Payload {
        msg: content.as_bytes(),
        aad: header.as_bytes(),
    };
    let ciphertext = Aes256Gcm::new(Key::<Aes256Gcm>::from_slice(&derived.finalize()))
        .encrypt(Nonce::from_slice(&[seed; 12]), payload)
        .unwrap();
    let (content, tag) = ciphertext.split_at(ciphertext.len() - 16);
    let nonce = URL_SAFE_NO_PAD.encode([seed; 12]);
    let (content, tag) = (URL_SAFE_NO_PAD.encode(content), URL_SAFE_NO_PAD.encode(tag));
    format!("{header}..{nonce}.{content}.{tag}")
}
