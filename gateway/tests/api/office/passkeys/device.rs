//! A device with a passkey (WebAuthn level 3), which can also lie.

use crate::harness::Answer;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use p256::ecdsa::signature::Signer;
use p256::ecdsa::{Signature, SigningKey};
use serde_cbor_2::Value as Cbor;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::cell::Cell;
use std::collections::BTreeMap;

/// The origin of the gateway in tests.
pub(super) const ORIGIN: &str = "https://gateway.example";

/// A device with one passkey. Its browser shows pages of [`ORIGIN`].
pub(super) struct Device {
    key: SigningKey,
    id: [u8; 16],
    /// For whom the passkey was made. Copied from the question.
    user: std::cell::RefCell<Value>,
    /// How often the passkey was used, as the device says.
    pub(super) counter: Cell<u32>,
}

/// How a device and its browser answer.
#[derive(Clone, Copy)]
pub(super) struct Manner {
    /// The origin of the page, as the browser says.
    pub(super) origin: &'static str,
    /// Whether the device says that it verified its owner.
    pub(super) verifies: bool,
}

pub(super) const HONEST: Manner = Manner {
    origin: ORIGIN,
    verifies: true,
};

impl Device {
    /// Devices with other numbers have other keys.
    pub(super) fn new(number: u8) -> Device {
        Device {
            key: SigningKey::from_slice(&[number; 32]).unwrap(),
            id: [number; 16],
            user: std::cell::RefCell::default(),
            counter: Cell::new(0),
        }
    }

    /// The same device for somebody else's passkey: it says that it made its passkey for them.
    pub(super) fn claims_to_be_of(&self, other: &Device) {
        *self.user.borrow_mut() = other.user.borrow().clone();
    }

    /// Makes the passkey that a page asks for.
    pub(super) fn create(&self, page: &Answer, manner: Manner) -> String {
        let question = question(page);
        *self.user.borrow_mut() = question["user"]["id"].clone();
        let point = self.key.verifying_key().to_encoded_point(false);
        let coordinate = |bytes: Option<&p256::FieldBytes>| Cbor::Bytes(bytes.unwrap().to_vec());
        let key = map([
            (Cbor::Integer(1), Cbor::Integer(2)),
            (Cbor::Integer(3), Cbor::Integer(-7)),
            (Cbor::Integer(-1), Cbor::Integer(1)),
            (Cbor::Integer(-2), coordinate(point.x())),
            (Cbor::Integer(-3), coordinate(point.y())),
        ]);
        let mut said = self.said(question["rp"]["id"].as_str().unwrap(), manner, 0x40);
        said.extend_from_slice(&[0; 16]);
        said.extend_from_slice(&16_u16.to_be_bytes());
        said.extend_from_slice(&self.id);
        said.extend(serde_cbor_2::to_vec(&key).unwrap());
        let attestation = map([
            (Cbor::Text("fmt".into()), Cbor::Text("none".into())),
            (Cbor::Text("attStmt".into()), map([])),
            (Cbor::Text("authData".into()), Cbor::Bytes(said)),
        ]);
        let client = client_data("webauthn.create", &question, manner);
        json!({
            "id": URL_SAFE_NO_PAD.encode(self.id),
            "rawId": URL_SAFE_NO_PAD.encode(self.id),
            "type": "public-key",
            "clientExtensionResults": { "credProps": { "rk": true } },
            "response": {
                "attestationObject": URL_SAFE_NO_PAD.encode(serde_cbor_2::to_vec(&attestation).unwrap()),
                "clientDataJSON": URL_SAFE_NO_PAD.encode(client),
                "transports": ["internal"],
            },
        })
        .to_string()
    }

    /// Uses the passkey as a page asks.
    pub(super) fn answer(&self, page: &Answer, manner: Manner) -> String {
        let question = question(page);
        self.counter.set(self.counter.get() + 1);
        let said = self.said(question["rpId"].as_str().unwrap(), manner, 0);
        let client = client_data("webauthn.get", &question, manner);
        let mut signed = said.clone();
        signed.extend_from_slice(&Sha256::digest(&client));
        let signature: Signature = self.key.sign(&signed);
        json!({
            "id": URL_SAFE_NO_PAD.encode(self.id),
            "rawId": URL_SAFE_NO_PAD.encode(self.id),
            "type": "public-key",
            "clientExtensionResults": {},
            "response": {
                "authenticatorData": URL_SAFE_NO_PAD.encode(said),
                "clientDataJSON": URL_SAFE_NO_PAD.encode(client),
                "signature": URL_SAFE_NO_PAD.encode(signature.to_der()),
                "userHandle": *self.user.borrow(),
            },
        })
        .to_string()
    }

    /// What the device says of the host, of its owner and of its counter.
    fn said(&self, host: &str, manner: Manner, more_flags: u8) -> Vec<u8> {
        let verified = if manner.verifies { 0x04 } else { 0 };
        let mut said = Sha256::digest(host).to_vec();
        said.push(0x01 | verified | more_flags);
        said.extend_from_slice(&self.counter.get().to_be_bytes());
        said
    }
}

/// What a page asks the browser for.
pub(super) fn question(page: &Answer) -> Value {
    let text = page.text();
    let (_, rest) = text
        .split_once("data-question=\"")
        .unwrap_or_else(|| panic!("{text}"));
    let escaped = rest.split_once('"').unwrap().0;
    let question = escaped.replace("&#34;", "\"").replace("&#38;", "&");
    serde_json::from_str(&question).unwrap()
}

fn client_data(kind: &str, question: &Value, manner: Manner) -> Vec<u8> {
    let client = json!({
        "type": kind,
        "challenge": question["challenge"],
        "origin": manner.origin,
        "crossOrigin": false,
    });
    client.to_string().into_bytes()
}

fn map<const LENGTH: usize>(entries: [(Cbor, Cbor); LENGTH]) -> Cbor {
    Cbor::Map(BTreeMap::from(entries))
}
