//! The private keys that tokens are encrypted for.

use crate::error::SetUpError;
use p256::elliptic_curve::ecdh::SharedSecret;
use p256::pkcs8::EncodePublicKey;
use p256::{NistP256, PublicKey, SecretKey};
use sha2::{Digest, Sha256};

/// A private key on the curve P-256. It is wiped from memory when it is dropped.
pub struct DecryptionKey {
    key: SecretKey,
    /// SHA-256 of the public key as a SubjectPublicKeyInfo: how APPLEPAY names the key.
    public_hash: [u8; 32],
}

impl DecryptionKey {
    /// Reads a key in PEM: PKCS #8 (`PRIVATE KEY`) or SEC 1 (`EC PRIVATE KEY`), without a password.
    ///
    /// # Errors
    /// The text is not such a key.
    pub fn from_pem(text: &str) -> Result<DecryptionKey, SetUpError> {
        let refused = SetUpError("a private key on the curve P-256, as PEM without a password");
        let key = SecretKey::from_pem(text.trim()).map_err(|_| refused)?;
        let public = key.public_key().to_public_key_der().map_err(|_| refused)?;
        Ok(DecryptionKey {
            public_hash: Sha256::digest(public.as_bytes()).into(),
            key,
        })
    }

    pub(crate) fn public_hash(&self) -> &[u8; 32] {
        &self.public_hash
    }

    /// Agrees on a secret with the key of the sender, which is a point of the curve.
    pub(crate) fn agree(&self, sender: &PublicKey) -> SharedSecret<NistP256> {
        self.key.diffie_hellman(sender)
    }
}
