//! The adapter of the port [`Vault`] whose keys come from a file or a setting, in clear or wrapped ([`KeyWrapping`]).
//!
//! It encrypts with keys from outside the database ([`keyring`]), which can be rotated. An encrypted value names its key, and is bound to
//! its owner: an encrypted card that is copied to another session cannot be decrypted. The keys for hashes never change, because a hash
//! cannot be computed again; they are stored in the database, encrypted. If the keys are lost, the encrypted cards are lost. The effect is
//! limited: a buyer enters the card again.

mod encryption_key;
mod key_file;
mod keyring;
mod wrapping;

pub use encryption_key::{EncryptionKey, KeyId, new_key};
pub use key_file::KeyFile;
pub use keyring::Keyring;
pub use wrapping::{KeyWrapping, is_wrapping_key_name, wrapped};

use aes_gcm::KeyInit;
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use hmac::{Hmac, Mac};
use payframe_payment_ports::Vault;
use payframe_payment_ports::vault::{DecryptionError, VaultError};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

/// Encrypts, decrypts, hashes.
pub struct KeyringVault {
    keyring: Keyring,
    hashing: HashingKeys,
}

/// The keys for hashes.
pub struct HashingKeys(Zeroizing<[u8; 4 * KEY]>);

/// The purposes of hashes. Each has its own key.
#[derive(Clone, Copy)]
enum Hashed {
    PageToken,
    Fingerprint,
    Card,
    ApiKey,
}

/// Why keys cannot be read, made or used.
#[derive(Debug, thiserror::Error)]
pub enum KeyringError {
    /// A key is not 32 bytes as base64.
    #[error("each of the vault's keys must be 32 bytes, as base64")]
    KeyForm,
    /// The current key was retired.
    #[error("key {0} is retired: it encrypts nothing new")]
    Retired(KeyId),
    /// The key file cannot be read or created.
    #[error("the vault's key file: {0}")]
    KeyFile(#[source] std::io::Error),
    /// A key is wrapped, and there is nothing to unwrap it with.
    #[error(
        "a key is wrapped by a key of a token, and no token is set: set PAYFRAME_PKCS11_MODULE and the settings after it"
    )]
    Wrapped,
    /// A key is in clear, and only wrapped ones are accepted.
    #[error(
        "a key is in clear, and with PAYFRAME_PKCS11_MODULE all must be wrapped: `payframe-gateway vault wrap` does that"
    )]
    InClear,
    /// A text begins as that of a wrapped key, and is not one.
    #[error("each wrapped key must be `wrapped:`, the name of a key in the token, `:` and base64")]
    WrappedForm,
    /// The wrapping key cannot be used.
    #[error("{0}")]
    Wrapping(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A key that was wrapped is another one when it is unwrapped again.
    #[error("the token unwraps another key than the one that it wrapped: nothing was written")]
    OtherAfterWrapping,
    /// The system returns no random numbers.
    #[error("the system gives no random numbers")]
    Random,
    /// More than AES-GCM can encrypt in one step (64 GB).
    #[error("too long to be encrypted")]
    TooLong,
}

impl KeyringVault {
    /// A vault with these keys.
    pub fn new(keyring: Keyring, hashing: HashingKeys) -> KeyringVault {
        KeyringVault { keyring, hashing }
    }

    /// The encryption keys.
    pub fn keyring(&self) -> &Keyring {
        &self.keyring
    }
}

impl Vault for KeyringVault {
    fn encrypt(&self, content: &[u8], belongs_to: &str) -> Result<Vec<u8>, VaultError> {
        Ok(self.keyring.encrypt(content, belongs_to)?)
    }

    fn decrypt(
        &self,
        encrypted: &[u8],
        belongs_to: &str,
    ) -> Result<Zeroizing<Vec<u8>>, DecryptionError> {
        self.keyring.decrypt(encrypted, belongs_to)
    }

    fn page_token(&self, subject: &str) -> String {
        URL_SAFE_NO_PAD.encode(self.hashing.mac(Hashed::PageToken, &[subject.as_bytes()]))
    }

    fn fingerprint(&self, parts: &[&[u8]]) -> String {
        hex(&self.hashing.mac(Hashed::Fingerprint, parts))
    }

    fn card_id(&self, merchant_id: &str, card: &[&str]) -> String {
        let mut parts = vec![merchant_id.as_bytes()];
        parts.extend(card.iter().map(|part| part.as_bytes()));
        hex(&self.hashing.mac(Hashed::Card, &parts))
    }

