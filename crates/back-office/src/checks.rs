//! What holds for every answer of a device with a passkey, and for every document of a log-in provider, as assertions: for `crates/fuzz`.

use crate::passkeys::RelyingParty;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::sync::LazyLock;
use uuid::Uuid;
use webauthn_rs::prelude::{Passkey, PasskeyAuthentication, PasskeyRegistration};

/// A discovery document of a log-in provider. Panics if it is taken and leads browsers elsewhere than it may.
#[track_caller]
pub fn assert_discovery(bytes: &[u8]) {
    crate::login_providers::checks::assert_discovery(bytes);
}

/// An answer of a device: what its browser says, with the word `CHALLENGE` in place of the challenge; a line break; and what the device says,
/// as CBOR or as authenticator data. Panics if a passkey is accepted that is not read again as it was written, or a log-in without a signature.
#[track_caller]
pub fn assert_passkeys(bytes: &[u8]) {
    let place = bytes.iter().position(|byte| *byte == b'\n');
    let (browser, device) = bytes.split_at(place.unwrap_or(bytes.len()));
    let device = device.get(1..).unwrap_or_default();
    let browser = String::from_utf8_lossy(browser);
    let question = &*QUESTION;
    let said = browser.replace(CHALLENGE, &question.challenge_to_add);
    if let Some(passkey) = question.added(said.as_bytes(), device) {
        let again = serde_json::to_string(&passkey)
            .ok()
            .and_then(|text| serde_json::from_str::<Passkey>(&text).ok());
        assert_eq!(again.as_ref(), Some(&passkey));
    }
    let said = browser.replace(CHALLENGE, &question.challenge_to_use);
    // Nobody has the key of this passkey, so nothing is its signature.
    for signature in [device, browser.as_bytes()] {
        assert!(!question.is_used(said.as_bytes(), device, signature));
    }
    // The whole body, of a browser that was not asked.
    let RelyingParty(webauthn) = &question.party;
    if let Some(answer) = read(bytes) {
        let added = webauthn.finish_passkey_registration(&answer, &question.to_add);
        assert!(added.is_err());
    }
    if let Some(answer) = read(bytes) {
        let used = webauthn.finish_passkey_authentication(&answer, &question.to_use);
        assert!(used.is_err());
    }
}

/// Answers that [`assert_passkeys`] reads.
pub fn passkeys() -> Vec<Vec<u8>> {
    let whole = |kind: &str, device: &[u8]| {
        let mut bytes = client_data(kind, CHALLENGE).into_bytes();
        bytes.push(b'\n');
        bytes.extend_from_slice(device);
        bytes
    };
    let body = new_answer(
        client_data("webauthn.create", "AAAA").as_bytes(),
        ATTESTATION,
    );
    let used = used_answer(
        client_data("webauthn.get", "AAAA").as_bytes(),
        AUTHENTICATOR,
        b"0",
    );
    vec![
        whole("webauthn.create", ATTESTATION),
        whole("webauthn.get", AUTHENTICATOR),
        body.to_string().into_bytes(),
        used.to_string().into_bytes(),
    ]
}

/// Two questions to a browser: for a new passkey, and for the use of one.
struct Question {
    party: RelyingParty,
    challenge_to_add: String,
    to_add: PasskeyRegistration,
    challenge_to_use: String,
    to_use: PasskeyAuthentication,
}

static QUESTION: LazyLock<Question> = LazyLock::new(|| match Question::new() {
    Some(question) => question,
    None => panic!("the sample is no passkey"),
});

impl Question {
    fn new() -> Option<Question> {
        let party = RelyingParty::of(ORIGIN)?;
        let RelyingParty(webauthn) = &party;
        let challenge = |question: Value| {
            let challenge = question.pointer("/publicKey/challenge")?;
            Some(challenge.as_str()?.to_owned())
        };
        let started = webauthn.start_passkey_registration(Uuid::nil(), "name", "name", None);
        let (question, to_add) = started.ok()?;
        let challenge_to_add = challenge(serde_json::to_value(question).ok()?)?;
        let said = client_data("webauthn.create", &challenge_to_add);
        let answer = read(
            new_answer(said.as_bytes(), ATTESTATION)
                .to_string()
                .as_bytes(),
        )?;
        let passkey = webauthn
            .finish_passkey_registration(&answer, &to_add)
            .ok()?;
        let (question, to_use) = webauthn.start_passkey_authentication(&[passkey]).ok()?;
        let challenge_to_use = challenge(serde_json::to_value(question).ok()?)?;
        Some(Question {
            party,
            challenge_to_add,
            to_add,
            challenge_to_use,
            to_use,
        })
    }

    fn added(&self, browser: &[u8], device: &[u8]) -> Option<Passkey> {
        let RelyingParty(webauthn) = &self.party;
        let answer = read(new_answer(browser, device).to_string().as_bytes())?;
        let added = webauthn.finish_passkey_registration(&answer, &self.to_add);
        added.ok()
    }

    fn is_used(&self, browser: &[u8], device: &[u8], signature: &[u8]) -> bool {
        let RelyingParty(webauthn) = &self.party;
        let answer = used_answer(browser, device, signature).to_string();
        let Some(answer) = read(answer.as_bytes()) else {
            return false;
        };
        let used = webauthn.finish_passkey_authentication(&answer, &self.to_use);
        used.is_ok()
    }
}

fn read<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    serde_json::from_slice(bytes).ok()
}

fn client_data(kind: &str, challenge: &str) -> String {
    format!(
        r#"{{"type":"{kind}","challenge":"{challenge}","origin":"{ORIGIN}","crossOrigin":false}}"#
    )
}

fn new_answer(browser: &[u8], device: &[u8]) -> Value {
    answer(json!({
        "attestationObject": URL_SAFE_NO_PAD.encode(device),
        "clientDataJSON": URL_SAFE_NO_PAD.encode(browser),
        "transports": ["internal"],
    }))
}

fn used_answer(browser: &[u8], device: &[u8], signature: &[u8]) -> Value {
    answer(json!({
        "authenticatorData": URL_SAFE_NO_PAD.encode(device),
        "clientDataJSON": URL_SAFE_NO_PAD.encode(browser),
        "signature": URL_SAFE_NO_PAD.encode(signature),
    }))
}

fn answer(response: Value) -> Value {
    let id = URL_SAFE_NO_PAD.encode([7; 16]);
    json!({
        "id": id,
        "rawId": id,
        "type": "public-key",
        "clientExtensionResults": {},
        "response": response,
    })
}

const ORIGIN: &str = "https://gateway.example";
const CHALLENGE: &str = "CHALLENGE";

/// What a device says of a new passkey with the id of sixteen sevens. Its key is a point that was made of a hash, so nobody
/// has the other half.
const ATTESTATION: &[u8] = include_bytes!("../fixtures/attestation.cbor");
/// What a device says when the passkey is used.
const AUTHENTICATOR: &[u8] = include_bytes!("../fixtures/authenticator-data.bin");
