//! The security code: three or four digits, by the card's network.
//!
//! Use it in the form, and in the gateway's check of received card data. The code is in a [`Secret`] and never
//! written to disk; it is dropped as soon as the acquirer was asked.

use crate::digit::digit_value;
use crate::network::{Network, SecurityCodePolicy};
use crate::secret::Secret;

/// A security code of the right length.
#[derive(Debug)]
pub struct SecurityCode(Secret);

/// Why a text is not a security code. Holds no digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SecurityCodeError {
    /// Nothing given though the card needs one.
    #[error("no code")]
    Empty,
    /// Not as many digits as this, the network's length.
    #[error("not {0} digits")]
    Length(u8),
    /// Something that is not a digit.
    #[error("not only digits")]
    NotDigits,
}

impl SecurityCode {
    /// Reads the code of a card of this network. `None` as the network: not known yet, so three or four digits.
    ///
    /// Gives `None` where the network lets the code be empty, and always where it has none (what was typed is dropped).
    ///
    /// # Errors
    /// Empty, not digits, length: in this order.
    pub fn parse(text: &str, network: Option<Network>) -> Result<Option<Self>, SecurityCodeError> {
        let policy = network.map_or(SecurityCodePolicy::Required, Network::security_code_policy);
        if policy == SecurityCodePolicy::None {
            return Ok(None);
        }
        // Enough capacity for everything: a buffer that grows would leave a copy in memory.
        let mut plain = String::with_capacity(text.len());
        let mut stray = false;
        for c in text
            .chars()
            .filter(|c| !matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{a0}'))
        {
            match digit_value(c) {
                Some(value) => plain.push(char::from(b'0' + value)),
                None => stray = true,
            }
        }
        let length = plain.len();
        let code = Self(Secret::new(plain));
        if stray {
            return Err(SecurityCodeError::NotDigits);
        }
        if length == 0 {
            return if policy == SecurityCodePolicy::Optional {
                Ok(None)
            } else {
                Err(SecurityCodeError::Empty)
            };
        }
        let expected = network.map_or(3, Network::security_code_length);
        if length == usize::from(expected) || (network.is_none() && length == 4) {
            Ok(Some(code))
        } else {
            Err(SecurityCodeError::Length(expected))
        }
    }

    /// The digits. Say at the call why they are needed.
    #[must_use]
    pub fn expose(&self) -> &str {
        self.0.expose()
    }
}

impl SecurityCodeError {
    /// Stable code of the cause.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Empty => "security_code_empty",
            Self::Length(_) => "security_code_length",
            Self::NotDigits => "security_code_not_digits",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Network as N;
    use SecurityCodeError as P;
    use proptest::prelude::*;

    fn check(text: &str, network: Option<Network>, expected: Result<Option<&str>, P>) {
        let parsed = SecurityCode::parse(text, network);
        let read = parsed
            .as_ref()
            .map(|code| code.as_ref().map(SecurityCode::expose));
        assert_eq!(
            read.map_err(|problem| *problem),
            expected,
            "{text:?} {network:?}"
        );
    }

    /// B9: the length follows the network.
    /// B11: any length of a code is good until the network is known.
    #[test]
    fn length_by_network() {
        check("123", Some(N::Visa), Ok(Some("123")));
        check("1234", Some(N::Visa), Err(P::Length(3)));
        check("12", Some(N::Visa), Err(P::Length(3)));
        check("1234", Some(N::Amex), Ok(Some("1234")));
        check("123", Some(N::Amex), Err(P::Length(4)));
        check("000", Some(N::Mastercard), Ok(Some("000")));
        for text in ["123", "1234"] {
            check(text, None, Ok(Some(text)));
        }
        check("12", None, Err(P::Length(3)));
        check("12345", None, Err(P::Length(3)));
    }

    /// B10: optional for some networks, none for others, which drops what was typed.
    #[test]
    fn empty_by_policy() {
        for empty in ["", " "] {
            check(empty, Some(N::Visa), Err(P::Empty));
            check(empty, None, Err(P::Empty));
            check(empty, Some(N::Maestro), Ok(None));
            check(empty, Some(N::UnionPay), Ok(None));
            check(empty, Some(N::Bancontact), Ok(None));
        }
        check("123", Some(N::Maestro), Ok(Some("123")));
        check("12", Some(N::Maestro), Err(P::Length(3)));
        check("123", Some(N::Bancontact), Ok(None));
    }

    #[test]
    fn digits_only_of_any_script() {
        check(" 123 ", Some(N::Visa), Ok(Some("123")));
        check("١٢٣", Some(N::Visa), Ok(Some("123")));
        check("１２３", Some(N::Visa), Ok(Some("123")));
        for text in ["12a", "abc", "1-3", "12.", "+12"] {
            check(text, Some(N::Visa), Err(P::NotDigits));
        }
    }

    /// N15: it is gone from field and memory, and never stored or prefilled.
    #[test]
    fn nothing_of_it_is_printed() {
        assert_eq!(
            format!("{:?}", SecurityCode::parse("739", None)),
            "Ok(Some(SecurityCode(Secret(…))))"
        );
    }

    /// D7: the codes of a security code.
    #[test]
    fn codes_are_stable() {
        let codes = [P::Empty, P::Length(4), P::NotDigits].map(SecurityCodeError::code);
        assert_eq!(
            codes,
            [
                "security_code_empty",
                "security_code_length",
                "security_code_not_digits"
            ]
        );
    }

    proptest! {
        #[test]
        fn any_text_has_an_answer(text in any::<String>(), network in 0_usize..10) {
            for network in [None, Some(N::ALL[network])] {
                if let Ok(Some(code)) = SecurityCode::parse(&text, network) {
                    prop_assert!(matches!(code.expose().len(), 3 | 4));
                }
            }
        }
    }
}
