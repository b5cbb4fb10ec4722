//! Tokens as providers make them, and as they must not be.

use super::*;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::json;

pub(crate) type Tested = Result<(), Box<dyn std::error::Error>>;

pub(crate) const NOW_S: i64 = 1_800_000_060;

pub(crate) fn expected() -> Expected<'static> {
    Expected {
        issuer: "https://login.example",
        client_id: "payframe",
        nonce: "n",
        now_s: NOW_S,
        authenticated_after_s: None,
    }
}

/// A provider with one key of the curve P-256.
pub(crate) struct Provider {
    key: EcdsaKeyPair,
    random: SystemRandom,
}

impl Provider {
    pub(crate) fn new() -> Result<Provider, Box<dyn std::error::Error>> {
        let random = SystemRandom::new();
        let made = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random)
            .map_err(|_| "no key")?;
        let key =
            EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, made.as_ref(), &random)
                .map_err(|_| "no key")?;
        Ok(Provider { key, random })
    }

    /// Its public key, named `one`.
    pub(crate) fn key(&self) -> Value {
        let point = self.key.public_key().as_ref();
        json!({
            "kty": "EC", "crv": "P-256", "kid": "one",
            "x": URL_SAFE_NO_PAD.encode(&point[1..33]), "y": URL_SAFE_NO_PAD.encode(&point[33..]),
        })
    }

    pub(crate) fn sign(
        &self,
        header: &Value,
        claims: &Value,
    ) -> Result<String, Box<dyn std::error::Error>> {
        let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let signed = format!("{}.{}", part(header), part(claims));
        let signature = self
            .key
            .sign(&self.random, signed.as_bytes())
            .map_err(|_| "not signed")?;
        Ok(format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature)))
    }
}

pub(crate) fn keys(keys: &[Value]) -> Result<KeySet, serde_json::Error> {
    serde_json::from_value(json!({ "keys": keys }))
}

pub(crate) fn claims() -> Value {
    json!({
        "iss": "https://login.example", "sub": "42", "aud": "payframe", "nonce": "n",
        "exp": NOW_S + 300, "iat": NOW_S, "email": "Anna@Shop.Example", "email_verified": true,
        "auth_time": NOW_S - 10, "amr": ["pwd", "mfa"], "acr": "gold", "sid": "s",
    })
}

/// The same claims with other members; `null` takes one out.
fn with(changes: &Value) -> Value {
    changed(claims(), changes)
}

/// Claims with other members; `null` takes one out.
pub(crate) fn changed(mut claims: Value, changes: &Value) -> Value {
    if let (Some(claims), Some(changes)) = (claims.as_object_mut(), changes.as_object()) {
        for (name, value) in changes {
            match value {
                Value::Null => claims.remove(name),
                value => claims.insert(name.clone(), value.clone()),
            };
        }
    }
    claims
}

#[test]
fn a_token_says_who_has_logged_in() -> Tested {
    let provider = Provider::new()?;
    let keys = keys(&[provider.key()])?;
    let token = provider.sign(&json!({ "alg": "ES256", "kid": "one" }), &claims())?;
    let identity = read(&token, &keys, &expected())?;
    assert_eq!(
        identity,
        Identity {
            subject: String::from("42"),
            email: Some(String::from("anna@shop.example")),
            authenticated_s: Some(NOW_S - 10),
            methods: vec![String::from("pwd"), String::from("mfa")],
            class: Some(String::from("gold")),
            session: Some(String::from("s")),
        }
    );
    for (changes, email) in [
        (json!({ "email_verified": false }), None),
        (json!({ "email_verified": null }), None),
        (json!({ "email_verified": "false" }), None),
        (json!({ "email_verified": 1 }), None),
        (json!({ "email": null }), None),
        (
            json!({ "email_verified": "true" }),
            Some("anna@shop.example"),
        ),
        (json!({ "aud": ["payframe"] }), Some("anna@shop.example")),
        (
            json!({ "aud": ["payframe", "other"], "azp": "payframe" }),
            Some("anna@shop.example"),
        ),
        (
            json!({ "exp": NOW_S - 59, "nbf": NOW_S + 60, "iat": NOW_S + 60 }),
            Some("anna@shop.example"),
        ),
    ] {
        let token = provider.sign(&json!({ "alg": "ES256" }), &with(&changes))?;
        let identity =
            read(&token, &keys, &expected()).map_err(|problem| format!("{changes}: {problem}"))?;
        assert_eq!(identity.email.as_deref(), email, "{changes}");
    }
    Ok(())
}

