//! Which inputs there are.

/// One of the form's inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldId {
    /// `CARD_NUMBER`
    CardNumber,
    /// `EXPIRATION_DATE`
    Expiry,
    /// `SECURITY_CODE`
    SecurityCode,
    /// `CARDHOLDER_NAME`
    HolderName,
    /// `CARDHOLDER_SURNAME`
    HolderSurname,
    /// `CARDHOLDER_EMAIL`
    Email,
    /// `PRIVACY_CONDITIONS`
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
