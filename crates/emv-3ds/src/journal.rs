//! What is kept of authentications: after a restart, or in another process, the same reference gets the same answer.

use crate::element::TransactionId;
use crate::error::ExchangeError;
use crate::message::{AuthenticationAnswer, Fields, Message, ResultsCall};
use payframe_payment_ports::{Clock, Vault};
use payframe_storage::three_ds_authentications::{
    self as rows, AuthenticationRow, AuthenticationState,
};
use payframe_storage::{Connection, Store, StoreError, Subject};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::sync::Arc;
use zeroize::Zeroizing;

/// The journal of all directory servers.
pub(crate) struct Journal {
    pub(crate) store: Store,
    pub(crate) vault: Arc<dyn Vault>,
    pub(crate) clock: Clock,
}

/// An authentication with its answers.
pub(crate) struct Kept {
    pub(crate) transaction_id: String,
    pub(crate) state: AuthenticationState,
    /// Until when the result of a decoupled authentication counts. `None`: there is none.
    pub(crate) until_ms: Option<i64>,
    /// ARes, once there is one.
    pub(crate) answer: Option<AuthenticationAnswer>,
    /// RReq, once there is one.
    pub(crate) results: Option<ResultsCall>,
}

impl Journal {
    /// The transaction id that belongs to a subject.
    pub(crate) fn transaction_id(&self, subject: &str) -> TransactionId {
        let secret = self
            .vault
            .page_token(&format!("3-D Secure transaction of {subject}"));
        let digest = Sha256::digest(secret.as_bytes());
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&digest[..16]);
        TransactionId::of_bytes(bytes)
    }

    pub(crate) async fn find(&self, reference: &str) -> Result<Option<Kept>, ExchangeError> {
        let mut connection = self.store.read().await?;
        let row = rows::find(&mut connection, reference).await?;
        row.map(|row| self.open(&row)).transpose()
    }

    /// Writes down a question that is about to be sent, with the first of these transaction ids that was not used before. Returns the
    /// number of that id. `None`: there is a question with this reference already.
    pub(crate) async fn begin(
        &self,
        reference: &str,
        ids: &[TransactionId],
    ) -> Result<Option<usize>, ExchangeError> {
        let now_ms = self.clock.now_ms();
        let mut change = self.store.write(Subject::Statement).await?;
        let mut begun = None;
        for (place, id) in ids.iter().enumerate() {
            if rows::add(&mut change, reference, id, now_ms).await? {
                begun = Some(place);
                break;
            }
        }
        change.commit().await.map_err(StoreError::Database)?;
        Ok(begun)
    }

    /// A question without an answer is asked in another way.
    pub(crate) async fn ask_anew(
        &self,
        reference: &str,
        id: &TransactionId,
    ) -> Result<bool, ExchangeError> {
        let mut change = self.store.write(Subject::Statement).await?;
        let is_open = rows::ask_anew(&mut change, reference, id).await?;
        change.commit().await.map_err(StoreError::Database)?;
        Ok(is_open)
    }

    /// Keeps an answer. Returns whether there was none yet.
    pub(crate) async fn keep(
        &self,
        reference: &str,
        states: (AuthenticationState, AuthenticationState),
        answer: &AuthenticationAnswer,
        results: Option<&ResultsCall>,
        until_ms: Option<i64>,
    ) -> Result<bool, ExchangeError> {
        let results = results.map_or(Value::Null, |results| results.write().into_json());
        let content = Value::Array(vec![answer.write().into_json(), results]);
        let content = Zeroizing::new(content.to_string());
        let sealed = self
            .vault
            .encrypt(content.as_bytes(), &belongs_to(reference))?;
        let mut change = self.store.write(Subject::Statement).await?;
        let connection: &mut Connection = &mut change;
        let is_first = rows::answer(connection, reference, states, sealed, until_ms).await?;
        change.commit().await.map_err(StoreError::Database)?;
        Ok(is_first)
    }

    fn open(&self, row: &AuthenticationRow) -> Result<Kept, ExchangeError> {
        let (answer, results) = match &row.sealed_answer {
            None => (None, None),
            Some(sealed) => self.unseal(&row.reference, sealed)?,
        };
        Ok(Kept {
            transaction_id: row.transaction_id.clone(),
            state: row.state,
            until_ms: row.until_ms,
            answer,
            results,
        })
    }

    fn unseal(
        &self,
        reference: &str,
        sealed: &[u8],
    ) -> Result<(Option<AuthenticationAnswer>, Option<ResultsCall>), ExchangeError> {
        let content = self.vault.decrypt(sealed, &belongs_to(reference));
        let content = content.map_err(|_| ExchangeError::Kept)?;
        let content: (Value, Value) =
            serde_json::from_slice(&content).map_err(|_| ExchangeError::Kept)?;
        Ok((reopened(content.0)?, reopened(content.1)?))
    }
}

fn reopened<M: Message>(message: Value) -> Result<Option<M>, ExchangeError> {
    match message {
        Value::Object(elements) => {
            let message = M::read(&Fields::of(elements));
            message.map(Some).map_err(|_| ExchangeError::Kept)
        }
        _ => Ok(None),
    }
}

/// What the kept answers are encrypted for.
pub fn belongs_to(reference: &str) -> String {
    format!("3-D Secure answers about {reference}")
}
