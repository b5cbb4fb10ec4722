//! Tokens of APPLEPAY, and what is wrong with their twins.

use crate::applepay_maker::{Chain, IDENTIFIER, MERCHANT, OTHER_MARK, Offer, Plan};
use crate::{NOW_MS, NUMBER, decryption_key, seen};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use payframe_payment_domain::wallet::ConfirmedSum;
use payframe_wallet_tokens::{ApplePay, CertificateRoots, MAX_AGE_MS, OpenedCard, TokenError};
use rcgen::KeyUsagePurpose;
use serde_json::{Value, json};

fn opener(chain: &Chain) -> ApplePay {
    let roots = CertificateRoots::from_pem(&chain.root_pem).unwrap();
    // The second key is the one in use: the first one is about to replace it.
    ApplePay::new(
        IDENTIFIER,
        vec![decryption_key(8), decryption_key(MERCHANT)],
        roots,
    )
}

fn open(chain: &Chain, token: &Value) -> Result<OpenedCard, TokenError> {
    opener(chain).open(token, NOW_MS)
}

fn good() -> (Chain, Value) {
    let chain = Chain::new(&Plan::default());
    let token = Offer::default().token(&chain);
    (chain, token)
}

fn expected() -> String {
    format!("{NUMBER} 1230 AgAAAAAABk4DWZ4C28yUQAAAAAA= 07")
}

#[test]
fn a_token_opens_for_its_merchant() {
    let (chain, token) = good();
    assert_eq!(seen(open(&chain, &token)), Ok(expected()));
    let with_data = Offer {
        application_data: Some("cdcdCDCD"),
        ..Offer::default()
    };
    let with_data = with_data.token(&chain);
    assert_eq!(seen(open(&chain, &with_data)), Ok(expected()));
    let card = open(&chain, &token).unwrap();
    assert_eq!(card.expires_ms, NOW_MS - 5000 + MAX_AGE_MS);
    assert_eq!(card.digest, open(&chain, &token).unwrap().digest);
    assert_ne!(card.digest, open(&chain, &with_data).unwrap().digest);
}

#[test]
fn other_versions_are_refused_by_name() {
    let (chain, token) = good();
    for (version, expected) in [
        (json!("RSA_v1"), TokenError::Version("RSA_v1")),
        (json!("EC_v2"), TokenError::Version("of this name")),
        (Value::Null, TokenError::Malformed("version")),
    ] {
        let mut other = token.clone();
        other["version"] = version;
        assert_eq!(seen(open(&chain, &other)), Err(expected));
    }
    for other in [
        json!(null),
        json!("x"),
        json!([]),
        json!({ "version": "EC_v1" }),
    ] {
        assert!(open(&chain, &other).is_err(), "{other}");
    }
}

#[test]
fn a_token_for_another_key_or_identifier_is_refused() {
    let (chain, _) = good();
    let other_key = Offer {
        key: 4,
        ..Offer::default()
    };
    let token = other_key.token(&chain);
    assert_eq!(seen(open(&chain, &token)), Err(TokenError::UnknownKey));
    let other_name = Offer {
        identifier: "merchant.example.other",
        ..Offer::default()
    };
    let token = other_name.token(&chain);
    assert_eq!(seen(open(&chain, &token)), Err(TokenError::Decryption));
}

