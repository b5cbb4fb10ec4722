//! Tokens of APPLEPAY, version EC_v1: `{version, data, signature, header}`.
//!
//! Key agreement on P-256 with a key of the device, the key derivation of NIST SP 800-56A (section 5.8.1) in one round, and AES-256-GCM.

use crate::applepay_signature::{CertificateRoots, MAX_AGE_MS, verify};
use crate::decryption_key::DecryptionKey;
use crate::error::TokenError;
use crate::{OpenedCard, bytes, mmyy, secret};
use aes_gcm::AesGcm;
use aes_gcm::aead::array::Array;
use aes_gcm::aead::consts::U16;
use aes_gcm::aead::{Aead, KeyInit};
use aes_gcm::aes::Aes256;
use p256::PublicKey;
use p256::pkcs8::DecodePublicKey;
use payframe_payment_domain::network_token::TokenCryptogram;
use payframe_payment_domain::wallet::ConfirmedSum;
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

/// What opens the tokens of one merchant identifier.
pub struct ApplePay {
    identifier_hash: [u8; 32],
    keys: Vec<DecryptionKey>,
    roots: CertificateRoots,
}

/// The token, as the device sends it.
#[derive(Deserialize)]
struct Token {
    data: String,
    signature: String,
    header: Header,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Header {
    ephemeral_public_key: String,
    public_key_hash: String,
    transaction_id: String,
    application_data: Option<String>,
}

/// The encrypted content. Amount and currency are those that the buyer saw; who has the order compares them.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Content {
    application_primary_account_number: Zeroizing<String>,
    application_expiration_date: String,
    currency_code: Option<String>,
    transaction_amount: Option<u64>,
    payment_data_type: String,
    payment_data: PaymentData,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PaymentData {
    online_payment_cryptogram: Option<Zeroizing<String>>,
    eci_indicator: Option<String>,
}

impl ApplePay {
    /// With the merchant identifier as it is registered with the wallet, its keys (several while one is replaced), and the roots.
    pub fn new(identifier: &str, keys: Vec<DecryptionKey>, roots: CertificateRoots) -> ApplePay {
        ApplePay {
            identifier_hash: Sha256::digest(identifier.as_bytes()).into(),
            keys,
            roots,
        }
    }

    /// Opens the `paymentData` of what the wallet's interface returned.
    ///
    /// # Errors
    /// The first check that failed.
    pub fn open(&self, token: &Value, now_ms: i64) -> Result<OpenedCard, TokenError> {
        match token.get("version").and_then(Value::as_str) {
            Some("EC_v1") => {}
            Some("RSA_v1") => return Err(TokenError::Version("RSA_v1")),
            Some(_) => return Err(TokenError::Version("of this name")),
            None => return Err(TokenError::Malformed("version")),
        }
        let token = Token::deserialize(token).map_err(|_| TokenError::Malformed("paymentData"))?;
        let key = self.key_of(&token.header)?;
        let sender = bytes(&token.header.ephemeral_public_key, "ephemeralPublicKey")?;
        let ciphertext = bytes(&token.data, "data")?;
        let signed = [
            sender.as_slice(),
            &ciphertext,
            &hex(&token.header.transaction_id, "transactionId")?,
            &match &token.header.application_data {
                None => Vec::new(),
                Some(text) => hex(text, "applicationData")?,
            },
        ]
        .concat();
        let signature = bytes(&token.signature, "signature")?;
        let signed_ms = verify(&signature, &signed, &self.roots, now_ms)?;
        let sender = PublicKey::from_public_key_der(&sender)
            .map_err(|_| TokenError::Malformed("ephemeralPublicKey"))?;
        let content = self.decrypt(key, &sender, &ciphertext)?;
        let content: Content =
            serde_json::from_slice(&content).map_err(|_| TokenError::Malformed("the content"))?;
        content.card(Sha256::digest(&signed).into(), signed_ms + MAX_AGE_MS)
    }

    fn key_of(&self, header: &Header) -> Result<&DecryptionKey, TokenError> {
        let hash = bytes(&header.public_key_hash, "publicKeyHash")?;
        let mut keys = self.keys.iter();
        let found = keys.find(|key| key.public_hash().as_slice() == hash);
        found.ok_or(TokenError::UnknownKey)
    }

