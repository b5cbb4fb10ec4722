//! What the examiner pays with, as its requests take it: read from the test cards.

use crate::test_cards::{TestCards, TestToken};
use payframe_card_rules::card_number::CardNumber;
use payframe_card_rules::expiry::Expiry;
use payframe_card_rules::network::{Network, NetworkSet};
use payframe_card_rules::secret::Secret;
use payframe_card_rules::security_code::SecurityCode;
use payframe_payment_ports::acquirer::NetworkToken;

/// A test card.
pub struct Card {
    /// Its number.
    pub number: Secret,
    pub(crate) network: Network,
    pub(crate) expiry: Expiry,
    /// Its security code.
    pub code: SecurityCode,
}

/// A network token.
pub(crate) struct Token {
    /// Its number and its expiry.
    pub(crate) card: Card,
    /// With a cryptogram that is right.
    pub(crate) right: NetworkToken,
    /// With one that is wrong.
    pub(crate) wrong: Option<NetworkToken>,
}

impl Card {
    /// `None`: it cannot be read.
    pub(crate) fn read(number: &str, cards: &TestCards) -> Option<Card> {
        let number = CardNumber::parse(number, NetworkSet::all()).ok()?;
        let network = number.network();
        Some(Card {
            network,
            // Exposed to be sent to an endpoint for tests.
            number: Secret::new(number.expose().to_owned()),
            expiry: Expiry::parse_shape(&cards.expiry).ok()?,
            code: SecurityCode::parse(&cards.security_code, None).ok()??,
        })
    }
}

impl Token {
    /// `None`: it cannot be read.
    pub(crate) fn read(token: &TestToken, cards: &TestCards) -> Option<Token> {
        Some(Token {
            card: Card::read(&token.number, cards)?,
            right: token.with(&token.cryptogram)?,
            wrong: match &token.declined_cryptogram {
                Some(cryptogram) => Some(token.with(cryptogram)?),
                None => None,
            },
        })
    }
}
