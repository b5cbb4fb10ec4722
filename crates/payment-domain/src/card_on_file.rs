//! What a form does with stored cards: whether it shows those of the order's customer, and whether it asks before it stores one
//! (`form.savedCards` and `form.consent`). Which contracts there are is not known here.

/// The settings for stored cards, fixed when a session is made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CardOnFileTerms {
    /// What the buyer may do with the cards that are stored.
    pub saved: SavedCards,
    /// Whether the buyer is asked before this card is stored.
    pub consent: Consent,
    /// How the buyer can withdraw the consent, in the merchant's words.
    pub text: Option<String>,
}

/// What the buyer may do with stored cards in the form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SavedCards {
    /// Nothing: they are not shown.
    #[default]
    None,
    /// Pay with one.
    Use,
    /// Pay with one, or have it removed.
    UseAndRemove,
}

/// Whether the buyer is asked in the form before the card is stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Consent {
    /// No: the merchant already has the buyer's consent.
    #[default]
    None,
    /// Yes. Without consent the buyer pays, and the card is not stored.
    Optional,
    /// Yes. Without consent the buyer cannot pay.
    Required,
}

impl SavedCards {
    /// The code on the wire.
    pub fn code(self) -> &'static str {
        match self {
            SavedCards::None => "NONE",
            SavedCards::Use => "USE",
            SavedCards::UseAndRemove => "USE_AND_REMOVE",
        }
    }

    /// The value of a code on the wire.
    pub fn from_code(code: &str) -> Option<SavedCards> {
        [SavedCards::None, SavedCards::Use, SavedCards::UseAndRemove]
            .into_iter()
            .find(|known| known.code() == code)
    }

    /// Every code.
    pub const CODES: [&'static str; 3] = ["NONE", "USE", "USE_AND_REMOVE"];
}

impl Consent {
    /// The code on the wire.
    pub fn code(self) -> &'static str {
        match self {
            Consent::None => "NONE",
            Consent::Optional => "OPTIONAL",
            Consent::Required => "REQUIRED",
        }
    }

    /// The value of a code on the wire.
    pub fn from_code(code: &str) -> Option<Consent> {
        [Consent::None, Consent::Optional, Consent::Required]
            .into_iter()
            .find(|known| known.code() == code)
    }

    /// Every code.
    pub const CODES: [&'static str; 3] = ["NONE", "OPTIONAL", "REQUIRED"];
}