    fn decrypt(
        &self,
        key: &DecryptionKey,
        sender: &PublicKey,
        ciphertext: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, TokenError> {
        let agreed = key.agree(sender);
        let key = derive(agreed.raw_secret_bytes(), &self.identifier_hash);
        let cipher = AesGcm::<Aes256, U16>::new_from_slice(key.as_slice())
            .map_err(|_| TokenError::Decryption)?;
        // The key is used once, so the nonce may be the same each time.
        cipher
            .decrypt(&Array::default(), ciphertext)
            .map(Zeroizing::new)
            .map_err(|_| TokenError::Decryption)
    }
}

impl Content {
    fn card(self, digest: [u8; 32], expires_ms: i64) -> Result<OpenedCard, TokenError> {
        if self.payment_data_type != "3DSecure" {
            return Err(TokenError::Unsupported("paymentDataType"));
        }
        let cryptogram = self.payment_data.online_payment_cryptogram;
        let cryptogram = cryptogram.ok_or(TokenError::Malformed("onlinePaymentCryptogram"))?;
        let eci = self.payment_data.eci_indicator.as_deref();
        let expiry = expiry(&self.application_expiration_date);
        let confirmed = match (self.transaction_amount, self.currency_code) {
            (None, None) => None,
            (Some(amount), Some(currency)) => Some(
                ConfirmedSum::read(amount, &currency)
                    .ok_or(TokenError::Malformed("the confirmed sum"))?,
            ),
            // Half a sum cannot be compared.
            _ => return Err(TokenError::Malformed("the confirmed sum")),
        };
        Ok(OpenedCard {
            confirmed,
            number: secret(self.application_primary_account_number),
            expiry: expiry.ok_or(TokenError::Malformed("applicationExpirationDate"))?,
            cryptogram: Some(
                TokenCryptogram::read(&cryptogram, eci)
                    .map_err(|_| TokenError::Malformed("onlinePaymentCryptogram"))?,
            ),
            digest,
            expires_ms,
        })
    }
}

/// `MMYY` of `YYMMDD`.
fn expiry(date: &str) -> Option<String> {
    let is_date = date.len() == 6 && date.bytes().all(|byte| byte.is_ascii_digit());
    let part = |from: usize| date.get(from..from + 2)?.parse::<u32>().ok();
    is_date.then(|| mmyy(2000 + part(0)?, part(2)?)).flatten()
}

/// The single round of the key derivation: `Z` is the agreed secret, the other party is the merchant identifier.
fn derive(agreed: &[u8], identifier_hash: &[u8; 32]) -> Zeroizing<[u8; 32]> {
    let mut hash = Sha256::new();
    hash.update(1_u32.to_be_bytes());
    hash.update(agreed);
    hash.update(b"\x0Did-aes256-GCM");
    hash.update(b"Apple");
    hash.update(identifier_hash);
    Zeroizing::new(hash.finalize().into())
}

fn hex(text: &str, name: &'static str) -> Result<Vec<u8>, TokenError> {
    let digit = |byte: &u8| char::from(*byte).to_digit(16);
    let pairs = text.as_bytes().chunks(2);
    let pairs = pairs.map(|pair| match pair {
        // Two digits are below 256.
        [high, low] => u8::try_from(digit(high)? * 16 + digit(low)?).ok(),
        _ => None,
    });
    pairs
        .collect::<Option<_>>()
        .ok_or(TokenError::Malformed(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;

    /// An agreed secret and a key that were published with an open library for these tokens.
    #[test]
    fn a_key_is_derived_as_others_derive_it() {
        let agreed = STANDARD.decode("kHeh3zl41M+afin6kc+x8EyTeyaqVKLt5PhXnfspzwg=");
        let identifier = "358DA5890B9555C0A9EFB84B5CD6FF04BFDCD5AABF5DC14B9872D8DF51EAF439";
        let identifier = hex(identifier, "").unwrap().try_into().unwrap();
        let derived = derive(&agreed.unwrap(), &identifier);
        assert_eq!(
            STANDARD.encode(derived.as_slice()),
            "cZa29ESUCTGi770mBdtePJrhpfhmUo+XIDDBIHxpXts="
        );
    }

    #[test]
    fn dates_and_hexadecimal_text_are_read_or_refused() {
        for (date, expected) in [
            ("301231", Some("1230")),
            ("000100", Some("0100")),
            ("301331", None),
            ("300031", None),
            ("3012", None),
            ("30123é", None),
            ("+01231", None),
        ] {
            assert_eq!(expiry(date).as_deref(), expected, "{date}");
        }
        assert_eq!(hex("", "x"), Ok(vec![]));
        assert_eq!(hex("00fF", "x"), Ok(vec![0, 255]));
        for text in ["0", "0g", "00f", "+1", "é0"] {
            assert_eq!(hex(text, "x"), Err(TokenError::Malformed("x")), "{text}");
        }
    }
}