#[test]
fn certificates_have_to_be_those_that_sign_tokens() {
    let (own, _) = good();
    let other = Chain::new(&Plan::default());
    let token = Offer::default().token(&other);
    let untrusted = TokenError::UntrustedCertificates;
    assert_eq!(seen(open(&own, &token)), Err(untrusted));
    for (plan, expected) in [
        (
            Plan {
                last_years: [2026, 2100],
                ..Plan::default()
            },
            untrusted,
        ),
        (
            Plan {
                last_years: [2100, 2026],
                ..Plan::default()
            },
            untrusted,
        ),
        (
            Plan {
                intermediate_is_ca: false,
                ..Plan::default()
            },
            untrusted,
        ),
        (
            Plan {
                leaf_mark: OTHER_MARK,
                ..Plan::default()
            },
            TokenError::CertificatePurpose,
        ),
        (
            Plan {
                intermediate_mark: OTHER_MARK,
                ..Plan::default()
            },
            TokenError::CertificatePurpose,
        ),
        (
            Plan {
                leaf_usage: KeyUsagePurpose::KeyAgreement,
                ..Plan::default()
            },
            TokenError::CertificatePurpose,
        ),
    ] {
        let chain = Chain::new(&plan);
        let token = Offer::default().token(&chain);
        assert_eq!(seen(open(&chain, &token)), Err(expected));
    }
}

#[test]
fn the_signing_time_is_about_now() {
    let chain = Chain::new(&Plan::default());
    for (signed_ms, is_good) in [
        (NOW_MS - MAX_AGE_MS, true),
        (NOW_MS - MAX_AGE_MS - 1000, false),
        (NOW_MS + MAX_AGE_MS, true),
        (NOW_MS + MAX_AGE_MS + 1000, false),
    ] {
        let offer = Offer {
            signed_ms,
            ..Offer::default()
        };
        let expected = match is_good {
            true => Ok(expected()),
            false => Err(TokenError::SigningTime),
        };
        assert_eq!(seen(open(&chain, &offer.token(&chain))), expected);
    }
    // A clock before 1970, and one after the last certificate.
    let (chain, token) = good();
    for now_ms in [-1, 0, i64::MIN, i64::MAX] {
        assert!(opener(&chain).open(&token, now_ms).is_err());
    }
}

#[test]
fn a_changed_byte_is_found_in_every_part() {
    let (chain, token) = good();
    let with_data = Offer {
        application_data: Some("cdcd"),
        ..Offer::default()
    };
    let with_data = with_data.token(&chain);
    for (token, part, step) in [
        (&token, "/data", 7),
        (&token, "/header/ephemeralPublicKey", 3),
        (&token, "/header/publicKeyHash", 3),
        (&token, "/header/transactionId", 3),
        (&with_data, "/header/applicationData", 1),
    ] {
        let text = token.pointer(part).unwrap().as_str().unwrap();
        for place in (0..text.len()).step_by(step) {
            let mut changed = text.to_owned();
            let other = if &text[place..=place] == "1" {
                "2"
            } else {
                "1"
            };
            changed.replace_range(place..=place, other);
            let mut twin = token.clone();
            *twin.pointer_mut(part).unwrap() = json!(changed);
            assert!(open(&chain, &twin).is_err(), "{part} {place}");
        }
    }
    let mut without = with_data.clone();
    without["header"]
        .as_object_mut()
        .unwrap()
        .remove("applicationData");
    assert_eq!(seen(open(&chain, &without)), Err(TokenError::Signature));
}

/// Some of the structure is not signed. What opens in spite of a change is the same token.
#[test]
fn a_changed_or_shortened_signature_opens_nothing_else() {
    let (chain, token) = good();
    let opener = opener(&chain);
    let digest = opener.open(&token, NOW_MS).unwrap().digest;
    let signature = STANDARD
        .decode(token["signature"].as_str().unwrap())
        .unwrap();
    let open = |signature: &[u8]| {
        let mut twin = token.clone();
        twin["signature"] = json!(STANDARD.encode(signature));
        opener.open(&twin, NOW_MS)
    };
    let mut refused = 0;
    for place in (0..signature.len()).step_by(5) {
        let mut changed = signature.clone();
        changed[place] ^= 1;
        match open(&changed) {
            Ok(card) => assert_eq!(card.digest, digest, "{place}"),
            Err(_) => refused += 1,
        }
        assert!(open(&signature[..place]).is_err(), "{place}");
    }
    assert!(refused > signature.len() / 5 * 9 / 10, "{refused}");
    assert!(open(&[&signature[..], &[0]].concat()).is_err());
    // Lengths that are never known, one in the other.
    assert!(open(&[0x30, 0x80].repeat(5000)).is_err());
}

