//! Which inputs there are.

use serde::{Deserialize, Serialize};

/// One of the form's inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum FieldId {
    /// The number on the card.
    #[serde(rename = "CARD_NUMBER")]
    CardNumber,
    /// The month in which the card ends.
    #[serde(rename = "EXPIRATION_DATE")]
    Expiry,
    /// The security code.
    #[serde(rename = "SECURITY_CODE")]
    SecurityCode,
    /// The first name.
    #[serde(rename = "CARDHOLDER_NAME")]
    HolderName,
    /// The last name, or the whole name.
    #[serde(rename = "CARDHOLDER_SURNAME")]
    HolderSurname,
    /// The e-mail address.
    #[serde(rename = "CARDHOLDER_EMAIL")]
    Email,
    /// The box to tick that agrees to the privacy conditions.
    #[serde(rename = "PRIVACY_CONDITIONS")]
    Privacy,
}

/// How many fields there can be.
pub const FIELDS: usize = 7;

impl FieldId {
    /// In visual order.
    pub const ALL: [Self; FIELDS] = [
        Self::CardNumber,
        Self::Expiry,
        Self::SecurityCode,
        Self::HolderName,
        Self::HolderSurname,
        Self::Email,
        Self::Privacy,
    ];

    /// The id on the wire and in the page.
    pub fn id(self) -> &'static str {
        match self {
            Self::CardNumber => "CARD_NUMBER",
            Self::Expiry => "EXPIRATION_DATE",
            Self::SecurityCode => "SECURITY_CODE",
            Self::HolderName => "CARDHOLDER_NAME",
            Self::HolderSurname => "CARDHOLDER_SURNAME",
            Self::Email => "CARDHOLDER_EMAIL",
            Self::Privacy => "PRIVACY_CONDITIONS",
        }
    }

    /// The field with this id.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.id() == id)
    }

    /// Whether it is of digits.
    pub fn is_numeric(self) -> bool {
        (self as usize) < Self::HolderName as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_the_same_in_messages_and_in_the_page() {
        for field in FieldId::ALL {
            assert_eq!(serde_json::to_value(field).unwrap(), field.id());
        }
    }
}
