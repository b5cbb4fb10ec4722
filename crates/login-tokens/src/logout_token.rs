//! Logout tokens: what a provider says is over (OpenID Connect Back-Channel Logout 1.0, sections 2.4 and 2.6). No I/O and no clock.
//!
//! Whether a token was taken before is not known here.

use crate::TokenProblem;
use crate::id_token::{Audience, CLOCKS_DIFFER_S, LONGEST_SUBJECT, OLDEST_S};
use crate::signature::{KeySet, TokenType, payload};
use serde::Deserialize;
use serde_json::{Map, Value};

/// What is over.
#[derive(Debug, PartialEq, Eq)]
pub struct Logout {
    /// The token's id, which comes once.
    pub id: String,
    /// From this second on the token is too old, whatever it says.
    pub until_s: i64,
    /// The person, as the provider names them.
    pub subject: Option<String>,
    /// The log-in there. `None`: all of the person.
    pub session: Option<String>,
}

#[derive(Deserialize)]
struct Claims {
    iss: String,
    aud: Audience,
    iat: i64,
    exp: i64,
    jti: String,
    events: Map<String, Value>,
    sub: Option<String>,
    sid: Option<String>,
}

/// Checks a token for a client of an issuer, and reads what is over.
///
/// # Errors
/// The first check that failed.
pub fn read(
    token: &str,
    keys: &KeySet,
    (issuer, client_id): (&str, &str),
    now_s: i64,
) -> Result<Logout, TokenProblem> {
    let all: Map<String, Value> = payload(token, keys, TokenType::Logout)?;
    // An ID token has one: it cannot be used to log somebody out.
    if all.contains_key("nonce") {
        return Err(TokenProblem::NoLogout);
    }
    let claims = Claims::deserialize(Value::Object(all)).map_err(|_| TokenProblem::NoToken)?;
    if claims.iss != issuer {
        return Err(TokenProblem::OtherIssuer);
    }
    if !claims.aud.names(client_id) {
        return Err(TokenProblem::OtherClient);
    }
    let until_s = claims.exp.min(claims.iat.saturating_add(OLDEST_S));
    let until_s = until_s.saturating_add(CLOCKS_DIFFER_S);
    if until_s <= now_s || claims.iat > now_s + CLOCKS_DIFFER_S {
        return Err(TokenProblem::WrongTime);
    }
    if !claims.events.get(EVENT).is_some_and(Value::is_object) || claims.jti.is_empty() {
        return Err(TokenProblem::NoLogout);
    }
    let is_name = |name: &String| !name.is_empty() && name.len() <= LONGEST_SUBJECT;
    let are_names = claims.sub.iter().chain(&claims.sid).all(is_name);
    if !are_names || (claims.sub.is_none() && claims.sid.is_none()) {
        return Err(TokenProblem::Nobody);
    }
    Ok(Logout {
        id: claims.jti,
        until_s,
        subject: claims.sub,
        session: claims.sid,
    })
}

