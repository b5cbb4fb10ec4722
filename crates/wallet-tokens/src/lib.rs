//! Opens the encrypted tokens in which wallets hand over a card: APPLEPAY in its version EC_v1, GOOGLEPAY in its version ECv2.
//!
//! Functions of bytes and a time, without I/O: the gateway reads the keys from files and says which merchant asks. Each token is checked
//! in this order: its version, whose signature it has and whether that leads to the root that the operator gave, how old it is, and only
//! then it is decrypted. What is decrypted is authenticated by the cipher once more, and has to be a card in the format of the wallet.
//!
//! It refuses every other version by name (RSA_v1, ECv1, ECv2SigningOnly). It does not ask whether a certificate was revoked, which would
//! need the network, and does not know the order: [`OpenedCard::confirmed`] is what the caller holds against its sum, and
//! [`OpenedCard::digest`] is what it remembers, so that a token pays one order.
//!
//! Certificates are verified by the library that verifies those of TLS connections, ciphers and curves come from RustCrypto. This crate
//! implements the formats around them. An error says which check failed, and nothing of the content.

mod applepay;
mod applepay_signature;
mod decryption_key;
mod error;
mod googlepay;
mod googlepay_signature;

pub use applepay::ApplePay;
pub use applepay_signature::{CertificateRoots, MAX_AGE_MS};
pub use decryption_key::DecryptionKey;
pub use error::{SetUpError, TokenError};
pub use googlepay::{GooglePay, Recipient};
pub use googlepay_signature::SigningRoots;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use payframe_card_rules::secret::Secret;
use payframe_payment_domain::network_token::TokenCryptogram;
use payframe_payment_domain::wallet::ConfirmedSum;
use zeroize::Zeroizing;

/// The card in a token.
#[derive(Debug)]
pub struct OpenedCard {
    /// The whole number: a network token, or the card's own.
    pub number: Secret,
    /// `MMYY`
    pub expiry: String,
    /// The device's cryptogram. `None`: the number is the card's own, and nobody has authenticated the buyer.
    pub cryptogram: Option<TokenCryptogram>,
    /// The sum that the buyer has confirmed in the wallet. `None`: the token names none, as those of GOOGLEPAY.
    pub confirmed: Option<ConfirmedSum>,
    /// What tells this token from every other one: a hash of what the wallet has signed.
    pub digest: [u8; 32],
    /// From then on the token is refused for its age, in milliseconds since 1970.
    pub expires_ms: i64,
}

/// The bytes of a member in base64.
fn bytes(text: &str, name: &'static str) -> Result<Vec<u8>, TokenError> {
    STANDARD
        .decode(text)
        .map_err(|_| TokenError::Malformed(name))
}

/// A text of the card. It moves, so that no copy stays in memory.
fn secret(mut text: Zeroizing<String>) -> Secret {
    Secret::new(std::mem::take(&mut *text))
}

/// `MMYY` of a year with four digits and a month.
fn mmyy(year: u32, month: u32) -> Option<String> {
    let is_date = (1..=12).contains(&month) && (2000..=2099).contains(&year);
    is_date.then(|| format!("{month:02}{:02}", year % 100))
}