#[test]
fn what_a_token_must_not_say_is_refused() -> Tested {
    let provider = Provider::new()?;
    let keys = keys(&[provider.key()])?;
    for (changes, problem) in [
        (
            json!({ "iss": "https://login.example/" }),
            TokenProblem::OtherIssuer,
        ),
        (
            json!({ "iss": "https://evil.example" }),
            TokenProblem::OtherIssuer,
        ),
        (json!({ "aud": "other" }), TokenProblem::OtherClient),
        (json!({ "aud": ["other"] }), TokenProblem::OtherClient),
        (
            json!({ "aud": ["payframe", "other"] }),
            TokenProblem::OtherClient,
        ),
        (
            json!({ "aud": ["payframe", "other"], "azp": "other" }),
            TokenProblem::OtherClient,
        ),
        (json!({ "azp": "other" }), TokenProblem::OtherClient),
        (json!({ "nonce": "m" }), TokenProblem::OtherNonce),
        (json!({ "nonce": null }), TokenProblem::OtherNonce),
        (json!({ "exp": NOW_S - 60 }), TokenProblem::WrongTime),
        (json!({ "nbf": NOW_S + 61 }), TokenProblem::WrongTime),
        (json!({ "iat": NOW_S + 61 }), TokenProblem::WrongTime),
        (json!({ "iat": NOW_S - 661 }), TokenProblem::WrongTime),
        (json!({ "sub": "" }), TokenProblem::Nobody),
        (json!({ "sub": "4".repeat(256) }), TokenProblem::Nobody),
        // Claims of a wrong type are not as if they were missing.
        (json!({ "exp": "2100000000" }), TokenProblem::NoToken),
        (json!({ "nbf": "0" }), TokenProblem::NoToken),
        (json!({ "exp": null }), TokenProblem::NoToken),
        (json!({ "iat": null }), TokenProblem::NoToken),
        (json!({ "aud": 7 }), TokenProblem::NoToken),
    ] {
        let token = provider.sign(&json!({ "alg": "ES256", "kid": "one" }), &with(&changes))?;
        assert_eq!(read(&token, &keys, &expected()), Err(problem), "{changes}");
    }
    Ok(())
}

#[test]
fn a_provider_that_has_to_ask_again_says_when_it_did() -> Tested {
    let provider = Provider::new()?;
    let keys = keys(&[provider.key()])?;
    let expected = Expected {
        authenticated_after_s: Some(NOW_S),
        ..expected()
    };
    for (changes, is_fresh) in [
        (json!({ "auth_time": NOW_S - 60 }), true),
        (json!({ "auth_time": NOW_S - 61 }), false),
        (json!({ "auth_time": NOW_S + 61 }), false),
        (json!({ "auth_time": null }), false),
    ] {
        let token = provider.sign(&json!({ "alg": "ES256" }), &with(&changes))?;
        let problem = read(&token, &keys, &expected).err();
        assert_eq!(
            problem,
            (!is_fresh).then_some(TokenProblem::NotFresh),
            "{changes}"
        );
    }
    Ok(())
}

#[test]
fn a_published_key_decides_how_tokens_are_signed() -> Tested {
    let (provider, other) = (Provider::new()?, Provider::new()?);
    let key = provider.key();
    let changed = |name: &str, value: Value| {
        let mut key = key.clone();
        key[name] = value;
        key
    };
    let es256 = json!({ "alg": "ES256", "kid": "one" });
    let good = provider.sign(&es256, &claims())?;
    let (signed, signature) = good.rsplit_once('.').ok_or("no token")?;
    let none = |alg: &str| {
        let header = URL_SAFE_NO_PAD.encode(json!({ "alg": alg }).to_string());
        let claims = URL_SAFE_NO_PAD.encode(claims().to_string());
        format!("{header}.{claims}.")
    };
    // The published key as a secret that both know.
    let confused = |alg: &str| -> Signed {
        let header = URL_SAFE_NO_PAD.encode(json!({ "alg": alg, "kid": "one" }).to_string());
        let signed = format!("{header}.{}", URL_SAFE_NO_PAD.encode(claims().to_string()));
        let secret = URL_SAFE_NO_PAD.decode(key["x"].as_str().unwrap_or_default())?;
        let secret = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, &secret);
        let tag = ring::hmac::sign(&secret, signed.as_bytes());
        Ok(format!("{signed}.{}", URL_SAFE_NO_PAD.encode(tag)))
    };
    let two = [key.clone(), changed("kid", json!("two"))];
    let one = [key.clone()];
    for (name, token, known, problem) in [
        ("good", good.clone(), &one[..], None),
        ("another key beside it", good.clone(), &two, None),
        (
            "a key that nobody knows beside it",
            good.clone(),
            &[json!({ "kty": "future" }), key.clone()],
            None,
        ),
        ("none", none("none"), &one, Some(TokenProblem::UnknownKey)),
        (
            "no signature",
            none("ES256"),
            &one,
            Some(TokenProblem::WrongSignature),
        ),
        (
            "a shared secret",
            confused("HS256")?,
            &one,
            Some(TokenProblem::UnknownKey),
        ),
        (
            "a shared secret under another name",
            confused("ES256")?,
            &one,
            Some(TokenProblem::WrongSignature),
        ),
        (
            "RS256 with a key of a curve",
            provider.sign(&json!({ "alg": "RS256", "kid": "one" }), &claims())?,
            &one,
            Some(TokenProblem::UnknownKey),
        ),
        (
            "another provider",
            other.sign(&es256, &claims())?,
            &one,
            Some(TokenProblem::WrongSignature),
        ),
        (
            "an unknown key",
            provider.sign(&json!({ "alg": "ES256", "kid": "three" }), &claims())?,
            &one,
            Some(TokenProblem::UnknownKey),
        ),
        (
            "which of two",
            provider.sign(&json!({ "alg": "ES256" }), &claims())?,
            &two,
            Some(TokenProblem::UnknownKey),
        ),
        ("no keys", good.clone(), &[], Some(TokenProblem::UnknownKey)),
        (
            "a key to encrypt with",
            good.clone(),
            &[changed("use", json!("enc"))],
            Some(TokenProblem::UnknownKey),
        ),
        (
            "a key of another curve",
            good.clone(),
            &[changed("crv", json!("P-384"))],
            Some(TokenProblem::UnknownKey),
        ),
        (
            "extensions",
            provider.sign(
                &json!({ "alg": "ES256", "kid": "one", "crit": ["b64"] }),
                &claims(),
            )?,
            &one,
            Some(TokenProblem::NoToken),
        ),
        (
            "a log-out",
            provider.sign(
                &json!({ "alg": "ES256", "kid": "one", "typ": "logout+jwt" }),
                &claims(),
            )?,
            &one,
            Some(TokenProblem::NoToken),
        ),
        (
            "other claims",
            format!("{}x.{signature}", signed),
            &one,
            Some(TokenProblem::WrongSignature),
        ),
        (
            "two parts",
            String::from(signed),
            &one,
            Some(TokenProblem::NoToken),
        ),
        ("nothing", String::new(), &one, Some(TokenProblem::NoToken)),
    ] {
        assert_eq!(
            read(&token, &keys(known)?, &expected()).err(),
            problem,
            "{name}"
        );
    }
    Ok(())
}

