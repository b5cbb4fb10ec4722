//! Repeated calls with the same idempotency key get the same response again (contract 1.7).
//!
//! A [`Slot`] identifies the stored response of one call. Code that must not write twice stores the response in the same transaction. The
//! request pipeline stores every other successful response afterwards.

use crate::PaymentContext;
use payframe_payment_ports::Vault;
use payframe_protocol::operation::Operation;
use payframe_storage::sessions::SessionRow;
use payframe_storage::{Connection, StoreError, Subject, answers, ledger, sessions};
use std::sync::OnceLock;

/// Identifies the stored response of a call.
pub struct Slot {
    scope: String,
    key: String,
    fingerprint: String,
    kept: OnceLock<Vec<u8>>,
}

/// A response that is stored in the transaction of the change that it describes. If the change asks an acquirer, that is the transaction
/// that records what the acquirer answered.
pub struct StoredResponse<'a> {
    /// The slot of the call.
    pub slot: &'a Slot,
    /// Writes the response.
    pub write: &'a ResponseWriter<'a>,
}

/// Writes the body of a response for the session after the change and the operation that the change recorded. `None` if the response
/// needs more than these: then the caller writes it after the change.
pub type ResponseWriter<'a> =
    dyn Fn(&SessionRow, Option<&Operation>) -> Option<Vec<u8>> + Sync + 'a;

/// The previous use of a key.
pub enum PreviousUse {
    /// Nothing.
    Nothing,
    /// The same call, with this response.
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
    /// The slot of the call with `key` and `fingerprint`. The same key in different scopes is a different key.
    pub fn new(scope: String, key: String, fingerprint: String) -> Slot {
        Slot {
            scope,
            key,
            fingerprint,
            kept: OnceLock::new(),
        }
    }

    /// The name of the slot.
    pub fn name(&self) -> String {
        format!("{} {}", self.scope, self.key)
    }

    /// Distinguishes the call from other calls with the same key.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// The previous use of the key.
    pub async fn earlier(
        &self,
        connection: &mut Connection,
        vault: &dyn Vault,
    ) -> Result<PreviousUse, StoreError> {
        let Some(stored) = answers::find(connection, &self.scope, &self.key).await? else {
            return Ok(PreviousUse::Nothing);
        };
        if stored.fingerprint != self.fingerprint {
            return Ok(PreviousUse::Other);
        }
        let body = vault
            .decrypt(&stored.encrypted_body, &self.belongs_to())
            .map_err(|_| StoreError::Unreadable("stored answer"))?;
        Ok(PreviousUse::Same {
            status: stored.status,
            body: body.to_vec(),
        })
    }

    /// Whether the same call has begun a payment or another movement of money before. Its response may be missing.
    pub async fn has_begun(&self, payments: &PaymentContext) -> Result<bool, StoreError> {
        let mut connection = payments.store().read().await?;
        let name = self.name();
        Ok(sessions::find_asked(&mut connection, &name)
            .await?
            .is_some()
            || ledger::find_asked(&mut connection, &name).await?.is_some())
    }

    /// Stores the response.
    pub fn keep(
        &self,
        connection: &mut Connection,
        vault: &dyn Vault,
        status: u16,
        body: &[u8],
        now_ms: i64,
    ) -> Result<(), StoreError> {
        let encrypted_body = vault
            .encrypt(body, &self.belongs_to())
            .map_err(|_| StoreError::Unreadable("answer to be stored"))?;
        let answer = answers::StoredAnswer {
            fingerprint: self.fingerprint.clone(),
            status,
            encrypted_body,
        };
        answers::keep(connection, &self.scope, &self.key, &answer, now_ms);
        // One call stores one response.
        let _ = self.kept.set(body.to_owned());
        Ok(())
    }

    /// The response of this call that was stored together with its change.
    pub fn kept(&self) -> Option<&[u8]> {
        self.kept.get().map(Vec::as_slice)
    }

    /// Stores the response in a transaction of its own, unless it was stored together with the operation.
    pub async fn keep_unless_kept(
        &self,
        payments: &PaymentContext,
        status: u16,
        body: &[u8],
    ) -> Result<(), StoreError> {
        if self.kept.get().is_some() {
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

/// What the stored response of a call is bound to, by the call's [`Slot::name`].
pub fn belongs_to(name: &str) -> String {
    format!("answer {name}")
}
