//! The gateway: a payment API, the pages of the card form, and, as a sandbox, simulated card networks.
//!
//! [`App::open`] opens the databases, [`router`] answers HTTP, [`maintenance::run`] does the work that becomes due with time,
//! [`App::notifier`] delivers notifications. `main.rs` connects them; tests call [`router`] directly.
//!
//! What depends on what: `routes` (the API), `pages` (HTML) and `payframe_back_office` call the services of
//! `payframe_payment_service`. The services apply the rules of `payframe_payment_domain` to what `payframe_storage` keeps and
//! `payframe_vault` encrypts. They ask acquirers, 3-D Secure servers and others through the ports of `payframe_payment_ports`, which
//! `payframe_sandbox` implements, and for acquirers of operators `payframe_acquirer_http`. Only `modes` names the sandbox. `payframe_notifier` sends notifications, to addresses that
//! `payframe_outbound_address` allows.
//! `style_sheets` fetches merchants' style sheets, which `payframe_css_sanitizer` filters, and does not know payments.

mod acquirers;
mod admission;
mod aliases;
mod assets;
pub mod config;
pub mod developer;
pub mod dist;
pub mod examination;
pub mod listener;
mod log_ins;
pub mod maintenance;
pub mod modes;
pub mod monitoring;
pub mod operator;
pub mod pages;
mod rotation;
mod routes;
mod secret_command;
mod style_sheets;
mod unavailable;
mod unconnected;
mod vault_source;
mod wallet_tokens;

use admission::Admission;
use axum::extract::State;
use axum::http::StatusCode;
use config::{Config, ConfigError, Mode};
use dist::{Dist, DistError, DistFiles};
use log_ins::{leaked_passwords, login_providers};
pub use modes::open_acquirer_db;
use payframe_back_office::leaked_passwords::{LeakedPasswords, LeakedPasswordsProblem};
use payframe_back_office::login_providers::LoginProviders;
use payframe_notifier::Notifier;
use payframe_outbound_address::AllowedAddresses;
use payframe_payment_ports::{Clock, FaultInjection, Ports};
use payframe_payment_service::locks::Locks;
use payframe_payment_service::{
    BuyerPages, CardKeys, Contracts, Disputes, DueWork, External3ds, Forms, Fulfilments,
    HostedPages, PaymentContext, PostAuthorization, Reservations, ServerPayments, Sessions,
    TestClock,
};
use payframe_pkcs11::{LogIn, TokenError};
use payframe_settings_file::SettingsFileError;
use payframe_storage::{Store, StoreError, Subject, query};
use payframe_vault::{KeyringError, KeyringVault};
use routes::Rates;
use secret_command::SecretCommandError;
use std::path::Path;
use std::sync::Arc;
use style_sheets::StyleSheets;
use thiserror::Error;
use vault_source::VaultSource;

/// One running gateway. Clones share everything.
#[derive(Clone)]
pub struct App(Arc<Parts>);

struct Parts {
    config: Config,
    /// The vault that payments use as a port: its keys are rotated.
    vault: Arc<KeyringVault>,
    payments: PaymentContext,
    dist: Option<Dist>,
    rates: Rates,
    admission: Admission,
    style_sheets: StyleSheets,
    idempotency_keys: Locks,
    faults: Box<dyn FaultInjection>,
    login_providers: LoginProviders,
    leaked_passwords: LeakedPasswords,
}

