//! Makes tokens of APPLEPAY as a device and its wallet do.

use crate::{NOW_MS, NUMBER, secret};
use aes_gcm::AesGcm;
use aes_gcm::aead::array::Array;
use aes_gcm::aead::consts::U16;
use aes_gcm::aead::{Aead, KeyInit};
use aes_gcm::aes::Aes256;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use der::asn1::{ObjectIdentifier, UtcTime};
use der::{Decode, Encode};
use p256::pkcs8::EncodePublicKey;
use rcgen::{
    BasicConstraints, CertificateParams, CustomExtension, DnType, IsCa, Issuer, KeyPair,
    KeyUsagePurpose, SerialNumber, SigningKey, date_time_ymd,
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::time::Duration;
use x509_cert::Certificate;

pub(crate) const IDENTIFIER: &str = "merchant.example.shop";
/// The byte of the merchant's key.
pub(crate) const MERCHANT: u8 = 3;
/// The byte of the device's key.
const DEVICE: u8 = 9;

/// The certificates that sign tokens.
pub(crate) struct Chain {
    pub(crate) root_pem: String,
    certificates: Vec<Vec<u8>>,
    leaf_key: KeyPair,
}

/// What may be wrong with the certificates.
pub(crate) struct Plan {
    pub(crate) leaf_mark: &'static [u64],
    pub(crate) intermediate_mark: &'static [u64],
    pub(crate) leaf_usage: KeyUsagePurpose,
    pub(crate) intermediate_is_ca: bool,
    /// The last years of the leaf and of the intermediate certificate.
    pub(crate) last_years: [i32; 2],
}

const LEAF_MARK: &[u64] = &[1, 2, 840, 113_635, 100, 6, 29];
const INTERMEDIATE_MARK: &[u64] = &[1, 2, 840, 113_635, 100, 6, 2, 14];
pub(crate) const OTHER_MARK: &[u64] = &[1, 2, 840, 113_635, 100, 6, 32];

impl Default for Plan {
    fn default() -> Plan {
        Plan {
            leaf_mark: LEAF_MARK,
            intermediate_mark: INTERMEDIATE_MARK,
            leaf_usage: KeyUsagePurpose::DigitalSignature,
            intermediate_is_ca: true,
            last_years: [2100, 2100],
        }
    }
}

impl Chain {
    pub(crate) fn new(plan: &Plan) -> Chain {
        let root_key = KeyPair::generate_for(&rcgen::PKCS_ECDSA_P384_SHA384).unwrap();
        let mut root = params("Root", 2100);
        root.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        root.key_usages = vec![KeyUsagePurpose::KeyCertSign];
        let root_pem = root.self_signed(&root_key).unwrap().pem();
        let between_key = KeyPair::generate().unwrap();
        let mut between = params("Between", plan.last_years[1]);
        between.is_ca = match plan.intermediate_is_ca {
            true => IsCa::Ca(BasicConstraints::Constrained(0)),
            false => IsCa::ExplicitNoCa,
        };
        between.key_usages = vec![KeyUsagePurpose::KeyCertSign];
        between.custom_extensions = vec![mark(plan.intermediate_mark)];
        let issuer = Issuer::from_params(&root, &root_key);
        let between_der = between.signed_by(&between_key, &issuer).unwrap();
        let leaf_key = KeyPair::generate().unwrap();
        let mut leaf = params("Leaf", plan.last_years[0]);
        leaf.is_ca = IsCa::ExplicitNoCa;
        leaf.key_usages = vec![plan.leaf_usage];
        leaf.custom_extensions = vec![mark(plan.leaf_mark)];
        let issuer = Issuer::from_params(&between, &between_key);
        let leaf_der = leaf.signed_by(&leaf_key, &issuer).unwrap();
        Chain {
            root_pem,
            // The longer one first, which DER would forbid in a set.
            certificates: vec![leaf_der.der().to_vec(), between_der.der().to_vec()],
            leaf_key,
        }
    }

    /// A detached signature in BER, made at this time.
    pub(crate) fn sign(&self, signed: &[u8], time_ms: i64) -> Vec<u8> {
        self.sign_as(signed, time_ms, oid(ID_DATA))
    }

    /// The same with another type of the signed content.
    fn sign_as(&self, signed: &[u8], time_ms: i64, kind: Vec<u8>) -> Vec<u8> {
        let time = Duration::from_millis(time_ms.try_into().unwrap());
        let time = UtcTime::from_unix_duration(time).unwrap().to_der().unwrap();
        let digest = tlv(0x04, &Sha256::digest(signed));
        let attributes = [
            attribute("1.2.840.113549.1.9.3", &kind),
            attribute("1.2.840.113549.1.9.5", &time),
            attribute("1.2.840.113549.1.9.4", &digest),
        ]
        .concat();
        let signature = self.leaf_key.sign(&tlv(0x31, &attributes)).unwrap();
        let leaf = Certificate::from_der(&self.certificates[0]).unwrap();
        let leaf = leaf.tbs_certificate();
        let name = [
            leaf.issuer().to_der().unwrap(),
            leaf.serial_number().to_der().unwrap(),
        ]
        .concat();
        let sha256 = tlv(0x30, &oid("2.16.840.1.101.3.4.2.1"));
        let signer = [
            tlv(0x02, &[1]),
            tlv(0x30, &name),
            sha256.clone(),
            tlv(0xA0, &attributes),
            tlv(0x30, &oid("1.2.840.10045.4.3.2")),
            tlv(0x04, &signature),
        ]
        .concat();
        let signed_data = [
            tlv(0x02, &[1]),
            tlv(0x31, &sha256),
            ber(0x30, &oid(ID_DATA)),
            ber(0xA0, &self.certificates.concat()),
            tlv(0x31, &tlv(0x30, &signer)),
        ]
        .concat();
        let content = ber(0xA0, &ber(0x30, &signed_data));
        ber(0x30, &[oid("1.2.840.113549.1.7.2"), content].concat())
    }
}

/// A token before it is made.
pub(crate) struct Offer {
    pub(crate) content: Value,
    pub(crate) identifier: &'static str,
    pub(crate) key: u8,
    pub(crate) signed_ms: i64,
    pub(crate) application_data: Option<&'static str>,
}

impl Default for Offer {
    fn default() -> Offer {
        Offer {
            content: json!({
                "applicationPrimaryAccountNumber": NUMBER, "applicationExpirationDate": "301231",
                "currencyCode": "978", "transactionAmount": 3545, "deviceManufacturerIdentifier": "040010030273",
                "paymentDataType": "3DSecure",
                "paymentData": { "onlinePaymentCryptogram": "AgAAAAAABk4DWZ4C28yUQAAAAAA=", "eciIndicator": "7" }
            }),
            identifier: IDENTIFIER,
            key: MERCHANT,
            signed_ms: NOW_MS - 5000,
            application_data: None,
        }
    }
}

impl Offer {
    pub(crate) fn token(&self, chain: &Chain) -> Value {
        let public = secret(self.key).public_key();
        let device = secret(DEVICE);
        let sender = device.public_key().to_public_key_der().unwrap();
        let agreed = device.diffie_hellman(&public);
        let key = Sha256::new()
            .chain_update([0, 0, 0, 1])
            .chain_update(agreed.raw_secret_bytes())
            .chain_update(b"\x0Did-aes256-GCMApple")
            .chain_update(Sha256::digest(self.identifier))
            .finalize();
        let data = AesGcm::<Aes256, U16>::new_from_slice(&key)
            .unwrap()
            .encrypt(&Array::default(), self.content.to_string().as_bytes())
            .unwrap();
        let transaction = "ab".repeat(32);
        let application_data = self.application_data.unwrap_or_default();
        let signed = [
            sender.as_bytes(),
            &data,
            &[0xab; 32],
            &vec![0xcd; application_data.len() / 2],
        ]
        .concat();
        let hash = Sha256::digest(public.to_public_key_der().unwrap().as_bytes());
        let mut header = json!({
            "ephemeralPublicKey": STANDARD.encode(sender.as_bytes()),
            "publicKeyHash": STANDARD.encode(hash),
            "transactionId": transaction,
        });
        if let Some(text) = self.application_data {
            header["applicationData"] = json!(text);
        }
        json!({
            "version": "EC_v1",
            "data": STANDARD.encode(&data),
            "signature": STANDARD.encode(chain.sign(&signed, self.signed_ms)),
            "header": header,
        })
    }
}

fn params(name: &str, last_year: i32) -> CertificateParams {
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.distinguished_name.push(DnType::CommonName, name);
    params.not_before = date_time_ymd(2020, 1, 1);
    params.not_after = date_time_ymd(last_year, 1, 1);
    params.serial_number = Some(SerialNumber::from(vec![0x42, 0x90, 0x95]));
    params
}

fn mark(oid: &[u64]) -> CustomExtension {
    CustomExtension::from_oid_content(oid, vec![5, 0])
}

fn attribute(kind: &str, value: &[u8]) -> Vec<u8> {
    tlv(0x30, &[oid(kind), tlv(0x31, value)].concat())
}

fn oid(text: &str) -> Vec<u8> {
    ObjectIdentifier::new_unwrap(text).to_der().unwrap()
}

/// With its length.
fn tlv(tag: u8, content: &[u8]) -> Vec<u8> {
    let length = content.len();
    let length = match length {
        0..=127 => vec![length as u8],
        _ => vec![0x82, (length >> 8) as u8, length as u8],
    };
    match length.as_slice() {
        // The shortest form, as DER asks.
        [0x82, 0, low] => [&[tag, 0x81, *low], content].concat(),
        length => [&[tag], length, content].concat(),
    }
}

/// With its end marked.
fn ber(tag: u8, content: &[u8]) -> Vec<u8> {
    [&[tag, 0x80], content, &[0, 0]].concat()
}

const ID_DATA: &str = "1.2.840.113549.1.7.1";
