//! The data of the sandbox's wallets: the objects of the wallets' browser interfaces, with the card in clear text where real wallets
//! encrypt it (contract 11.8).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use payframe_card_rules::secret::Secret;
use payframe_payment_domain::network_token::TokenCryptogram;
use payframe_payment_domain::wallet::{ConfirmedSum, Wallet};
use payframe_payment_ports::wallet_tokens::{WalletCard, WalletTokenError, WalletTokens};
use serde_json::Value;

/// Reads the data of the sandbox's wallets.
pub(crate) struct SandboxWallets;

impl WalletTokens for SandboxWallets {
    fn open(
        &self,
        wallet: Wallet,
        data: &Value,
        _merchant_id: &str,
    ) -> Result<WalletCard, WalletTokenError> {
        let refused = || {
            WalletTokenError::Refused(String::from(
                "a sandbox reads its own tokens only, whose content is in clear",
            ))
        };
        read(wallet, data).ok_or_else(refused)
    }
}

fn read(wallet: Wallet, data: &Value) -> Option<WalletCard> {
    match wallet {
        Wallet::GooglePay => read_google(data),
        Wallet::ApplePay => read_apple(data),
    }
}

fn read_google(data: &Value) -> Option<WalletCard> {
    let token = data.pointer("/paymentMethodData/tokenizationData/token")?;
    let token: Value = serde_json::from_str(token.as_str()?).ok()?;
    let message: Value = serde_json::from_str(token.get("signedMessage")?.as_str()?).ok()?;
    let details = message.get("paymentMethodDetails")?;
    let month = number_of(details.get("expirationMonth")?)?;
    let year = number_of(details.get("expirationYear")?)?;
    Some(WalletCard {
        number: Secret::new(details.get("pan")?.as_str()?.to_owned()),
        expiry: mmyy(month, year)?,
        confirmed: None,
        cryptogram: match details.get("authMethod")?.as_str()? {
            "PAN_ONLY" => None,
            "CRYPTOGRAM_3DS" => Some(cryptogram(details, "cryptogram")?),
            _ => return None,
        },
        token: None,
    })
}

fn read_apple(data: &Value) -> Option<WalletCard> {
    let encrypted = data.pointer("/token/paymentData/data")?.as_str()?;
    let opened = STANDARD.decode(encrypted).ok()?;
    let opened: Value = serde_json::from_slice(&opened).ok()?;
    // YYMMDD
    let date = opened.get("applicationExpirationDate")?.as_str()?;
    let is_date = date.len() == 6 && date.bytes().all(|byte| byte.is_ascii_digit());
    let expiry = is_date.then(|| format!("{}{}", &date[2..4], &date[..2]))?;
    Some(WalletCard {
        number: Secret::new(
            opened
                .get("applicationPrimaryAccountNumber")?
                .as_str()?
                .to_owned(),
        ),
        expiry,
        cryptogram: Some(cryptogram(
            opened.get("paymentData")?,
            "onlinePaymentCryptogram",
        )?),
        confirmed: match (opened.get("transactionAmount"), opened.get("currencyCode")) {
            (None, None) => None,
            (amount, currency) => Some(ConfirmedSum::read(amount?.as_u64()?, currency?.as_str()?)?),
        },
        token: None,
    })
}

/// The cryptogram in the member `name`, with its `eciIndicator`, which may be missing.
fn cryptogram(data: &Value, name: &str) -> Option<TokenCryptogram> {
    let eci = match data.get("eciIndicator") {
        None => None,
        Some(eci) => Some(eci.as_str()?),
    };
    TokenCryptogram::read(data.get(name)?.as_str()?, eci).ok()
}

/// A number, which wallets write as a number or as text.
fn number_of(value: &Value) -> Option<u64> {
    match value {
        Value::String(text) if text.bytes().all(|byte| byte.is_ascii_digit()) => text.parse().ok(),
        Value::Number(number) => number.as_u64(),
        _ => None,
    }
}

