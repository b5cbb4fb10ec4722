//! The operator's settings, from environment variables or a file. The [`Mode`] has to be set; each other setting has a default
//! for a developer's machine.
//!
//! [`Config::from_environment`] reads them once at the start. `PAYFRAME_CONFIG` names the file; a variable wins over the
//! file. A value that cannot be read, or an unknown key, stops the start with a sentence that says which one it is and what is
//! accepted. All settings are in one table, [`settings`]. Settings of single merchants and terminals are in the database.
//!
//! Libraries that merge sources into one struct (`config`, `figment`) were weighed: their errors name a type, not what a setting
//! accepts, and the table is also what `payframe-gateway settings` prints.

mod file;
mod mode;
mod settings;
#[cfg(test)]
mod tests;

pub use mode::{Mode, Sandbox};
pub use settings::in_markdown;
pub(crate) use settings::vault::Pin;
pub use settings::vault::TokenConfig;

use crate::aliases::Aliases;
use file::File;
use payframe_back_office::BackOfficeSettings;
use payframe_back_office::leaked_passwords::LeakedPasswords;
use payframe_back_office::login_providers::LoginProviders;
use payframe_payment_service::PaymentSettings;
use payframe_payment_service::retention_policy::RetentionPolicy;
use payframe_storage::StorageSettings;
use settings::{MODE, SETTINGS, Value};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;
use thiserror::Error;

