//! The gateway: a payment API, the pages of the card form, and a sandbox that plays the card networks.
//!
//! [`App::open`] opens the databases, [`router`] answers HTTP, [`App::keep_doing_due_work`] does what time brings
//! about, [`App::notifier`] delivers notifications. `main.rs` puts them together; tests call [`router`] directly.
//!
//! What depends on what: `routes` (the API's words) and `pages` (HTML) know `payments`; `payments` applies the
//! rules of `payframe_payment_domain` to what `payframe_storage` keeps, and asks the outer world by the ports of `payframe_payment_ports`, which
//! `payframe_sandbox` implements. Only this file knows the sandbox.
//! `css_sanitizer` cleans merchants' style sheets; it knows nothing of payments. `back_office` is for people: pages
//! with members and log-ins of their own, over the same `payments` and storage.

mod aliases;
mod api_keys;
pub mod assets;
mod back_office;
pub mod config;
mod css_sanitizer;
mod error_code;
mod idempotency;
mod jwe;
pub mod listener;
mod locks;
mod modes;
pub mod monitoring;
pub mod operator;
pub mod pages;
pub mod payments;
mod rotation;
mod routes;
pub mod session_state;
mod unconnected;

use assets::Dist;
use axum::extract::State;
use axum::http::StatusCode;
use config::{Config, Mode};
use css_sanitizer::source::Sheets;
use locks::Locks;
use payframe_notifier::Notifier;
use payframe_outbound_address::AllowedAddresses;
use payframe_payment_ports::{
    Acquirer, BinLookup, Clock, CurrencyConversion, Ports, RiskRules, SimulatorPages,
    ThreeDsServer, WalletTokens,
};
use payframe_sandbox::SandboxSettings;
use payframe_storage::{Store, StoreError, Subject, query};
use payframe_vault::{Keyring, Vault, VaultError};
use payments::SecurityCodes;
use routes::Rates;
use std::path::Path;
use std::sync::Arc;
use tokio::sync::Notify;

/// One running gateway. Clones share everything.
#[derive(Clone)]
pub struct App(Arc<Parts>);

struct Parts {
    config: Config,
    clock: Clock,
    store: Store,
    vault: Arc<Vault>,
    ports: Ports,
    dist: Option<Dist>,
    security_codes: SecurityCodes,
    rates: Rates,
    sheets: Sheets,
    /// One at a time for each session, payment, order, idempotency key, sheet.
    sessions: Locks,
    payments: Locks,
    orders: Locks,
    keys: Locks,
    sheet_locks: Locks,
    outbox_filled: Arc<Notify>,
}

/// Why the gateway cannot start.
#[derive(Debug)]
pub enum StartError {
    /// The data folder cannot be made.
    Folder(std::io::Error),
    /// A database cannot be opened or brought up to date.
    Database(StoreError),
    /// The vault's key cannot be read or made; the text says what it has to be.
    Vault(String),
    /// The database was written with another vault's key.
    OtherVault,
    /// In production: the tables are those of a sandbox.
    SandboxTables,
    /// In a sandbox: the tables are those of a production gateway.
    ProductionTables,
}

impl std::fmt::Display for StartError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            StartError::Folder(problem) => write!(
                f,
                "the data folder (PAYFRAME_DATA) cannot be made: {problem}"
            ),
            StartError::Database(problem) => {
                write!(f, "the database cannot be opened: {problem}")
            }
            StartError::Vault(problem) => write!(
                f,
                "the vault (PAYFRAME_VAULT_KEY) cannot be opened: {problem}"
            ),
            StartError::OtherVault => f.write_str(
                "the database was written with another key than the vault's: set PAYFRAME_VAULT_KEY to that one (or have it \
                 among PAYFRAME_VAULT_OLD_KEYS), or bring back the file vault.key. All processes on one database have the same keys",
            ),
            StartError::SandboxTables => f.write_str(
                "the tables are a sandbox's: they hold API keys that everybody knows, or payments that moved no money. \
                 Production needs tables of its own: set PAYFRAME_DATA (or DATABASE_URL) to an empty place",
            ),
            StartError::ProductionTables => f.write_str(
                "the tables are those of a production gateway, and a sandbox would add API keys that everybody knows: \
                 set PAYFRAME_MODE to production, or PAYFRAME_DATA (or DATABASE_URL) to another place",
            ),
        }
    }
}

