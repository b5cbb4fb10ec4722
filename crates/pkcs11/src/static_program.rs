//! What takes the place of a token in a program that is linked statically.

use super::{LogIn, TokenError, TokenSettings};
use payframe_vault::KeyWrapping;
use std::error::Error;
use zeroize::Zeroizing;

/// A token. There is none: it has no value.
pub enum Token {}

impl Token {
    /// Refuses.
    ///
    /// # Errors
    /// Always [`TokenError::StaticProgram`].
    pub fn open(_: TokenSettings, _: &str, _: LogIn) -> Result<Token, TokenError> {
        Err(TokenError::StaticProgram)
    }

    /// Logs in and out.
    ///
    /// # Errors
    /// None: there is no token.
    pub fn log_in(&self) -> Result<(), TokenError> {
        match *self {}
    }

    /// Makes the wrapping key.
    ///
    /// # Errors
    /// None: there is no token.
    pub fn make_key(&self) -> Result<(), TokenError> {
        match *self {}
    }
}

impl KeyWrapping for Token {
    fn name(&self) -> &str {
        match *self {}
    }

    fn wrap(&self, _: &[u8]) -> Result<Vec<u8>, Box<dyn Error + Send + Sync>> {
        match *self {}
    }

    fn unwrap(
        &self,
        _: &str,
        _: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, Box<dyn Error + Send + Sync>> {
        match *self {}
    }
}
