//! The tokens of real wallets in production: which keys open those of a merchant, by the operator's file ([`file`]).
//!
//! The formats, and what is checked of a token, are in [`payframe_wallet_tokens`].

pub(crate) mod file;

use self::file::WalletFile;
use payframe_payment_domain::wallet::Wallet;
use payframe_payment_ports::Clock;
use payframe_payment_ports::wallet_tokens::{
    TokenMark, WalletCard, WalletTokenError, WalletTokens,
};
use payframe_wallet_tokens::{ApplePay, GooglePay, OpenedCard, TokenError};
use serde_json::Value;

/// Opens the tokens of the wallets in the operator's file.
pub(crate) struct ProductionWallets {
    file: WalletFile,
    clock: Clock,
}

impl ProductionWallets {
    /// With the keys of this file. Tokens are as old as this clock says.
    pub(crate) fn new(file: WalletFile, clock: Clock) -> ProductionWallets {
        ProductionWallets { file, clock }
    }
}

impl WalletTokens for ProductionWallets {
    fn open(
        &self,
        wallet: Wallet,
        data: &Value,
        merchant_id: &str,
    ) -> Result<WalletCard, WalletTokenError> {
        let now_ms = self.clock.now_ms();
        match wallet {
            Wallet::ApplePay => {
                let token = data.pointer("/token/paymentData").unwrap_or(&Value::Null);
                let open = |one: &ApplePay| one.open(token, now_ms);
                first_opened(self.file.applepay_of(merchant_id).map(open))
            }
            Wallet::GooglePay => {
                let token = data.pointer("/paymentMethodData/tokenizationData/token");
                let token = token.and_then(Value::as_str).unwrap_or_default();
                let open = |one: &GooglePay| one.open(token, merchant_id, now_ms);
                first_opened(self.file.googlepay_of(merchant_id).map(open))
            }
        }
    }
}

/// The card that one of the merchant's keys opens, or why the last one does not.
fn first_opened(
    attempts: impl Iterator<Item = Result<OpenedCard, TokenError>>,
) -> Result<WalletCard, WalletTokenError> {
    let mut last = WalletTokenError::NoKeys;
    for attempt in attempts {
        match attempt {
            Ok(card) => {
                return Ok(WalletCard {
                    number: card.number,
                    expiry: card.expiry,
                    cryptogram: card.cryptogram,
                    confirmed: card.confirmed,
                    token: Some(TokenMark {
                        hash: card.digest,
                        until_ms: card.expires_ms,
                    }),
                });
            }
            Err(problem) => last = WalletTokenError::Refused(problem.to_string()),
        }
    }
    Err(last)
}
