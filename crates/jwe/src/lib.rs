//! Compact JWE (RFC 7516) with the pair of algorithms that the frames use: ECDH-ES on P-256, with a new key agreement for each message
//! (RFC 7518, 4.6), and A256GCM.
//!
//! It only decrypts: the messages are created in browsers (`www/frame/encrypt-card.js`). It does not know sessions, card data or where
//! keys are stored: `CardKeys` of `payframe_payment_service` does. Every invalid message gets the same error, without the reason.
//!
//! Alternatives: josekit links OpenSSL, which this repository does not use; biscuit has no ECDH-ES; jsonwebtoken signs and does not
//! encrypt. Key agreement, cipher and hash come from RustCrypto. This file implements the format around them.

use aes_gcm::aead::{Aead, KeyInit, Payload};
use aes_gcm::{Aes256Gcm, Key, Nonce};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use p256::elliptic_curve::sec1::ToEncodedPoint;
use p256::{PublicKey, SecretKey};
use serde::Deserialize;
use serde::de::IgnoredAny;
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

/// A private key that decrypts messages. It is wiped from memory when it is dropped.
pub struct PrivateKey(SecretKey);

/// A parsed message. Do not trust its content before it is decrypted.
pub struct Message<'a> {
    /// The protected header as it was sent: the ciphertext is bound to it.
    protected: &'a str,
    header: Header,
    sender: PublicKey,
    party_u: Vec<u8>,
    party_v: Vec<u8>,
    nonce: [u8; NONCE],
    /// With the authentication tag at its end.
    ciphertext: Vec<u8>,
}

/// A message is malformed, was encrypted with another key, or was modified.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the message can not be decrypted")]
pub struct DecryptionError;

/// The header members that are evaluated. A duplicate member is an error.
#[derive(Deserialize)]
struct Header {
    alg: String,
    enc: String,
    kid: String,
    epk: Point,
    #[serde(default)]
    apu: String,
    #[serde(default)]
    apv: String,
    crit: Option<IgnoredAny>,
    zip: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct Point {
    kty: String,
    crv: String,
    x: String,
    y: String,
}

impl PrivateKey {
    /// A new key from `random`, which returns random bytes. `None` if that fails.
    pub fn generate(random: impl Fn(&mut [u8]) -> Option<()>) -> Option<PrivateKey> {
        let mut bytes = Zeroizing::new([0; 32]);
        // One value of 2³² is not a valid key: it is 0, or not below the order of the curve.
        for _ in 0..8 {
            random(bytes.as_mut_slice())?;
            if let Some(key) = PrivateKey::from_bytes(bytes.as_slice()) {
                return Some(key);
            }
        }
        None
    }

    /// The key from the bytes of [`PrivateKey::to_bytes`].
    pub fn from_bytes(bytes: &[u8]) -> Option<PrivateKey> {
        SecretKey::from_slice(bytes).ok().map(PrivateKey)
    }

    /// 32 bytes, to be encrypted.
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        Zeroizing::new(self.0.to_bytes().to_vec())
    }

    /// The public key as an uncompressed point, 65 bytes.
    pub fn public(&self) -> Vec<u8> {
        self.0
            .public_key()
            .to_encoded_point(false)
            .as_bytes()
            .to_vec()
    }
}