/// Settings of one gateway process.
#[derive(Clone, Debug)]
pub struct Config {
    /// Whether money moves, with the settings that exist only in a sandbox (`PAYFRAME_MODE`).
    pub mode: Mode,
    /// `PAYFRAME_LISTEN`: address and port to listen on; with port 0 the system chooses a free port.
    pub listen: SocketAddr,
    /// `PAYFRAME_ORIGIN`: how browsers reach the gateway; scheme, host and port, without a slash at the end.
    pub origin: String,
    /// `PAYFRAME_DATA`: folder of the database, of the sandbox acquirer's database and of the vault's key.
    pub data: PathBuf,
    /// `DATABASE_URL`: the PostgreSQL database that holds the tables, for several processes. Without it they are files in `data`.
    pub database_url: Option<String>,
    /// `PAYFRAME_ACQUIRERS`: the file with the acquirers, and the terminals that use them.
    pub acquirers: Option<PathBuf>,
    /// `PAYFRAME_3DS`: the file with the directory servers that authenticate buyers.
    pub three_ds: Option<PathBuf>,
    /// `PAYFRAME_WALLETS`: in production, the file with the keys that open the tokens of wallets.
    pub wallets: Option<PathBuf>,
    /// `PAYFRAME_LOGIN_PROVIDERS`: the file with the providers at which members of the back office may log in.
    pub login_providers: Option<PathBuf>,
    /// `PAYFRAME_LEAKED_PASSWORDS`: the file with the hashes of passwords that members of the back office may not choose.
    pub leaked_passwords: Option<PathBuf>,
    /// `PAYFRAME_ASSETS`: the folder that the build of the widget made. Without it the files inside the program are used, if it was built with
    /// them, or `./target/dist`.
    pub assets: Option<PathBuf>,
    /// `PAYFRAME_VAULT_KEY`: the vault's key, 32 bytes in base64. Without it a key file in `data` is used.
    pub vault_key: Option<String>,
    /// `PAYFRAME_VAULT_KEY_FILE`: the key file, where it is not `vault.key` in `data`.
    pub vault_key_file: Option<PathBuf>,
    /// `PAYFRAME_VAULT_KEY_COMMAND`: a program that prints the vault's keys.
    pub vault_key_command: Option<String>,
    /// `PAYFRAME_VAULT_OLD_KEYS`: further keys of the vault, which decrypt and do not encrypt, separated by commas.
    pub vault_old_keys: Option<String>,
    /// `PAYFRAME_PKCS11_MODULE` and the settings after it: the token whose key wraps the vault's keys. Without it they are in clear.
    pub token: TokenConfig,
    /// `PAYFRAME_TLS_CERT`: a certificate, with the certificates that lead from it to a root, as a PEM file. Without it the gateway serves
    /// plain HTTP.
    pub tls_certificate: Option<PathBuf>,
    /// `PAYFRAME_TLS_KEY`: its private key, as a PEM file.
    pub tls_key: Option<PathBuf>,
    /// `PAYFRAME_METRICS_LISTEN`: where Prometheus reads the metrics; without it no metrics.
    pub metrics_listen: Option<SocketAddr>,
    /// `PAYFRAME_PENDING_SECONDS`: how long the sandbox keeps a payment pending (contract 11.1).
    pub pending: Duration,
    /// `PAYFRAME_CHALLENGE_SECONDS`: time limit of a challenge (contract 4.1).
    pub challenge: Duration,
    /// `PAYFRAME_REDIRECT_SECONDS`: time limit of an alternative method (contract 4.1).
    pub redirect: Duration,
    /// `PAYFRAME_PRIVACY_URL`: the operator's privacy notice, to which the form links; without one the sandbox shows its own notice.
    pub privacy_url: Option<String>,
    /// `PAYFRAME_OFFER_SECONDS`: how long a currency offer is valid (contract 5.6).
    pub offer: Duration,
    /// `PAYFRAME_IDLE_SECONDS`: a session ends after this long without a sign of the buyer (contract 4.1).
    pub idle: Duration,
    /// `PAYFRAME_HARD_SECONDS`: a session ends this long after it was made (contract 4.1).
    pub hard: Duration,
    /// `PAYFRAME_PREAUTH_SECONDS`: a pre-authorization is released this long after it was made (contract 2.4).
    pub preauth_limit: Duration,
    /// `PAYFRAME_DELAYED_SECONDS`: the same limit for the pre-authorization of a reservation (contract 2.12).
    pub delayed_limit: Duration,
    /// `PAYFRAME_CAPTURE_SECONDS`: a sale with explicit capture is released this long after it was made (contract 2.4).
    pub capture_limit: Duration,
    /// `PAYFRAME_FULFIL_SECONDS`: how long a paid order may wait until its shop tells that the goods are sent.
    pub fulfil_within: Duration,
    /// `PAYFRAME_MERCHANT_CALLS_PER_SECOND`: how often an API key may call; twice as many calls may come at once (contract 1.10).
    pub merchant_calls_per_second: u32,
    /// `PAYFRAME_MERCHANT_TOTAL_CALLS_PER_SECOND`: how often all keys of a merchant together may call. `None`: ten times as often as one.
    pub merchant_total_calls: Option<u32>,
    /// `PAYFRAME_ADDRESS_CALLS_PER_SECOND`: how often browsers with one address may call.
    pub address_calls_per_second: u32,
    /// `PAYFRAME_LOG`: filter of the log, e.g. `info` or `payframe_gateway=debug`.
    pub log: String,
    /// `PAYFRAME_CARD_KEY_SECONDS`: the age at which the key that frames encrypt card data with is replaced by a new one.
    pub card_key_life: Duration,
    /// `PAYFRAME_OFFICE`: whether the back office is served at `/office`.
    pub office: bool,
    /// `PAYFRAME_FORM_WITHOUT_SCRIPTS`: whether browsers without scripts may pay by a plain form. It sends the card by TLS alone. `None`: only
    /// where cards need not be encrypted.
    pub form_without_scripts: Option<bool>,
    /// `PAYFRAME_PROXIES`: how many proxies are in front of the gateway and append the address that they saw to `X-Forwarded-For`.
    pub proxies: u32,
    /// `PAYFRAME_CALLS_AT_WORK`: how many calls a process works on at a time.
    pub calls_at_work: u32,
    /// `PAYFRAME_CONNECTIONS_PER_ADDRESS`: how many connections one address may have at once.
    pub connections_per_address: u32,
    /// `PAYFRAME_REFUSALS_PER_CARD`: how often issuers may refuse one card in an hour before none is asked again; 0: any number. `None`:
    /// 10 in production, any number in a sandbox.
    pub refusals_per_card: Option<u32>,
    /// `PAYFRAME_CARD_TESTING_RULES`: whether terminals that say nothing about it have the rules against card testing. `None`: in production.
    pub card_testing_rules: Option<bool>,
    /// `PAYFRAME_KEEP_ANSWERS_DAYS` and the settings after it: how long records are kept.
    pub retention: RetentionPolicy,
    /// `PAYFRAME_ALIASES`: former addresses of scripts and of the API.
    pub aliases: Aliases,
    /// How long a call waits for a running one with the same idempotency key (contract 1.7).
    pub in_flight_wait: Duration,
    /// How long the fault `timeout` keeps the caller waiting (contract 11.9).
    pub fault_timeout: Duration,
    /// How long a field waits for the merchant's style sheet (contract 7.6).
    pub sheet_timeout: Duration,
}

