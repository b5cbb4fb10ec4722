//! Tokens in a file, for tests of other crates: they are valid at the time in the file, and for the merchant in it.
//!
//! With `PAYFRAME_WRITE_TOKENS` in the environment the file is written anew.

use crate::applepay_maker::{Chain, IDENTIFIER, MERCHANT, Offer as AppleOffer, Plan};
use crate::googlepay_maker::{GATEWAY, MERCHANT_ID, Offer, RECIPIENT, ROOT, content, roots};
use crate::{NOW_MS, pem, secret};
use payframe_wallet_tokens::{ApplePay, CertificateRoots, DecryptionKey};
use payframe_wallet_tokens::{GooglePay, Recipient, SigningRoots};
use serde_json::{Value, json};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/tokens.json");

#[test]
fn the_tokens_in_the_file_open() {
    if std::env::var_os("PAYFRAME_WRITE_TOKENS").is_some() {
        write_the_file();
    }
    let file: Value = serde_json::from_str(&std::fs::read_to_string(FILE).unwrap()).unwrap();
    let text = |part: &str| file.pointer(part).unwrap().as_str().unwrap().to_owned();
    let key = |part: &str| DecryptionKey::from_pem(&text(part)).unwrap();
    let now_ms = file["nowMs"].as_i64().unwrap();
    assert_eq!(now_ms, NOW_MS);
    let applepay = ApplePay::new(
        &text("/applepay/identifier"),
        vec![key("/applepay/key")],
        CertificateRoots::from_pem(&text("/applepay/root")).unwrap(),
    );
    let card = applepay.open(&file["applepay"]["token"], now_ms).unwrap();
    assert!(card.cryptogram.is_some());
    let googlepay = GooglePay::new(
        Recipient::parse(&text("/googlepay/recipient")).unwrap(),
        vec![key("/googlepay/key")],
        SigningRoots::from_json(&file["googlepay"]["roots"].to_string()).unwrap(),
    );
    for (part, has_cryptogram) in [
        ("/googlepay/cryptogram", true),
        ("/googlepay/numberOnly", false),
    ] {
        let opened = googlepay.open(&text(part), &text("/merchantId"), now_ms);
        assert_eq!(opened.unwrap().cryptogram.is_some(), has_cryptogram);
    }
}

fn write_the_file() {
    let chain = Chain::new(&Plan::default());
    let number_only = Offer {
        content: content("PAN_ONLY"),
        ..Offer::default()
    };
    let roots: Value = serde_json::from_str(&roots(ROOT, NOW_MS + 86_400_000)).unwrap();
    let file = json!({
        "nowMs": NOW_MS,
        "merchantId": MERCHANT_ID,
        "applepay": {
            "identifier": IDENTIFIER,
            "key": pem(&secret(MERCHANT)),
            "root": chain.root_pem,
            "token": AppleOffer::default().token(&chain),
        },
        "googlepay": {
            "recipient": GATEWAY,
            "key": pem(&secret(RECIPIENT)),
            "roots": roots,
            "cryptogram": Offer::default().token().to_string(),
            "numberOnly": number_only.token().to_string(),
        },
    });
    let text = serde_json::to_string_pretty(&file).unwrap();
    std::fs::write(FILE, text + "\n").unwrap();
}
