//! What a payment is and how it moves on, without any I/O.
//!
//! [`session`] is the life of a build session, [`operation`] the making of an operation and an order's totals,
//! [`ledger_rules`] what may be done with it afterwards, [`hosted`] the life of a payment page or link, [`contract`] which later payments a kept card allows, [`offer`] the
//! arithmetic of currency offers, [`reservation`] what may be charged for a reservation, [`clause`] what its buyer accepts,
//! [`method`] the table of alternative methods, [`calendar`] how days are counted. Nothing in here knows a database, a clock or
//! the wire: the time, fresh ids and what acquirers and issuers say come in as parameters.

pub mod back_office;
pub mod calendar;
pub mod card;
pub mod card_on_file;
pub mod clause;
pub mod contract;
pub mod external_3ds;
pub mod hosted;
pub mod language;
pub mod ledger_rules;
pub mod method;
pub mod offer;
pub mod operation;
pub mod reservation;
pub mod session;
pub mod sum;
pub mod terms;
pub mod wallet;
