//! Encrypted tokens of wallets. Nothing opens that the wallet did not sign for the key.

use payframe_wallet_tokens::{
    ApplePay, CertificateRoots, DecryptionKey, GooglePay, OpenedCard, Recipient, SigningRoots,
};
use serde_json::Value;
use std::sync::LazyLock;

/// Keys that are used nowhere else, and tokens for them.
struct Vector {
    now_ms: i64,
    merchant_id: String,
    applepay: ApplePay,
    googlepay: GooglePay,
    tokens: Vec<String>,
    /// What tells these tokens from others.
    digests: Vec<[u8; 32]>,
}

static VECTOR: LazyLock<Vector> = LazyLock::new(|| match vector() {
    Some(vector) => vector,
    None => panic!("the fixture of crates/wallet-tokens has no tokens and keys"),
});

fn vector() -> Option<Vector> {
    let file = include_str!("../../wallet-tokens/fixtures/tokens.json");
    let file: Value = serde_json::from_str(file).ok()?;
    let text = |part: &str| Some(file.pointer(part)?.as_str()?.to_owned());
    let key = |part: &str| DecryptionKey::from_pem(&text(part)?).ok();
    let mut vector = Vector {
        now_ms: file["nowMs"].as_i64()?,
        merchant_id: text("/merchantId")?,
        applepay: ApplePay::new(
            &text("/applepay/identifier")?,
            vec![key("/applepay/key")?],
            CertificateRoots::from_pem(&text("/applepay/root")?).ok()?,
        ),
        googlepay: GooglePay::new(
            Recipient::parse(&text("/googlepay/recipient")?).ok()?,
            vec![key("/googlepay/key")?],
            SigningRoots::from_json(&file["googlepay"]["roots"].to_string()).ok()?,
        ),
        tokens: vec![
            file["applepay"]["token"].to_string(),
            text("/googlepay/cryptogram")?,
            text("/googlepay/numberOnly")?,
        ],
        digests: Vec::new(),
    };
    let digests = vector
        .tokens
        .iter()
        .map(|token| Some(vector.open(token)?.digest));
    vector.digests = digests.collect::<Option<_>>()?;
    Some(vector)
}

impl Vector {
    fn open(&self, text: &str) -> Option<OpenedCard> {
        let value = serde_json::from_str(text).unwrap_or_default();
        let opened = self.applepay.open(&value, self.now_ms).ok();
        opened.or_else(|| {
            let opened = self.googlepay.open(text, &self.merchant_id, self.now_ms);
            opened.ok()
        })
    }
}

/// Parts of a token are not signed, such as spaces. What opens is one of the tokens nevertheless.
pub(crate) fn check(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes)
        && let Some(card) = VECTOR.open(text)
    {
        assert!(VECTOR.digests.contains(&card.digest), "another token");
    }
}

pub(crate) fn samples() -> Vec<Vec<u8>> {
    VECTOR
        .tokens
        .iter()
        .map(|token| token.clone().into_bytes())
        .collect()
}