impl std::error::Error for StartError {}

/// No terminal of this gateway has an acquirer: there is nobody to ask for money.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NoAcquirer;

impl From<StoreError> for StartError {
    fn from(problem: StoreError) -> StartError {
        StartError::Database(problem)
    }
}

impl From<VaultError> for StartError {
    fn from(problem: VaultError) -> StartError {
        StartError::Vault(problem.to_string())
    }
}

/// Opens the gateway's tables and the vault that their secrets are sealed in. Tables of the other mode are refused. A sandbox
/// puts its terminals in place.
async fn open_books(config: &Config) -> Result<(Store, Vault), StartError> {
    make_folder(&config.data).map_err(StartError::Folder)?;
    let keyring = Keyring::open(
        config.vault_key.as_deref(),
        config.vault_old_keys.as_deref(),
        config.data.join("vault.key"),
    )?;
    let store = Store::open(&config.storage()).await?;
    let mut change = store.write(Subject::Gateway).await?;
    let vault = rotation::unlock(&mut change, keyring).await?;
    // Asked of production's tables in any case: such a key must not answer, however it came there.
    let has_known_key = payframe_sandbox::terminals::are_in_place(&mut change, &vault).await?;
    modes::claim(&mut change, config.mode, has_known_key).await?;
    if config.mode.has_sandbox_merchants() {
        payframe_sandbox::terminals::put_in_place(&mut change, &vault).await?;
    }
    change.commit().await.map_err(StoreError::from)?;
    Ok((store, vault))
}

impl App {
    /// Opens the databases in the configured folder, making what is missing.
    pub async fn open(config: Config, clock: Clock) -> Result<App, StartError> {
        let (store, vault) = open_books(&config).await?;
        if !rotation::say_sealing(&store, &vault, clock.now_ms()).await? {
            return Err(VaultError::Retired(vault.keyring().current()).into());
        }
        let vault = Arc::new(vault);
        let ports = match config.mode {
            Mode::Sandbox(_) => {
                payframe_sandbox::ports(&sandbox_settings(&config), clock.clone(), vault.clone())
                    .await
                    .map_err(StoreError::Database)?
            }
            Mode::Production => unconnected::ports(),
        };
        let dist = match Dist::load(&config.assets) {
            Ok(dist) => Some(dist),
            Err(problem) => {
                tracing::warn!(%problem, "the form cannot be shown: build the widget first");
                None
            }
        };
        let rates = Rates::new(config.merchant_calls_per_second);
        Ok(App(Arc::new(Parts {
            config,
            clock,
            store,
            vault,
            ports,
            dist,
            security_codes: SecurityCodes::default(),
            rates,
            sheets: Sheets::default(),
            sessions: Locks::default(),
            payments: Locks::default(),
            orders: Locks::default(),
            keys: Locks::default(),
            sheet_locks: Locks::default(),
            outbox_filled: Arc::default(),
        })))
    }

    /// The settings.
    pub fn config(&self) -> &Config {
        &self.0.config
    }

    /// The time.
    pub fn clock(&self) -> &Clock {
        &self.0.clock
    }

    /// The database.
    pub fn store(&self) -> &Store {
        &self.0.store
    }

    /// The built widget, if there is one.
    pub fn dist(&self) -> Option<&Dist> {
        self.0.dist.as_ref()
    }

    /// Says that the outbox holds something new.
    pub fn wake_notifier(&self) {
        self.0.outbox_filled.notify_one();
    }

    /// Who delivers what is in the outbox.
    pub fn notifier(&self) -> Notifier {
        Notifier {
            store: self.0.store.clone(),
            vault: self.0.vault.clone(),
            clock: self.0.clock.clone(),
            receivers: if self.0.config.mode.allows_insecure_urls() {
                AllowedAddresses::Anywhere
            } else {
                AllowedAddresses::Public
            },
            outbox_filled: self.0.outbox_filled.clone(),
        }
    }

