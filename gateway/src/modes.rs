//! What depends on the mode: whose tables these are, which ports payments ask, and which pages there are.
//!
//! This is the only module that names the sandbox, with its commands ([`SandboxCommand`]). A gateway in production has nothing of it, with two exceptions that refuse: the API
//! keys that everybody knows make its tables a sandbox's, and the header that asks for a fault is an error.
//!
//! A sandbox's tables contain API keys that everybody knows, and payments that moved no money. In production they would look like
//! real ones. So the first start writes down which mode the tables belong to, and a gateway of the other mode does not open them. Tables
//! without this entry belong to a sandbox if they contain one of those keys or an order.

mod sandbox_servers;

pub use sandbox_servers::{AcsOptions, DirectoryOptions, SandboxCommand, ServerOptions};

use crate::acquirers::{self, JournalPlace};
use crate::config::{Config, Mode};
use crate::pages::Playground;
use crate::wallet_tokens::ProductionWallets;
use crate::wallet_tokens::file::WalletFile;
use crate::{App, StartError, pages, unconnected};
use axum::Router;
use payframe_acquirer_http::{AcquirerFile, Place};
use payframe_card_rules::expiry::Date;
use payframe_emv_3ds::{EmvThreeDsServer, ThreeDsFile};
use payframe_payment_domain::settlement::LineKind;
use payframe_payment_ports::acquirers::NoAcquirers;
use payframe_payment_ports::wallet_tokens::NoWalletTokens;
use payframe_payment_ports::{
    Acquirers, Clock, FaultInjection, Ports, ThreeDsServer, WalletTokens,
};
use payframe_payment_service::test_clock;
use payframe_sandbox::clearing::clearing_file as clearing_file_of;
use payframe_sandbox::pages::IssuerPages;
use payframe_sandbox::{SandboxFaults, SandboxSettings, acquirer, terminals};
use payframe_storage::{Connection, Store, StoreError, mode};
use payframe_vault::KeyringVault;
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

/// Refuses tables of the other mode, and writes the mode into new ones. A sandbox adds its terminals.
pub(crate) async fn claim(
    change: &mut Connection,
    wanted: Mode,
    vault: &KeyringVault,
) -> Result<(), StartError> {
    // Also checked in production: such a key must not work there, however it got into the tables.
    let has_known_key = terminals::are_in_place(change, vault).await?;
    claim_tables(change, wanted, has_known_key).await?;
    if wanted.has_sandbox_merchants() {
        terminals::put_in_place(change, vault).await?;
    }
    Ok(())
}

/// `has_known_key`: whether the tables contain a key that everybody knows; then they belong to a sandbox.
async fn claim_tables(
    change: &mut Connection,
    wanted: Mode,
    has_known_key: bool,
) -> Result<(), StartError> {
    let said = mode::find(change).await?;
    match (wanted, said.as_deref()) {
        (Mode::Sandbox(_), Some("sandbox")) => return Ok(()),
        (Mode::Sandbox(_), Some(_)) => return Err(StartError::ProductionTables),
        (Mode::Sandbox(_), None) => {}
        (Mode::Production, said) => {
            let is_productions = said == Some(wanted.name());
            let is_used = said.is_none() && mode::has_orders(change).await?;
            let is_sandboxs = said.is_some() && !is_productions;
            if is_sandboxs || is_used || has_known_key {
                return Err(StartError::SandboxTables);
            }
            if is_productions {
                return Ok(());
            }
        }
    }
    Ok(mode::put(change, wanted.name()).await?)
}

/// Puts the clock of a sandbox as far ahead as its tables say. In production what they say has no effect.
pub(crate) async fn follow_test_clock(
    mode: Mode,
    store: &Store,
    clock: &Clock,
) -> Result<(), StoreError> {
    match mode.has_test_clock() {
        true => test_clock::follow(store, clock).await,
        false => Ok(()),
    }
}

/// The ports of payments. Acquirers of the operator's file are asked in the real time, which they compare with their own.
pub(crate) async fn ports(
    config: &Config,
    clock: &Clock,
    store: &Store,
    vault: &Arc<KeyringVault>,
) -> Result<Ports, StartError> {
    let file = config.acquirers.as_deref();
    let file = file
        .map(|path| AcquirerFile::read(path, place(config.mode)))
        .transpose()
        .map_err(StartError::Acquirers)?;
    let journal = JournalPlace { store, vault };
    match config.mode {
        Mode::Sandbox(_) => {
            let settings = SandboxSettings {
                storage: config.storage(),
                origin: config.origin.clone(),
                pending: config.pending,
            };
            let ports = payframe_sandbox::ports(&settings, clock.clone(), vault.clone())
                .await
                .map_err(StoreError::Database)?;
            let ports = match &config.three_ds {
                None => ports,
                Some(path) => Ports {
                    three_ds_server: three_ds_server(path, HashSet::new(), &journal, clock.real())?,
                    ..ports
                },
            };
            Ok(match file {
                None => ports,
                Some(file) => Ports {
                    acquirers: Arc::new(
                        acquirers::connect(&file, &journal, &clock.real(), ports.acquirers)
                            .map_err(StartError::Acquirers)?,
                    ),
                    ..ports
                },
            })
        }
        Mode::Production => {
            let nobody = Arc::new(NoAcquirers);
            let (acquirers, without_authentication): (Arc<dyn Acquirers>, _) = match file {
                None => (nobody, HashSet::new()),
                Some(file) => (
                    Arc::new(
                        acquirers::connect(&file, &journal, clock, nobody)
                            .map_err(StartError::Acquirers)?,
                    ),
                    file.without_authentication(),
                ),
            };
            let three_ds_server = config.three_ds.as_deref().map(|path| {
                let without = without_authentication.clone();
                three_ds_server(path, without, &journal, clock.clone())
            });
            let three_ds_server = three_ds_server.transpose()?;
            let wallet_tokens: Arc<dyn WalletTokens> = match &config.wallets {
                None => Arc::new(NoWalletTokens),
                Some(path) => Arc::new(ProductionWallets::new(
                    WalletFile::read(path).map_err(StartError::Wallets)?,
                    clock.clone(),
                )),
            };
            Ok(unconnected::ports(unconnected::Connections {
                acquirers,
                three_ds_server,
                wallet_tokens,
                without_authentication,
            }))
        }
    }
}