impl<'a> Message<'a> {
    /// Parses the compact format.
    pub fn parse(text: &'a str) -> Result<Message<'a>, DecryptionError> {
        let mut parts = text.split('.');
        let mut part = || parts.next().ok_or(DecryptionError);
        let (protected, encrypted_key) = (part()?, part()?);
        let (nonce, mut ciphertext) = (bytes(part()?)?, bytes(part()?)?);
        let tag = bytes(part()?)?;
        // With direct key agreement, the encrypted key is empty.
        if parts.next().is_some() || !encrypted_key.is_empty() || tag.len() != TAG {
            return Err(DecryptionError);
        }
        ciphertext.extend_from_slice(&tag);
        let header: Header =
            serde_json::from_slice(&bytes(protected)?).map_err(|_| DecryptionError)?;
        let is_ours = header.alg == "ECDH-ES"
            && header.enc == ENCRYPTION
            && header.epk.kty == "EC"
            && header.epk.crv == "P-256"
            // Critical extensions and compression are not supported.
            && header.crit.is_none()
            && header.zip.is_none();
        if !is_ours {
            return Err(DecryptionError);
        }
        Ok(Message {
            protected,
            sender: point(&header.epk)?,
            party_u: bytes(&header.apu)?,
            party_v: bytes(&header.apv)?,
            header,
            nonce: nonce.try_into().map_err(|_| DecryptionError)?,
            ciphertext,
        })
    }

    /// The id of the key that the message names.
    pub fn key_id(&self) -> &str {
        &self.header.kid
    }

    /// The recipient that the message names (`apv`). The key depends on it: if decryption succeeds, the recipient is correct.
    pub fn recipient(&self) -> &[u8] {
        &self.party_v
    }

    /// Decrypts the message.
    pub fn open(&self, key: &PrivateKey) -> Result<Zeroizing<Vec<u8>>, DecryptionError> {
        let agreed = p256::ecdh::diffie_hellman(key.0.to_nonzero_scalar(), self.sender.as_affine());
        let key = derive(
            agreed.raw_secret_bytes(),
            ENCRYPTION,
            256,
            &self.party_u,
            &self.party_v,
        );
        let payload = Payload {
            msg: &self.ciphertext,
            aad: self.protected.as_bytes(),
        };
        Aes256Gcm::new(Key::<Aes256Gcm>::from_slice(key.as_slice()))
            .decrypt(Nonce::from_slice(&self.nonce), payload)
            .map(Zeroizing::new)
            .map_err(|_| DecryptionError)
    }
}

/// Accepts only points of the curve. Other points could reveal the private key bit by bit.
fn point(point: &Point) -> Result<PublicKey, DecryptionError> {
    let (x, y) = (bytes(&point.x)?, bytes(&point.y)?);
    if x.len() != 32 || y.len() != 32 {
        return Err(DecryptionError);
    }
    let uncompressed = [&[4], x.as_slice(), y.as_slice()].concat();
    PublicKey::from_sec1_bytes(&uncompressed).map_err(|_| DecryptionError)
}

fn bytes(text: &str) -> Result<Vec<u8>, DecryptionError> {
    URL_SAFE_NO_PAD.decode(text).map_err(|_| DecryptionError)
}

/// The single round of the Concat KDF for keys of up to 256 bits (RFC 7518, 4.6.2).
fn derive(
    agreed: &[u8],
    algorithm: &str,
    bits: u32,
    party_u: &[u8],
    party_v: &[u8],
) -> Zeroizing<[u8; 32]> {
    let mut hash = Sha256::new();
    hash.update(1_u32.to_be_bytes());
    hash.update(agreed);
    for part in [algorithm.as_bytes(), party_u, party_v] {
        // A message has a few hundred bytes.
        hash.update((part.len() as u32).to_be_bytes());
        hash.update(part);
    }
    hash.update(bits.to_be_bytes());
    Zeroizing::new(hash.finalize().into())
}

const ENCRYPTION: &str = "A256GCM";
const NONCE: usize = 12;
const TAG: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    /// A message in the format of the browsers: see `www/frame/encrypt-card.js`.
    const VECTOR: &str = include_str!("../fixtures/encrypted-card.json");

    fn vector() -> Value {
        serde_json::from_str(VECTOR).unwrap()
    }

    fn text(value: &Value) -> &str {
        value.as_str().unwrap()
    }

    fn key_of_vector() -> PrivateKey {
        PrivateKey::from_bytes(&bytes(text(&vector()["private"])).unwrap()).unwrap()
    }

    fn open(text: &str) -> Result<Zeroizing<Vec<u8>>, DecryptionError> {
        Message::parse(text)?.open(&key_of_vector())
    }

