//! What a form asks beside the card, and what the buyer saw of it at a press of Pay.

use crate::sums::number_of;
use payframe_checkout_flow::choices::{self, ConsentRule, SavedCard};
use payframe_payment_domain::card::EnteredCard;

/// Something that is asked beside the card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beside {
    /// The currency, once the gateway has made an offer for the card.
    Currency,
    /// In how many parts the buyer pays: 1 or [`PARTS`].
    Instalments,
    /// Whether a saved card pays.
    SavedCard,
    /// The consent to save a card that is typed. Nothing is paid without it.
    Consent,
}

/// The number of parts that can be chosen beside payment at once.
pub const PARTS: u8 = 3;

/// What is asked from the start. A currency offer comes later. `has_saved`: the customer still has the saved card.
pub(crate) fn asked(beside: &[Beside], has_saved: bool) -> choices::Asked {
    let card = SavedCard {
        id: String::from("saved"),
        network: String::from("VISA"),
        brand: String::from("Visa"),
        last4: String::from("0003"),
        expires: String::from("2030-12"),
        is_expired: false,
    };
    choices::Asked {
        instalments: if beside.contains(&Beside::Instalments) {
            vec![PARTS]
        } else {
            vec![]
        },
        saved_cards: beside
            .contains(&Beside::SavedCard)
            .then(|| if has_saved { vec![card] } else { vec![] }),
        consent: beside
            .contains(&Beside::Consent)
            .then_some(ConsentRule::Required),
        billing: None,
    }
}

/// What is paid, as the buyer saw it at a press of Pay, or as it is charged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Seen {
    /// The number of the sum.
    pub(crate) sum: Option<u8>,
    /// Whether the saved card pays.
    pub(crate) is_saved: bool,
    /// In how many parts.
    pub(crate) parts: u8,
}

impl Seen {
    /// What is charged with this card, in a session with the sum of this number.
    pub(crate) fn charged(card: &EnteredCard, session: u8) -> Self {
        Self {
            sum: match &card.offer {
                Some(offer) => number_of(offer.amount.minor(), &offer.currency),
                None => Some(session),
            },
            is_saved: card.contract_id.is_some(),
            parts: card.installments.unwrap_or(1),
        }
    }
}
