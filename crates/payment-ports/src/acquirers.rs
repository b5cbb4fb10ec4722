//! Which acquirers a gateway has, and which of them gets the payments of a terminal.
//!
//! An operation stays with the acquirer that was asked first. The caller writes the name of that acquirer down before it asks, and takes
//! the acquirer by this name for every repetition, question and follow-up operation, also when the settings have changed in between. If
//! there is no acquirer of this name any more, nobody is asked: the outcome stays unknown until the operator brings it back.

use crate::Acquirer;
use std::sync::Arc;

/// The acquirers of a gateway. Answers from memory.
pub trait Acquirers: Send + Sync {
    /// The acquirer that a new payment of the terminal is sent to. `None`: the terminal has none, and its payments are refused.
    fn of_terminal(&self, terminal_id: &str) -> Option<ChosenAcquirer<'_>>;

    /// The acquirer that was chosen for an operation, by the name that was written down then. `None`: there is none of this name.
    fn named(&self, name: Option<&str>) -> Option<&dyn Acquirer>;

    /// Whether any terminal has an acquirer.
    fn is_empty(&self) -> bool;
}

/// The acquirer of a new payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChosenAcquirer<'a> {
    /// Its name, to be written down with the operation. `None`: it is the gateway's own, as in a sandbox.
    pub name: Option<&'a str>,
    /// Whether it charges alternative methods too, or cards alone.
    pub instruments: Instruments,
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
    fn of_terminal(&self, _terminal_id: &str) -> Option<ChosenAcquirer<'_>> {
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
    fn of_terminal(&self, _terminal_id: &str) -> Option<ChosenAcquirer<'_>> {
        Some(ChosenAcquirer {
            name: None,
            instruments: Instruments::CardsAndMethods,
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
