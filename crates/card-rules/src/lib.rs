//! The rules of card data: numbers and networks, expiry, security code, names, and how typing behaves.
//!
//! Use it wherever card data is read or typed: the widget and the gateway share every rule here, so that the two
//! never disagree about what a good card number is. Nothing in it knows a clock, a screen, a network or a wire
//! format; what depends on the day takes the day as a parameter.
//!
//! Types are made by parsing and are right once they exist: a [`card_number::CardNumber`] has passed its check digit.
//! Problems name a cause by a stable code and never repeat what was typed.

pub mod card_number;
pub mod co_badge;
pub mod digit;
pub mod disclosure;
pub mod entry;
pub mod expiry;
pub mod history;
pub mod holder;
pub mod keys;
pub mod network;
pub mod secret;
pub mod security_code;
