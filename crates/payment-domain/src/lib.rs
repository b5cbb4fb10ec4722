//! The rules and states of payments, without any I/O.
//!
//! [`session`] has the states of a build session, [`operation`] the results of operations and an order's totals,
//! [`ledger_rules`] what may be done with a payment afterwards, [`hosted`] the states of a payment page or link, [`contract`] which later
//! payments a stored card allows, [`offer`] the arithmetic of currency offers, [`reservation`] what may be charged for a reservation,
//! [`clause`] what its buyer accepts, [`fulfilment`] what a shop tells of goods, [`reconciliation`] how that differs from the money,
//! [`settlement`] which operation an acquirer's clearing is about,
//! [`method`] the table of alternative methods, [`calendar`] how days are counted, [`card_data_in_text`] finds card data where there must
//! be none, [`card_testing`] stops who tries out stolen cards, [`exemption`] has what a merchant may ask of 3-D Secure, [`liability`] who bears
//! a fraud, [`page_watch`] what a merchant's page was made of, [`dispute`] what becomes of money that a buyer's bank asks about, [`billing_address`] reads where the bill goes,
//! [`network_token`] what wallets hand over in place of a card's number. This crate knows no
//! database, no clock and no wire format: the time, new ids and the answers of acquirers and issuers are parameters.

pub mod back_office;
pub mod billing_address;
pub mod calendar;
pub mod card;
pub mod card_data_in_text;
pub mod card_on_file;
pub mod card_testing;
pub mod clause;
pub mod contract;
pub mod dispute;
pub mod event_type;
pub mod exemption;
pub mod external_3ds;
pub mod fulfilment;
pub mod hosted;
pub mod language;
pub mod ledger_rules;
pub mod liability;
pub mod method;
pub mod network_token;
pub mod offer;
pub mod operation;
pub mod page_watch;
pub mod reconciliation;
pub mod reservation;
pub mod session;
pub mod settlement;
pub mod sum;
pub mod terms;
pub mod wallet;