#[test]
fn the_content_has_to_be_a_card_with_its_cryptogram() {
    let chain = Chain::new(&Plan::default());
    for (part, value, expected) in [
        (
            "/paymentDataType",
            json!("EMV"),
            TokenError::Unsupported("paymentDataType"),
        ),
        (
            "/applicationExpirationDate",
            json!("301331"),
            TokenError::Malformed("applicationExpirationDate"),
        ),
        (
            "/applicationPrimaryAccountNumber",
            json!(4),
            TokenError::Malformed("the content"),
        ),
        (
            "/transactionAmount",
            json!(null),
            TokenError::Malformed("the confirmed sum"),
        ),
        (
            "/currencyCode",
            json!("EUR"),
            TokenError::Malformed("the confirmed sum"),
        ),
        (
            "/transactionAmount",
            json!(35.45),
            TokenError::Malformed("the content"),
        ),
        (
            "/transactionAmount",
            json!(-1),
            TokenError::Malformed("the content"),
        ),
        (
            "/paymentData/onlinePaymentCryptogram",
            json!(null),
            TokenError::Malformed("onlinePaymentCryptogram"),
        ),
        (
            "/paymentData/onlinePaymentCryptogram",
            json!("%"),
            TokenError::Malformed("onlinePaymentCryptogram"),
        ),
        (
            "/paymentData/eciIndicator",
            json!("x"),
            TokenError::Malformed("onlinePaymentCryptogram"),
        ),
    ] {
        let mut offer = Offer::default();
        *offer.content.pointer_mut(part).unwrap() = value;
        let token = offer.token(&chain);
        assert_eq!(seen(open(&chain, &token)), Err(expected), "{part}");
    }
}

#[test]
fn a_token_says_which_sum_was_confirmed() {
    let chain = Chain::new(&Plan::default());
    let confirmed = |amount: Value, currency: Value| {
        let mut offer = Offer::default();
        offer.content["transactionAmount"] = amount;
        offer.content["currencyCode"] = currency;
        let token = offer.token(&chain);
        open(&chain, &token).unwrap().confirmed
    };
    assert_eq!(
        confirmed(json!(100), json!("392")),
        ConfirmedSum::read(100, "392")
    );
    assert!(confirmed(json!(0), json!("978")).is_some());
    assert_eq!(confirmed(Value::Null, Value::Null), None);
}

#[test]
fn a_point_that_is_not_on_the_curve_is_refused() {
    let (chain, token) = good();
    let key = token["header"]["ephemeralPublicKey"].as_str().unwrap();
    let mut key = STANDARD.decode(key).unwrap();
    let data = STANDARD.decode(token["data"].as_str().unwrap()).unwrap();
    let last = key.len() - 1;
    key[last] ^= 1;
    // Signed as it is, so that only the point is wrong.
    let signed = [key.as_slice(), &data, &[0xab; 32]].concat();
    let mut twin = token.clone();
    twin["header"]["ephemeralPublicKey"] = json!(STANDARD.encode(&key));
    twin["signature"] = json!(STANDARD.encode(chain.sign(&signed, NOW_MS)));
    let expected = TokenError::Malformed("ephemeralPublicKey");
    assert_eq!(seen(open(&chain, &twin)), Err(expected));
}

#[test]
fn a_file_of_roots_has_certificates_alone() {
    let (chain, _) = good();
    let twice = [chain.root_pem.as_str(), chain.root_pem.as_str()].concat();
    assert!(CertificateRoots::from_pem(&twice).is_ok());
    let broken = chain.root_pem.replace("MII", "MIA");
    for text in ["", "x", broken.as_str()] {
        assert!(CertificateRoots::from_pem(text).is_err(), "{text}");
    }
}
