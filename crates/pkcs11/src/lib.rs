//! Wraps the vault's keys with a key of a token: an HSM or another device that speaks PKCS #11 (OASIS, 2.40 and later).
//!
//! The wrapping key is made in the token and never leaves it: a key that may leave is refused. Each use loads nothing new, logs in, encrypts or
//! decrypts one key of the vault by AES-GCM, and logs out. Values of payments are not encrypted here: that would need the token
//! for every payment.
//!
//! A wrong PIN is given once. After it, this process does not try again, and another one reads in the token that one was given
//! ([`LogIn`]): a supervisor that starts a gateway again and again does not lock the token.
//!
//! A program that is linked statically (musl) can load no module, so there [`Token::open`] always fails.

#[cfg(not(target_env = "musl"))]
mod pin_state;
#[cfg(target_env = "musl")]
mod static_program;
#[cfg(not(target_env = "musl"))]
mod token;

#[cfg(target_env = "musl")]
pub use static_program::Token;
#[cfg(not(target_env = "musl"))]
pub use token::Token;

use std::path::PathBuf;
use thiserror::Error;

/// Which key of which token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenSettings {
    /// The library of the token's manufacturer.
    pub module: PathBuf,
    /// The token's label.
    pub token: String,
    /// The label of the key that wraps.
    pub key: String,
}

/// Whether to log in although somebody gave a wrong PIN since the last log-in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogIn {
    /// No: what a gateway does.
    Careful,
    /// Yes, unless the next wrong PIN locks the token: what a person asks for.
    AfterWrongPin,
}

/// Why a token cannot be used. No text has a PIN or a key.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TokenError {
    /// This program loads no modules.
    #[error(
        "this program is linked statically and loads no module (PAYFRAME_PKCS11_MODULE): build the gateway for glibc, or have a command \
         give the keys (PAYFRAME_VAULT_KEY_COMMAND)"
    )]
    StaticProgram,
    /// The module is missing, is not one, or cannot begin.
    #[error("the module {module} (PAYFRAME_PKCS11_MODULE) cannot be loaded: {problem}")]
    Module {
        /// Its path.
        module: String,
        /// What the system or the module says.
        problem: String,
    },
    /// There is no such token.
    #[error("there is no token {token} (PAYFRAME_PKCS11_TOKEN); there are: {found}")]
    NoToken {
        /// The label.
        token: String,
        /// The labels that there are.
        found: String,
    },
    /// Several tokens have the label.
    #[error("several tokens have the label {0} (PAYFRAME_PKCS11_TOKEN): give each its own")]
    SeveralTokens(String),
    /// The PIN is wrong.
    #[error(
        "the PIN (PAYFRAME_PKCS11_PIN) is wrong; it is not tried again, because tokens lock. Correct it, then `payframe-gateway vault log-in`"
    )]
    WrongPin,
    /// Somebody gave a wrong PIN since the last log-in.
    #[error(
        "a wrong PIN was given to the token since the last log-in, so none is tried. Check PAYFRAME_PKCS11_PIN, then \
         `payframe-gateway vault log-in`"
    )]
    WrongPinBefore,
    /// The next wrong PIN locks the token.
    #[error(
        "the next wrong PIN would lock the token, so none is tried: log in once with the token's own tool"
    )]
    LastTry,
    /// The token is locked.
    #[error(
        "the token is locked after too many wrong PINs: its security officer has to set a new PIN"
    )]
    Locked,
    /// The token has no user's PIN yet, or wants another one.
    #[error("the token wants its PIN to be set first: do it with the token's own tool")]
    PinToBeSet,
    /// There is no such key.
    #[error(
        "the token has no AES key {0} (PAYFRAME_PKCS11_KEY); `payframe-gateway vault wrap --make-key` makes one"
    )]
    NoKey(String),
    /// Several keys have the label.
    #[error(
        "several keys of the token have the label {0} (PAYFRAME_PKCS11_KEY): give each its own"
    )]
    SeveralKeys(String),
    /// A key that is to be made is there.
    #[error(
        "the token has a key {0} already (PAYFRAME_PKCS11_KEY): leave out --make-key, or name another one"
    )]
    KeyExists(String),
    /// The key may leave the token.
    #[error(
        "the key {0} (PAYFRAME_PKCS11_KEY) may leave the token: it must be sensitive and not extractable"
    )]
    KeyMayLeave(String),
    /// The bytes were changed, or wrapped by another key with the same label.
    #[error("the key {0} of the token did not wrap this key of the vault, or the text was changed")]
    NotWrappedByIt(String),
    /// Another error of the module.
    #[error("the token: {0}")]
    Call(String),
}