    /// Whom money is asked from.
    fn acquirer(&self) -> Result<&dyn Acquirer, NoAcquirer> {
        self.0.ports.acquirer.as_deref().ok_or(NoAcquirer)
    }

    /// Who authenticates buyers.
    fn three_ds_server(&self) -> &dyn ThreeDsServer {
        &*self.0.ports.three_ds_server
    }

    /// Who knows issuers by the first digits of their cards.
    fn bin_lookup(&self) -> &dyn BinLookup {
        &*self.0.ports.bin_lookup
    }

    /// Who refuses payments that are too risky.
    fn risk_rules(&self) -> &dyn RiskRules {
        &*self.0.ports.risk_rules
    }

    /// Who offers buyers their card's currency.
    fn currency_conversion(&self) -> &dyn CurrencyConversion {
        &*self.0.ports.currency_conversion
    }

    /// Who opens what wallets hand over.
    fn wallet_tokens(&self) -> &dyn WalletTokens {
        &*self.0.ports.wallet_tokens
    }

    /// Who decides what simulated pages of issuers and operators do.
    fn simulator_pages(&self) -> &dyn SimulatorPages {
        &*self.0.ports.simulator_pages
    }

    fn vault(&self) -> &Vault {
        &self.0.vault
    }

    fn parts(&self) -> &Parts {
        &self.0
    }
}

fn sandbox_settings(config: &Config) -> SandboxSettings {
    SandboxSettings {
        storage: config.storage(),
        pending: config.pending,
    }
}

/// The sandbox acquirer's books, made or brought up to date: for those who hold them against the gateway's.
pub async fn open_acquirers_books(config: &Config) -> Result<Store, StoreError> {
    Ok(Store::of(
        payframe_sandbox::acquirer::books(&config.storage()).await?,
    ))
}

/// The file of the sandbox acquirer's books, if there is one in this folder: a production gateway's acquirer keeps its own elsewhere.
fn acquirers_file(data: &Path) -> Option<&'static str> {
    let file = payframe_sandbox::acquirer::FILE;
    data.join(file).exists().then_some(file)
}

/// What has to be done to bring all tables up to date: files' or schemas' names, and what is missing there.
async fn missing_migrations(config: &Config) -> Result<Vec<(&'static str, String)>, StoreError> {
    let mut missing = Store::missing(&config.storage()).await?;
    if config.mode.is_sandbox() {
        missing.extend(payframe_sandbox::acquirer::missing(&config.storage()).await?);
    }
    Ok(missing)
}

/// The OpenAPI document of the API.
pub fn openapi() -> serde_json::Value {
    routes::openapi_document()
}

/// Makes the data folder if it is not there: for its owner alone, because of the vault's key in it.
fn make_folder(folder: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Whether calls would be answered now: the database is there. For whoever hands calls on to several processes.
async fn ready(State(app): State<App>) -> (StatusCode, &'static str) {
    match app.store().ask(query("SELECT 1")).await {
        Ok(_) => (StatusCode::OK, "ready"),
        Err(problem) => {
            tracing::error!(%problem, "not ready");
            (
                StatusCode::SERVICE_UNAVAILABLE,
                "the database does not answer",
            )
        }
    }
}

/// Answers HTTP for `app`.
pub fn router(app: App) -> axum::Router {
    let office = if app.config().office {
        back_office::router()
    } else {
        axum::Router::new()
    };
    let (mode, aliases) = (app.config().mode, app.config().aliases.clone());
    let aliased = routes::router()
        .merge(assets::router(mode))
        .with_state(app.clone());
    axum::Router::new()
        .route("/health", axum::routing::get(|| async { "ok" }))
        .route("/ready", axum::routing::get(ready))
        .merge(routes::router())
        .merge(pages::router(mode))
        .merge(assets::router(mode))
        .merge(office)
        .fallback(move |request: axum::extract::Request| async move {
            aliases.answer(aliased, request).await
        })
        .layer(tower_http::catch_panic::CatchPanicLayer::custom(
            routes::panicked,
        ))
        .layer(axum::middleware::from_fn(routes::log))
        .layer(axum::middleware::map_response_with_state(
            app.clone(),
            pages::stay_secure,
        ))
        .with_state(app)
}
