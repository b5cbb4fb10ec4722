//! The look-up of issuers by the first digits of a card (BIN).
//!
//! It is asked with each key of a form, so it answers from memory and never fails: what it does not know it leaves out. Asking
//! twice costs nothing.

use payframe_card_rules::card_number::CardNumber;
use payframe_card_rules::expiry::Expiry;
use payframe_card_rules::network::{NetworkSet, candidates, network_of};
use payframe_payment_domain::card::Funding;

/// Knows issuers by the first digits of their cards.
pub trait BinLookup: Send + Sync {
    /// What is known from the first digits of a number: six or more, at most eight of which count.
    fn issuer_of(&self, first_digits: &str) -> Issuer;

    /// Whether this very card is taken although its month is over. Of real cards none is; documented test cards may be.
    fn takes_past_expiry(&self, _number: &CardNumber, _expiry: Expiry) -> bool {
        false
    }
}

/// What an issuer's range says of a card.
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
    /// What the networks' own ranges say, where nothing is known of the issuer.
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

/// Knows the networks' own ranges and no issuer.
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
