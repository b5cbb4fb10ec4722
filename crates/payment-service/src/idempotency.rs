//! Calls that are repeated with their idempotency key get the answer that they got before (contract 1.7).
//!
//! A [`Slot`] is the place of one call's answer. Whoever writes something that must not be written twice
//! keeps the answer in the same transaction; the pipeline keeps every other good answer afterwards.

use crate::PaymentContext;
use payframe_storage::{Connection, StoreError, Subject, answers};
use payframe_vault::Vault;
use std::sync::atomic::{AtomicBool, Ordering};

/// The place of a call's answer.
pub struct Slot {
    scope: String,
    key: String,
    fingerprint: String,
    kept: AtomicBool,
}

/// What a key was used for before.
pub enum Earlier {
    /// Nothing.
    Nothing,
    /// The same call: this was its answer.
    Same {
        /// HTTP status.
        status: u16,
        /// As it was sent.
        body: Vec<u8>,
    },
    /// Another call.
    Other,
}

impl Slot {
    /// The place of the call with `key` and `fingerprint`. Keys of different scopes do not meet.
    pub fn new(scope: String, key: String, fingerprint: String) -> Slot {
        Slot {
            scope,
            key,
            fingerprint,
            kept: AtomicBool::new(false),
        }
    }

    /// A name for the call, for those that have to recognise it.
    pub fn name(&self) -> String {
        format!("{} {}", self.scope, self.key)
    }

    /// Tells the call from others with the same key.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// What the key was used for before.
    pub async fn earlier(
        &self,
        connection: &mut Connection,
        vault: &Vault,
    ) -> Result<Earlier, StoreError> {
        let Some(stored) = answers::find(connection, &self.scope, &self.key).await? else {
            return Ok(Earlier::Nothing);
        };
        if stored.fingerprint != self.fingerprint {
            return Ok(Earlier::Other);
        }
        let body = vault
            .open_sealed(&stored.sealed_body, &self.belongs_to())
            .map_err(|_| StoreError::Unreadable("stored answer"))?;
        Ok(Earlier::Same {
            status: stored.status,
            body: body.to_vec(),
        })
    }

    /// Keeps the answer.
    pub fn keep(
        &self,
        connection: &mut Connection,
        vault: &Vault,
        status: u16,
        body: &[u8],
        now_ms: i64,
    ) -> Result<(), StoreError> {
        let sealed_body = vault
            .seal(body, &self.belongs_to())
            .map_err(|_| StoreError::Unreadable("answer to be stored"))?;
        let answer = answers::StoredAnswer {
            fingerprint: self.fingerprint.clone(),
            status,
            sealed_body,
        };
        answers::keep(connection, &self.scope, &self.key, &answer, now_ms);
        self.kept.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Keeps the answer in a change of its own, unless whoever acted has kept it with what was done.
    pub async fn keep_unless_kept(
        &self,
        payments: &PaymentContext,
        status: u16,
        body: &[u8],
    ) -> Result<(), StoreError> {
        if self.kept.load(Ordering::Relaxed) {
            return Ok(());
        }
        let mut transaction = payments.store().write(Subject::Statement).await?;
        let now_ms = payments.clock().now_ms();
        self.keep(&mut transaction, payments.vault(), status, body, now_ms)?;
        Ok(transaction.commit().await?)
    }

    fn belongs_to(&self) -> String {
        belongs_to(&self.name())
    }
}

/// What the stored answer of a call is sealed for, by the call's [`Slot::name`].
pub fn belongs_to(name: &str) -> String {
    format!("answer {name}")
}
