//! The look-up of issuers by the first digits of a card (BIN).
//!
//! It is called for each key press in a form, so it answers from memory and never fails. Unknown data is left out. A repeated call has no
//! cost.

use payframe_card_rules::card_number::CardNumber;
use payframe_card_rules::expiry::Expiry;
use payframe_card_rules::network::{NetworkSet, candidates, network_of};
use payframe_payment_domain::card::Funding;

/// Finds issuers by the first digits of their cards.
pub trait BinLookup: Send + Sync {
    /// The issuer for the first digits of a number: at least six digits, of which at most eight are used.
    fn issuer_of(&self, first_digits: &str) -> Issuer;

    /// Whether this card is accepted although it has expired. Never for real cards; possible for documented test cards.
    fn takes_past_expiry(&self, _number: &CardNumber, _expiry: Expiry) -> bool {
        false
    }
}

/// The data of an issuer's range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Issuer {
    /// Two on a co-badged card.
    pub networks: NetworkSet,
    /// ISO 3166-1 alpha-3, if known.
    pub country: Option<&'static str>,
    /// If known.
    pub funding: Option<Funding>,
    /// The card's own currency, if known.
    pub currency: Option<&'static str>,
}

impl Issuer {
    /// The data of the networks' public ranges, for an unknown issuer.
    pub fn of_public_range(first_digits: &str) -> Issuer {
        Issuer {
            networks: network_of(first_digits)
                .map_or_else(|| candidates(first_digits), NetworkSet::of),
            country: None,
            funding: None,
            currency: None,
        }
    }
}

/// Knows the networks' public ranges and no issuer.
#[derive(Clone, Copy, Debug)]
pub struct PublicRanges;

impl BinLookup for PublicRanges {
    fn issuer_of(&self, first_digits: &str) -> Issuer {
        Issuer::of_public_range(first_digits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use payframe_card_rules::network::Network;

    #[test]
    fn public_ranges_tell_the_network_and_nothing_else() {
        let issuer = PublicRanges.issuer_of("47617300");
        assert_eq!(issuer.networks, NetworkSet::of(Network::Visa));
        assert_eq!(
            (issuer.country, issuer.funding, issuer.currency),
            (None, None, None)
        );
    }
}
