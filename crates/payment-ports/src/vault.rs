//! The vault: encrypts what must not be readable in the database, and hashes what only has to be recognised.
//!
//! An encrypted value is bound to its owner: a card that is copied to another session cannot be decrypted there. An adapter may change its
//! encryption keys while it runs, and still decrypts what earlier keys have encrypted. The keys of hashes never change, because a hash
//! cannot be computed again: the same input gives the same hash for as long as the tables exist, in every process that uses them.
//!
//! It answers from memory, and is called inside transactions. Nothing that it returns may be logged, except hashes.

use zeroize::Zeroizing;

/// Encrypts, decrypts, hashes.
pub trait Vault: Send + Sync {
    /// Encrypts `content` for the owner `belongs_to`, such as a session.
    ///
    /// # Errors
    /// The keys cannot be used. Nothing may be stored in clear instead.
    fn encrypt(&self, content: &[u8], belongs_to: &str) -> Result<Vec<u8>, VaultError>;

    /// Decrypts a value that was encrypted for `belongs_to`.
    ///
    /// # Errors
    /// Another vault encrypted it, or it belongs to another owner, or it was changed.
    fn decrypt(
        &self,
        encrypted: &[u8],
        belongs_to: &str,
    ) -> Result<Zeroizing<Vec<u8>>, DecryptionError>;

    /// The token in the address of a page: always the same for the same subject, and impossible to guess.
    fn page_token(&self, subject: &str) -> String;

    /// The fingerprint of a request, to recognise a repetition.
    fn fingerprint(&self, parts: &[&[u8]]) -> String;

    /// A card's id for one merchant. The same card has another id at another merchant.
    fn card_id(&self, merchant_id: &str, card: &[&str]) -> String;

    /// The stored hash of an API key.
    fn api_key_hash(&self, api_key: &str) -> String;
}

/// The vault cannot encrypt.
#[derive(Debug, thiserror::Error)]
#[error("the vault: {0}")]
pub struct VaultError(#[source] pub Box<dyn std::error::Error + Send + Sync>);

/// A value cannot be decrypted: another key encrypted it, it belongs to another owner, or it was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the value can not be decrypted")]
pub struct DecryptionError;