/// The 3-D Secure server over the directory servers of the operator's file.
fn three_ds_server(
    path: &Path,
    without_authentication: HashSet<String>,
    place: &JournalPlace<'_>,
    clock: Clock,
) -> Result<Arc<dyn ThreeDsServer>, StartError> {
    let server = ThreeDsFile::read(path).and_then(|file| {
        let (store, vault) = (place.store.clone(), place.vault.clone());
        EmvThreeDsServer::connect(file, without_authentication, store, vault, clock)
    });
    Ok(Arc::new(server.map_err(StartError::ThreeDs)?))
}

/// The names of the acquirers in the operator's file.
pub(crate) fn acquirer_names(config: &Config) -> Result<Vec<String>, StartError> {
    let Some(path) = &config.acquirers else {
        return Ok(Vec::new());
    };
    let file = AcquirerFile::read(path, place(config.mode)).map_err(StartError::Acquirers)?;
    let own = file.acquirers().iter().map(|one| one.name.clone());
    let others = file.others().iter().map(|one| one.name.clone());
    Ok(own.chain(others).collect())
}

fn place(mode: Mode) -> Place {
    match mode {
        Mode::Sandbox(_) => Place::Sandbox,
        Mode::Production => Place::Production,
    }
}

/// Which faults callers may ask for. In production, every request for one is refused.
pub(crate) fn faults(mode: Mode) -> Box<dyn FaultInjection> {
    Box::new(SandboxFaults::new(mode.accepts_fault_injection()))
}

/// The pages of simulated issuers and methods, or those on the way to real issuers, the playground of the docs, and the privacy notice: the operator's, or that of a sandbox.
pub(crate) fn pages(app: &App) -> Router<App> {
    let config = app.config();
    let privacy = match (&config.privacy_url, config.mode) {
        (Some(address), _) => pages::privacy_router(address.clone()),
        (None, Mode::Sandbox(_)) => payframe_sandbox::pages::privacy_router(),
        (None, Mode::Production) => Router::new(),
    };
    let (issuers, of_sandbox) = match config.three_ds {
        Some(_) => (pages::issuer_router(), IssuerPages::Elsewhere),
        None => (Router::new(), IssuerPages::Own),
    };
    let shared = privacy.merge(issuers);
    match config.mode {
        Mode::Sandbox(sandbox) => shared
            .merge(payframe_sandbox::pages::router(
                app.payments().clone(),
                sandbox.allow_insecure_urls,
                of_sandbox,
            ))
            .merge(pages::playground_router(Playground::Open)),
        Mode::Production => shared.merge(pages::playground_router(Playground::Closed)),
    }
}

/// Brings all tables up to date.
pub(crate) async fn update_tables(config: &Config) -> Result<(), StoreError> {
    Store::open(&config.storage()).await?;
    if config.mode.is_sandbox() {
        open_acquirer_db(config).await?;
    }
    Ok(())
}

/// The migrations that are missing, for each file or schema.
pub(crate) async fn missing_migrations(
    config: &Config,
) -> Result<Vec<(&'static str, String)>, StoreError> {
    let mut missing = Store::missing(&config.storage()).await?;
    if config.mode.is_sandbox() {
        missing.extend(acquirer::missing(&config.storage()).await?);
    }
    Ok(missing)
}

/// The clearing file of the sandbox's acquirer with these operations. `None`: a gateway in production has no such acquirer.
pub(crate) async fn clearing_file(
    config: &Config,
    operations: &[(String, LineKind)],
    day: Date,
) -> Result<Option<String>, StoreError> {
    if !config.mode.is_sandbox() {
        return Ok(None);
    }
    let records = open_acquirer_db(config).await?;
    let mut connection = records.read().await?;
    Ok(Some(
        clearing_file_of(&mut connection, operations, day).await?,
    ))
}

/// Opens the sandbox acquirer's database, made or brought up to date, for code that compares it with the gateway's.
///
/// # Errors
/// The database cannot be opened.
pub async fn open_acquirer_db(config: &Config) -> Result<Store, StoreError> {
    Ok(Store::of(acquirer::records(&config.storage()).await?))
}

/// The file of the sandbox acquirer's database, if there is one in this folder. The acquirer of a production gateway keeps its data elsewhere.
pub(crate) fn acquirer_file(data: &Path) -> Option<&'static str> {
    data.join(acquirer::FILE).exists().then_some(acquirer::FILE)
}
