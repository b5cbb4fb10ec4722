//! A key that the vault encrypts with.

use super::{KEY, KeyringError, hex, mac, random};
use aes_gcm::aead::{Aead, KeyInit, Payload};
use aes_gcm::{Aes256Gcm, Key, Nonce};
use zeroize::Zeroizing;

/// A key, and values that are derived from it.
#[derive(Clone)]
pub struct EncryptionKey {
    id: KeyId,
    master: Zeroizing<[u8; KEY]>,
    cipher: Aes256Gcm,
}

/// The id of a key. It reveals nothing about the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyId([u8; ID]);

impl EncryptionKey {
    pub(crate) fn new(master: Zeroizing<[u8; KEY]>) -> EncryptionKey {
        let cipher = Zeroizing::new(mac(&master, &[b"seal"]));
        let mut id = [0; ID];
        id.copy_from_slice(&mac(&master, &[b"id"])[..ID]);
        EncryptionKey {
            id: KeyId(id),
            cipher: Aes256Gcm::new(Key::<Aes256Gcm>::from_slice(cipher.as_slice())),
            master,
        }
    }

    /// The id of the key.
    pub fn id(&self) -> KeyId {
        self.id
    }

    /// Derives a key for another purpose than encryption.
    pub(crate) fn derive(&self, purpose: &str) -> Zeroizing<[u8; KEY]> {
        Zeroizing::new(mac(&self.master, &[purpose.as_bytes()]))
    }

    pub(crate) fn encrypt(
        &self,
        content: &[u8],
        belongs_to: &str,
    ) -> Result<Vec<u8>, KeyringError> {
        let nonce = random::<NONCE>()?;
        let payload = Payload {
            msg: content,
            aad: belongs_to.as_bytes(),
        };
        let ciphertext = self
            .cipher
            .encrypt(Nonce::from_slice(&nonce), payload)
            .map_err(|_| KeyringError::TooLong)?;
        Ok([&self.id.0[..], &nonce, &ciphertext].concat())
    }

    /// Decrypts a nonce with its ciphertext.
    pub(crate) fn open(&self, encrypted: &[u8], belongs_to: &str) -> Option<Zeroizing<Vec<u8>>> {
        let (nonce, ciphertext) = encrypted.split_at_checked(NONCE)?;
        let payload = Payload {
            msg: ciphertext,
            aad: belongs_to.as_bytes(),
        };
        let opened = self.cipher.decrypt(Nonce::from_slice(nonce), payload);
        opened.ok().map(Zeroizing::new)
    }

    /// The bytes of the key.
    pub(crate) fn master(&self) -> &[u8] {
        self.master.as_slice()
    }
}

impl KeyId {
    /// The first bytes of the values that the key has encrypted.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl std::fmt::Display for KeyId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

/// A new random key.
pub fn new_key() -> Result<EncryptionKey, KeyringError> {
    Ok(EncryptionKey::new(Zeroizing::new(random::<KEY>()?)))
}

pub(crate) fn add_unless_there(keys: &mut Vec<EncryptionKey>, key: EncryptionKey) {
    if keys.iter().all(|there| there.id != key.id) {
        keys.push(key);
    }
}

/// Length of a key's id, in bytes.
pub(crate) const ID: usize = 8;

pub(crate) const NONCE: usize = 12;
