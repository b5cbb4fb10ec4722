//! Why there is no answer. Errors contain no card data and no bodies.

use crate::fault::Fault;
use payframe_payment_ports::three_ds_server::ThreeDsServerError;
use payframe_payment_ports::vault::VaultError;
use payframe_storage::StoreError;
use thiserror::Error;

/// Why a directory server has no answer for us.
#[derive(Debug, Error)]
pub enum ExchangeError {
    /// The request could not be sent, or the connection ended before the answer.
    #[error("the directory server is not reached")]
    NotReached(#[source] reqwest::Error),
    /// There was no answer in time.
    #[error("the directory server did not answer in time")]
    TimedOut,
    /// It answered with this status of HTTP.
    #[error("the directory server answered with status {0}")]
    Status(u16),
    /// The answer is longer than any message.
    #[error("the directory server's answer is too long")]
    TooLong,
    /// The answer is not the message that belongs here.
    #[error("the directory server's answer: {0}")]
    Message(#[from] Fault),
    /// The directory server reports an error.
    #[error("the directory server reports error {code} of component {component}")]
    Reported {
        /// The code.
        code: String,
        /// Who reports it.
        component: &'static str,
    },
    /// A value of ours does not have the format of the protocol.
    #[error("our own message: {0}")]
    Request(Fault),
    /// The terminal is not in the file.
    #[error("the terminal is not set up for 3-D Secure")]
    UnknownTerminal,
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What is kept cannot be encrypted or decrypted.
    #[error("the kept answer can not be used")]
    Kept,
}

impl ExchangeError {
    /// Which kind of failure an error of the HTTP client is.
    pub(crate) fn of(problem: reqwest::Error) -> ExchangeError {
        match problem.is_timeout() {
            true => ExchangeError::TimedOut,
            // The address is in the operator's file: a log does not need it.
            false => ExchangeError::NotReached(problem.without_url()),
        }
    }
}

impl From<VaultError> for ExchangeError {
    fn from(_problem: VaultError) -> ExchangeError {
        ExchangeError::Kept
    }
}

impl From<ExchangeError> for ThreeDsServerError {
    fn from(problem: ExchangeError) -> ThreeDsServerError {
        match problem {
            ExchangeError::Message(_) | ExchangeError::TooLong => {
                ThreeDsServerError::Unreadable(Box::new(problem))
            }
            _ => ThreeDsServerError::NoAnswer(Box::new(problem)),
        }
    }
}
