//! What payments ask of the outer world, as traits without any I/O.
//!
//! Payments, the domain and the store know these traits only; an adapter implements them for one acquirer, one 3-D Secure server
//! and so on, and the program that starts hands the adapters over as [`Ports`]. The sandbox is such an adapter.
//!
//! Two kinds of ports:
//!
//! - Those that are asked over a network are `async` and may fail: [`Acquirer`], [`ThreeDsServer::authenticate`],
//!   [`ThreeDsServer::evidence`]. No caller asks them while it holds a transaction of the database.
//! - Those that answer from memory are plain functions: [`BinLookup`], [`RiskRules`], [`CurrencyConversion`], [`WalletTokens`],
//!   [`SimulatorPages`] and [`ThreeDsServer::card_range`]. They are asked with each key of a form, or inside a transaction; an
//!   adapter whose data comes from elsewhere keeps a copy of it and renews that by itself.
//!
//! The time is no port: whoever needs it is made with a [`Clock`].

pub mod acquirer;
pub mod bin_lookup;
pub mod clock;
pub mod currency_conversion;
pub mod risk_rules;
pub mod simulator_pages;
pub mod three_ds_server;
pub mod wallet_tokens;

pub use acquirer::Acquirer;
pub use bin_lookup::BinLookup;
pub use clock::Clock;
pub use currency_conversion::CurrencyConversion;
pub use risk_rules::RiskRules;
pub use simulator_pages::SimulatorPages;
use std::sync::Arc;
pub use three_ds_server::ThreeDsServer;
pub use wallet_tokens::WalletTokens;

/// One adapter for each port. Clones share them.
#[derive(Clone)]
pub struct Ports {
    /// Moves money. `None`: nobody does, and every call that would have money asked for is refused.
    pub acquirer: Option<Arc<dyn Acquirer>>,
    /// Authenticates cardholders.
    pub three_ds_server: Arc<dyn ThreeDsServer>,
    /// Knows issuers by the first digits of their cards.
    pub bin_lookup: Arc<dyn BinLookup>,
    /// Refuses payments that are too risky.
    pub risk_rules: Arc<dyn RiskRules>,
    /// Offers buyers their card's currency.
    pub currency_conversion: Arc<dyn CurrencyConversion>,
    /// Opens what wallets hand over.
    pub wallet_tokens: Arc<dyn WalletTokens>,
    /// Decides what the simulated pages of issuers and operators do.
    pub simulator_pages: Arc<dyn SimulatorPages>,
}
