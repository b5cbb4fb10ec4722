//! The signatures of a GOOGLEPAY token: a root has signed the key that signs tokens, and that key has signed the message.
//!
//! All are ECDSA on P-256 with SHA-256. Signed are texts one after the other, each behind its length.

use crate::error::{SetUpError, TokenError};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use p256::ecdsa::signature::Verifier;
use p256::ecdsa::{DerSignature, VerifyingKey};
use p256::pkcs8::DecodePublicKey;
use serde::Deserialize;

/// The keys that the wallet publishes, which sign those that sign tokens.
pub struct SigningRoots(Vec<Root>);

struct Root {
    key: VerifyingKey,
    /// Milliseconds since 1970. `None`: none is given.
    expires_ms: Option<i64>,
}

#[derive(Deserialize)]
struct RootFile {
    keys: Vec<RootEntry>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RootEntry {
    key_value: String,
    protocol_version: String,
    key_expiration: Option<String>,
}

/// The token, as the wallet sends it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SignedToken {
    signature: String,
    intermediate_signing_key: IntermediateKey,
    /// What is signed, as text.
    pub(crate) signed_message: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct IntermediateKey {
    signed_key: String,
    signatures: Vec<String>,
}

/// The text of `signedKey`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SignedKey {
    key_value: String,
    key_expiration: String,
}

/// The version decides what the other members are.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Versioned {
    protocol_version: String,
}

impl SigningRoots {
    /// Reads the wallet's file, `{keys: [{keyValue, protocolVersion, keyExpiration?}]}`. Keys of other versions are left out.
    ///
    /// # Errors
    /// The text is not such a file, or has no key of version ECv2.
    pub fn from_json(text: &str) -> Result<SigningRoots, SetUpError> {
        let refused =
            SetUpError("the wallet's file of root keys, with at least one of version ECv2");
        let file: RootFile = serde_json::from_str(text).map_err(|_| refused)?;
        let entries = file.keys.iter();
        let entries = entries.filter(|entry| entry.protocol_version == VERSION);
        let roots = entries.map(|entry| {
            let expires_ms = entry.key_expiration.as_deref().map(str::parse);
            Some(Root {
                key: public_key(&entry.key_value)?,
                expires_ms: expires_ms.transpose().ok()?,
            })
        });
        match roots.collect::<Option<Vec<_>>>() {
            Some(roots) if !roots.is_empty() => Ok(SigningRoots(roots)),
            _ => Err(refused),
        }
    }

    /// Those that are valid at this time.
    fn valid(&self, now_ms: i64) -> impl Iterator<Item = &VerifyingKey> {
        let is_valid = move |root: &&Root| root.expires_ms.is_none_or(|end| now_ms < end);
        self.0.iter().filter(is_valid).map(|root| &root.key)
    }
}

impl SignedToken {
    /// Reads a token of version ECv2. Others are refused by their names.
    pub(crate) fn parse(text: &str) -> Result<SignedToken, TokenError> {
        let versioned: Versioned =
            serde_json::from_str(text).map_err(|_| TokenError::Malformed("protocolVersion"))?;
        match versioned.protocol_version.as_str() {
            VERSION => {}
            "ECv1" => return Err(TokenError::Version("ECv1")),
            "ECv2SigningOnly" => return Err(TokenError::Version("ECv2SigningOnly")),
            _ => return Err(TokenError::Version("of this name")),
        }
        serde_json::from_str(text).map_err(|_| TokenError::Malformed("token"))
    }
}

/// Checks that a root has signed the key that signs tokens, and this key the message for the recipient.
pub(crate) fn verify(
    token: &SignedToken,
    recipient: &str,
    roots: &SigningRoots,
    now_ms: i64,
) -> Result<(), TokenError> {
    let intermediate = &token.intermediate_signing_key;
    if intermediate.signatures.len() > MAX_SIGNATURES {
        return Err(TokenError::Malformed("signatures"));
    }
    let signed = signed_bytes(&[SENDER, VERSION, &intermediate.signed_key]);
    let signatures: Vec<DerSignature> = intermediate
        .signatures
        .iter()
        .map(|text| signature(text))
        .collect::<Option<_>>()
        .ok_or(TokenError::Malformed("signatures"))?;
    let mut roots = roots.valid(now_ms);
    let is_signed = |key: &VerifyingKey| {
        signatures
            .iter()
            .any(|one| key.verify(&signed, one).is_ok())
    };
    if !roots.any(is_signed) {
        return Err(TokenError::UntrustedKey);
    }
    let malformed = TokenError::Malformed("signedKey");
    let key: SignedKey = serde_json::from_str(&intermediate.signed_key).map_err(|_| malformed)?;
    if key.key_expiration.parse::<i64>().map_err(|_| malformed)? <= now_ms {
        return Err(TokenError::ExpiredKey);
    }
    let key = public_key(&key.key_value).ok_or(malformed)?;
    let signed = signed_bytes(&[SENDER, recipient, VERSION, &token.signed_message]);
    let signature = signature(&token.signature).ok_or(TokenError::Malformed("signature"))?;
    key.verify(&signed, &signature)
        .map_err(|_| TokenError::Signature)
}

