//! Devices that sign: what is accepted, and what is not.

use super::*;
use p256::ecdsa::SigningKey;
use p256::ecdsa::signature::Signer as _;
use p256::ecdsa::{DerSignature, VerifyingKey};
use payframe_payment_ports::Clock;
use payframe_payment_ports::three_ds_server::AssertionResponse;
use payframe_storage::StorageSettings;
use serde_json::{Value, json};

/// Where devices are enrolled.
const ORIGIN: &str = "https://bank.example";
/// Whose page asks them.
const ASKED_AT: &str = "https://pay.example";

/// A device with one key.
struct Device(SigningKey);

impl Device {
    fn new(seed: u8) -> Device {
        Device(SigningKey::from_slice(&[seed; 32]).unwrap())
    }

    fn id(&self) -> Vec<u8> {
        Sha256::digest(VerifyingKey::from(&self.0).to_encoded_point(true)).to_vec()
    }

    fn registration(&self, asked: &Enrolment) -> Registration {
        let client_data = json!({
            "type": "webauthn.create", "challenge": asked.challenge, "origin": ORIGIN, "crossOrigin": false,
        });
        let point = VerifyingKey::from(&self.0).to_encoded_point(false);
        let mut device = Sha256::digest(&asked.rp_id).to_vec();
        device.push(0x45);
        device.extend([0; 20]);
        device.extend([0, 32]);
        device.extend(self.id());
        device.extend([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]);
        device.extend(point.x().unwrap());
        device.extend([0x22, 0x58, 0x20]);
        device.extend(point.y().unwrap());
        Registration {
            client_data: URL_SAFE_NO_PAD.encode(client_data.to_string()),
            authenticator_data: URL_SAFE_NO_PAD.encode(device),
        }
    }

    fn assertion(&self, client_data: &Value, rp_id: &str, flags: u8) -> Assertion {
        let client_data = client_data.to_string();
        let mut device = Sha256::digest(rp_id).to_vec();
        device.push(flags);
        device.extend([0, 0, 0, 1]);
        let signed = [device.as_slice(), &Sha256::digest(&client_data)].concat();
        let signature: DerSignature = self.0.sign(&signed);
        Assertion {
            id: URL_SAFE_NO_PAD.encode(self.id()),
            response: AssertionResponse {
                client_data: URL_SAFE_NO_PAD.encode(client_data),
                authenticator_data: URL_SAFE_NO_PAD.encode(device),
                signature: URL_SAFE_NO_PAD.encode(signature.as_bytes()),
                user_handle: None,
            },
        }
    }
}

/// An issuer with each kind of memory.
async fn issuers(folder: &tempfile::TempDir, clock: &Clock) -> [CredentialIssuer; 2] {
    let storage = StorageSettings {
        folder: folder.path().to_owned(),
        server_url: None,
    };
    let stored = StoredDevices {
        records: crate::acquirer::records(&storage).await.unwrap(),
        clock: clock.clone(),
    };
    let secret = || String::from("a secret of the issuer");
    [
        CredentialIssuer::new(stored, secret(), ORIGIN.to_owned()),
        CredentialIssuer::new(DevicesInMemory::default(), secret(), ORIGIN.to_owned()),
    ]
}

fn payment(number: &Secret) -> ShownPayment<'_> {
    ShownPayment {
        payee_name: "Flower shop",
        payee_origin: Some("https://shop.example"),
        number,
        amount: Amount::from_minor(3545).unwrap(),
        currency: "EUR",
    }
}

/// What a browser says about the payment that it showed.
fn shown(asked: &Confirmation) -> Value {
    json!({
        "type": "payment.get", "challenge": asked.challenge, "origin": ASKED_AT, "crossOrigin": true,
        "topOrigin": "https://shop.example",
        "payment": {
            "rpId": asked.rp_id, "topOrigin": "https://shop.example", "payeeName": asked.payee_name,
            "payeeOrigin": asked.payee_origin, "paymentEntitiesLogos": [],
            "total": { "value": "35.45", "currency": "EUR" },
            "instrument": { "icon": asked.instrument_icon, "displayName": "•••• 3148" },
        },
    })
}

