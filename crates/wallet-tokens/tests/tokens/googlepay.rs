//! Tokens of GOOGLEPAY, and what is wrong with their twins.

use crate::googlepay_maker::{GATEWAY, MERCHANT_ID, Offer, RECIPIENT, ROOT, content, roots};
use crate::{NOW_MS, NUMBER, decryption_key, seen};
use payframe_wallet_tokens::{GooglePay, OpenedCard, Recipient, SigningRoots, TokenError};
use serde_json::{Value, json};

fn opener(recipient: &str) -> GooglePay {
    let roots = SigningRoots::from_json(&roots(ROOT, NOW_MS + 1)).unwrap();
    // The second key is the one in use: the first one is about to replace it.
    GooglePay::new(
        Recipient::parse(recipient).unwrap(),
        vec![decryption_key(8), decryption_key(RECIPIENT)],
        roots,
    )
}

fn open(token: &Value) -> Result<OpenedCard, TokenError> {
    opener(GATEWAY).open(&token.to_string(), MERCHANT_ID, NOW_MS)
}

fn expected() -> String {
    format!("{NUMBER} 0330 AgAAAAAABk4DWZ4C28yUQAAAAAA= 05")
}

#[test]
fn a_token_opens_for_its_merchant() {
    let token = Offer::default().token();
    assert_eq!(seen(open(&token)), Ok(expected()));
    let number_alone = Offer {
        content: content("PAN_ONLY"),
        ..Offer::default()
    };
    let number_alone = number_alone.token();
    assert_eq!(seen(open(&number_alone)), Ok(format!("{NUMBER} 0330 - -")));
    let card = open(&token).unwrap();
    assert_eq!(card.expires_ms, NOW_MS + 600_000);
    assert_eq!(card.digest, open(&token).unwrap().digest);
    assert_ne!(card.digest, open(&number_alone).unwrap().digest);
}

#[test]
fn other_versions_are_refused_by_name() {
    for (version, expected) in [
        ("ECv1", TokenError::Version("ECv1")),
        ("ECv2SigningOnly", TokenError::Version("ECv2SigningOnly")),
        ("ECv3", TokenError::Version("of this name")),
    ] {
        let offer = Offer {
            version,
            ..Offer::default()
        };
        assert_eq!(seen(open(&offer.token())), Err(expected));
    }
    for other in [
        json!(null),
        json!("x"),
        json!([]),
        json!({ "protocolVersion": "ECv2" }),
    ] {
        assert!(open(&other).is_err(), "{other}");
    }
}

#[test]
fn a_token_is_for_one_recipient_and_one_merchant() {
    let token = Offer::default().token().to_string();
    let other_merchant = opener(GATEWAY).open(&token, "backwaren", NOW_MS);
    assert_eq!(seen(other_merchant), Err(TokenError::OtherMerchant));
    let other_gateway = opener("gateway:other").open(&token, MERCHANT_ID, NOW_MS);
    assert_eq!(seen(other_gateway), Err(TokenError::Signature));
    let mut unnamed = Offer::default();
    unnamed.content["gatewayMerchantId"] = Value::Null;
    let unnamed_token = unnamed.token();
    assert_eq!(seen(open(&unnamed_token)), Err(TokenError::OtherMerchant));
    // A token for one merchant's own key names no merchant of a gateway.
    unnamed.recipient = "merchant:123";
    let own = opener("merchant:123").open(&unnamed.token().to_string(), "any", NOW_MS);
    assert_eq!(seen(own), Ok(expected()));
    let other_key = Offer {
        key: 6,
        ..Offer::default()
    };
    assert_eq!(seen(open(&other_key.token())), Err(TokenError::Decryption));
}