fn mmyy(month: u64, year: u64) -> Option<String> {
    let is_date = (1..=12).contains(&month) && (2000..=2099).contains(&year);
    is_date.then(|| format!("{month:02}{:02}", year % 100))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn google(details: &Value) -> Value {
        let message = json!({ "paymentMethodDetails": details }).to_string();
        let token = json!({ "signature": "x", "signedMessage": message }).to_string();
        json!({ "paymentMethodData": { "tokenizationData": { "token": token } } })
    }

    fn apple(content: &Value) -> Value {
        json!({ "token": { "paymentData": { "data": STANDARD.encode(content.to_string()) } } })
    }

    /// Expected: number, expiry, cryptogram and its ECI.
    fn check(wallet: Wallet, data: &Value, expected: Option<[&str; 4]>) {
        let found = read(wallet, data);
        let found = found.as_ref().map(|card| {
            let cryptogram = card.cryptogram.as_ref();
            [
                // Exposed because the test searches for its own values.
                card.number.expose(),
                card.expiry.as_str(),
                cryptogram.map_or("-", |cryptogram| cryptogram.value().expose()),
                cryptogram.and_then(TokenCryptogram::eci).unwrap_or("-"),
            ]
        });
        assert_eq!(found, expected, "{data}");
    }

    #[test]
    fn tokens_are_read_as_the_contract_says() {
        let pan = "4761730000000003";
        let card = json!({ "pan": pan, "expirationMonth": 3, "expirationYear": 2030, "authMethod": "PAN_ONLY" });
        check(
            Wallet::GooglePay,
            &google(&card),
            Some([pan, "0330", "-", "-"]),
        );
        let mut vouched = card.clone();
        vouched["authMethod"] = json!("CRYPTOGRAM_3DS");
        vouched["cryptogram"] = json!("AAAA");
        vouched["expirationMonth"] = json!("12");
        vouched["expirationYear"] = json!("2031");
        check(
            Wallet::GooglePay,
            &google(&vouched),
            Some([pan, "1231", "AAAA", "-"]),
        );
        let content = json!({
            "applicationPrimaryAccountNumber": pan, "applicationExpirationDate": "301231",
            "paymentDataType": "3DSecure", "paymentData": { "onlinePaymentCryptogram": "AAAA", "eciIndicator": "7" }
        });
        check(
            Wallet::ApplePay,
            &apple(&content),
            Some([pan, "1230", "AAAA", "07"]),
        );
    }

    #[test]
    fn what_is_no_token_is_not_read() {
        let card = json!({ "pan": "4761730000000003", "expirationMonth": 3, "expirationYear": 2030, "authMethod": "PAN_ONLY" });
        for (member, value) in [
            ("pan", Value::Null),
            ("pan", json!(4_761_730_000_000_003_u64)),
            ("expirationMonth", json!(13)),
            ("expirationMonth", json!("-1")),
            ("expirationYear", json!(30)),
            ("authMethod", json!("OTHER")),
            // A token without its cryptogram, or with another text in its place.
            ("authMethod", json!("CRYPTOGRAM_3DS")),
        ] {
            let mut other = card.clone();
            other[member] = value;
            check(Wallet::GooglePay, &google(&other), None);
        }
        for data in [
            json!({}),
            json!({ "paymentMethodData": { "tokenizationData": { "token": {} } } }),
            json!({ "paymentMethodData": { "tokenizationData": { "token": "{" } } }),
            json!({ "paymentMethodData": { "tokenizationData": { "token": "{\"signedMessage\":\"{\"}" } } }),
        ] {
            check(Wallet::GooglePay, &data, None);
        }
        let token = |cryptogram: &str, eci: Value| {
            let mut other = card.clone();
            other["authMethod"] = json!("CRYPTOGRAM_3DS");
            other["cryptogram"] = json!(cryptogram);
            other["eciIndicator"] = eci;
            google(&other)
        };
        for (cryptogram, eci) in [
            ("no base64", json!("05")),
            ("AAAA", json!("x")),
            ("AAAA", json!(5)),
        ] {
            check(Wallet::GooglePay, &token(cryptogram, eci), None);
        }
        // The object of the other wallet.
        check(Wallet::ApplePay, &google(&card), None);
        for content in [
            json!({ "applicationPrimaryAccountNumber": "1", "applicationExpirationDate": "3012" }),
            json!({ "applicationPrimaryAccountNumber": "1", "applicationExpirationDate": "30123é" }),
            json!({ "applicationPrimaryAccountNumber": "1", "applicationExpirationDate": "301231" }),
        ] {
            check(Wallet::ApplePay, &apple(&content), None);
        }
        let unreadable = json!({ "token": { "paymentData": { "data": "%" } } });
        check(Wallet::ApplePay, &unreadable, None);
    }
}
