//! The sandbox: what stands in for card networks, issuers and their access control.
//!
//! It implements every port of payments ([`ports`]). [`cards`] knows which test numbers exist and how each behaves (contract,
//! section 11), `methods` what the operators of alternative methods answer, `three_ds_server` what access control says,
//! `pages` what its pages do; [`acquirer`] keeps their side of the money in a database of its own. Payments treat
//! all of them as the outer world, by the ports alone: no money moves unless the acquirer has it written down. A gateway in
//! production has nothing of this crate.

pub mod acquirer;
mod cards;
mod methods;
mod pages;
pub mod terminals;
mod three_ds_server;
mod wallets;

use acquirer::SandboxAcquirer;
use cards::TestCards;
use pages::SandboxPages;
use payframe_payment_ports::Clock;
use payframe_payment_ports::Ports;
use payframe_storage::StorageSettings;
use payframe_vault::Vault;
use std::sync::Arc;
use std::time::Duration;
use three_ds_server::SandboxThreeDsServer;
use wallets::SandboxWallets;

/// What the sandbox has to be told.
#[derive(Clone, Debug)]
pub struct SandboxSettings {
    /// Where the acquirer's books are: beside the gateway's tables, and apart from them.
    pub storage: StorageSettings,
    /// When a pending payment becomes final (contract 11.1).
    pub pending: Duration,
}

/// The sandbox, as payments know it.
pub async fn ports(
    settings: &SandboxSettings,
    clock: Clock,
    vault: Arc<Vault>,
) -> Result<Ports, sqlx::Error> {
    let cards = Arc::new(TestCards);
    Ok(Ports {
        acquirer: Some(Arc::new(SandboxAcquirer::open(settings, clock).await?)),
        three_ds_server: Arc::new(SandboxThreeDsServer::new(vault)),
        bin_lookup: cards.clone(),
        risk_rules: cards.clone(),
        currency_conversion: cards,
        wallet_tokens: Arc::new(SandboxWallets),
        simulator_pages: Arc::new(SandboxPages),
    })
}