/// Why the gateway cannot start.
#[derive(Debug, Error)]
pub enum StartError {
    /// The data folder cannot be made.
    #[error("the data folder (PAYFRAME_DATA) cannot be made: {0}")]
    Folder(#[source] std::io::Error),
    /// The folder with the scripts of earlier releases cannot be read.
    #[error("the folder `releases` of the data folder cannot be read: {0}")]
    Releases(#[source] std::io::Error),
    /// A database cannot be opened or brought up to date.
    #[error("the database cannot be opened: {0}")]
    Database(#[from] StoreError),
    /// The vault's key cannot be read or made; the text says what it must be.
    #[error("the vault (PAYFRAME_VAULT_KEY) cannot be opened: {0}")]
    Vault(String),
    /// Settings do not fit each other.
    #[error(transparent)]
    Settings(#[from] ConfigError),
    /// A program that prints a secret does not.
    #[error(transparent)]
    SecretCommand(#[from] SecretCommandError),
    /// The file with the token's PIN cannot be read.
    #[error("the file with the token's PIN (PAYFRAME_PKCS11_PIN_FILE) cannot be read: {0}")]
    PinFile(#[source] std::io::Error),
    /// The token with the key that wraps the vault's keys cannot be used.
    #[error(transparent)]
    Token(#[from] TokenError),
    /// The database was written with another vault's key.
    #[error(
        "the database was written with another key than the vault's: set PAYFRAME_VAULT_KEY to that one (or have it \
         among PAYFRAME_VAULT_OLD_KEYS), or bring back the file vault.key. All processes on one database have the same keys"
    )]
    OtherVault,
    /// The file with the acquirers cannot be used; the text says what it must hold.
    #[error("the acquirers (PAYFRAME_ACQUIRERS): {0}")]
    Acquirers(#[source] SettingsFileError),
    /// The file with the directory servers cannot be used; the text says what it must hold.
    #[error("3-D Secure (PAYFRAME_3DS): {0}")]
    ThreeDs(#[source] SettingsFileError),
    /// The file with the wallets cannot be used; the text says what it must hold.
    #[error("the wallets (PAYFRAME_WALLETS): {0}")]
    Wallets(#[source] SettingsFileError),
    /// The file with the log-in providers cannot be used; the text says what it must hold.
    #[error("the log-in providers (PAYFRAME_LOGIN_PROVIDERS): {0}")]
    LoginProviders(#[source] SettingsFileError),
    /// The file with the leaked passwords cannot be used.
    #[error("the leaked passwords (PAYFRAME_LEAKED_PASSWORDS): {0}")]
    LeakedPasswords(#[source] LeakedPasswordsProblem),
    /// In production: the tables belong to a sandbox.
    #[error(
        "the tables are a sandbox's: they hold API keys that everybody knows, or payments that moved no money. \
         Production needs tables of its own: set PAYFRAME_DATA (or DATABASE_URL) to an empty place"
    )]
    SandboxTables,
    /// In a sandbox: the tables belong to a production gateway.
    #[error(
        "the tables are those of a production gateway, and a sandbox would add API keys that everybody knows: \
         set PAYFRAME_MODE to production, or PAYFRAME_DATA (or DATABASE_URL) to another place"
    )]
    ProductionTables,
}

impl From<KeyringError> for StartError {
    fn from(problem: KeyringError) -> StartError {
        StartError::Vault(problem.to_string())
    }
}

/// Opens the gateway's tables and the vault that encrypts their secrets. Tables of the other mode are refused. A sandbox
/// adds its terminals.
async fn open_database(config: &Config) -> Result<(Store, KeyringVault), StartError> {
    let token = vault_source::token(config, LogIn::Careful).await?;
    let source = VaultSource::of(config, token.map(Arc::new)).await?;
    make_folder(&config.data).map_err(StartError::Folder)?;
    let store = Store::open(&config.storage()).await?;
    let mut change = store.write(Subject::Gateway).await?;
    // A new key could not decrypt what is there, and its file would be where the operator has to put the right one.
    if !source.has_key() && rotation::is_in_use(&mut change).await? {
        return Err(StartError::OtherVault);
    }
    if config.mode == Mode::Production && source.lies_beside_data(&config.data) {
        tracing::warn!(
            "the vault's keys lie in the folder of the data: set PAYFRAME_VAULT_KEY_FILE, PAYFRAME_VAULT_KEY or PAYFRAME_VAULT_KEY_COMMAND"
        );
    }
    let vault = rotation::unlock(&mut change, source.open()?).await?;
    modes::claim(&mut change, config.mode, &vault).await?;
    change.commit().await.map_err(StoreError::from)?;
    Ok((store, vault))
}

/// The files of the built widget: of the folder that the settings name, or those inside the program.
fn built_widget(config: &Config) -> Result<DistFiles, DistError> {
    match (&config.assets, DistFiles::embedded()) {
        (Some(folder), _) => DistFiles::of_folder(folder),
        (None, Some(files)) => Ok(files),
        (None, None) => DistFiles::of_folder(Path::new(DIST)),
    }
}

/// The release beside the earlier ones. In production its own scripts are kept there for the releases that follow; a
/// sandbox, whose widget may change at each build, keeps none.
fn beside_earlier_releases(dist: Dist, config: &Config) -> Result<Dist, StartError> {
    let folder = config.releases();
    if config.mode == Mode::Production
        && let Err(problem) = dist.keep(&folder)
    {
        tracing::warn!(%problem, folder = %folder.display(), "the scripts of this release are not kept: after an update, pages that have pinned them do not find them");
    }
    dist.beside_earlier(&folder).map_err(StartError::Releases)
}

/// Where `cargo xtask build` writes the widget.
const DIST: &str = "./target/dist";

impl App {
    /// Opens the databases in the configured folder, and makes what is missing.
    ///
    /// # Errors
    /// The folder, a database or the vault cannot be opened, or they belong to the other mode.
    pub async fn open(config: Config, clock: Clock) -> Result<App, StartError> {
        App::open_with(config, clock, |ports| ports).await
    }

    /// Like [`App::open`], with other ports: `replace` gets the ports of the mode and returns those to use.
    ///
    /// # Errors
    /// Those of [`App::open`].
    pub async fn open_with(
        config: Config,
        clock: Clock,
        replace: impl FnOnce(Ports) -> Ports,
    ) -> Result<App, StartError> {
        let (store, vault) = open_database(&config).await?;
        // This gateway's own, because only its tables say how far it is ahead.
        let clock = clock.real();
        modes::follow_test_clock(config.mode, &store, &clock).await?;
        let real = clock.real();
        if !rotation::record_encryption_key(&store, &vault, real.now_ms()).await? {
            return Err(KeyringError::Retired(vault.keyring().current()).into());
        }
        let vault = Arc::new(vault);
        let ports = replace(modes::ports(&config, &clock, &store, &vault).await?);
        let dist = match built_widget(&config).and_then(Dist::load) {
            Ok(dist) => Some(beside_earlier_releases(dist, &config)?),
            Err(problem) => {
                tracing::warn!(%problem, "the form cannot be shown: build the widget first");
                None
            }
        };
        let rates = Rates::new(&config, &real, &store);
        let admission = Admission::new(config.calls_at_work);
        let style_sheets =
            StyleSheets::new(config.sheet_timeout, config.mode.allows_insecure_urls());
        let faults = modes::faults(config.mode);
        let login_providers = login_providers(&config)?;
        let leaked_passwords = leaked_passwords(&config)?;
        let payments =
            PaymentContext::new(config.for_payments(), clock, store, vault.clone(), ports);
        Ok(App(Arc::new(Parts {
            config,
            vault,
            payments,
            dist,
            rates,
            admission,
            style_sheets,
            idempotency_keys: Locks::default(),
            faults,
            login_providers,
            leaked_passwords,
        })))
    }

    /// What the gateway prints about its mode at the start, after the address.
    pub fn summary(&self) -> &'static str {
        self.config().mode.summary(self.payments().acquirers())
    }

    /// The settings.
    pub fn config(&self) -> &Config {
        &self.0.config
    }

    /// The time of payments. In a sandbox it may be ahead of the real time ([`Clock::real`]).
    pub fn clock(&self) -> &Clock {
        self.payments().clock()
    }

    /// Whether tests may advance the clock.
    fn has_test_clock(&self) -> bool {
        self.config().mode.has_test_clock()
    }

    /// Puts the clock as far ahead as another process on the same database may have put its own.
    async fn follow_test_clock(&self) -> Result<(), StoreError> {
        modes::follow_test_clock(self.config().mode, self.store(), self.clock()).await
    }

    /// The database.
    pub fn store(&self) -> &Store {
        self.payments().store()
    }

    /// The built widget, if there is one.
    pub fn dist(&self) -> Option<&Dist> {
        self.0.dist.as_ref()
    }

    /// Hears the other processes on the same server, and answers them, until `shutdown` is done.
    pub async fn hear_peers(self, shutdown: impl Future<Output = ()>) {
        self.payments().clone().hear_peers(shutdown).await;
    }

    /// Waits until this process hears the others. Where the tables are in a file there are none, and this never ends.
    pub async fn peers_are_heard(&self) {
        self.payments().peers_are_heard().await;
    }

    /// Delivers the notifications of the outbox.
    pub fn notifier(&self) -> Notifier {
        Notifier {
            store: self.store().clone(),
            vault: self.payments().shared_vault(),
            clock: self.clock().clone(),
            receivers: if self.config().mode.allows_insecure_urls() {
                AllowedAddresses::Anywhere
            } else {
                AllowedAddresses::Public
            },
            outbox_filled: self.payments().outbox_signal(),
        }
    }

    fn vault(&self) -> &KeyringVault {
        &self.0.vault
    }

    /// The limits of how often each caller may call.
    fn rates(&self) -> &Rates {
        &self.0.rates
    }

    /// The places of calls at work.
    fn admission(&self) -> &Admission {
        &self.0.admission
    }

    /// Locks: one call at a time for each idempotency key.
    fn idempotency_keys(&self) -> &Locks {
        &self.0.idempotency_keys
    }

    /// Which faults callers may ask for.
    fn faults(&self) -> &dyn FaultInjection {
        self.0.faults.as_ref()
    }

    /// Merchants' own style sheets.
    fn style_sheets(&self) -> &StyleSheets {
        &self.0.style_sheets
    }

    /// What payments need. The services below are made from it.
    fn payments(&self) -> &PaymentContext {
        &self.0.payments
    }

    fn sessions(&self) -> Sessions<'_> {
        Sessions::new(self.payments())
    }

    /// The forms of sessions, for their pages.
    pub fn forms(&self) -> Forms<'_> {
        Forms::new(self.payments())
    }

    /// The pages that the gateway shows in the role of an issuer or a method.
    pub fn buyer_pages(&self) -> BuyerPages<'_> {
        BuyerPages::new(self.payments())
    }

    fn card_keys(&self) -> CardKeys<'_> {
        CardKeys::of(self.payments())
    }

    fn contracts(&self) -> Contracts<'_> {
        Contracts::new(self.payments())
    }

