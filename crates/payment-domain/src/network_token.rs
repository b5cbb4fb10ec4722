//! Network tokens: numbers that stand for a card in one wallet on one device. The acquirer gets a token with a cryptogram, which the device
//! makes for one payment. It proves that the cardholder has unlocked the device, so the buyer is not asked again.

use crate::wallet::Wallet;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use payframe_card_rules::secret::Secret;

/// What is known of a card number that is a network token.
#[derive(Debug)]
pub struct NetworkToken {
    /// The wallet that the token was made for.
    pub wallet: Wallet,
    /// The cryptogram of this payment. `None` if an agreement with the buyer is charged later: a cryptogram is for one payment only.
    pub cryptogram: Option<TokenCryptogram>,
}

/// The cryptogram of a network token for one payment.
#[derive(Debug)]
pub struct TokenCryptogram {
    value: Secret,
    eci: Option<String>,
}

/// The cryptogram is malformed. The error does not contain it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a cryptogram is base64 text of 1 to {LONGEST_BYTES} bytes, and its ECI is one or two digits, or empty"
)]
pub struct InvalidCryptogram;

impl TokenCryptogram {
    /// Reads a cryptogram (base64) and its electronic commerce indicator. Wallets write the indicator with one digit or two, or leave it empty.
    ///
    /// # Errors
    /// One of them is malformed.
    pub fn read(value: &str, eci: Option<&str>) -> Result<TokenCryptogram, InvalidCryptogram> {
        let length = STANDARD.decode(value).map(|bytes| bytes.len());
        let eci = eci.filter(|eci| !eci.is_empty());
        let is_eci = |eci: &str| eci.len() <= 2 && eci.bytes().all(|byte| byte.is_ascii_digit());
        if !length.is_ok_and(|length| (1..=LONGEST_BYTES).contains(&length))
            || !eci.is_none_or(is_eci)
        {
            return Err(InvalidCryptogram);
        }
        Ok(TokenCryptogram {
            value: Secret::new(value.to_owned()),
            eci: eci.map(|eci| format!("{eci:0>2}")),
        })
    }

    /// The cryptogram, as base64.
    pub fn value(&self) -> &Secret {
        &self.value
    }

    /// The electronic commerce indicator, with two digits, if the wallet gave one.
    pub fn eci(&self) -> Option<&str> {
        self.eci.as_deref()
    }
}

/// The longest cryptogram that networks have is 40 bytes.
const LONGEST_BYTES: usize = 48;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cryptograms_are_read_as_wallets_write_them() {
        let value = "AgAAAAAABk4DWZ4C28yUQAAAAAA=";
        for (eci, expected) in [
            (None, None),
            (Some(""), None),
            (Some("7"), Some("07")),
            (Some("05"), Some("05")),
        ] {
            let read = TokenCryptogram::read(value, eci).unwrap();
            // Exposed to be compared.
            assert_eq!((read.value().expose(), read.eci()), (value, expected));
            assert!(!format!("{read:?}").contains("AgAA"));
        }
    }

    #[test]
    fn what_is_no_cryptogram_is_refused() {
        let too_long = STANDARD.encode([7; LONGEST_BYTES + 1]);
        for (value, eci) in [
            ("", None),
            ("A", None),
            ("AAA\n", None),
            ("AA_-", None),
            (too_long.as_str(), None),
            ("AAAA", Some("5x")),
            ("AAAA", Some("005")),
            ("AAAA", Some("٥")),
        ] {
            assert!(
                TokenCryptogram::read(value, eci).is_err(),
                "{value} {eci:?}"
            );
        }
        assert!(TokenCryptogram::read(&STANDARD.encode([7; LONGEST_BYTES]), None).is_ok());
    }
}
