//! What the operator sets: environment variables, each with a default that suits a developer's machine.
//!
//! [`Config::from_environment`] reads them once at start; a value that cannot be read stops the start with
//! a sentence that names the variable. Settings of single merchants and terminals are in the database.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// Settings of one gateway process.
#[derive(Clone, Debug)]
pub struct Config {
    /// `PAYFRAME_LISTEN`: address and port to listen on; port 0 takes any free one.
    pub listen: SocketAddr,
    /// `PAYFRAME_ORIGIN`: how browsers reach the gateway; scheme, host and port, without a slash at the end.
    pub origin: String,
    /// `PAYFRAME_DATA`: folder of the database, of the sandbox acquirer's database and of the vault's key.
    pub data: PathBuf,
    /// `DATABASE_URL`: the PostgreSQL database that holds the tables, for several processes. Without it they are files in `data`.
    pub database_url: Option<String>,
    /// `PAYFRAME_ASSETS`: what the build of the widget made.
    pub assets: PathBuf,
    /// `PAYFRAME_VAULT_KEY`: the vault's key, 32 bytes as base64. Without it a key file in `data` is used.
    pub vault_key: Option<String>,
    /// `PAYFRAME_SANDBOX_FAULTS`: whether `x-sandbox-fault` is accepted (contract 11.9).
    pub sandbox_faults: bool,
    /// `PAYFRAME_ALLOW_INSECURE_URLS`: plain http, any port and loopback addresses for merchants' URLs (contract 1.2).
    pub allow_insecure_urls: bool,
    /// `PAYFRAME_PENDING_SECONDS`: when the sandbox makes a pending payment final (contract 11.1).
    pub pending: Duration,
    /// `PAYFRAME_CHALLENGE_SECONDS`: how long a challenge may take (contract 4.1).
    pub challenge: Duration,
    /// `PAYFRAME_REDIRECT_SECONDS`: how long an alternative method may take (contract 4.1).
    pub redirect: Duration,
    /// `PAYFRAME_PRIVACY_URL`: the operator's privacy notice, to which the form links; without one the sandbox says what it keeps.
    pub privacy_url: Option<String>,
    /// `PAYFRAME_OFFER_SECONDS`: a currency offer is good for this long (contract 5.6).
    pub offer: Duration,
    /// `PAYFRAME_IDLE_SECONDS`: a session ends after this long without a sign of the buyer (contract 4.1).
    pub idle: Duration,
    /// `PAYFRAME_HARD_SECONDS`: a session ends this long after it was made (contract 4.1).
    pub hard: Duration,
    /// `PAYFRAME_PREAUTH_SECONDS`: a pre-authorization is released this long after it was made (contract 2.4).
    pub preauth_limit: Duration,
    /// `PAYFRAME_DELAYED_SECONDS`: the same for that of a reservation (contract 2.12).
    pub delayed_limit: Duration,
    /// `PAYFRAME_CAPTURE_SECONDS`: a sale with explicit capture is released this long after it was made (contract 2.4).
    pub capture_limit: Duration,
    /// `PAYFRAME_MERCHANT_CALLS_PER_SECOND`: how often an API key may call, and half of what it may do at once (contract 1.10).
    pub merchant_calls_per_second: u32,
    /// `PAYFRAME_LOG`: filter of the log, e.g. `info` or `payframe_gateway=debug`.
    pub log: String,
    /// `PAYFRAME_CARD_KEY_SECONDS`: when the key that frames encrypt card data with is followed by a new one.
    pub card_key_life: Duration,
    /// `PAYFRAME_REQUIRE_ENCRYPTED_CARDS`: whether frames' calls with a card number or a security code in clear are refused.
    pub require_encrypted_cards: bool,
    /// How long a call waits for a running one with the same idempotency key (contract 1.7).
    pub in_flight_wait: Duration,
    /// How long the fault `timeout` keeps the caller waiting (contract 11.9).
    pub fault_timeout: Duration,
    /// How long a field waits for the merchant's style sheet (contract 7.6).
    pub sheet_timeout: Duration,
}