    /// A message whose header is modified by `change` before encryption. All other parts are valid.
    fn encrypted(change: impl FnOnce(&mut Value)) -> String {
        let own = PrivateKey::from_bytes(&[9; 32]).unwrap();
        let point = own.public();
        let coordinate = |part: &[u8]| URL_SAFE_NO_PAD.encode(part);
        let mut header = json!({
            "alg": "ECDH-ES", "enc": "A256GCM", "kid": "k", "apu": "QQ", "apv": "Qg",
            "epk": { "kty": "EC", "crv": "P-256", "x": coordinate(&point[1..33]), "y": coordinate(&point[33..]) },
        });
        change(&mut header);
        let protected = URL_SAFE_NO_PAD.encode(header.to_string());
        let gateway = key_of_vector().0.public_key();
        let agreed = p256::ecdh::diffie_hellman(own.0.to_nonzero_scalar(), gateway.as_affine());
        let party = |name: &str| bytes(header[name].as_str().unwrap_or("")).unwrap_or_default();
        let key = derive(
            agreed.raw_secret_bytes(),
            ENCRYPTION,
            256,
            &party("apu"),
            &party("apv"),
        );
        let payload = Payload {
            msg: b"content",
            aad: protected.as_bytes(),
        };
        let ciphertext = Aes256Gcm::new(Key::<Aes256Gcm>::from_slice(key.as_slice()))
            .encrypt(Nonce::from_slice(&[1; NONCE]), payload)
            .unwrap();
        let (content, tag) = ciphertext.split_at(ciphertext.len() - TAG);
        let encode = |part: &[u8]| URL_SAFE_NO_PAD.encode(part);
        [
            protected,
            String::new(),
            encode(&[1; NONCE]),
            encode(content),
            encode(tag),
        ]
        .join(".")
    }

    #[test]
    fn what_a_browser_has_encrypted_opens() {
        let vector = vector();
        let message = Message::parse(text(&vector["message"])).unwrap();
        assert_eq!(message.key_id(), &text(&vector["public"])[..16]);
        assert_eq!(
            message.recipient(),
            Sha256::digest(text(&vector["session"])).as_slice()
        );
        let key = key_of_vector();
        assert_eq!(
            URL_SAFE_NO_PAD.encode(key.public()),
            text(&vector["public"])
        );
        let content: Value = serde_json::from_slice(&message.open(&key).unwrap()).unwrap();
        assert_eq!(content, vector["content"]);
        let other = PrivateKey::from_bytes(&[7; 32]).unwrap();
        assert_eq!(message.open(&other), Err(DecryptionError));
    }

    /// RFC 7518, appendix C.
    #[test]
    fn a_key_is_derived_as_in_the_example_of_the_standard() {
        let alice = "0_NxaRPUMQoAJt50Gz8YiTr8gRTwyEaCumd-MToTmIo";
        let bob = Point {
            kty: String::from("EC"),
            crv: String::from("P-256"),
            x: String::from("weNJy2HscCSM6AEDTDg04biOvhFhyyWvOHQfeF_PxMQ"),
            y: String::from("e8lnCO-AlStT-NJVX-crhB7QRYhiix03illJOVAOyck"),
        };
        let alice = PrivateKey::from_bytes(&bytes(alice).unwrap()).unwrap();
        let agreed = p256::ecdh::diffie_hellman(
            alice.0.to_nonzero_scalar(),
            point(&bob).unwrap().as_affine(),
        );
        let derived = derive(agreed.raw_secret_bytes(), "A128GCM", 128, b"Alice", b"Bob");
        assert_eq!(
            URL_SAFE_NO_PAD.encode(&derived[..16]),
            "VqqN6vgjbSBcIijNcacQGg"
        );
    }

