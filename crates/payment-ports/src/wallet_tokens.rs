//! Wallet tokens: the card in what a wallet's browser interface handed over.
//!
//! Keys of wallets are in memory, so it answers at once. A token that does not open is the sender's mistake, whatever is wrong
//! with it; nothing of its content is in the error.

use payframe_card_rules::secret::Secret;
use payframe_payment_domain::wallet::{Wallet, WalletFlow};
use serde_json::Value;

/// Opens what wallets hand over.
pub trait WalletTokens: Send + Sync {
    /// The card that `wallet` handed over with `data`.
    ///
    /// # Errors
    /// It is no such object, or was made for somebody else.
    fn open(&self, wallet: Wallet, data: &Value) -> Result<WalletCard, WalletTokenError>;
}

/// A card that a wallet handed over.
#[derive(Debug)]
pub struct WalletCard {
    /// The whole number.
    pub number: Secret,
    /// `MMYY`
    pub expiry: String,
    /// How the wallet vouches for it.
    pub flow: WalletFlow,
}

/// What a wallet handed over does not open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the wallet's token does not open")]
pub struct WalletTokenError;

/// Opens none: for requests that are read without an acquirer, as their documentation is.
#[derive(Clone, Copy, Debug)]
pub struct NoWalletTokens;

impl WalletTokens for NoWalletTokens {
    fn open(&self, _wallet: Wallet, _data: &Value) -> Result<WalletCard, WalletTokenError> {
        Err(WalletTokenError)
    }
}