/// An environment variable that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigProblem {
    /// Name of the variable.
    pub variable: &'static str,
    /// What it has to be.
    pub expected: &'static str,
}

impl std::fmt::Display for ConfigProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} must be {}", self.variable, self.expected)
    }
}

impl std::error::Error for ConfigProblem {}

impl Config {
    /// Reads the process's environment.
    pub fn from_environment() -> Result<Config, ConfigProblem> {
        Config::read(|name| std::env::var(name).ok())
    }

    /// Reads settings from `variable`, which answers the value of a variable that is set.
    pub fn read(
        variable: impl Fn(&'static str) -> Option<String>,
    ) -> Result<Config, ConfigProblem> {
        let defaults = Config::default();
        let seconds = |name, default| match variable(name) {
            None => Ok(default),
            Some(text) => match text.parse::<u32>() {
                Ok(seconds) if seconds > 0 => Ok(Duration::from_secs(seconds.into())),
                _ => Err(ConfigProblem {
                    variable: name,
                    expected: "a whole number of seconds above 0",
                }),
            },
        };
        let switch = |name, default| match variable(name).as_deref() {
            None => Ok(default),
            Some("1") => Ok(true),
            Some("0") => Ok(false),
            Some(_) => Err(ConfigProblem {
                variable: name,
                expected: "1 or 0",
            }),
        };
        Ok(Config {
            listen: match variable("PAYFRAME_LISTEN") {
                None => defaults.listen,
                Some(text) => text.parse().map_err(|_| ConfigProblem {
                    variable: "PAYFRAME_LISTEN",
                    expected: "an address and a port, as in 127.0.0.1:8787",
                })?,
            },
            origin: match variable("PAYFRAME_ORIGIN") {
                None => defaults.origin,
                Some(text) => origin(&text).ok_or(ConfigProblem {
                    variable: "PAYFRAME_ORIGIN",
                    expected: "scheme, host and port, as in https://gateway.example",
                })?,
            },
            data: variable("PAYFRAME_DATA").map_or(defaults.data, PathBuf::from),
            database_url: match variable("DATABASE_URL") {
                Some(text) if !is_database_address(&text) => {
                    return Err(ConfigProblem {
                        variable: "DATABASE_URL",
                        expected: "the address of a PostgreSQL database, as in postgres://user@host/payframe",
                    });
                }
                other => other,
            },
            assets: variable("PAYFRAME_ASSETS").map_or(defaults.assets, PathBuf::from),
            vault_key: variable("PAYFRAME_VAULT_KEY"),
            sandbox_faults: switch("PAYFRAME_SANDBOX_FAULTS", defaults.sandbox_faults)?,
            allow_insecure_urls: switch(
                "PAYFRAME_ALLOW_INSECURE_URLS",
                defaults.allow_insecure_urls,
            )?,
            pending: seconds("PAYFRAME_PENDING_SECONDS", defaults.pending)?,
            challenge: seconds("PAYFRAME_CHALLENGE_SECONDS", defaults.challenge)?,
            redirect: seconds("PAYFRAME_REDIRECT_SECONDS", defaults.redirect)?,
            privacy_url: match variable("PAYFRAME_PRIVACY_URL") {
                Some(text) if !is_web_address(&text) => {
                    return Err(ConfigProblem {
                        variable: "PAYFRAME_PRIVACY_URL",
                        expected: "an https URL",
                    });
                }
                other => other,
            },
            offer: seconds("PAYFRAME_OFFER_SECONDS", defaults.offer)?,
            idle: seconds("PAYFRAME_IDLE_SECONDS", defaults.idle)?,
            hard: seconds("PAYFRAME_HARD_SECONDS", defaults.hard)?,
            preauth_limit: seconds("PAYFRAME_PREAUTH_SECONDS", defaults.preauth_limit)?,
            delayed_limit: seconds("PAYFRAME_DELAYED_SECONDS", defaults.delayed_limit)?,
            capture_limit: seconds("PAYFRAME_CAPTURE_SECONDS", defaults.capture_limit)?,
            merchant_calls_per_second: match variable("PAYFRAME_MERCHANT_CALLS_PER_SECOND") {
                None => defaults.merchant_calls_per_second,
                Some(text) => {
                    text.parse()
                        .ok()
                        .filter(|calls| *calls > 0)
                        .ok_or(ConfigProblem {
                            variable: "PAYFRAME_MERCHANT_CALLS_PER_SECOND",
                            expected: "a whole number above 0",
                        })?
                }
            },
            log: variable("PAYFRAME_LOG").unwrap_or(defaults.log),
            card_key_life: seconds("PAYFRAME_CARD_KEY_SECONDS", defaults.card_key_life)?,
            require_encrypted_cards: switch(
                "PAYFRAME_REQUIRE_ENCRYPTED_CARDS",
                defaults.require_encrypted_cards,
            )?,
            in_flight_wait: defaults.in_flight_wait,
            fault_timeout: defaults.fault_timeout,
            sheet_timeout: defaults.sheet_timeout,
        })
    }
}

impl Default for Config {
    fn default() -> Config {
        Config {
            listen: SocketAddr::from(([127, 0, 0, 1], 8787)),
            origin: String::from("http://localhost:8787"),
            data: PathBuf::from("./data"),
            database_url: None,
            assets: PathBuf::from("./target/dist"),
            vault_key: None,
            sandbox_faults: true,
            allow_insecure_urls: true,
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
            merchant_calls_per_second: 50,
            log: String::from("info"),
            card_key_life: Duration::from_secs(30 * 86_400),
            require_encrypted_cards: false,
            in_flight_wait: Duration::from_secs(10),
            fault_timeout: Duration::from_secs(65),
            sheet_timeout: Duration::from_secs(5),
        }
    }
}

fn is_web_address(text: &str) -> bool {
    url::Url::parse(text).is_ok_and(|url| url.scheme() == "https") && text.is_ascii()
}

fn is_database_address(text: &str) -> bool {
    url::Url::parse(text).is_ok_and(|url| matches!(url.scheme(), "postgres" | "postgresql"))
}

/// The origin that `text` is, if it is nothing more than that.
fn origin(text: &str) -> Option<String> {
    let url = url::Url::parse(text).ok()?;
    let origin = url.origin();
    (origin.is_tuple() && url.path() == "/" && url.query().is_none() && url.fragment().is_none())
        .then(|| origin.ascii_serialization())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &'static str, value: &'static str) -> Result<Config, ConfigProblem> {
        Config::read(|asked| (asked == name).then(|| value.to_owned()))
    }