    fn post_authorization(&self) -> PostAuthorization<'_> {
        PostAuthorization::new(self.payments())
    }

    fn disputes(&self) -> Disputes<'_> {
        Disputes::new(self.payments())
    }

    fn fulfilments(&self) -> Fulfilments<'_> {
        Fulfilments::new(self.payments())
    }

    fn hosted_pages(&self) -> HostedPages<'_> {
        HostedPages::new(self.payments())
    }

    fn reservations(&self) -> Reservations<'_> {
        Reservations::new(self.payments())
    }

    fn test_clock(&self) -> TestClock<'_> {
        TestClock::new(self.payments())
    }

    fn server_payments(&self) -> ServerPayments<'_> {
        ServerPayments::new(self.payments())
    }

    fn external_3ds(&self) -> External3ds<'_> {
        External3ds::new(self.payments())
    }

    /// What is due by time: limits, releases, deletion of what no longer counts.
    pub fn due_work(&self) -> DueWork<'_> {
        DueWork::new(self.payments())
    }
}

/// The OpenAPI document of the API.
pub fn openapi() -> serde_json::Value {
    routes::openapi_document()
}

/// Makes the data folder if it is missing, readable only by its owner, because the vault's key is in it.
fn make_folder(folder: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Whether calls can be answered now: the database is reachable. For load balancers in front of several processes.
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

/// Whether money moves, in one word. For programs that must not act on real money.
async fn mode(State(app): State<App>) -> &'static str {
    app.config().mode.name()
}

