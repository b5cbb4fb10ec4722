//! The gateway: a payment API, the pages of the card form, and a sandbox that plays the card networks.
//!
//! [`App::open`] opens the databases, [`router`] answers HTTP, [`notifier::run`] delivers notifications.
//! `main.rs` puts them together; tests call [`router`] directly.

pub mod assets;
pub mod clock;
pub mod config;
pub mod notifier;
pub mod pages;
pub mod payments;
pub mod store;

use assets::Dist;
use clock::Clock;
use config::Config;
use std::sync::Arc;
use store::Store;
use tokio::sync::Notify;

/// One running gateway. Clones share everything.
#[derive(Clone)]
pub struct App(Arc<Parts>);

struct Parts {
    config: Config,
    clock: Clock,
    store: Store,
    dist: Option<Dist>,
    outbox_filled: Notify,
}

/// Why the gateway cannot start.
#[derive(Debug)]
pub enum StartProblem {
    /// A folder or file cannot be made or read.
    File(std::io::Error),
    /// A database cannot be opened or brought up to date.
    Database(sqlx::Error),
}

impl std::fmt::Display for StartProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            StartProblem::File(problem) => write!(f, "the data folder: {problem}"),
            StartProblem::Database(problem) => write!(f, "the database: {problem}"),
        }
    }
}

impl std::error::Error for StartProblem {}

impl App {
    /// Opens the databases in the configured folder, making what is missing.
    pub async fn open(config: Config, clock: Clock) -> Result<App, StartProblem> {
        std::fs::create_dir_all(&config.data).map_err(StartProblem::File)?;
        let store = Store::open(&config.data.join("gateway.db")).await.map_err(StartProblem::Database)?;
        let dist = match Dist::load(&config.assets) {
            Ok(dist) => Some(dist),
            Err(problem) => {
                tracing::warn!(%problem, "the form cannot be shown: build the widget first");
                None
            }
        };
        Ok(App(Arc::new(Parts { config, clock, store, dist, outbox_filled: Notify::new() })))
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
}

/// Answers HTTP for `app`.
pub fn router(app: App) -> axum::Router {
    axum::Router::new().merge(pages::router()).merge(assets::router()).with_state(app)
}