#[test]
fn a_root_has_signed_the_key_that_signs_and_both_are_valid() {
    let other_root = Offer {
        root: 30,
        ..Offer::default()
    };
    assert_eq!(
        seen(open(&other_root.token())),
        Err(TokenError::UntrustedKey)
    );
    let expired_key = Offer {
        key_expires_ms: NOW_MS,
        ..Offer::default()
    };
    assert_eq!(
        seen(open(&expired_key.token())),
        Err(TokenError::ExpiredKey)
    );
    let expired_root = GooglePay::new(
        Recipient::parse(GATEWAY).unwrap(),
        vec![decryption_key(RECIPIENT)],
        SigningRoots::from_json(&roots(ROOT, NOW_MS)).unwrap(),
    );
    let token = Offer::default().token();
    let opened = expired_root.open(&token.to_string(), MERCHANT_ID, NOW_MS);
    assert_eq!(seen(opened), Err(TokenError::UntrustedKey));
    let signatures = "/intermediateSigningKey/signatures";
    let one = token.pointer(signatures).unwrap()[0].clone();
    let mut many = token.clone();
    *many.pointer_mut(signatures).unwrap() = json!(vec![one.clone(); 9]);
    assert_eq!(seen(open(&many)), Err(TokenError::Malformed("signatures")));
    // One of several is enough.
    let mut two = token.clone();
    let others = other_root.token().pointer(signatures).unwrap()[0].clone();
    *two.pointer_mut(signatures).unwrap() = json!([others, one]);
    assert_eq!(seen(open(&two)), Ok(expected()));
    *two.pointer_mut(signatures).unwrap() = json!([]);
    assert_eq!(seen(open(&two)), Err(TokenError::UntrustedKey));
}

#[test]
fn a_changed_byte_is_found_in_every_part() {
    let token = Offer::default().token();
    for part in [
        "/signature",
        "/signedMessage",
        "/intermediateSigningKey/signedKey",
        "/intermediateSigningKey/signatures/0",
    ] {
        let text = token.pointer(part).unwrap().as_str().unwrap();
        for place in (0..text.len()).step_by(5) {
            let mut changed = text.to_owned();
            let other = if &text[place..=place] == "1" {
                "2"
            } else {
                "1"
            };
            changed.replace_range(place..=place, other);
            let mut twin = token.clone();
            *twin.pointer_mut(part).unwrap() = json!(changed);
            assert!(open(&twin).is_err(), "{part} {place}");
            *twin.pointer_mut(part).unwrap() = json!(text[..place]);
            assert!(open(&twin).is_err(), "{part} {place}");
        }
    }
    let whole = token.to_string();
    for end in (0..whole.len()).step_by(11) {
        let opened = opener(GATEWAY).open(&whole[..end], MERCHANT_ID, NOW_MS);
        assert!(opened.is_err(), "{end}");
    }
}

#[test]
fn points_are_whole_and_on_the_curve() {
    let expected = TokenError::Malformed("ephemeralPublicKey");
    let changes: [fn(&mut Vec<u8>); 4] = [
        |point| *point.last_mut().unwrap() ^= 1,
        |point| point.truncate(64),
        // The short form, and the point at infinity.
        |point| {
            point[0] = 2 + (point[64] & 1);
            point.truncate(33);
        },
        |point| *point = vec![0],
    ];
    for change_point in changes {
        let offer = Offer {
            change_point,
            ..Offer::default()
        };
        assert_eq!(seen(open(&offer.token())), Err(expected));
    }
}

#[test]
fn the_content_has_to_be_a_card_that_has_not_expired() {
    for (part, value, expected) in [
        (
            "/messageExpiration",
            json!(NOW_MS.to_string()),
            TokenError::Expired,
        ),
        (
            "/messageExpiration",
            json!("soon"),
            TokenError::Malformed("messageExpiration"),
        ),
        (
            "/paymentMethod",
            json!("TOKENIZED_CARD"),
            TokenError::Unsupported("paymentMethod"),
        ),
        (
            "/paymentMethodDetails/authMethod",
            json!("OTHER"),
            TokenError::Unsupported("authMethod"),
        ),
        (
            "/paymentMethodDetails/cryptogram",
            Value::Null,
            TokenError::Malformed("cryptogram"),
        ),
        (
            "/paymentMethodDetails/eciIndicator",
            json!("x"),
            TokenError::Malformed("cryptogram"),
        ),
        (
            "/paymentMethodDetails/expirationMonth",
            json!(13),
            TokenError::Malformed("expirationMonth or expirationYear"),
        ),
        (
            "/paymentMethodDetails/pan",
            json!(4),
            TokenError::Malformed("the content"),
        ),
    ] {
        let mut offer = Offer::default();
        *offer.content.pointer_mut(part).unwrap() = value;
        assert_eq!(seen(open(&offer.token())), Err(expected), "{part}");
    }
}
