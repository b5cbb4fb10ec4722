//! What a payment is and how it moves on, without any I/O.
//!
//! [`session`] is the state machine of a build session, [`operation`] an operation's result and an order's totals,
//! [`ledger_rules`] what may be done with the money afterwards, [`hosted`] the states of a payment page or link, [`contract`] which later
//! payments a stored card allows, [`offer`] the arithmetic of currency offers, [`reservation`] what may be charged for a reservation,
//! [`clause`] what its buyer accepts, [`method`] the table of alternative methods, [`calendar`] how days are counted. Nothing in here
//! depends on a database, a clock or the wire: the time, fresh ids and the answers of acquirers and issuers are parameters.

pub mod calendar;
pub mod card;
pub mod card_on_file;
pub mod clause;
pub mod contract;
pub mod hosted;
pub mod language;
pub mod ledger_rules;
pub mod method;
pub mod offer;
pub mod office;
pub mod operation;
pub mod reservation;
pub mod session;
pub mod terms;
pub mod three_step;
pub mod wallet;