/// What happened, as the standard names it.
const EVENT: &str = "http://schemas.openid.net/event/backchannel-logout";

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::id_token::tests::{Provider, Tested, changed, keys};
    use serde_json::json;

    const NOW_S: i64 = 1_800_000_060;
    const OURS: (&str, &str) = ("https://login.example", "payframe");

    /// A good token's claims with other members; `null` takes one out.
    pub(crate) fn logout_claims(changes: &Value) -> Value {
        let claims = json!({
            "iss": OURS.0, "aud": OURS.1, "iat": NOW_S, "exp": NOW_S + 120, "jti": "once", "events": { EVENT: {} },
            "sub": "42", "sid": "s",
        });
        changed(claims, changes)
    }

    #[test]
    fn a_token_says_what_is_over() -> Tested {
        let provider = Provider::new()?;
        let keys = keys(&[provider.key()])?;
        let header = json!({ "alg": "ES256", "kid": "one", "typ": "logout+jwt" });
        let read = |changes: &Value| -> Result<Logout, Box<dyn std::error::Error>> {
            let token = provider.sign(&header, &logout_claims(changes))?;
            Ok(read(&token, &keys, OURS, NOW_S)
                .map_err(|problem| format!("{changes}: {problem}"))?)
        };
        assert_eq!(
            read(&json!({}))?,
            Logout {
                id: String::from("once"),
                until_s: NOW_S + 180,
                subject: Some(String::from("42")),
                session: Some(String::from("s")),
            }
        );
        assert_eq!(read(&json!({ "sub": null }))?.subject, None);
        assert_eq!(read(&json!({ "sid": null }))?.session, None);
        // It is not kept for longer than it can be new.
        let long = read(&json!({ "exp": i64::MAX }))?.until_s;
        assert_eq!(long, NOW_S + OLDEST_S + CLOCKS_DIFFER_S);
        for changes in [
            json!({ "aud": ["other", OURS.1] }),
            json!({ "iat": NOW_S + 60 }),
            json!({ "exp": NOW_S - 59 }),
            json!({ "events": { EVENT: { "more": 1 }, "other": {} } }),
        ] {
            read(&changes)?;
        }
        Ok(())
    }

    #[test]
    fn what_a_logout_token_must_not_say_is_refused() -> Tested {
        let provider = Provider::new()?;
        let keys = keys(&[provider.key()])?;
        for (changes, problem) in [
            (
                json!({ "iss": "https://evil.example" }),
                TokenProblem::OtherIssuer,
            ),
            (json!({ "aud": "other" }), TokenProblem::OtherClient),
            (json!({ "aud": [] }), TokenProblem::OtherClient),
            (json!({ "exp": NOW_S - 60 }), TokenProblem::WrongTime),
            (json!({ "iat": NOW_S + 61 }), TokenProblem::WrongTime),
            (
                json!({ "iat": NOW_S - 720, "exp": NOW_S + 120 }),
                TokenProblem::WrongTime,
            ),
            (json!({ "iat": i64::MIN }), TokenProblem::WrongTime),
            (json!({ "events": {} }), TokenProblem::NoLogout),
            (json!({ "events": { "other": {} } }), TokenProblem::NoLogout),
            (json!({ "events": { EVENT: true } }), TokenProblem::NoLogout),
            (json!({ "events": [EVENT] }), TokenProblem::NoToken),
            (json!({ "events": null }), TokenProblem::NoToken),
            (json!({ "nonce": "n" }), TokenProblem::NoLogout),
            (json!({ "jti": "" }), TokenProblem::NoLogout),
            (json!({ "jti": null }), TokenProblem::NoToken),
            (json!({ "exp": null }), TokenProblem::NoToken),
            (json!({ "iat": "1800000060" }), TokenProblem::NoToken),
            (json!({ "sub": null, "sid": null }), TokenProblem::Nobody),
            (json!({ "sub": "" }), TokenProblem::Nobody),
            (json!({ "sid": "s".repeat(256) }), TokenProblem::Nobody),
        ] {
            let token = provider.sign(
                &json!({ "alg": "ES256", "kid": "one" }),
                &logout_claims(&changes),
            )?;
            assert_eq!(read(&token, &keys, OURS, NOW_S), Err(problem), "{changes}");
        }
        Ok(())
    }

    #[test]
    fn a_token_of_another_type_or_another_key_is_refused() -> Tested {
        let (provider, other) = (Provider::new()?, Provider::new()?);
        let keys = keys(&[provider.key()])?;
        for (kind, problem) in [
            (json!("JWT"), None),
            (json!("application/logout+jwt"), None),
            (json!("at+jwt"), Some(TokenProblem::NoToken)),
            (json!("secevent+jwt"), Some(TokenProblem::NoToken)),
        ] {
            let header = json!({ "alg": "ES256", "kid": "one", "typ": kind });
            let token = provider.sign(&header, &logout_claims(&json!({})))?;
            assert_eq!(read(&token, &keys, OURS, NOW_S).err(), problem, "{kind}");
        }
        let token = other.sign(
            &json!({ "alg": "ES256", "kid": "one" }),
            &logout_claims(&json!({})),
        )?;
        let problem = read(&token, &keys, OURS, NOW_S).err();
        assert_eq!(problem, Some(TokenProblem::WrongSignature));
        Ok(())
    }
}
