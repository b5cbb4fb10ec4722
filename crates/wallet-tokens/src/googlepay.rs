//! Tokens of GOOGLEPAY, version ECv2: `{protocolVersion, signature, intermediateSigningKey, signedMessage}`.
//!
//! ECIES on P-256: HKDF with SHA-256 of the sender's point and the agreed secret, AES-256 in counter mode, HMAC-SHA256 of the ciphertext.

use crate::decryption_key::DecryptionKey;
use crate::error::{SetUpError, TokenError};
use crate::googlepay_signature::{SENDER, SignedToken, SigningRoots, verify};
use crate::{OpenedCard, bytes, mmyy, secret};
use aes::Aes256;
use ctr::Ctr128BE;
use ctr::cipher::{KeyIvInit, StreamCipher};
use hkdf::Hkdf;
use hmac::{Hmac, KeyInit, Mac};
use p256::PublicKey;
use payframe_payment_domain::network_token::TokenCryptogram;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

/// What opens the tokens that are made for one recipient.
pub struct GooglePay {
    recipient: Recipient,
    keys: Vec<DecryptionKey>,
    roots: SigningRoots,
}

/// Whom tokens are made for, as the wallet writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recipient {
    /// `gateway:NAME`. Each token names one of its merchants.
    Gateway(String),
    /// `merchant:ID`: one merchant, by its identifier at the wallet.
    Merchant(String),
}

/// What is signed, and encrypts the content.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SignedMessage {
    encrypted_message: String,
    ephemeral_public_key: String,
    tag: String,
}

/// The encrypted content.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Content {
    /// In tokens for a gateway only.
    gateway_merchant_id: Option<String>,
    /// Milliseconds since 1970, as text.
    message_expiration: String,
    payment_method: String,
    payment_method_details: Details,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Details {
    pan: Zeroizing<String>,
    expiration_month: u32,
    expiration_year: u32,
    auth_method: String,
    cryptogram: Option<Zeroizing<String>>,
    eci_indicator: Option<String>,
}

impl Recipient {
    /// Reads `gateway:NAME` or `merchant:ID`.
    ///
    /// # Errors
    /// It is neither.
    pub fn parse(text: &str) -> Result<Recipient, SetUpError> {
        let named = text.split_once(':').filter(|(_, name)| {
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_graphic())
        });
        match named {
            Some(("gateway", _)) => Ok(Recipient::Gateway(text.to_owned())),
            Some(("merchant", _)) => Ok(Recipient::Merchant(text.to_owned())),
            _ => Err(SetUpError("gateway:NAME or merchant:ID")),
        }
    }

    /// As the wallet signs it.
    fn text(&self) -> &str {
        match self {
            Recipient::Gateway(text) | Recipient::Merchant(text) => text,
        }
    }
}

impl GooglePay {
    /// With the recipient, its keys (several while one is replaced), and the roots.
    pub fn new(recipient: Recipient, keys: Vec<DecryptionKey>, roots: SigningRoots) -> GooglePay {
        GooglePay {
            recipient,
            keys,
            roots,
        }
    }

    /// Opens the `tokenizationData.token` of what the wallet's interface returned. `merchant_id`: who sends it. A token for a gateway has
    /// to name this merchant.
    ///
    /// # Errors
    /// The first check that failed.
    pub fn open(
        &self,
        token: &str,
        merchant_id: &str,
        now_ms: i64,
    ) -> Result<OpenedCard, TokenError> {
        let token = SignedToken::parse(token)?;
        verify(&token, self.recipient.text(), &self.roots, now_ms)?;
        let content = self.decrypt(&token.signed_message)?;
        let content: Content =
            serde_json::from_slice(&content).map_err(|_| TokenError::Malformed("the content"))?;
        let named = content.gateway_merchant_id.as_deref();
        if matches!(self.recipient, Recipient::Gateway(_)) && named != Some(merchant_id) {
            return Err(TokenError::OtherMerchant);
        }
        content.card(
            Sha256::digest(token.signed_message.as_bytes()).into(),
            now_ms,
        )
    }

    /// A token does not name its key: the first one whose authentication code fits is taken.
    fn decrypt(&self, signed_message: &str) -> Result<Zeroizing<Vec<u8>>, TokenError> {
        let message: SignedMessage = serde_json::from_str(signed_message)
            .map_err(|_| TokenError::Malformed("signedMessage"))?;
        let point = bytes(&message.ephemeral_public_key, "ephemeralPublicKey")?;
        let sender = match point.len() {
            UNCOMPRESSED_POINT => PublicKey::from_sec1_bytes(&point).ok(),
            _ => None,
        };
        let sender = sender.ok_or(TokenError::Malformed("ephemeralPublicKey"))?;
        let ciphertext = bytes(&message.encrypted_message, "encryptedMessage")?;
        let tag = bytes(&message.tag, "tag")?;
        for key in &self.keys {
            let agreed = key.agree(&sender);
            let derived = derive::<KEYS>(&point, agreed.raw_secret_bytes())?;
            let (cipher_key, code_key) = derived.split_at(CIPHER_KEY);
            if is_authentic(code_key, &ciphertext, &tag) {
                return decipher(cipher_key, ciphertext);
            }
        }
        Err(TokenError::Decryption)
    }
}

