//! Payframe for a merchant's server: payments, orders, refunds, links, and notifications that are verified.
//!
//! A client of a gateway's API with the calls, retries and errors of the project's packages for JavaScript, Python and PHP. It is not for programs in buyers'
//! hands: the API key never leaves the server. It reads nothing from the environment, writes no log and follows no redirect.
//!
#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod call;
mod client;
mod disputes;
mod errors;
mod events;
mod exchange;
mod hosted_pages;
mod links;
mod money;
mod notifications;
mod operations;
mod options;
#[cfg(feature = "order-keeper")]
pub mod order_keeper;
mod orders;
mod paths;
mod retry;
mod rows;
mod runtime;
mod sandbox_clock;
mod sandbox_disputes;
mod sessions;
mod settlements;
mod transport;
pub mod types;

pub use call::{Call, Verb};
pub use client::Payframe;
pub use disputes::Disputes;
pub use errors::{ErrorKind, PayframeError};
pub use events::Events;
pub use hosted_pages::HostedPages;
pub use links::PaymentLinks;
pub use money::{Money, money};
pub use notifications::{NotificationVerifier, Received, verify_notification};
pub use operations::{Operations, Void};
pub use options::Options;
pub use orders::Orders;
pub use rows::Rows;
pub use runtime::{Pause, Runtime, System};
pub use sandbox_clock::SandboxClock;
pub use sandbox_disputes::SandboxDisputes;
pub use sessions::Sessions;
pub use settlements::Settlements;

/// The HTTP client, for [`Options::http`].
pub use reqwest;