    #[test]
    fn an_empty_environment_gives_the_defaults() {
        let config = Config::read(|_| None).unwrap();
        assert_eq!(config.origin, "http://localhost:8787");
        assert_eq!(config.listen.port(), 8787);
        assert_eq!(config.idle, Duration::from_secs(300));
    }

    #[test]
    fn values_that_cannot_be_read_name_their_variable() {
        for (name, value) in [
            ("PAYFRAME_LISTEN", "8787"),
            ("PAYFRAME_ORIGIN", "localhost"),
            ("PAYFRAME_ORIGIN", "https://gateway.example/api"),
            ("PAYFRAME_SANDBOX_FAULTS", "yes"),
            ("PAYFRAME_PENDING_SECONDS", "0"),
            ("PAYFRAME_HARD_SECONDS", "-5"),
            ("PAYFRAME_MERCHANT_CALLS_PER_SECOND", "0"),
            ("PAYFRAME_OFFER_SECONDS", "0"),
            ("DATABASE_URL", "mysql://localhost/payframe"),
            ("DATABASE_URL", "payframe"),
            ("PAYFRAME_CARD_KEY_SECONDS", "0"),
            ("PAYFRAME_REQUIRE_ENCRYPTED_CARDS", "always"),
            ("PAYFRAME_PRIVACY_URL", "javascript:alert(1)"),
        ] {
            assert_eq!(read(name, value).unwrap_err().variable, name, "{value}");
        }
    }

    #[test]
    fn the_origin_has_no_slash_at_the_end() {
        let config = read("PAYFRAME_ORIGIN", "https://Gateway.example:443/").unwrap();
        assert_eq!(config.origin, "https://gateway.example");
    }
}
