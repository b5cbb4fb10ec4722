//! What a form does with stored cards: whether it shows those of the order's customer, and whether it asks before a card is stored
//! (`form.savedCards` and `form.consent`). The contracts themselves are in [`super::contract`].

/// What is fixed about it when a session is made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CardOnFileTerms {
    /// What the buyer may do with the cards that are kept.
    pub saved: SavedCards,
    /// Whether the buyer is asked before this one is.
    pub consent: Consent,
    /// How to stop what was agreed, in the merchant's words.
    pub text: Option<String>,
}

/// What the buyer may do with kept cards in the form.
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

/// Whether the buyer is asked in the form before the card is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Consent {
    /// No: the merchant has the buyer's word already.
    #[default]
    None,
    /// Yes, and who does not agree pays without it.
    Optional,
    /// Yes, and who does not agree can not pay.
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

    /// What a code on the wire stands for.
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

    /// What a code on the wire stands for.
    pub fn from_code(code: &str) -> Option<Consent> {
        [Consent::None, Consent::Optional, Consent::Required]
            .into_iter()
            .find(|known| known.code() == code)
    }

    /// Every code.
    pub const CODES: [&'static str; 3] = ["NONE", "OPTIONAL", "REQUIRED"];
}
