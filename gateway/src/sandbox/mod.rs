//! The sandbox: what stands in for card networks, issuers and their access control.
//!
//! It implements every port of payments ([`ports`]). [`cards`] knows which test numbers exist and how each behaves (contract,
//! section 11), `methods` what the operators of alternative methods answer, `three_ds_server` what access control says,
//! `pages` what its pages do; [`acquirer`] keeps their side of the money in a database of its own. The rest of the gateway
//! treats all of them as the outer world, by the ports alone: no money moves unless the acquirer has it written down.

pub(crate) mod acquirer;
mod cards;
mod methods;
mod pages;
pub(crate) mod terminals;
mod three_ds_server;
mod wallets;

use crate::config::Config;
use acquirer::SandboxAcquirer;
use cards::TestCards;
use pages::SandboxPages;
use payframe_payment_ports::Clock;
use payframe_payment_ports::Ports;
use payframe_vault::Vault;
use std::sync::Arc;
use three_ds_server::SandboxThreeDsServer;
use wallets::SandboxWallets;

/// The sandbox, as payments know it.
pub(crate) async fn ports(
    config: &Config,
    clock: Clock,
    vault: Arc<Vault>,
) -> Result<Ports, sqlx::Error> {
    let cards = Arc::new(TestCards);
    Ok(Ports {
        acquirer: Some(Arc::new(SandboxAcquirer::open(config, clock).await?)),
        three_ds_server: Arc::new(SandboxThreeDsServer::new(vault)),
        bin_lookup: cards.clone(),
        risk_rules: cards.clone(),
        currency_conversion: cards,
        wallet_tokens: Arc::new(SandboxWallets),
        simulator_pages: Arc::new(SandboxPages),
    })
}