#[tokio::test]
async fn an_enrolled_device_confirms_what_it_showed_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    for issuer in issuers(&folder, &Clock::manual(0)).await {
        let device = Device::new(1);
        let number = Secret::new(String::from("4761730000003148"));
        let payment = payment(&number);
        assert!(!issuer.has_devices().await.unwrap());
        assert_eq!(issuer.confirmation("op1", &payment).await.unwrap(), None);
        let asked = issuer.enrolment().unwrap();
        assert_eq!(asked.rp_id, "bank.example");
        assert!(issuer.enrol(&device.registration(&asked)).await.unwrap());
        assert!(issuer.has_devices().await.unwrap());
        let asked = issuer.confirmation("op1", &payment).await.unwrap().unwrap();
        assert_eq!(asked.value, "35.45");
        let decides = async |assertion: Option<&Assertion>| {
            let decided = issuer.decide("op1", &payment, ASKED_AT, assertion);
            decided.await.unwrap()
        };
        // The buyer wants another way.
        assert_eq!(decides(None).await, IssuerDecision::Challenge);
        let confirms = async |assertion: Assertion| match decides(Some(&assertion)).await {
            IssuerDecision::Authenticated => true,
            IssuerDecision::NotConfirmed => false,
            other => panic!("{other:?}"),
        };
        let right = shown(&asked);
        let rp_id = asked.rp_id.as_str();
        assert!(confirms(device.assertion(&right, rp_id, 0x05)).await);
        // It was signed for another payment.
        let signed = device.assertion(&right, rp_id, 0x05);
        let other = issuer.decide("op2", &payment, ASKED_AT, Some(&signed));
        assert_eq!(other.await.unwrap(), IssuerDecision::NotConfirmed);
        // The buyer was not there, or not known to the device.
        assert!(!confirms(device.assertion(&right, rp_id, 0x04)).await);
        assert!(!confirms(device.assertion(&right, rp_id, 0x01)).await);
        assert!(!confirms(device.assertion(&right, "other.example", 0x05)).await);
        // Nobody has enrolled this one.
        assert!(!confirms(Device::new(2).assertion(&right, rp_id, 0x05)).await);
        let another_key = Assertion {
            id: URL_SAFE_NO_PAD.encode(device.id()),
            ..Device::new(2).assertion(&right, rp_id, 0x05)
        };
        assert!(!confirms(another_key).await);
        for (place, wrong) in [
            ("/type", json!("webauthn.get")),
            ("/challenge", json!("AAAA")),
            ("/origin", json!(ORIGIN)),
            ("/payment/rpId", json!("other.example")),
            ("/payment/payeeName", json!("Other shop")),
            ("/payment/payeeOrigin", json!("https://other.example")),
            ("/payment/total/value", json!("1.00")),
            ("/payment/total/currency", json!("USD")),
            ("/payment/instrument/displayName", json!("•••• 0003")),
            (
                "/payment/instrument/icon",
                json!("data:image/png;base64,AA=="),
            ),
        ] {
            let mut said = right.clone();
            *said.pointer_mut(place).unwrap() = wrong;
            assert!(
                !confirms(device.assertion(&said, rp_id, 0x05)).await,
                "{place}"
            );
        }
    }
}

#[tokio::test]
async fn a_registration_is_for_this_issuer_and_the_newest_devices_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Clock::manual(0);
    for issuer in issuers(&folder, &clock).await {
        let asked = issuer.enrolment().unwrap();
        let challenge = Enrolment {
            challenge: String::from("AAAA"),
            ..asked.clone()
        };
        let rp_id = Enrolment {
            rp_id: String::from("other.example"),
            ..asked.clone()
        };
        for other in [challenge, rp_id] {
            let registration = Device::new(1).registration(&other);
            assert!(!issuer.enrol(&registration).await.unwrap());
        }
        // The last one is enrolled twice.
        for seed in (1..=25).chain([25]) {
            let registration = Device::new(seed).registration(&asked);
            assert!(issuer.enrol(&registration).await.unwrap());
            clock.advance(std::time::Duration::from_secs(1));
        }
        let number = Secret::new(String::from("4761730000003148"));
        let asked = issuer.confirmation("op1", &payment(&number)).await;
        let kept = asked.unwrap().unwrap().credential_ids;
        let newest = (6..=25)
            .rev()
            .map(|seed| URL_SAFE_NO_PAD.encode(Device::new(seed).id()));
        assert_eq!(kept, newest.collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn an_address_without_a_name_enrols_nothing() {
    let devices = DevicesInMemory::default();
    let origin = String::from("http://127.0.0.1:8080");
    let issuer = CredentialIssuer::new(devices, String::new(), origin);
    assert!(issuer.enrolment().is_none());
    assert!(!issuer.has_devices().await.unwrap());
}
