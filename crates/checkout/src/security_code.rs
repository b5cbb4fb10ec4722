//! The security code: three or four digits, by the card's network.
//!
//! Use it for the form and for the gateway's check of what it was sent. The code is held by a [`Secret`] and never
//! written anywhere; it goes as soon as the acquirer was asked.

use crate::digit::digit_value;
use crate::network::{Network, SecurityCodePolicy};
use crate::secret::Secret;

/// A security code of the right length.
#[derive(Debug)]
pub struct SecurityCode(Secret);

/// Why a text is not a security code. Holds no digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecurityCodeProblem {
    /// Nothing given though the card needs one.
    Empty,
    /// Not as many digits as this, the network's length.
    Length(u8),
    /// Something that is not a digit.
    NotDigits,
}

impl SecurityCode {
    /// Reads the code of a card of this network. `None` as the network: not known yet, so three or four digits.
    ///
    /// Gives `None` where the network lets the code be empty, and always where it has none (what was typed is dropped).
    ///
    /// # Errors
    /// Empty, not digits, length: in this order.
    pub fn parse(
        text: &str,
        network: Option<Network>,
    ) -> Result<Option<Self>, SecurityCodeProblem> {
        let policy = network.map_or(SecurityCodePolicy::Required, Network::security_code_policy);
        if policy == SecurityCodePolicy::None {
            return Ok(None);
        }
        // Room for all, so that no growing leaves a copy behind.
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
            return Err(SecurityCodeProblem::NotDigits);
        }
        if length == 0 {
            return if policy == SecurityCodePolicy::Optional {
                Ok(None)
            } else {
                Err(SecurityCodeProblem::Empty)
            };
        }
        let expected = network.map_or(3, Network::security_code_length);
        if length == usize::from(expected) || (network.is_none() && length == 4) {
            Ok(Some(code))
        } else {
            Err(SecurityCodeProblem::Length(expected))
        }
    }

    /// The digits. Say at the call why they are needed.
    #[must_use]
    pub fn expose(&self) -> &str {
        self.0.expose()
    }
}

impl SecurityCodeProblem {
    /// Stable code of the cause.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Empty => "security_code_empty",
            Self::Length(_) => "security_code_length",
            Self::NotDigits => "security_code_not_digits",
        }
    }

    /// The code of the public contract for hosted fields.
    #[must_use]
    pub fn hosted_field_code(self) -> &'static str {
        "HF0001"
    }
}