type Signed = Result<String, Box<dyn std::error::Error>>;

#[test]
fn rsa_is_verified_too() -> Tested {
    let key = json!({ "kty": "RSA", "kid": "rsa", "use": "sig", "alg": "RS256", "n": MODULUS, "e": "AQAB" });
    let keys = keys(&[key])?;
    assert_eq!(read(RSA_TOKEN, &keys, &expected())?.subject, "42");
    let (signed, _) = RSA_TOKEN.rsplit_once('.').ok_or("no token")?;
    let forged = format!("{signed}.{}", URL_SAFE_NO_PAD.encode([7; 256]));
    let problem = read(&forged, &keys, &expected()).err();
    assert_eq!(problem, Some(TokenProblem::WrongSignature));
    Ok(())
}

/// Of a key that was made for this test. Nobody has the private one.
pub(crate) const MODULUS: &str = "z6glddaMPJICA4_NzLhvNKuGYfjHju0w3cLs-xgbnydlcN_Ostoy2MnQmtzHmuMI8DEB3b-UgaJz1_nk3LmJffsG_UgYlnXYkyoRJVkGBlsnmJ\
    KvC8-l48kvFzUvr3CJ2x7JwwpO3dAGJwNht7Rf-f4TQHfhMzUDaB5iBHdGaP7sM2St9nhaVqOa38ca67uhfpPmuPWBdHqpKnsqdmkONiK3qiPK\
    9ahAayF1rgY9yU8KM8c9MuHxDkVOfhgKlC-wYfm614xgdMCK9jEHPB0tIR03bxMQeaYN_Rwx5poZw2DbgtqHf5SuPT98dEfw71zJDZIEQn-lhA\
    6FbmhUh2-yjQ";
pub(crate) const RSA_TOKEN: &str = "eyJhbGciOiJSUzI1NiIsImtpZCI6InJzYSJ9.eyJpc3MiOiJodHRwczovL2xvZ2luLmV4YW1wbGUiLCJzdWIiOiI0MiIsImF1ZCI6InBheWZyY\
    W1lIiwiZXhwIjoxODAwMDAwMzAwLCJpYXQiOjE4MDAwMDAwMDAsIm5vbmNlIjoibiJ9.J56ULj8LrOrPplCkU78e3j9f0RCPns0DBc8-gxgl4s\
    WsyOORP4x3VgcMWQRSvpzenVGkmZsSHF3cGyT_rIp1wna7778G4Y_0ELWPB-GYe_nt9nFJm8yUd2Ew2tPl7_X5WAnI1QibOzDDovu3xW1X_1f6\
    3f3YXFYsjjNIjUxvFeqQ_XDHY8q6WGMnk-4epXqTbpOsZmWUex8KLUP-J8mDvKb-kCDJC0II0R1C96DNoVVrnj632tBUGGR2o5kCYKk2n_J5p5\
    S5DqkLVwzBrwBqB1Pi1BeqDk5ez6Ix02ph0E2a-fBr_P12cXSvjiR98sinOXCtW0BcXM0FDbWVvSbxrA";
