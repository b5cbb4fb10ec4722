//! The other side of EMV 3-D Secure, as programs: a directory server ([`DirectoryServer`]) and an issuer's access control server
//! ([`AccessControlServer`]).
//!
//! They speak the messages of `payframe-emv-3ds` over mutual TLS, and decide by test cards as the 3-D Secure server in process does
//! (`issuer_decision`). The card's issuer has pages of its own, at an origin of its own. [`Misbehaviour`] makes an issuer break the rules.
//! Nothing is stored: challenges and enrolled devices end with their program.

mod access_control;
mod challenges;
mod confirmations;
mod directory_server;
mod identities;
mod issuer_messages;
mod misbehaviour;
mod mutual_tls;
mod newest;
mod settings;

pub(crate) use access_control::{AccessControl, Answered};
pub use access_control::{AccessControlServer, AccessControlSettings};
pub(crate) use challenges::Challenge;
pub use directory_server::{DirectoryServer, DirectorySettings};
pub use misbehaviour::Misbehaviour;

use std::path::PathBuf;
use thiserror::Error;

/// Why a server does not start.
#[derive(Debug, Error)]
pub enum ThreeDsProblem {
    /// A file cannot be read or written.
    #[error("{}: {source}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// A certificate cannot be made.
    #[error("a certificate cannot be made: {0}")]
    Making(#[from] rcgen::Error),
    /// A certificate or a key cannot be used.
    #[error("{}: {problem}", file.display())]
    Identity {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// It cannot listen there.
    #[error("cannot listen: {0}")]
    Listen(#[source] std::io::Error),
    /// An element of the file for gateways does not have the format of the protocol.
    #[error("{0} does not have the format of the protocol")]
    Element(&'static str),
}
