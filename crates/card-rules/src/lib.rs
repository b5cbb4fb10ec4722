//! The rules of card data: numbers and networks, expiry, security code, names, addresses, and how typing behaves.
//!
//! Use it wherever card data is read or typed: the widget and the gateway share these rules, so that they
//! never disagree about what a valid card number is. Nothing here depends on a clock, a screen, a network connection or a wire
//! format; functions that depend on the day take it as a parameter.
//!
//! Types are made by parsing and are valid once they exist: a [`card_number::CardNumber`] has passed its check digit.
//! Errors name a cause by a stable code and never repeat what was typed.

pub mod address;
pub mod card_number;
pub mod co_badge;
pub mod digit;
pub mod disclosure;
pub mod email;
pub mod entry;
pub mod expiry;
pub mod history;
pub mod holder;
pub mod keys;
pub mod network;
pub mod postal_code;
pub mod secret;
pub mod security_code;
