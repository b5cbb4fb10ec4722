//! The external systems of payments, as traits without any I/O.
//!
//! Payments, the domain and the store depend only on these traits. An adapter implements them for one acquirer, one 3-D Secure server and
//! so on. The main program passes the adapters as [`Ports`]. The sandbox is such an adapter.
//!
//! There are two kinds of ports:
//!
//! - Ports over a network are `async` and may fail: [`Acquirer`], [`ThreeDsServer::authenticate`], [`ThreeDsServer::evidence`]. A caller
//!   must not hold a database transaction during such a call.
//! - Ports that answer from memory are plain functions: [`Acquirers`], [`BinLookup`], [`BuyersBanks`], [`RiskRules`], [`CurrencyConversion`], [`WalletTokens`],
//!   [`SimulatorPages`], [`FaultInjection`], [`Vault`] and [`ThreeDsServer::card_range`]. They are called for each key press in a form, or inside a transaction. An
//!   adapter with external data keeps a copy of the data and refreshes it itself.
//!
//! The time is not a port: code that needs it gets a [`Clock`].

pub mod acquirer;
pub mod acquirers;
pub mod bin_lookup;
pub mod buyers_banks;
pub mod clock;
pub mod currency_conversion;
pub mod fault_injection;
pub mod risk_rules;
pub mod simulator_pages;
pub mod three_ds_server;
pub mod vault;
pub mod wallet_tokens;

pub use acquirer::Acquirer;
pub use acquirers::Acquirers;
pub use bin_lookup::BinLookup;
pub use buyers_banks::BuyersBanks;
pub use clock::Clock;
pub use currency_conversion::CurrencyConversion;
pub use fault_injection::FaultInjection;
pub use risk_rules::RiskRules;
pub use simulator_pages::SimulatorPages;
use std::sync::Arc;
pub use three_ds_server::ThreeDsServer;
pub use vault::Vault;
pub use wallet_tokens::WalletTokens;

/// One adapter for each port of payments. Clones share them.
#[derive(Clone)]
pub struct Ports {
    /// Move money. A call that would request money for a terminal without an acquirer is refused.
    pub acquirers: Arc<dyn Acquirers>,
    /// Authenticates cardholders.
    pub three_ds_server: Arc<dyn ThreeDsServer>,
    /// Knows issuers by the first digits of their cards.
    pub bin_lookup: Arc<dyn BinLookup>,
    /// Refuses payments that are too risky.
    pub risk_rules: Arc<dyn RiskRules>,
    /// Offers buyers their card's currency.
    pub currency_conversion: Arc<dyn CurrencyConversion>,
    /// Decrypts wallet tokens.
    pub wallet_tokens: Arc<dyn WalletTokens>,
    /// Decides how the simulated pages of issuers and operators behave.
    pub simulator_pages: Arc<dyn SimulatorPages>,
    /// Disputes payments with some test cards.
    pub buyers_banks: Arc<dyn BuyersBanks>,
}
