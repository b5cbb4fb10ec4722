//! Which acquirers a gateway has, and which of them gets the payments of a terminal.
//!
//! The choice is made once for a payment. The caller writes the name of the acquirer down before it asks, and takes the acquirer by this name
//! for every repetition, question and follow-up operation, also when the settings have changed in between. If there is no acquirer of this
//! name any more, nobody is asked: the outcome stays unknown until the operator brings it back.
//!
//! A payment moves on to its [`fallback`](ChosenAcquirer::fallback) only if the first acquirer has surely not taken it (see
//! [`crate::acquirer`]), and at most once.

use crate::Acquirer;
use payframe_card_rules::network::Network;
use std::sync::Arc;

/// The acquirers of a gateway. Answers from memory.
pub trait Acquirers: Send + Sync {
    /// What the acquirers of a terminal charge. `None`: the terminal has none, and its payments are refused.
    fn of_terminal(&self, terminal_id: &str) -> Option<Instruments>;

    /// The acquirer that a new payment is sent to: the same for equal payments, as long as the settings are the same. `None`: the terminal has
    /// none.
    fn choose(&self, payment: &NewPayment<'_>) -> Option<ChosenAcquirer<'_>>;

    /// The acquirer that was chosen for an operation, by the name that was written down then. `None`: there is none of this name.
    fn named(&self, name: Option<&str>) -> Option<&dyn Acquirer>;

    /// Whether any terminal has an acquirer.
    fn is_empty(&self) -> bool;
}

/// What the choice of an acquirer depends on.
#[derive(Clone, Copy, Debug)]
pub struct NewPayment<'a> {
    /// The terminal of the payment.
    pub terminal_id: &'a str,
    /// The merchant of the order.
    pub merchant_id: &'a str,
    /// The order, as the merchant calls it. All attempts to pay an order are the same share of payments.
    pub order_id: &'a str,
    /// ISO 4217 code.
    pub currency: &'a str,
    /// The card. `None`: an alternative method.
    pub card: Option<NewPaymentCard<'a>>,
}

/// What the choice of an acquirer depends on in a card.
#[derive(Clone, Copy, Debug)]
pub struct NewPaymentCard<'a> {
    /// The network of the payment.
    pub network: Network,
    /// The first eight digits of the number.
    pub first_digits: &'a str,
}

/// The acquirer of a new payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChosenAcquirer<'a> {
    /// Its name, to be written down with the operation. `None`: it is the gateway's own, as in a sandbox.
    pub name: Option<&'a str>,
    /// The name of the acquirer that is asked if this one has surely not taken the payment, to be written down with it.
    pub fallback: Option<&'a str>,
}

/// What an acquirer charges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instruments {
    /// Cards, and alternative methods.
    CardsAndMethods,
    /// Cards alone.
    Cards,
}

/// No acquirer at all.
pub struct NoAcquirers;

impl Acquirers for NoAcquirers {
    fn of_terminal(&self, _terminal_id: &str) -> Option<Instruments> {
        None
    }

    fn choose(&self, _payment: &NewPayment<'_>) -> Option<ChosenAcquirer<'_>> {
        None
    }

    fn named(&self, _name: Option<&str>) -> Option<&dyn Acquirer> {
        None
    }

    fn is_empty(&self) -> bool {
        true
    }
}

/// One acquirer for every terminal. It has no name, and the operations that are not written down with one are its own.
pub struct OwnAcquirer(pub Arc<dyn Acquirer>);

impl Acquirers for OwnAcquirer {
    fn of_terminal(&self, _terminal_id: &str) -> Option<Instruments> {
        Some(Instruments::CardsAndMethods)
    }

    fn choose(&self, _payment: &NewPayment<'_>) -> Option<ChosenAcquirer<'_>> {
        Some(ChosenAcquirer {
            name: None,
            fallback: None,
        })
    }

    fn named(&self, name: Option<&str>) -> Option<&dyn Acquirer> {
        match name {
            None => Some(&*self.0),
            Some(_) => None,
        }
    }

    fn is_empty(&self) -> bool {
        false
    }
}
