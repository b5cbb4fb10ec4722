//! Why there is no answer that counts.

use crate::codec::CodecError;
use payframe_examiner::Finding;
use payframe_payment_ports::vault::{DecryptionError, VaultError};
use payframe_storage::StoreError;
use thiserror::Error;

/// Why there is no answer that counts. The outcome is unknown, and the caller asks again with the same reference.
#[derive(Debug, Error)]
pub enum ExchangeError {
    /// No connection is signed on. Nothing was sent now; an earlier copy may have been.
    #[error("no connection is signed on to the host")]
    Unreachable,
    /// No connection is signed on, and the journal had no such message: nothing of it was sent by then.
    #[error("no connection is signed on to the host, and nothing was sent")]
    NeverSent,
    /// No answer came within the time limit.
    #[error("no answer within the time limit")]
    Timeout,
    /// The connection ended before the answer.
    #[error("the connection ended before the answer")]
    Interrupted,
    /// The same message is on its way, in this process or another one.
    #[error("the answer to the same message is still awaited")]
    Awaited,
    /// The answer has this code, which says nothing about the outcome.
    #[error("the answer's code {0:?} says nothing about the outcome")]
    NoOutcome(String),
    /// The host does not acknowledge a reversal.
    #[error("the reversal is not acknowledged: the code is {0:?}")]
    NotReversed(String),
    /// A message cannot be written.
    #[error("the message can not be written: {0}")]
    Message(#[from] CodecError),
    /// The journal cannot be read or written.
    #[error("the journal: {0}")]
    Journal(#[from] StoreError),
    /// A card of the journal cannot be encrypted.
    #[error(transparent)]
    Vault(#[from] VaultError),
    /// A card of the journal cannot be decrypted.
    #[error("the journal: {0}")]
    Sealed(#[from] DecryptionError),
}

impl From<ExchangeError> for Finding {
    fn from(problem: ExchangeError) -> Finding {
        Finding::Failed(problem.to_string())
    }
}