impl Content {
    fn card(self, digest: [u8; 32], now_ms: i64) -> Result<OpenedCard, TokenError> {
        let expires_ms = self.message_expiration.parse::<i64>();
        let expires_ms = expires_ms.map_err(|_| TokenError::Malformed("messageExpiration"))?;
        if expires_ms <= now_ms {
            return Err(TokenError::Expired);
        }
        if self.payment_method != "CARD" {
            return Err(TokenError::Unsupported("paymentMethod"));
        }
        let details = self.payment_method_details;
        let cryptogram = match details.auth_method.as_str() {
            "PAN_ONLY" => None,
            "CRYPTOGRAM_3DS" => {
                let value = details.cryptogram.as_deref();
                let value = value.ok_or(TokenError::Malformed("cryptogram"))?;
                let read = TokenCryptogram::read(value, details.eci_indicator.as_deref());
                Some(read.map_err(|_| TokenError::Malformed("cryptogram"))?)
            }
            _ => return Err(TokenError::Unsupported("authMethod")),
        };
        let expiry = mmyy(details.expiration_year, details.expiration_month);
        Ok(OpenedCard {
            confirmed: None,
            number: secret(details.pan),
            expiry: expiry.ok_or(TokenError::Malformed("expirationMonth or expirationYear"))?,
            cryptogram,
            digest,
            expires_ms,
        })
    }
}

/// Keys of `N` bytes together. The salt is empty, which is the same as zeros (RFC 5869, 2.2).
fn derive<const N: usize>(point: &[u8], agreed: &[u8]) -> Result<Zeroizing<[u8; N]>, TokenError> {
    let secret = Zeroizing::new([point, agreed].concat());
    let mut derived = Zeroizing::new([0; N]);
    Hkdf::<Sha256>::new(None, &secret)
        .expand(SENDER.as_bytes(), derived.as_mut_slice())
        .map_err(|_| TokenError::Decryption)?;
    Ok(derived)
}

/// The comparison takes the same time wherever the codes differ.
fn is_authentic(key: &[u8], ciphertext: &[u8], tag: &[u8]) -> bool {
    Hmac::<Sha256>::new_from_slice(key)
        .is_ok_and(|code| code.chain_update(ciphertext).verify_slice(tag).is_ok())
}

/// Each key is used once, so the counter begins at zero.
fn decipher(key: &[u8], ciphertext: Vec<u8>) -> Result<Zeroizing<Vec<u8>>, TokenError> {
    let mut text = Zeroizing::new(ciphertext);
    Ctr128BE::<Aes256>::new_from_slices(key, &[0; 16])
        .map_err(|_| TokenError::Decryption)?
        .apply_keystream(&mut text);
    Ok(text)
}

const CIPHER_KEY: usize = 32;
/// The cipher's key and that of the authentication code.
const KEYS: usize = 64;
/// 4, and both coordinates.
const UNCOMPRESSED_POINT: usize = 65;

#[cfg(test)]
mod tests {
    use super::*;

    /// A message that was published with an open library for these tokens. It is one of version ECv1, whose keys have half the length.
    #[test]
    fn a_key_is_derived_as_others_derive_it() {
        let key = "-----BEGIN PRIVATE KEY-----\n\
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgCPSuFr4iSIaQprjj\n\
            chHPyDu2NXFe0vDBoTpPkYaK9dehRANCAATnaFz/vQKuO90pxsINyVNWojabHfbx\n\
            9qIJ6uD7Q7ZSxmtyo/Ez3/o2kDT8g0pIdyVIYktCsq65VoQIDWSh2Bdm\n\
            -----END PRIVATE KEY-----\n";
        let point = bytes(
            "BPhVspn70Zj2Kkgu9t8+ApEuUWsI/zos5whGCQBlgOkuYagOis7qsrcbQrcprjvTZO3XOU+Qbcc28FSgsRtcgQE=",
            "",
        )
        .unwrap();
        let sender = PublicKey::from_sec1_bytes(&point).unwrap();
        let agreed = DecryptionKey::from_pem(key).unwrap().agree(&sender);
        let derived = derive::<32>(&point, agreed.raw_secret_bytes()).unwrap();
        let (cipher_key, code_key) = derived.split_at(16);
        let mut text = bytes("12jUObueVTdy", "").unwrap();
        let tag = bytes("ZVwlJt7dU8Plk0+r8rPF8DmPTvDiOA1UAoNjDV+SqDE=", "").unwrap();
        assert!(is_authentic(code_key, &text, &tag));
        assert!(!is_authentic(code_key, &text, &tag[..31]));
        Ctr128BE::<aes::Aes128>::new_from_slices(cipher_key, &[0; 16])
            .unwrap()
            .apply_keystream(&mut text);
        assert_eq!(text, b"plaintext");
    }

    #[test]
    fn recipients_are_gateways_or_merchants() {
        for (text, expected) in [
            (
                "gateway:payframe",
                Some(Recipient::Gateway("gateway:payframe".into())),
            ),
            (
                "merchant:12:3",
                Some(Recipient::Merchant("merchant:12:3".into())),
            ),
            ("gateway:", None),
            ("merchant", None),
            ("Gateway:a", None),
            ("merchant:a b", None),
            ("", None),
        ] {
            assert_eq!(Recipient::parse(text).ok(), expected, "{text}");
        }
    }
}