    fn api_key_hash(&self, api_key: &str) -> String {
        hex(&self.hashing.mac(Hashed::ApiKey, &[api_key.as_bytes()]))
    }
}

impl From<KeyringError> for VaultError {
    fn from(problem: KeyringError) -> VaultError {
        VaultError(Box::new(problem))
    }
}

impl HashingKeys {
    /// New random keys.
    pub fn random() -> Result<HashingKeys, KeyringError> {
        Ok(HashingKeys(Zeroizing::new(random()?)))
    }

    /// The keys for hashes in a database that stores none: they are derived from the encryption key.
    pub fn of(sealing: &EncryptionKey) -> HashingKeys {
        let mut keys = Zeroizing::new([0; 4 * KEY]);
        let purposes = [
            "page tokens",
            "request fingerprints",
            "card ids",
            "api keys",
        ];
        for (place, purpose) in keys.chunks_exact_mut(KEY).zip(purposes) {
            place.copy_from_slice(sealing.derive(purpose).as_slice());
        }
        HashingKeys(keys)
    }

    /// The keys from the bytes of [`HashingKeys::as_bytes`].
    pub fn from_bytes(bytes: &[u8]) -> Option<HashingKeys> {
        let mut keys = Zeroizing::new([0; 4 * KEY]);
        if bytes.len() != keys.len() {
            return None;
        }
        keys.copy_from_slice(bytes);
        Some(HashingKeys(keys))
    }

    /// The bytes, to be encrypted.
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_slice()
    }

    fn mac(&self, hashed: Hashed, parts: &[&[u8]]) -> [u8; 32] {
        let place = KEY * hashed as usize;
        let mut key = Zeroizing::new([0; KEY]);
        key.copy_from_slice(&self.0[place..place + KEY]);
        mac(&key, parts)
    }
}

/// SHA-256 of a text, as hex digits. Also used to store secrets of the gateway with 256 random bits.
pub fn hash(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes()))
}