/// Answers HTTP for `app`.
pub fn router(app: App) -> axum::Router {
    let office = if app.config().office {
        payframe_back_office::router(
            app.config().for_back_office(
                app.0.login_providers.clone(),
                app.0.leaked_passwords.clone(),
            ),
            app.payments().clone(),
        )
    } else {
        axum::Router::new()
    };
    let admitted = axum::middleware::from_fn_with_state(app.clone(), pages::admit);
    let pages = pages::router(routes::inner_api::InnerApi::new(&app))
        .merge(modes::pages(&app))
        .merge(office)
        .route_layer(admitted);
    let aliases = app.config().aliases.clone();
    let api = routes::router(&app);
    let aliased = api.clone().merge(assets::router()).with_state(app.clone());
    axum::Router::new()
        .route("/health", axum::routing::get(|| async { "ok" }))
        .route("/ready", axum::routing::get(ready))
        .route("/mode", axum::routing::get(mode))
        .merge(api)
        .merge(pages)
        .merge(assets::router())
        .fallback(move |request: axum::extract::Request| async move {
            aliases.answer(aliased, request).await
        })
        .layer(tower_http::catch_panic::CatchPanicLayer::custom(
            routes::panicked,
        ))
        .layer(axum::middleware::from_fn(routes::log))
        .layer(axum::middleware::map_response_with_state(
            app.clone(),
            pages::protect_answer,
        ))
        .with_state(app)
}
