//! Acquirers that speak ISO 8583 over TCP or TLS, in a dialect that a TOML file describes.
//!
//! [`IsoAcquirer`] implements the port [`Acquirer`](payframe_payment_ports::Acquirer) for one host. `docs/iso8583.md` says how a dialect is
//! written, `docs/adr/0015-acquirers-over-iso-8583.md` why things are as they are.
//!
//! - [`dialect`]: the file. What a message looks like in bytes ([`layout`], [`codec`], [`framing`], [`mac`]), which fields it has
//!   ([`template`]), and what a response code means ([`response`]).
//! - `link`: persistent connections to the host, and which answer belongs to which message.
//! - [`examiner`]: drives a host through what it has to get right.
//! - `journal`: what was sent and what has to be reversed, in the gateway's tables.
//!
//! ISO 8583 has no question about the outcome of an earlier message. What has no answer in time is **reversed**: that is written down
//! before the wait ends, and sent until the host acknowledges it. Then the payment has failed. An answer that comes after that is counted,
//! and never booked. Advices (captures, releases) are repeated instead.
//!
//! # Why the codec is our own
//!
//! The libraries have their fields in the program: `iso8583-core` 0.1 knows one table of fields, in ASCII, and `iso8583_rs` 0.1 reads one
//! specification for each process, stops it with a panic where a field is not known, and needs a version of DES from 2020. A dialect is a
//! list of fields with lengths and encodings, so reading and writing them is one short file ([`codec`]). Cryptography, TLS and currencies
//! are other people's crates.

mod acquirer;
pub mod codec;
mod coding;
pub mod dialect;
mod error;
pub mod examiner;
pub mod framing;
mod journal;
pub mod layout;
mod link;
pub mod mac;
pub mod message;
pub mod response;
mod settings;
pub mod template;
mod waiting;

pub use acquirer::IsoAcquirer;
pub use error::ExchangeError;
pub use journal::belongs_to;
pub use settings::{IsoMembers, IsoSettings, PlainTcp, SettingError};