/// The texts, each behind its length in four bytes, the lowest first.
fn signed_bytes(texts: &[&str]) -> Vec<u8> {
    let mut signed = Vec::new();
    for text in texts {
        // A body of a call is far below 2³² bytes.
        signed.extend_from_slice(&(text.len() as u32).to_le_bytes());
        signed.extend_from_slice(text.as_bytes());
    }
    signed
}

fn signature(text: &str) -> Option<DerSignature> {
    DerSignature::try_from(STANDARD.decode(text).ok()?.as_slice()).ok()
}

/// A SubjectPublicKeyInfo in base64.
fn public_key(text: &str) -> Option<VerifyingKey> {
    VerifyingKey::from_public_key_der(&STANDARD.decode(text).ok()?).ok()
}

/// The sender, as it is signed and as keys are derived for it: a value of the format.
pub(crate) const SENDER: &str = "Google";

const VERSION: &str = "ECv2";

/// A token has one; several while the wallet replaces a root.
const MAX_SIGNATURES: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;

    /// A signature that was published with an open library for these tokens. It is one of version ECv1, which has no key in between.
    #[test]
    fn texts_are_signed_as_others_sign_them() {
        let key = public_key(
            "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEPYnHwS8uegWAewQtlxizmLFynwHcxRT1PK07cDA6/C4sXrVI1SzZCUx8U8S0LjMrT6ird/VW7be3Mz6t/srtRQ==",
        )
        .unwrap();
        let message = r#"{"tag":"ZVwlJt7dU8Plk0+r8rPF8DmPTvDiOA1UAoNjDV+SqDE\u003d","ephemeralPublicKey":"BPhVspn70Zj2Kkgu9t8+ApEuUWsI/zos5whGCQBlgOkuYagOis7qsrcbQrcprjvTZO3XOU+Qbcc28FSgsRtcgQE\u003d","encryptedMessage":"12jUObueVTdy"}"#;
        let made = signature(
            "MEQCIDxBoUCoFRGReLdZ/cABlSSRIKoOEFoU3e27c14vMZtfAiBtX3pGMEpnw6mSAbnagCCgHlCk3NcFwWYEyxIE6KGZVA==",
        )
        .unwrap();
        let signed = |recipient| signed_bytes(&[SENDER, recipient, "ECv1", message]);
        assert!(key.verify(&signed("someRecipient"), &made).is_ok());
        assert!(key.verify(&signed("otherRecipient"), &made).is_err());
    }

    #[test]
    fn roots_are_those_of_the_supported_version() {
        let key = "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEPYnHwS8uegWAewQtlxizmLFynwHcxRT1PK07cDA6/C4sXrVI1SzZCUx8U8S0LjMrT6ird/VW7be3Mz6t/srtRQ==";
        let entry = |key: &str, version: &str, rest: &str| {
            format!(r#"{{"keyValue":"{key}","protocolVersion":"{version}"{rest}}}"#)
        };
        let file = |entries: &[String]| format!(r#"{{"keys":[{}]}}"#, entries.join(","));
        let count = |text: &str| {
            SigningRoots::from_json(text)
                .map(|roots| roots.0.len())
                .ok()
        };
        let good = entry(key, "ECv2", r#","keyExpiration":"10""#);
        let endless = entry(key, "ECv2", "");
        let other = entry("?", "ECv1", "");
        assert_eq!(
            count(&file(&[other.clone(), good.clone(), endless])),
            Some(2)
        );
        for wrong in [
            file(&[]),
            file(&[other]),
            file(&[entry("AAAA", "ECv2", ""), good.clone()]),
            file(&[entry(key, "ECv2", r#","keyExpiration":"x""#)]),
            String::from("{}"),
        ] {
            assert_eq!(count(&wrong), None, "{wrong}");
        }
        let roots = SigningRoots::from_json(&file(&[good])).unwrap();
        assert_eq!(roots.valid(9).count(), 1);
        assert_eq!(roots.valid(10).count(), 0);
    }
}
