//! Devices that sign: what is accepted, and what is not.

use super::*;
use p256::ecdsa::SigningKey;
use p256::ecdsa::signature::Signer as _;
use p256::ecdsa::{DerSignature, VerifyingKey};
use payframe_card_rules::expiry::Expiry;
use payframe_card_rules::network::Network;
use payframe_card_rules::secret::Secret;
use payframe_money::Amount;
use payframe_payment_ports::three_ds_server::{
    AssertionResponse, AuthenticationRequest, ChallengePreference,
};
use payframe_storage::StorageSettings;
use payframe_vault::{HashingKeys, Keyring, KeyringVault};
use serde_json::{Value, json};

const ORIGIN: &str = "https://pay.example";

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

async fn issuer(folder: &tempfile::TempDir) -> CredentialIssuer {
    let storage = StorageSettings {
        folder: folder.path().to_owned(),
        server_url: None,
    };
    let keyring = Keyring::open(None, None, folder.path().join("vault.key")).unwrap();
    CredentialIssuer {
        records: crate::acquirer::records(&storage).await.unwrap(),
        vault: Arc::new(KeyringVault::new(keyring, HashingKeys::random().unwrap())),
        clock: Clock::manual(0),
        origin: ORIGIN.to_owned(),
    }
}

/// Asks for the confirmation of a payment.
async fn with_payment<T>(ask: impl AsyncFnOnce(&ConfirmationRequest<'_>) -> T) -> T {
    let number = Secret::new(String::from("4761730000003148"));
    let request = ConfirmationRequest {
        authentication: AuthenticationRequest {
            reference: "op1",
            terminal_id: "T1",
            number: &number,
            network: Network::Visa,
            expiry: Expiry::parse_shape("1230").unwrap(),
            holder_name: None,
            holder_email: None,
            billing_address: None,
            amount: Amount::from_minor(3545).unwrap(),
            currency: "EUR",
            challenge_preference: ChallengePreference::None,
            browser: None,
            has_waiting_page: true,
            device_check: None,
            notification_url: "",
            results_url: "",
        },
        merchant_name: "Flower shop",
        merchant_origin: Some("https://shop.example"),
    };
    ask(&request).await
}

/// What a browser says about the payment that it showed.
fn shown(asked: &Confirmation) -> Value {
    json!({
        "type": "payment.get", "challenge": asked.challenge, "origin": ORIGIN, "crossOrigin": true,
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
    let issuer = issuer(&folder).await;
    let device = Device::new(1);
    assert!(!issuer.has_credentials().await.unwrap());
    let asked = issuer.enrolment().unwrap();
    assert_eq!(asked.rp_id, "pay.example");
    assert!(issuer.enrol(&device.registration(&asked)).await.unwrap());
    assert!(issuer.has_credentials().await.unwrap());
    with_payment(async |request| {
        let asked = issuer.confirmation(request).await.unwrap().unwrap();
        assert_eq!(asked.value, "35.45");
        let confirms =
            async |assertion: Assertion| issuer.is_confirmed(request, &assertion).await.unwrap();
        let right = shown(&asked);
        let rp_id = asked.rp_id.as_str();
        assert!(confirms(device.assertion(&right, rp_id, 0x05)).await);
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
            ("/origin", json!("https://other.example")),
            ("/payment/rpId", json!("other.example")),
            ("/payment/payeeName", json!("Other shop")),
            ("/payment/payeeOrigin", json!("https://other.example")),
            ("/payment/total/value", json!("1.00")),
            ("/payment/total/currency", json!("USD")),
            ("/payment/instrument/displayName", json!("•••• 0003")),
        ] {
            let mut said = right.clone();
            *said.pointer_mut(place).unwrap() = wrong;
            assert!(
                !confirms(device.assertion(&said, rp_id, 0x05)).await,
                "{place}"
            );
        }
    })
    .await;
}

#[tokio::test]
async fn a_registration_is_for_this_issuer_and_the_newest_devices_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let issuer = issuer(&folder).await;
    let asked = issuer.enrolment().unwrap();
    let other = Enrolment {
        challenge: String::from("AAAA"),
        ..asked.clone()
    };
    assert!(
        !issuer
            .enrol(&Device::new(1).registration(&other))
            .await
            .unwrap()
    );
    let other = Enrolment {
        rp_id: String::from("other.example"),
        ..asked.clone()
    };
    assert!(
        !issuer
            .enrol(&Device::new(1).registration(&other))
            .await
            .unwrap()
    );
    for seed in 1..=25 {
        let registration = Device::new(seed).registration(&asked);
        assert!(issuer.enrol(&registration).await.unwrap());
        issuer.clock.advance(std::time::Duration::from_secs(1));
    }
    let kept = issuer.credential_ids().await.unwrap();
    assert_eq!(kept.len(), 20);
    assert_eq!(kept[0], URL_SAFE_NO_PAD.encode(Device::new(25).id()));
}

#[tokio::test]
async fn an_address_without_a_name_enrols_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let issuer = CredentialIssuer {
        origin: String::from("http://127.0.0.1:8080"),
        ..issuer(&folder).await
    };
    assert!(issuer.enrolment().is_none());
}
