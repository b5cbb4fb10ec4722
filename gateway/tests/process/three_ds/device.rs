//! A buyer's device that confirms payments, in a browser that can ask it (W3C Secure Payment Confirmation).

use super::networks::{Networks, between, socket_of, split};
use crate::http;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use p256::ecdsa::signature::Signer as _;
use p256::ecdsa::{DerSignature, SigningKey, VerifyingKey};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// A device with one key.
pub(super) struct Device(SigningKey);

impl Device {
    pub(super) fn new(seed: u8) -> Device {
        Device(SigningKey::from_slice(&[seed; 32]).unwrap())
    }

    /// Enrols it on the issuer's page. Returns what the page says then.
    pub(super) fn enrol(&self, networks: &Networks) -> String {
        let (host, path) = split(&networks.enrolment);
        let (name, port) = host.split_once(':').unwrap();
        // Browsers find this name on this machine.
        assert!(name.ends_with(".localhost"), "{name}");
        let server = socket_of(&format!("127.0.0.1:{port}"));
        let page = http::send(server, "GET", path, &[], "").unwrap().text;
        let rp_id = between(&page, "data-rp-id=\"", "\"");
        assert_eq!(rp_id, name);
        let origin = format!("http://{host}");
        let client_data = json!({
            "type": "webauthn.create", "challenge": between(&page, "data-challenge=\"", "\""), "origin": origin,
            "crossOrigin": false,
        });
        let said = format!(
            "client_data={}&authenticator_data={}",
            URL_SAFE_NO_PAD.encode(client_data.to_string()),
            URL_SAFE_NO_PAD.encode(self.registered(rp_id)),
        );
        let kind = ("content-type", "application/x-www-form-urlencoded");
        let forged = [kind, ("origin", "http://127.0.0.1:9")];
        let forged = http::send(server, "POST", path, &forged, &said).unwrap();
        assert_eq!(forged.status, Some(403));
        let own = [kind, ("origin", origin.as_str())];
        let answer = http::send(server, "POST", path, &own, &said).unwrap();
        assert_eq!(answer.status, Some(303));
        let page = http::send(server, "GET", &answer.location.unwrap(), &[], "").unwrap();
        between(&page.text, "<p role=\"status\">", "</p>").to_owned()
    }

    /// What the browser gives after the buyer has confirmed what it was asked on a page of this origin.
    pub(super) fn confirms(&self, asked: &Value, origin: &str) -> Value {
        let client_data = json!({
            "type": "payment.get", "challenge": asked["challenge"], "origin": origin, "crossOrigin": true,
            "topOrigin": "https://shop.example",
            "payment": {
                "rpId": asked["rpId"], "topOrigin": "https://shop.example", "payeeName": asked["payeeName"],
                "payeeOrigin": asked["payeeOrigin"], "paymentEntitiesLogos": [],
                "total": { "value": asked["value"], "currency": asked["currency"] },
                "instrument": { "icon": asked["instrumentIcon"], "displayName": asked["instrumentName"] },
            },
        })
        .to_string();
        let mut device = Sha256::digest(asked["rpId"].as_str().unwrap()).to_vec();
        // The owner is there, and known to the device.
        device.push(0x05);
        device.extend([0, 0, 0, 1]);
        let signed = [device.as_slice(), &Sha256::digest(&client_data)].concat();
        let signature: DerSignature = self.0.sign(&signed);
        json!({
            "id": URL_SAFE_NO_PAD.encode(self.id()),
            "response": {
                "clientDataJSON": URL_SAFE_NO_PAD.encode(client_data),
                "authenticatorData": URL_SAFE_NO_PAD.encode(device),
                "signature": URL_SAFE_NO_PAD.encode(signature.as_bytes()),
            },
        })
    }

    fn id(&self) -> Vec<u8> {
        Sha256::digest(VerifyingKey::from(&self.0).to_encoded_point(true)).to_vec()
    }

    /// What it says about itself: that its owner is there and known, and its key (COSE, ES256).
    fn registered(&self, rp_id: &str) -> Vec<u8> {
        let point = VerifyingKey::from(&self.0).to_encoded_point(false);
        let mut device = Sha256::digest(rp_id).to_vec();
        device.push(0x45);
        device.extend([0; 20]);
        device.extend([0, 32]);
        device.extend(self.id());
        device.extend([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]);
        device.extend(point.x().unwrap());
        device.extend([0x22, 0x58, 0x20]);
        device.extend(point.y().unwrap());
        device
    }
}
