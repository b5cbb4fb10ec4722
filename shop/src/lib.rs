//! The demo shop: a small merchant's server with its pages.
//!
//! It shows only what a merchant has to do: keep the API key, open a payment, put the form on a page,
//! receive notifications, and ask the gateway before it treats an order as paid. [`router`] is
//! everything except the socket, so that tests can use it without one.
//!
//! It is no model for a shop's catalogue or basket: the item is made up from the amount.

mod checkout;
pub mod choice;
pub mod config;
pub mod delivery;
mod embedded;
mod error;
pub mod fees;
pub mod gateway;
mod hook;
mod hosted;
pub mod ledger;
pub mod money;
pub mod order_status;
mod pages;
mod routes;
mod session_sum;

use crate::{config::Config, gateway::Gateway, gateway::GatewayError, ledger::Ledger};
use std::sync::Arc;
use thiserror::Error;

pub use routes::router;

/// What every request needs. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Shop {
    pub(crate) config: Arc<Config>,
    pub(crate) gateway: Gateway,
    pub(crate) ledger: Ledger,
}

impl Shop {
    /// Opens the shop's records. The gateway does not have to run yet.
    pub async fn open(config: Config) -> Result<Self, OpenError> {
        let gateway =
            Gateway::new(&config.gateway, config.api_key.clone()).map_err(OpenError::Client)?;
        let ledger = Ledger::open(&config.data)
            .await
            .map_err(OpenError::Ledger)?;
        Ok(Self {
            config: Arc::new(config),
            gateway,
            ledger,
        })
    }
}

/// Why the shop cannot start.
#[derive(Debug, Error)]
pub enum OpenError {
    /// The HTTP client could not be made.
    #[error("no HTTP client: {0}")]
    Client(#[source] GatewayError),
    /// `shop.db` could not be opened.
    #[error("shop.db cannot be opened: {0}")]
    Ledger(#[source] sqlx::Error),
}
