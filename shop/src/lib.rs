//! The demo shop: a small merchant's server with its pages.
//!
//! It shows what a merchant has to do, and no more: hold the API key, open a payment, put the form on a page,
//! listen to notifications, and ask the gateway before it believes that an order is paid. [`router`] is
//! everything but the socket, so that tests drive it without one.
//!
//! It is no template for a shop's catalogue or basket: what is sold is made up from the amount.

mod checkout;
pub mod choice;
pub mod config;
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

use crate::{config::Config, gateway::Gateway, gateway::GatewayProblem, ledger::Ledger};
use std::{fmt, sync::Arc};

pub use routes::router;

/// What every request needs. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Shop {
    pub(crate) config: Arc<Config>,
    pub(crate) gateway: Gateway,
    pub(crate) ledger: Ledger,
}

impl Shop {
    /// Opens the shop's records. The gateway need not be there yet.
    pub async fn open(config: Config) -> Result<Self, OpeningProblem> {
        let gateway = Gateway::new(&config.gateway, config.api_key.clone())
            .map_err(OpeningProblem::Client)?;
        let ledger = Ledger::open(&config.data)
            .await
            .map_err(OpeningProblem::Ledger)?;
        Ok(Self {
            config: Arc::new(config),
            gateway,
            ledger,
        })
    }
}

/// Why the shop cannot open.
#[derive(Debug)]
pub enum OpeningProblem {
    /// The HTTP client could not be made.
    Client(GatewayProblem),
    /// `shop.db` could not be opened.
    Ledger(sqlx::Error),
}

impl fmt::Display for OpeningProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Client(cause) => write!(formatter, "no HTTP client: {cause}"),
            Self::Ledger(cause) => write!(formatter, "shop.db cannot be opened: {cause}"),
        }
    }
}

impl std::error::Error for OpeningProblem {}
