//! Encrypted card data and the keys for it. This is the only place that decrypts card data from frames.
//!
//! The frames encrypt the card number and the security code with the key that is current when their page is created. After a rotation, the
//! previous key stays valid for the maximum lifetime of a session, so an open page continues to work. Then the key is deleted, and data
//! that was encrypted with it can no longer be decrypted. Private keys are in the database, encrypted by the vault.

use super::error::PaymentError;
use super::{PaymentContext, PaymentSettings};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use payframe_card_rules::secret::Secret;
use payframe_jwe::{Message, PrivateKey};
use payframe_payment_ports::Vault;
use payframe_payment_ports::clock::{Clock, millis};
use payframe_storage::card_keys::{self, CardKeyRow};
use payframe_storage::{Store, StoreError, Subject};
use payframe_vault::{KeyringError, hex};
use serde::Deserialize;
use std::time::Duration;
use zeroize::Zeroizing;

/// The item of a submission that replaces the encrypted items.
pub const ENCRYPTED_CARD: &str = "ENCRYPTED_CARD";

/// Decrypted items: ids and values.
pub type OpenedItems = Vec<(String, Secret)>;

/// The keys of one database.
pub struct CardKeys<'a> {
    store: &'a Store,
    vault: &'a dyn Vault,
    now_ms: i64,
    /// How long a key is used before a new one is created.
    life_ms: i64,
    /// How long the previous key is kept after a rotation.
    overlap_ms: i64,
}

/// An item, as the frame encrypts it.
#[derive(Deserialize)]
struct Item {
    id: String,
    value: String,
}

impl<'a> CardKeys<'a> {
    /// The card keys of these dependencies. They live in the real time, as browsers and the operator's commands do.
    pub fn of(context: &'a PaymentContext) -> CardKeys<'a> {
        CardKeys::new(
            context.store(),
            context.vault(),
            &context.clock().real(),
            context.settings(),
        )
    }

    /// The keys of a database, encrypted by its vault.
    pub fn new(
        store: &'a Store,
        vault: &'a dyn Vault,
        clock: &Clock,
        settings: &PaymentSettings,
    ) -> CardKeys<'a> {
        CardKeys {
            store,
            vault,
            now_ms: clock.now_ms(),
            life_ms: millis(settings.card_key_life),
            overlap_ms: millis(settings.hard.max(OVERLAP)),
        }
    }

    /// The current public key, as text: an uncompressed point in base64url. Its first characters are its id ([`id_of`]).
    pub async fn current(&self) -> Result<String, PaymentError> {
        let row = card_keys::current(&mut *self.store.read().await?).await?;
        match row.as_ref().and_then(|row| self.decrypted(row)) {
            Some((_, public)) => Ok(public),
            // There is no key yet, or it cannot be decrypted. In the second case, data that was encrypted with it is lost.
            None => self.replace(row.as_ref()).await,
        }
    }

    /// Creates a new key if the current one has reached the end of its lifetime, and deletes expired keys.
    pub async fn rotate(&self) -> Result<(), PaymentError> {
        let rows = card_keys::all(&mut *self.store.read().await?).await?;
        let current = rows.iter().find(|row| row.ends_ms.is_none());
        if current.is_none_or(|row| row.created_ms.saturating_add(self.life_ms) <= self.now_ms) {
            self.replace(current).await?;
        }
        let has_ended =
            |row: &CardKeyRow| row.ends_ms.is_some_and(|ends_ms| ends_ms <= self.now_ms);
        if rows.iter().any(has_ended) {
            let mut transaction = self.store.write(Subject::Gateway).await?;
            card_keys::delete_ended(&mut transaction, self.now_ms).await?;
            transaction.commit().await?;
        }
        Ok(())
    }

    /// Creates a new key, unless another process has replaced `known` in the meantime. Returns the current public key.
    pub async fn replace(&self, known: Option<&CardKeyRow>) -> Result<String, PaymentError> {
        let mut transaction = self.store.write(Subject::Gateway).await?;
        let now_there = card_keys::current(&mut transaction).await?;
        if let Some(row) = &now_there
            && known.is_none_or(|known| known.id != row.id)
            && let Some((_, public)) = self.decrypted(row)
        {
            return Ok(public);
        }
        let key = PrivateKey::generate(|bytes| getrandom::fill(bytes).ok())
            .ok_or(KeyringError::Random)?;
        let point = key.public();
        let public = URL_SAFE_NO_PAD.encode(&point);
        let mut content = Zeroizing::new(Vec::with_capacity(PRIVATE + point.len()));
        content.extend_from_slice(&key.to_bytes());
        content.extend_from_slice(&point);
        let id = id_of(&public).to_owned();
        let row = CardKeyRow {
            encrypted: self.vault.encrypt(&content, &belongs_to(&id))?,
            id,
            created_ms: self.now_ms,
            ends_ms: None,
        };
        let others_end_ms = self.now_ms.saturating_add(self.overlap_ms);
        card_keys::put_first(&mut transaction, &row, others_end_ms).await?;
        transaction.commit().await?;
        Ok(public)
    }

    /// Decrypts card data that was encrypted for the session with this hash. `None` for every failure: the sender does not learn the
    /// reason.
    pub async fn open(
        &self,
        session_hash: &str,
        text: &str,
    ) -> Result<Option<OpenedItems>, StoreError> {
        let Ok(message) = Message::parse(text) else {
            return Ok(None);
        };
        if hex(message.recipient()) != session_hash {
            return Ok(None);
        }
        let mut connection = self.store.read().await?;
        let row = card_keys::valid(&mut connection, message.key_id(), self.now_ms).await?;
        drop(connection);
        let Some((key, _)) = row.as_ref().and_then(|row| self.decrypted(row)) else {
            return Ok(None);
        };
        let Ok(content) = message.open(&key) else {
            return Ok(None);
        };
        let items: Result<Vec<Item>, _> = serde_json::from_slice(&content);
        let opened = |item: Item| (item.id, Secret::new(item.value));
        Ok(items
            .ok()
            .map(|items| items.into_iter().map(opened).collect()))
    }

    /// The private key and the public one. `None` if another vault encrypted it.
    fn decrypted(&self, row: &CardKeyRow) -> Option<(PrivateKey, String)> {
        let content = self
            .vault
            .decrypt(&row.encrypted, &belongs_to(&row.id))
            .ok()?;
        let (private, point) = content.split_at_checked(PRIVATE)?;
        Some((
            PrivateKey::from_bytes(private)?,
            URL_SAFE_NO_PAD.encode(point),
        ))
    }
}

/// The id of a public key, by which messages name it (`kid`).
fn id_of(public: &str) -> &str {
    public.get(..ID).unwrap_or(public)
}

/// What an encrypted private key is bound to.
pub fn belongs_to(id: &str) -> String {
    format!("card key {id}")
}

/// Length of the id: characters of a public key. They hold 12 bytes, of which one is constant.
const ID: usize = 16;

/// Bytes of a private key.
const PRIVATE: usize = 32;

/// How long the previous key is kept after a rotation, if the maximum lifetime of a session is not longer.
const OVERLAP: Duration = Duration::from_secs(24 * 3600);
