//! Signatures of tokens (RFC 7515) by the keys that a provider publishes (RFC 7517). `ring` verifies them.
//!
//! A key decides which algorithm its signatures have, not the token: RS256 for RSA and ES256 for the curve P-256. So neither `none` nor a
//! signature made with a published key as a secret (HS256) can pass.
//!
//! Library considered: jsonwebtoken. Its releases before 10.3 let claims of a wrong type pass (CVE-2026-25537); those after bring in the
//! crate `rsa`, or a library in C.

use crate::TokenProblem;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents, UnparsedPublicKey,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// The keys of a provider. Those that this gateway cannot use are ignored.
#[derive(Debug, Deserialize)]
pub struct KeySet {
    keys: Vec<serde_json::Value>,
}

#[derive(Deserialize)]
struct Header {
    alg: String,
    kid: Option<String>,
    typ: Option<String>,
    /// Extensions that a reader has to know. None is known here.
    crit: Option<serde_json::Value>,
}

#[derive(Deserialize)]
struct Key {
    kid: Option<String>,
    #[serde(rename = "use")]
    purpose: Option<String>,
    alg: Option<String>,
    #[serde(flatten)]
    numbers: Numbers,
}

/// The public numbers of a key, in base64url.
#[derive(Deserialize)]
#[serde(tag = "kty")]
enum Numbers {
    #[serde(rename = "RSA")]
    Rsa { n: String, e: String },
    #[serde(rename = "EC")]
    Ec { crv: String, x: String, y: String },
}

impl Key {
    /// The algorithm of its signatures. `None`: it does not sign, or not in a way that is known here.
    fn algorithm(&self) -> Option<&'static str> {
        let algorithm = match &self.numbers {
            Numbers::Rsa { .. } => "RS256",
            Numbers::Ec { crv, .. } if crv == "P-256" => "ES256",
            Numbers::Ec { .. } => return None,
        };
        let is_for_signatures = self
            .purpose
            .as_deref()
            .is_none_or(|purpose| purpose == "sig");
        let is_for_it = self.alg.as_deref().is_none_or(|named| named == algorithm);
        (is_for_signatures && is_for_it).then_some(algorithm)
    }

    fn verify(&self, signed: &[u8], signature: &[u8]) -> Option<()> {
        let decode = |number: &String| URL_SAFE_NO_PAD.decode(number).ok();
        match &self.numbers {
            Numbers::Rsa { n, e } => RsaPublicKeyComponents {
                n: decode(n)?,
                e: decode(e)?,
            }
            .verify(&RSA_PKCS1_2048_8192_SHA256, signed, signature)
            .ok(),
            Numbers::Ec { x, y, .. } => {
                let mut point = vec![UNCOMPRESSED];
                point.extend(decode(x)?);
                point.extend(decode(y)?);
                UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point)
                    .verify(signed, signature)
                    .ok()
            }
        }
    }
}

/// What a token is for. Few providers say it in the header (`typ`), so a token that does not say it passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenType {
    Id,
    Logout,
}

impl TokenType {
    fn is(self, named: Option<&str>) -> bool {
        let named = named.unwrap_or("JWT").to_ascii_lowercase();
        let named = named.strip_prefix("application/").unwrap_or(&named);
        match self {
            TokenType::Id => named != LOGOUT_TYPE,
            TokenType::Logout => named == LOGOUT_TYPE || named == "jwt",
        }
    }
}

/// What a token says, if one of the keys has signed it.
pub(crate) fn payload<T: DeserializeOwned>(
    token: &str,
    keys: &KeySet,
    token_type: TokenType,
) -> Result<T, TokenProblem> {
    let (signed, signature) = token.rsplit_once('.').ok_or(TokenProblem::NoToken)?;
    let (header, payload) = signed.split_once('.').ok_or(TokenProblem::NoToken)?;
    let decode = |part: &str| {
        URL_SAFE_NO_PAD
            .decode(part)
            .map_err(|_| TokenProblem::NoToken)
    };
    let header: Header =
        serde_json::from_slice(&decode(header)?).map_err(|_| TokenProblem::NoToken)?;
    if header.crit.is_some() || !token_type.is(header.typ.as_deref()) {
        return Err(TokenProblem::NoToken);
    }
    let signature = decode(signature)?;
    let usable = keys
        .keys
        .iter()
        .filter_map(|key| Key::deserialize(key).ok())
        .filter(|key| key.algorithm() == Some(header.alg.as_str()))
        .filter(|key| header.kid.is_none() || key.kid == header.kid);
    let usable: Vec<Key> = usable.collect();
    // Without a name of the key there has to be just one.
    let [key] = usable.as_slice() else {
        return Err(TokenProblem::UnknownKey);
    };
    key.verify(signed.as_bytes(), &signature)
        .ok_or(TokenProblem::WrongSignature)?;
    serde_json::from_slice(&decode(payload)?).map_err(|_| TokenProblem::NoToken)
}

/// OpenID Connect Back-Channel Logout 1.0, section 2.4.
const LOGOUT_TYPE: &str = "logout+jwt";
/// How a point of a curve begins that has both coordinates (SEC 1, section 2.3.3).
const UNCOMPRESSED: u8 = 0x04;
