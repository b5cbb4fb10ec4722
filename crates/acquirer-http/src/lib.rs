//! Acquirers behind adapters: programs in any language that speak the protocol of `docs/acquirer-protocol.md`.
//!
//! [`AcquirerFile`] reads which adapters there are and which terminals use them, [`HttpAcquirers`] is the port that payments ask, and
//! [`examiner`] drives an adapter through what it has to get right.
//!
//! Only a well-formed and signed answer about the right reference, amount and currency is an outcome. Everything else (a status, a time
//! limit, a signature, a contradiction) is no answer, and an error of the port: the money may have moved, and the gateway asks again.
//!
//! This crate does not store anything, and knows no processor.

#[cfg(feature = "checks")]
pub mod checks;
mod client;
mod directory;
mod error;
pub mod examiner;
mod message;
mod pause;
mod routes;
mod secrets;
mod settings;
mod signature;
mod transport;

pub use client::HttpAcquirer;
pub use directory::HttpAcquirers;
pub use error::ExchangeError;
pub use settings::{AcquirerFile, AcquirerSettings, OtherAcquirer, Place};