/// Why the settings cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ConfigError {
    /// The mode is not set.
    #[error(
        "{} (in a file: {}) must be set. There are:{}",
        MODE.variable,
        MODE.key(),
        mode::CHOICE
    )]
    NoMode,
    /// In production the origin has to be set, and has to be https.
    #[error(
        "PAYFRAME_ORIGIN must be set where {} is production: to https, a host and a port, as in https://gateway.example",
        MODE.variable
    )]
    NoOrigin,
    /// An environment variable has a value that is not accepted.
    #[error("{variable} must be {accepts}")]
    Variable {
        /// Its name.
        variable: &'static str,
        /// The accepted values.
        accepts: &'static str,
    },
    /// A key in the file has a value that is not accepted.
    #[error("{file}: {key} must be {accepts}")]
    Key {
        /// The file.
        file: String,
        /// The key.
        key: String,
        /// The accepted values.
        accepts: &'static str,
    },
    /// A setting has no effect without another one.
    #[error("{missing} must be set where {given} is")]
    Alone {
        /// The missing variable.
        missing: &'static str,
        /// The variable that is set.
        given: &'static str,
    },
    /// Of two settings only one may be set.
    #[error("{one} and {other} cannot both be set")]
    Together {
        /// The one.
        one: &'static str,
        /// The other.
        other: &'static str,
    },
    /// The file has an unknown key.
    #[error("{file}: there is no setting {key}; there are {}", settings::keys())]
    UnknownKey {
        /// The file.
        file: String,
        /// The key.
        key: String,
    },
    /// The file is missing, or is not valid TOML.
    #[error("{file}: {problem}")]
    File {
        /// The file.
        file: String,
        /// The error.
        problem: String,
    },
}

impl Config {
    /// How many connections one address may have at once. Behind proxies all come from the address of one, which has a limit of its own.
    pub fn connections_per_address(&self) -> Option<usize> {
        let is_direct = self.proxies == 0;
        usize::try_from(self.connections_per_address)
            .ok()
            .filter(|_| is_direct)
    }

    /// How often all keys of a merchant together may call.
    pub(crate) fn merchant_total_calls_per_second(&self) -> u32 {
        let of_keys = self.merchant_calls_per_second.saturating_mul(10);
        self.merchant_total_calls.unwrap_or(of_keys)
    }

    /// Whether browsers without scripts may pay by a plain form.
    pub(crate) fn serves_form_without_scripts(&self) -> bool {
        self.form_without_scripts
            .unwrap_or(!self.mode.requires_encrypted_cards())
    }

    /// The settings that payments use.
    pub(crate) fn for_payments(&self) -> PaymentSettings {
        PaymentSettings {
            origin: self.origin.clone(),
            with_diagnostics: self.mode.is_sandbox(),
            allows_insecure_urls: self.mode.allows_insecure_urls(),
            idle: self.idle,
            hard: self.hard,
            challenge: self.challenge,
            redirect: self.redirect,
            offer: self.offer,
            preauth_limit: self.preauth_limit,
            delayed_limit: self.delayed_limit,
            capture_limit: self.capture_limit,
            fulfil_within: self.fulfil_within,
            card_key_life: self.card_key_life,
            retention: self.retention,
            refusals_per_card: self.refusals_per_card.unwrap_or(match self.mode {
                Mode::Sandbox(_) => 0,
                Mode::Production => 10,
            }),
            stops_card_testing: self
                .card_testing_rules
                .unwrap_or(matches!(self.mode, Mode::Production)),
        }
    }

    /// Whether the process has real cards and keys in its memory, which must not get to a disk.
    pub fn keeps_memory_off_disk(&self) -> bool {
        !self.mode.is_sandbox()
    }

    /// The settings that the back office uses.
    pub(crate) fn for_back_office(
        &self,
        providers: LoginProviders,
        leaked_passwords: LeakedPasswords,
    ) -> BackOfficeSettings {
        BackOfficeSettings {
            origin: self.origin.clone(),
            proxies: self.proxies,
            requires_second_factor: !self.mode.is_sandbox(),
            providers,
            leaked_passwords,
        }
    }

