//! Keys and tokens in a file, for tests of other crates.
//!
//! With `PAYFRAME_WRITE_TOKENS` in the environment the file is written anew.

use crate::id_token::tests::{MODULUS, NOW_S, Provider, RSA_TOKEN, Tested, claims, expected};
use crate::logout_token::tests::logout_claims;
use crate::{KeySet, id_token, logout_token};
use serde_json::{Value, json};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/tokens.json");

#[test]
fn the_tokens_in_the_file_are_good() -> Tested {
    if std::env::var_os("PAYFRAME_WRITE_TOKENS").is_some() {
        write_the_file()?;
    }
    let file: Value = serde_json::from_str(&std::fs::read_to_string(FILE)?)?;
    let keys: KeySet = serde_json::from_value(file["keys"].clone())?;
    let ours = expected();
    for (part, expected) in [
        ("issuer", json!(ours.issuer)),
        ("clientId", json!(ours.client_id)),
        ("nonce", json!(ours.nonce)),
        ("nowS", json!(NOW_S)),
    ] {
        assert_eq!(file[part], expected);
    }
    for token in ["idToken", "rsaIdToken"] {
        let token = file[token].as_str().ok_or(token)?;
        assert_eq!(id_token::read(token, &keys, &ours)?.subject, "42");
    }
    let token = file["logoutToken"].as_str().ok_or("no log-out")?;
    let whose = (ours.issuer, ours.client_id);
    let logout = logout_token::read(token, &keys, whose, NOW_S)?;
    assert_eq!(logout.subject.as_deref(), Some("42"));
    Ok(())
}

fn write_the_file() -> Tested {
    let provider = Provider::new()?;
    let header = json!({ "alg": "ES256", "kid": "one" });
    let rsa = json!({ "kty": "RSA", "kid": "rsa", "use": "sig", "alg": "RS256", "n": MODULUS, "e": "AQAB" });
    let ours = expected();
    let file = json!({
        "nowS": NOW_S, "issuer": ours.issuer, "clientId": ours.client_id, "nonce": ours.nonce,
        "keys": { "keys": [provider.key(), rsa] },
        "idToken": provider.sign(&header, &claims())?,
        "rsaIdToken": RSA_TOKEN,
        "logoutToken": provider.sign(&header, &logout_claims(&json!({})))?,
    });
    std::fs::write(FILE, serde_json::to_string_pretty(&file)? + "\n")?;
    Ok(())
}
