//! Why a token of a provider is not accepted: by its signature, or by what it says.

use thiserror::Error;

/// Why a token is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TokenProblem {
    /// It cannot be read.
    #[error("the token cannot be read")]
    NoToken,
    /// None of the provider's keys, or more than one, may have signed it.
    #[error("no key of the provider fits the token")]
    UnknownKey,
    /// The signature is wrong.
    #[error("the signature of the token is wrong")]
    WrongSignature,
    /// It is another provider's.
    #[error("the token is of another issuer")]
    OtherIssuer,
    /// It is for another client.
    #[error("the token is for another client")]
    OtherClient,
    /// It is the answer to another question.
    #[error("the token answers another question")]
    OtherNonce,
    /// It is no longer valid, or not yet, or is older than the question can be.
    #[error("the token is not of now")]
    WrongTime,
    /// The provider did not ask the person again, although it had to.
    #[error("the provider did not ask again who it is")]
    NotFresh,
    /// It does not say that somebody logged out.
    #[error("the token says of no log-out")]
    NoLogout,
    /// It names nobody.
    #[error("the token names nobody")]
    Nobody,
}