/// SHA-256 of bytes, as hex digits.
pub fn hash_of_bytes(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// A secret with 256 random bits: 43 characters of base64url.
pub fn random_secret() -> Result<String, KeyringError> {
    Ok(URL_SAFE_NO_PAD.encode(random::<32>()?))
}

/// A secret that signs notifications: 32 random bytes, as Standard Webhooks writes them.
pub fn random_notification_secret() -> Result<String, KeyringError> {
    Ok(format!(
        "{NOTIFICATION_SECRET_PREFIX}{}",
        STANDARD.encode(random::<32>()?)
    ))
}

/// The bytes of a notification secret that sign the headers of Standard Webhooks: what follows the prefix, decoded. A secret without
/// the prefix, from an earlier version, is used as it is written.
pub fn notification_key(secret: &[u8]) -> Vec<u8> {
    secret
        .strip_prefix(NOTIFICATION_SECRET_PREFIX.as_bytes())
        .and_then(|encoded| STANDARD.decode(encoded).ok())
        .unwrap_or_else(|| secret.to_vec())
}

/// 32 hex digits, to identify notifications.
pub fn random_token() -> Result<String, KeyringError> {
    Ok(hex(&random::<16>()?))
}

/// An operation's id: 18 digits, the first not 0.
pub fn random_operation_id() -> Result<String, KeyringError> {
    let number = u64::from_be_bytes(random::<8>()?);
    // The bias of the remainder is one part in 20. This is acceptable: ids must be unique, not secret.
    Ok((100_000_000_000_000_000 + number % 900_000_000_000_000_000).to_string())
}

/// This number of random bytes.
pub fn random<const LENGTH: usize>() -> Result<[u8; LENGTH], KeyringError> {
    let mut bytes = [0; LENGTH];
    getrandom::fill(&mut bytes).map_err(|_| KeyringError::Random)?;
    Ok(bytes)
}

/// HMAC-SHA-256 over the parts, each preceded by its length.
fn mac(key: &[u8; 32], parts: &[&[u8]]) -> [u8; 32] {
    // A key is padded with zeros to the block size of the hash. This is explicit here, so that the type guarantees the length.
    let mut block = Zeroizing::new([0; 64]);
    block[..32].copy_from_slice(key);
    let mut mac = <Hmac<Sha256> as KeyInit>::new(block.as_slice().into());
    for part in parts {
        mac.update(&(part.len() as u64).to_be_bytes());
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

/// HMAC-SHA-256 with a merchant's secret, as hex digits (contract 9.4).
pub fn signature(secret: &[u8], parts: &[&[u8]]) -> String {
    hmac_sha256(secret, parts).map_or_else(String::new, |mac| hex(&mac))
}

/// The same, in base64 (Standard Webhooks).
pub fn signature_base64(secret: &[u8], parts: &[&[u8]]) -> String {
    hmac_sha256(secret, parts).map_or_else(String::new, |mac| STANDARD.encode(mac))
}

/// Whether a text is that signature in base64. Takes the same time for every wrong one.
pub fn is_signature_base64(secret: &[u8], parts: &[&[u8]], text: &str) -> bool {
    let (Ok(given), Ok(mut mac)) = (
        STANDARD.decode(text),
        <Hmac<Sha256> as Mac>::new_from_slice(secret),
    ) else {
        return false;
    };
    for part in parts {
        mac.update(part);
    }
    mac.verify_slice(&given).is_ok()
}

/// HMAC accepts keys of any length, so the result is always there.
fn hmac_sha256(secret: &[u8], parts: &[&[u8]]) -> Option<[u8; 32]> {
    let mut mac = <Hmac<Sha256> as Mac>::new_from_slice(secret).ok()?;
    for part in parts {
        mac.update(part);
    }
    Some(mac.finalize().into_bytes().into())
}

/// Bytes as lower-case hexadecimal digits, the stored format of hashes.
pub fn hex(bytes: &[u8]) -> String {
    hex::encode(bytes)
}

/// How the secrets of Standard Webhooks begin.
const NOTIFICATION_SECRET_PREFIX: &str = "whsec_";

/// Length of a key, in bytes.
const KEY: usize = 32;

#[cfg(test)]
mod tests {
    use super::*;

    /// A vault with its own keys.
    fn vault() -> KeyringVault {
        KeyringVault::new(Keyring::with(&[[7; KEY]]), HashingKeys::random().unwrap())
    }

    #[test]
    fn hashes_differ_by_purpose_and_by_where_the_parts_end() {
        let vault = vault();
        assert_ne!(vault.api_key_hash("x"), vault.fingerprint(&[b"x"]));
        assert_ne!(
            vault.fingerprint(&[b"ab", b"c"]),
            vault.fingerprint(&[b"a", b"bc"])
        );
        assert_ne!(vault.card_id("m1", &["4"]), vault.card_id("m2", &["4"]));
    }

    #[test]
    fn the_keys_of_hashes_are_the_same_after_they_were_sealed_and_opened() {
        let keys = HashingKeys::of(&EncryptionKey::new(Zeroizing::new([7; KEY])));
        let again = HashingKeys::from_bytes(keys.as_bytes()).unwrap();
        for hashed in [
            Hashed::PageToken,
            Hashed::Fingerprint,
            Hashed::Card,
            Hashed::ApiKey,
        ] {
            assert_eq!(keys.mac(hashed, &[b"x"]), again.mac(hashed, &[b"x"]));
        }
        assert!(HashingKeys::from_bytes(&[7; KEY]).is_none());
    }

    #[test]
    fn operation_ids_have_18_digits() {
        for _ in 0..1000 {
            let id = random_operation_id().unwrap();
            assert!(
                id.len() == 18
                    && !id.starts_with('0')
                    && id.bytes().all(|byte| byte.is_ascii_digit()),
                "{id}"
            );
        }
    }

    /// The values of RFC 4231, test case 2.
    #[test]
    fn signatures_are_hmac_sha_256() {
        assert_eq!(
            signature(b"Jefe", &[b"what do ya want ", b"for nothing?"]),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        );
        let parts: [&[u8]; 2] = [b"what do ya want ", b"for nothing?"];
        let signed = signature_base64(b"Jefe", &parts);
        assert_eq!(signed, "W9zBRr9gdU5qBCQmCJV1x1oAPwidJzmDnexYuWTsOEM=");
        for (secret, text, expected) in [
            (b"Jefe", signed.as_str(), true),
            (b"jefe", &signed, false),
            (b"Jefe", &signed[4..], false),
            (b"Jefe", "", false),
            (b"Jefe", "no base64!", false),
        ] {
            assert_eq!(
                is_signature_base64(secret, &parts, text),
                expected,
                "{text}"
            );
        }
    }
}