    #[test]
    fn a_message_that_was_changed_anywhere_does_not_open() {
        let vector = vector();
        let message = text(&vector["message"]);
        for place in 0..message.len() {
            let other = if message.as_bytes()[place] == b'A' {
                "B"
            } else {
                "A"
            };
            let mut changed = message.to_owned();
            changed.replace_range(place..=place, other);
            assert_eq!(open(&changed), Err(DecryptionError), "{place}");
            assert_eq!(open(&message[..place]), Err(DecryptionError), "{place}");
        }
        assert_eq!(open(&format!("{message}.")), Err(DecryptionError));
        assert_eq!(open(&format!("{message}AA")), Err(DecryptionError));
    }

    #[test]
    fn only_the_one_pair_of_algorithms_is_taken_and_nothing_that_has_to_be_understood() {
        assert_eq!(open(&encrypted(|_| {})).unwrap().as_slice(), b"content");
        // The permitted counterpart of the following cases: an optional member.
        assert!(open(&encrypted(|header| header["typ"] = json!("JWE"))).is_ok());
        assert!(open(&encrypted(|header| header["apu"] = Value::Null)).is_err());
        for (member, value) in [
            ("alg", json!("none")),
            ("alg", json!("dir")),
            ("alg", json!("ECDH-ES+A256KW")),
            ("alg", json!("RSA-OAEP-256")),
            ("alg", Value::Null),
            ("enc", json!("A128GCM")),
            ("enc", json!("A256CBC-HS512")),
            ("zip", json!("DEF")),
            ("crit", json!(["exp"])),
            ("kid", json!(7)),
            ("kid", Value::Null),
            ("apv", json!("Q")),
            ("epk", json!({})),
            ("epk", Value::Null),
        ] {
            let text = encrypted(|header| header[member] = value.clone());
            assert_eq!(open(&text), Err(DecryptionError), "{member} {value}");
        }
        for (member, value) in [
            ("kty", "OKP"),
            ("crv", "P-384"),
            ("crv", "secp256k1"),
            // Not on the curve; too short; not in the field of the curve.
            ("y", "e8lnCO-AlStT-NJVX-crhB7QRYhiix03illJOVAOyck"),
            ("x", "AA"),
            ("x", "_____________________________________________"),
            ("x", "__________________________________________8"),
        ] {
            let text = encrypted(|header| header["epk"][member] = json!(value));
            assert_eq!(open(&text), Err(DecryptionError), "{member} {value}");
        }
    }

    #[test]
    fn whom_it_is_for_can_not_be_changed() {
        let text = encrypted(|_| {});
        let (protected, rest) = text.split_once('.').unwrap();
        let mut header: Value = serde_json::from_slice(&bytes(protected).unwrap()).unwrap();
        header["apv"] = json!("Qw");
        let other = URL_SAFE_NO_PAD.encode(header.to_string());
        assert_eq!(open(&format!("{other}.{rest}")), Err(DecryptionError));
    }

    proptest! {
        #[test]
        fn no_text_is_too_strange(text in "\\PC*") {
            prop_assert!(open(&text).is_err());
        }

        #[test]
        fn no_parts_are_too_strange(
            header in "[ -~]{0,80}", key in "[A-Za-z0-9_-]{0,4}", nonce in "[A-Za-z0-9_-]{0,20}",
            content in "[A-Za-z0-9_-]{0,80}", tag in "[A-Za-z0-9_-]{22}",
        ) {
            let header = URL_SAFE_NO_PAD.encode(header);
            let text = format!("{header}.{key}.{nonce}.{content}.{tag}");
            prop_assert!(open(&text).is_err());
        }

        #[test]
        fn no_header_is_too_strange(member in "(alg|enc|kid|apu|apv|epk|zip|crit|typ)", value in strange()) {
            let text = encrypted(|header| header[member.as_str()] = value);
            if let Ok(content) = open(&text) {
                prop_assert_eq!(content.as_slice(), b"content");
            }
        }
    }

    fn strange() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            "\\PC{0,50}".prop_map(Value::from),
            "[A-Za-z0-9_-]{0,50}".prop_map(Value::from),
        ];
        leaf.prop_recursive(2, 12, 4, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                proptest::collection::btree_map("(kty|crv|x|y|[a-z]{1,3})", inner, 0..4)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }
}
