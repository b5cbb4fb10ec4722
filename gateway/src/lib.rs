//! The gateway: a payment API, the pages of the card form, and a sandbox that plays the card networks.
//!
//! [`App::open`] opens the databases, [`router`] answers HTTP, [`App::keep_doing_due_work`] does what time brings
//! about, [`notifier::run`] delivers notifications. `main.rs` puts them together; tests call [`router`] directly.
//!
//! What depends on what: `routes` (the API's words) and `pages` (HTML) know `payments`; `payments` applies the
//! rules of `domain` to what `store` keeps, and asks the `sandbox` as the outer world. `domain` knows nobody.
//! `css_sanitizer` cleans merchants' style sheets; it knows nothing of payments. `back_office` is for people: pages
//! with members and log-ins of their own, over the same `payments` and `store`.

mod aliases;
mod api_keys;
pub mod assets;
mod back_office;
pub mod clock;
pub mod config;
mod css_sanitizer;
mod domain;
mod idempotency;
mod jwe;
pub mod listener;
mod locks;
pub mod monitoring;
pub mod notifier;
pub mod operator;
mod outbound_address;
pub mod pages;
pub mod payments;
mod rotation;
mod routes;
mod sandbox;
pub mod session_state;
pub mod store;
mod vault;

use assets::Dist;
use axum::extract::State;
use axum::http::StatusCode;
use clock::Clock;
use config::Config;
use css_sanitizer::source::Sheets;
use locks::Locks;
use payments::SecurityCodes;
use routes::Rates;
use sandbox::acquirer::Acquirer;
use std::path::Path;
use std::sync::Arc;
use store::{Store, StoreError, Subject, query};
use tokio::sync::Notify;
use vault::{Keyring, Vault, VaultError};

/// One running gateway. Clones share everything.
#[derive(Clone)]
pub struct App(Arc<Parts>);

struct Parts {
    config: Config,
    clock: Clock,
    store: Store,
    vault: Vault,
    acquirer: Acquirer,
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
    outbox_filled: Notify,
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
        }
    }
}

impl std::error::Error for StartError {}

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

/// Opens the gateway's tables and the vault that their secrets are sealed in, and puts the sandbox's terminals in place.
async fn open_books(config: &Config) -> Result<(Store, Vault), StartError> {
    make_folder(&config.data).map_err(StartError::Folder)?;
    let keyring = Keyring::open(
        config.vault_key.as_deref(),
        config.vault_old_keys.as_deref(),
        config.data.join("vault.key"),
    )?;
    let store = Store::open(config).await?;
    let mut change = store.write(Subject::Gateway).await?;
    let vault = rotation::unlock(&mut change, keyring).await?;
    if config.sandbox_merchants {
        sandbox::terminals::put_in_place(&mut change, &vault).await?;
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
        let acquirer = Acquirer::open(&config)
            .await
            .map_err(StoreError::Database)?;
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
            acquirer,
            dist,
            security_codes: SecurityCodes::default(),
            rates,
            sheets: Sheets::default(),
            sessions: Locks::default(),
            payments: Locks::default(),
            orders: Locks::default(),
            keys: Locks::default(),
            sheet_locks: Locks::default(),
            outbox_filled: Notify::new(),
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

    /// Waits until the outbox holds something new.
    pub async fn outbox_filled(&self) {
        self.0.outbox_filled.notified().await;
    }

    fn vault(&self) -> &Vault {
        &self.0.vault
    }

    fn parts(&self) -> &Parts {
        &self.0
    }
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
    let aliases = app.config().aliases.clone();
    let aliased = routes::router()
        .merge(assets::router())
        .with_state(app.clone());
    axum::Router::new()
        .route("/health", axum::routing::get(|| async { "ok" }))
        .route("/ready", axum::routing::get(ready))
        .merge(routes::router())
        .merge(pages::router())
        .merge(assets::router())
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
