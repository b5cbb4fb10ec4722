//! ID tokens: what a provider says of who has logged in (OpenID Connect Core 1.0, sections 2 and 3.1.3.7). No I/O and no clock.

use crate::TokenProblem;
use crate::signature::{KeySet, TokenType, payload};
use serde::Deserialize;
use serde_json::Value;

/// What a token has to say.
pub struct Expected<'a> {
    /// The provider's issuer identifier.
    pub issuer: &'a str,
    /// How the provider knows this gateway.
    pub client_id: &'a str,
    /// What the gateway sent with the question.
    pub nonce: &'a str,
    /// Seconds since 1970.
    pub now_s: i64,
    /// The person has to have logged in at this second or later. `None`: whenever it was.
    pub authenticated_after_s: Option<i64>,
}

/// Who has logged in.
#[derive(Debug, PartialEq, Eq)]
pub struct Identity {
    /// The person, as the provider names them.
    pub subject: String,
    /// Their e-mail address, if the provider has verified it. In lower case.
    pub email: Option<String>,
    /// When they logged in at the provider, if it says so.
    pub authenticated_s: Option<i64>,
    /// How they logged in (`amr`).
    pub methods: Vec<String>,
    /// How surely (`acr`).
    pub class: Option<String>,
    /// How the provider names this log-in (`sid`), if it does.
    pub session: Option<String>,
}

#[derive(Deserialize)]
struct Claims {
    iss: String,
    sub: String,
    aud: Audience,
    azp: Option<String>,
    exp: i64,
    iat: i64,
    nbf: Option<i64>,
    nonce: Option<String>,
    auth_time: Option<i64>,
    email: Option<String>,
    /// Some providers write it as a text.
    email_verified: Option<Value>,
    #[serde(default)]
    amr: Vec<String>,
    acr: Option<String>,
    sid: Option<String>,
}

/// Whom a token is for.
#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum Audience {
    One(String),
    Several(Vec<String>),
}

impl Audience {
    /// Whether it is for this client, perhaps among others.
    pub(crate) fn names(&self, client_id: &str) -> bool {
        match self {
            Audience::One(client) => client == client_id,
            Audience::Several(clients) => clients.iter().any(|client| client == client_id),
        }
    }
}

/// Checks a token that the provider itself handed over, and reads who has logged in.
///
/// # Errors
/// The first check that failed.
pub fn read(token: &str, keys: &KeySet, expected: &Expected<'_>) -> Result<Identity, TokenProblem> {
    let claims: Claims = payload(token, keys, TokenType::Id)?;
    if claims.iss != expected.issuer {
        return Err(TokenProblem::OtherIssuer);
    }
    let is_for_us = claims.aud.names(expected.client_id);
    let is_for_others = matches!(&claims.aud, Audience::Several(clients) if clients.len() > 1);
    let is_ours = match &claims.azp {
        Some(client) => client == expected.client_id,
        None => !is_for_others,
    };
    if !is_for_us || !is_ours {
        return Err(TokenProblem::OtherClient);
    }
    if claims.nonce.as_deref() != Some(expected.nonce) {
        return Err(TokenProblem::OtherNonce);
    }
    let now_s = expected.now_s;
    let is_valid = claims.exp > now_s - CLOCKS_DIFFER_S
        && claims
            .nbf
            .is_none_or(|from_s| from_s <= now_s + CLOCKS_DIFFER_S)
        && (now_s - OLDEST_S..=now_s + CLOCKS_DIFFER_S).contains(&claims.iat);
    if !is_valid {
        return Err(TokenProblem::WrongTime);
    }
    if let Some(after_s) = expected.authenticated_after_s {
        let was_s = claims.auth_time.ok_or(TokenProblem::NotFresh)?;
        if was_s < after_s - CLOCKS_DIFFER_S || was_s > now_s + CLOCKS_DIFFER_S {
            return Err(TokenProblem::NotFresh);
        }
    }
    if claims.sub.is_empty() || claims.sub.len() > LONGEST_SUBJECT {
        return Err(TokenProblem::Nobody);
    }
    let is_verified = match claims.email_verified {
        Some(Value::Bool(is_verified)) => is_verified,
        Some(Value::String(text)) => text == "true",
        _ => false,
    };
    Ok(Identity {
        subject: claims.sub,
        email: claims
            .email
            .filter(|_| is_verified)
            .map(|email| email.trim().to_lowercase()),
        authenticated_s: claims.auth_time,
        methods: claims.amr,
        class: claims.acr,
        session: claims.sid,
    })
}

/// How far the clocks of provider and gateway may differ.
pub(crate) const CLOCKS_DIFFER_S: i64 = 60;
/// A token is not older than the question that it answers can be.
pub(crate) const OLDEST_S: i64 = 11 * 60;
/// OpenID Connect Core 1.0, section 2.
pub(crate) const LONGEST_SUBJECT: usize = 255;

#[cfg(test)]
pub(crate) mod tests;
