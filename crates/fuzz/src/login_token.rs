//! Tokens and keys of log-in providers. Nothing is read but what the provider has signed.

use payframe_login_tokens::id_token::{self, Expected, Identity};
use payframe_login_tokens::logout_token::{self, Logout};
use payframe_login_tokens::{KeySet, TokenProblem};
use serde_json::Value;
use std::sync::LazyLock;

/// A provider's keys, and tokens that it has signed.
struct Vector {
    now_s: i64,
    issuer: String,
    client_id: String,
    nonce: String,
    keys_text: String,
    keys: KeySet,
    tokens: Vec<String>,
    /// What the tokens say.
    identities: Vec<Identity>,
    logouts: Vec<Logout>,
}

static VECTOR: LazyLock<Vector> = LazyLock::new(|| match vector() {
    Some(vector) => vector,
    None => panic!("the fixture of crates/login-tokens has no tokens and keys"),
});

fn vector() -> Option<Vector> {
    let file = include_str!("../../login-tokens/fixtures/tokens.json");
    let file: Value = serde_json::from_str(file).ok()?;
    let text = |part: &str| Some(file.get(part)?.as_str()?.to_owned());
    let keys_text = file.get("keys")?.to_string();
    let mut vector = Vector {
        now_s: file["nowS"].as_i64()?,
        issuer: text("issuer")?,
        client_id: text("clientId")?,
        nonce: text("nonce")?,
        keys: serde_json::from_str(&keys_text).ok()?,
        keys_text,
        tokens: vec![text("idToken")?, text("rsaIdToken")?, text("logoutToken")?],
        identities: Vec::new(),
        logouts: Vec::new(),
    };
    let [first, second, logout] = vector.tokens.as_slice() else {
        return None;
    };
    let identities = [first, second].map(|token| vector.identity(token, &vector.keys).ok());
    let logout = vector.logout(logout, &vector.keys).ok()?;
    vector.identities = identities.into_iter().collect::<Option<_>>()?;
    vector.logouts = vec![logout];
    Some(vector)
}

impl Vector {
    fn identity(&self, token: &str, keys: &KeySet) -> Result<Identity, TokenProblem> {
        let expected = Expected {
            issuer: &self.issuer,
            client_id: &self.client_id,
            nonce: &self.nonce,
            now_s: self.now_s,
            authenticated_after_s: None,
        };
        id_token::read(token, keys, &expected)
    }

    fn logout(&self, token: &str, keys: &KeySet) -> Result<Logout, TokenProblem> {
        let ours = (self.issuer.as_str(), self.client_id.as_str());
        logout_token::read(token, keys, ours, self.now_s)
    }

    /// A token says what one of the provider's says, or is refused. No token is of both kinds.
    fn check(&self, token: &str, keys: &KeySet) {
        if let Ok(identity) = self.identity(token, keys) {
            assert!(self.identities.contains(&identity), "another person");
            assert!(self.logout(token, keys).is_err(), "a log-out, too");
        }
        if let Ok(logout) = self.logout(token, keys) {
            assert!(self.logouts.contains(&logout), "another log-out");
        }
    }
}

/// A token that anybody may send, for the keys of the provider.
pub(crate) fn check_token(bytes: &[u8]) {
    if let Ok(token) = std::str::from_utf8(bytes) {
        VECTOR.check(token, &VECTOR.keys);
    }
}

pub(crate) fn tokens() -> Vec<Vec<u8>> {
    let tokens = VECTOR.tokens.iter();
    tokens.map(|token| token.clone().into_bytes()).collect()
}

/// The document in which a provider publishes its keys, for tokens of the provider.
pub(crate) fn check_keys(bytes: &[u8]) {
    if let Ok(keys) = serde_json::from_slice(bytes) {
        for token in &VECTOR.tokens {
            VECTOR.check(token, &keys);
        }
    }
}

pub(crate) fn keys() -> Vec<Vec<u8>> {
    let others = r#"{"keys":[{"kty":"OKP","crv":"Ed25519","x":"AA"},{"kty":"EC","crv":"P-384","x":"AA","y":"AA"},{"kty":"RSA","kid":"rsa","use":"enc","n":"AQAB","e":"AQAB"},1]}"#;
    vec![
        VECTOR.keys_text.clone().into_bytes(),
        others.as_bytes().to_vec(),
    ]
}