    /// Reads the environment of the process, and the file that it names.
    pub fn from_environment() -> Result<Config, ConfigError> {
        Config::read(|name| std::env::var(name).ok())
    }

    /// Reads settings from `variable`, which returns the value of a variable that is set, and from the file that one of them
    /// names.
    pub fn read(variable: impl Fn(&'static str) -> Option<String>) -> Result<Config, ConfigError> {
        let file = match variable(CONFIG_FILE) {
            None => File::default(),
            Some(path) => File::read(&path)?,
        };
        let in_file = file.mode()?;
        let mode = match variable(MODE.variable) {
            Some(name) => Mode::named(&name).ok_or(ConfigError::Variable {
                variable: MODE.variable,
                accepts: MODES,
            })?,
            None => in_file.ok_or(ConfigError::NoMode)?,
        };
        let mut config = Config::of(mode);
        file.put(&mut config)?;
        for setting in SETTINGS {
            let Some(text) = variable(setting.variable) else {
                continue;
            };
            if !setting.put(&mut config, Value::Variable(text)) {
                return Err(ConfigError::Variable {
                    variable: setting.variable,
                    accepts: setting.accepts_as_variable(mode),
                });
            }
        }
        settings::vault::check(&config)?;
        if !mode.is_sandbox() && !config.origin.starts_with("https://") {
            return Err(ConfigError::NoOrigin);
        }
        let [certificate, key] = ["PAYFRAME_TLS_CERT", "PAYFRAME_TLS_KEY"];
        let (missing, given) = match (&config.tls_certificate, &config.tls_key) {
            (Some(_), None) => (key, certificate),
            (None, Some(_)) => (certificate, key),
            _ => return Ok(config),
        };
        Err(ConfigError::Alone { missing, given })
    }
}

/// The variable that names the file with settings.
const CONFIG_FILE: &str = "PAYFRAME_CONFIG";

/// The accepted modes.
const MODES: &str = "sandbox or production";

impl Config {
    /// Where the gateway's tables are.
    pub fn storage(&self) -> StorageSettings {
        StorageSettings {
            folder: self.data.clone(),
            server_url: self.database_url.clone(),
        }
    }

    /// Where the scripts of releases of the form are kept, for pages that have pinned earlier ones.
    pub fn releases(&self) -> PathBuf {
        self.data.join("releases")
    }

    /// A sandbox on a developer's machine: all settings have their default.
    pub fn sandbox() -> Config {
        Config::of(Mode::Sandbox(Sandbox::default()))
    }

    /// The defaults in a mode. In production the origin has to be set.
    fn of(mode: Mode) -> Config {
        Config {
            mode,
            listen: SocketAddr::from(([127, 0, 0, 1], 8787)),
            origin: String::from("http://localhost:8787"),
            data: PathBuf::from("./data"),
            database_url: None,
            acquirers: None,
            three_ds: None,
            wallets: None,
            login_providers: None,
            leaked_passwords: None,
            assets: None,
            vault_key: None,
            vault_key_file: None,
            vault_old_keys: None,
            vault_key_command: None,
            token: TokenConfig::default(),
            tls_certificate: None,
            tls_key: None,
            metrics_listen: None,
            pending: Duration::from_secs(30),
            challenge: Duration::from_secs(60),
            redirect: Duration::from_secs(900),
            privacy_url: None,
            offer: Duration::from_secs(300),
            idle: Duration::from_secs(300),
            hard: Duration::from_secs(1800),
            preauth_limit: Duration::from_secs(27 * 86_400),
            delayed_limit: Duration::from_secs(28 * 86_400),
            capture_limit: Duration::from_secs(5 * 86_400),
            fulfil_within: Duration::from_secs(3 * 86_400),
            merchant_calls_per_second: 50,
            merchant_total_calls: None,
            address_calls_per_second: 100,
            log: String::from("info"),
            card_key_life: Duration::from_secs(30 * 86_400),
            office: true,
            form_without_scripts: None,
            proxies: 0,
            calls_at_work: 512,
            connections_per_address: 256,
            refusals_per_card: None,
            card_testing_rules: None,
            retention: RetentionPolicy::default(),
            aliases: Aliases::default(),
            in_flight_wait: Duration::from_secs(10),
            fault_timeout: Duration::from_secs(65),
            sheet_timeout: Duration::from_secs(5),
        }
    }
}
