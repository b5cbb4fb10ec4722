//! What a payment is and how it moves on, without any I/O.
//!
//! [`session`] is the life of a build session, [`operation`] the making of an operation and an order's totals,
//! [`ledger_rules`] what may be done with it afterwards, [`hosted`] the life of a payment page or link, [`contract`] which later payments a kept card allows, [`offer`] the
//! arithmetic of currency offers, [`reservation`] what may be charged for a reservation, [`clause`] what its buyer accepts, [`method`] the table of alternative methods. Nothing in here knows a database, a
//! clock or the wire: the time, fresh ids and the sandbox's findings come in as parameters.

pub(crate) mod card;
pub(crate) mod card_on_file;
pub(crate) mod clause;
pub(crate) mod contract;
pub(crate) mod hosted;
pub(crate) mod language;
pub(crate) mod ledger_rules;
pub(crate) mod method;
pub(crate) mod offer;
pub(crate) mod office;
pub(crate) mod operation;
pub(crate) mod reservation;
pub(crate) mod session;
pub(crate) mod terms;
pub(crate) mod three_step;
pub(crate) mod wallet;
