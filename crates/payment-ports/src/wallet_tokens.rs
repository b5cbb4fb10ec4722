//! Wallet tokens: decrypts the card in the data that a wallet's browser interface returns.
//!
//! The keys of wallets are in memory, so it answers at once. A token that cannot be decrypted is the sender's error, whatever the reason.
//! The error says which check failed, and contains none of the token's content.

use payframe_card_rules::secret::Secret;
use payframe_payment_domain::network_token::TokenCryptogram;
use payframe_payment_domain::wallet::{ConfirmedSum, Wallet};
use serde_json::Value;

/// Decrypts wallet tokens.
pub trait WalletTokens: Send + Sync {
    /// The card in the `data` of `wallet`, which the merchant `merchant_id` sends.
    ///
    /// # Errors
    /// The data is not a wallet token, or is for another recipient or merchant.
    fn open(
        &self,
        wallet: Wallet,
        data: &Value,
        merchant_id: &str,
    ) -> Result<WalletCard, WalletTokenError>;
}

/// A card from a wallet.
#[derive(Debug)]
pub struct WalletCard {
    /// The whole number: of the card, or the network token that stands for it.
    pub number: Secret,
    /// `MMYY`
    pub expiry: String,
    /// The device's cryptogram, if the number is a network token. `None`: it is the card's own number.
    pub cryptogram: Option<TokenCryptogram>,
    /// The sum that the buyer has confirmed in the wallet. `None`: the token names none.
    pub confirmed: Option<ConfirmedSum>,
    /// How the token is recognised if it comes again. `None`: it may pay several orders, as those of a sandbox do.
    pub token: Option<TokenMark>,
}

/// What a token is recognised by, and for how long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenMark {
    /// A hash of what the wallet has signed.
    pub hash: [u8; 32],
    /// From then on the token is refused for its age, in milliseconds since 1970.
    pub until_ms: i64,
}

/// The wallet token cannot be decrypted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WalletTokenError {
    /// No key opens tokens of this wallet that the merchant sends.
    #[error("no key of this wallet is set up for the merchant")]
    NoKeys,
    /// A check failed. The text says which.
    #[error("{0}")]
    Refused(String),
}

/// Decrypts none. For requests that are read without an acquirer, such as those of the documentation.
#[derive(Clone, Copy, Debug)]
pub struct NoWalletTokens;

impl WalletTokens for NoWalletTokens {
    fn open(
        &self,
        _wallet: Wallet,
        _data: &Value,
        _merchant_id: &str,
    ) -> Result<WalletCard, WalletTokenError> {
        Err(WalletTokenError::NoKeys)
    }
}
