//! The sandbox: simulates card networks, issuers and their access control.
//!
//! It implements every port of payments ([`ports`]). [`cards`] has the test numbers and their behaviour (contract, section 11), `methods`
//! the responses of the operators of alternative methods, `three_ds_server` the responses of access control, [`pages`] the pages of issuers
//! and methods, `page_behaviour` the effect of a buyer's answer there, and `payment_credentials` the devices that may confirm a payment. [`acquirer`] records their side of the money in a separate
//! database, of which [`clearing`] makes a file. [`three_ds`] has directory server and issuer as programs of their own. Payments use all of them only through the ports: money has moved only if the acquirer has recorded it. A gateway in
//! production uses nothing of this crate.

pub mod acquirer;
mod cards;
pub mod clearing;
mod faults;
mod issuer_decision;
mod methods;
mod page_behaviour;
pub mod pages;
mod payment_credentials;
pub mod terminals;
pub mod three_ds;
mod three_ds_server;
mod wallets;

use acquirer::SandboxAcquirer;
use cards::TestCards;
pub use faults::SandboxFaults;
use page_behaviour::SandboxPageBehaviour;
use payframe_payment_ports::Clock;
use payframe_payment_ports::Ports;
use payframe_payment_ports::Vault;
use payframe_payment_ports::acquirers::OwnAcquirer;
use payframe_storage::StorageSettings;
use payment_credentials::{CredentialIssuer, StoredDevices};
use std::sync::Arc;
use std::time::Duration;
use three_ds_server::SandboxThreeDsServer;
use wallets::SandboxWallets;

/// The settings of the sandbox.
#[derive(Clone, Debug)]
pub struct SandboxSettings {
    /// Where the acquirer's database is stored: beside the gateway's tables, and separate from them.
    pub storage: StorageSettings,
    /// The gateway's own origin.
    pub origin: String,
    /// The time until a pending payment becomes final (contract 11.1).
    pub pending: Duration,
}

/// The ports of the sandbox.
pub async fn ports(
    settings: &SandboxSettings,
    clock: Clock,
    vault: Arc<dyn Vault>,
) -> Result<Ports, sqlx::Error> {
    let cards = Arc::new(TestCards);
    let devices = StoredDevices {
        records: acquirer::records(&settings.storage).await?,
        clock: clock.clone(),
    };
    let secret = vault.page_token("payment credentials");
    let issuer = CredentialIssuer::new(devices, secret, settings.origin.clone());
    let acquirer = Arc::new(SandboxAcquirer::open(settings, clock.clone()).await?);
    Ok(Ports {
        acquirers: Arc::new(OwnAcquirer(acquirer)),
        three_ds_server: Arc::new(SandboxThreeDsServer::new(vault, issuer.clone(), clock)),
        bin_lookup: cards.clone(),
        risk_rules: cards.clone(),
        currency_conversion: cards.clone(),
        wallet_tokens: Arc::new(SandboxWallets),
        simulator_pages: Arc::new(SandboxPageBehaviour { issuer }),
        buyers_banks: cards,
    })
}
