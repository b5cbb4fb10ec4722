//! The table of all settings: the name of each, its accepted values and its purpose.

mod connections;
mod limits;
mod retention;
mod switches;
mod times;
pub(super) mod vault;

use super::{Config, Mode, Sandbox};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tracing_subscriber::EnvFilter;

/// One setting.
pub(super) struct Setting {
    /// Its environment variable.
    pub(super) variable: &'static str,
    /// Its purpose, in the words of the documentation.
    means: &'static str,
    field: Field,
}

/// The member of the settings that holds a value, and the accepted values.
enum Field {
    /// The mode. It is read first, because other settings depend on it.
    Mode,
    /// A switch that only a sandbox has, and its fixed value in production.
    OfSandbox {
        field: fn(&mut Sandbox) -> &mut bool,
        in_production: bool,
    },
    Switch(fn(&mut Config) -> &mut bool),
    Seconds(fn(&mut Config) -> &mut Duration),
    Count(fn(&mut Config) -> &mut u32),
    Days(Days),
    Path(fn(&mut Config) -> &mut PathBuf),
    Text(Text),
}

/// A number of days with a minimum.
struct Days {
    field: fn(&mut Config) -> &mut u32,
    least: u32,
    accepts: &'static str,
}

/// A setting with a text format of its own.
struct Text {
    accepts: &'static str,
    /// Stores the value. False: it is not accepted.
    put: fn(&mut Config, String) -> bool,
    /// The value in the format of the variable.
    shown: fn(&Config) -> Option<String>,
    /// What happens if it is not set.
    unset: &'static str,
}

/// The value that a setting gets.
pub(super) enum Value {
    /// From an environment variable.
    Variable(String),
    /// From a file, like the following ones.
    Text(String),
    Number(i64),
    Switch(bool),
    /// A list, a table or a date: no setting has such a value.
    Other,
}

impl Setting {
    /// Its key in a file.
    pub(super) fn key(&self) -> String {
        let name = self.variable;
        name.strip_prefix("PAYFRAME_")
            .unwrap_or(name)
            .to_ascii_lowercase()
    }

    /// Stores the value. False: the value is not accepted.
    pub(super) fn put(&self, config: &mut Config, value: Value) -> bool {
        match (&self.field, value) {
            (Field::Switch(field), value) => match value.switch() {
                Some(is_on) => *field(config) = is_on,
                None => return false,
            },
            (
                Field::OfSandbox {
                    field,
                    in_production,
                },
                value,
            ) => match (value.switch(), &mut config.mode) {
                (Some(is_on), Mode::Sandbox(sandbox)) => *field(sandbox) = is_on,
                (Some(is_on), Mode::Production) => return is_on == *in_production,
                (None, _) => return false,
            },
            (Field::Seconds(field), value) => match value.count() {
                Some(seconds) => *field(config) = Duration::from_secs(seconds.into()),
                None => return false,
            },
            (Field::Count(field), value) => match value.count() {
                Some(count) => *field(config) = count,
                None => return false,
            },
            (Field::Days(days), value) => match value.count() {
                Some(count) if (days.least..=MOST_DAYS).contains(&count) => {
                    *(days.field)(config) = count;
                }
                _ => return false,
            },
            (Field::Path(field), Value::Text(text) | Value::Variable(text)) => {
                *field(config) = PathBuf::from(text);
            }
            (Field::Text(field), Value::Text(text) | Value::Variable(text)) => {
                return (field.put)(config, text);
            }
            (Field::Text(field), Value::Number(number)) => {
                return (field.put)(config, number.to_string());
            }
            _ => return false,
        }
        true
    }

    /// The accepted values of its variable, in words.
    pub(super) fn accepts_as_variable(&self, mode: Mode) -> &'static str {
        match (&self.field, mode) {
            (Field::OfSandbox { in_production, .. }, Mode::Production) => match in_production {
                true => "1 where PAYFRAME_MODE is production",
                false => "0 where PAYFRAME_MODE is production",
            },
            (Field::Switch(_) | Field::OfSandbox { .. }, _) => "1 or 0",
            _ => self.accepts_in_files(mode),
        }
    }

    /// The accepted values of its key in a file, in words.
    pub(super) fn accepts_in_files(&self, mode: Mode) -> &'static str {
        match (&self.field, mode) {
            (Field::Mode, _) => super::MODES,
            (Field::OfSandbox { in_production, .. }, Mode::Production) => match in_production {
                true => "true where the mode is production",
                false => "false where the mode is production",
            },
            (Field::Switch(_) | Field::OfSandbox { .. }, _) => "true or false",
            (Field::Seconds(_), _) => "a whole number of seconds above 0",
            (Field::Count(_), _) => "a whole number above 0",
            (Field::Days(days), _) => days.accepts,
            (Field::Path(_), _) => "a path",
            (Field::Text(text), _) => text.accepts,
        }
    }

    /// Its default, in words.
    fn default(&self) -> String {
        let mut config = Config::sandbox();
        match &self.field {
            Field::Mode => String::from("none: it has to be set"),
            Field::OfSandbox {
                field,
                in_production,
            } => format!(
                "`{}`; in production always `{}`",
                u8::from(*field(&mut Sandbox::default())),
                u8::from(*in_production)
            ),
            Field::Switch(field) => format!("`{}`", u8::from(*field(&mut config))),
            Field::Seconds(field) => {
                let seconds = field(&mut config).as_secs();
                match seconds / DAY {
                    days if days > 0 && seconds % DAY == 0 => format!("`{seconds}` ({days} days)"),
                    _ => format!("`{seconds}`"),
                }
            }
            Field::Count(field) => format!("`{}`", field(&mut config)),
            Field::Days(days) => format!("`{}`", (days.field)(&mut config)),
            Field::Path(field) => format!("`{}`", field(&mut config).display()),
            Field::Text(text) => match (text.shown)(&config) {
                Some(shown) => format!("`{shown}`"),
                None => text.unset.to_owned(),
            },
        }
    }
}

impl Value {
    /// On or off.
    fn switch(&self) -> Option<bool> {
        match self {
            Value::Switch(is_on) => Some(*is_on),
            Value::Variable(text) if text == "1" => Some(true),
            Value::Variable(text) if text == "0" => Some(false),
            _ => None,
        }
    }

    /// A whole number above 0.
    fn count(&self) -> Option<u32> {
        let count: u32 = match self {
            Value::Variable(text) => text.parse().ok()?,
            Value::Number(number) => (*number).try_into().ok()?,
            _ => return None,
        };
        (count > 0).then_some(count)
    }
}

/// All settings, as the table in `docs/operations.md`.
pub fn in_markdown() -> String {
    let mut table =
        String::from("| Variable | Key in the file | Default | Means |\n|---|---|---|---|\n");
    table.extend(all().map(|setting| {
        let Setting {
            variable, means, ..
        } = setting;
        let (key, default) = (setting.key(), setting.default());
        format!("| `{variable}` | `{key}` | {default} | {means} |\n")
    }));
    table
}

/// The keys of all settings, separated by commas.
pub(super) fn keys() -> String {
    all().map(Setting::key).collect::<Vec<_>>().join(", ")
}

/// Every setting, in the order of the documentation.
pub(super) fn all() -> impl Iterator<Item = &'static Setting> {
    std::iter::once(&MODE).chain(SETTINGS)
}

/// The mode. It decides which values other settings accept.
pub(super) static MODE: Setting = Setting {
    variable: "PAYFRAME_MODE",
    means: "`sandbox`: no money moves; `production`: nothing of the sandbox is available, and a terminal without an acquirer cannot charge",
    field: Field::Mode,
};

/// All settings except the mode.
pub(super) const SETTINGS: &[Setting] = &[
    Setting {
        variable: "PAYFRAME_LISTEN",
        means: "address and port to listen at; port 0 takes a free port and prints it",
        field: Field::Text(Text {
            accepts: "an address and a port, as in 127.0.0.1:8787",
            put: |config, text| keep(text.parse().ok(), &mut config.listen),
            shown: |config| Some(config.listen.to_string()),
            unset: "",
        }),
    },
    Setting {
        variable: "PAYFRAME_ORIGIN",
        means: "how browsers reach the gateway: scheme, host, port; in production it has to be set, and be https",
        field: Field::Text(Text {
            accepts: "scheme, host and port, as in https://gateway.example; in production https",
            put: |config, text| {
                let is_plain = |origin: &String| !origin.starts_with("https://");
                let refused = |origin: &String| !config.mode.is_sandbox() && is_plain(origin);
                let origin = origin(&text).filter(|origin| !refused(origin));
                keep(origin, &mut config.origin)
            },
            shown: |config| Some(config.origin.clone()),
            unset: "",
        }),
    },
    Setting {
        variable: "PAYFRAME_DATA",
        means: "folder of the databases and of the vault's key; created for its owner alone if it does not exist",
        field: Field::Path(|config| &mut config.data),
    },
    Setting {
        variable: "DATABASE_URL",
        means: "a PostgreSQL database that several processes share",
        field: Field::Text(Text {
            accepts: "the address of a PostgreSQL database, as in postgres://user@host/payframe",
            put: |config, text| {
                let is_one = payframe_storage::is_server_address(&text);
                keep(is_one.then_some(Some(text)), &mut config.database_url)
            },
            shown: |config| config.database_url.clone(),
            unset: "files in the folder",
        }),
    },
    connections::ACQUIRERS,
    connections::THREE_DS,
    connections::WALLETS,
    connections::LOGIN_PROVIDERS,
    connections::LEAKED_PASSWORDS,
    Setting {
        variable: "PAYFRAME_ASSETS",
        means: "the folder of the built widget",
        field: Field::Text(Text {
            accepts: "a folder",
            put: |config, text| keep(Some(Some(text.into())), &mut config.assets),
            shown: |config| shown(config.assets.as_deref()),
            unset: "what is inside the program, or `./target/dist`",
        }),
    },
    vault::KEY,
    vault::KEY_FILE,
    vault::KEY_COMMAND,
    vault::OLD_KEYS,
    vault::MODULE,
    vault::TOKEN,
    vault::WRAPPING_KEY,
    vault::PIN,
    vault::PIN_FILE,
    vault::PIN_COMMAND,
    Setting {
        variable: "PAYFRAME_REQUIRE_ENCRYPTED_CARDS",
        means: "whether calls of frames with a card number or a security code in clear text are refused",
        field: Field::OfSandbox {
            field: |sandbox| &mut sandbox.require_encrypted_cards,
            in_production: true,
        },
    },
    Setting {
        variable: "PAYFRAME_CARD_KEY_SECONDS",
        means: "how long a key that frames encrypt card data with is used before it is rotated",
        field: Field::Seconds(|config| &mut config.card_key_life),
    },
    Setting {
        variable: "PAYFRAME_SANDBOX_MERCHANTS",
        means: "whether each start creates the sandbox's merchants, with API keys that are public",
        field: Field::OfSandbox {
            field: |sandbox| &mut sandbox.merchants,
            in_production: false,
        },
    },
    Setting {
        variable: "PAYFRAME_SANDBOX_FAULTS",
        means: "whether the header `x-sandbox-fault` is accepted",
        field: Field::OfSandbox {
            field: |sandbox| &mut sandbox.faults,
            in_production: false,
        },
    },
    Setting {
        variable: "PAYFRAME_ALLOW_INSECURE_URLS",
        means: "whether merchants' URLs may use plain http, any port and private addresses",
        field: Field::OfSandbox {
            field: |sandbox| &mut sandbox.allow_insecure_urls,
            in_production: false,
        },
    },
    Setting {
        variable: "PAYFRAME_PRIVACY_URL",
        means: "address of your privacy notice; the form links to it",
        field: Field::Text(Text {
            accepts: "an https URL",
            put: |config, text| {
                let is_one = has_scheme(&text, &["https"]) && text.is_ascii();
                keep(is_one.then_some(Some(text)), &mut config.privacy_url)
            },
            shown: |config| config.privacy_url.clone(),
            unset: "the sandbox's own notice",
        }),
    },
    Setting {
        variable: "PAYFRAME_TLS_CERT",
        means: "certificate with its chain, PEM; with it the gateway serves TLS itself",
        field: Field::Text(Text {
            accepts: "a path",
            put: |config, text| keep(Some(Some(text.into())), &mut config.tls_certificate),
            shown: |config| shown(config.tls_certificate.as_deref()),
            unset: "plain HTTP",
        }),
    },
    Setting {
        variable: "PAYFRAME_TLS_KEY",
        means: "its private key, PEM",
        field: Field::Text(Text {
            accepts: "a path",
            put: |config, text| keep(Some(Some(text.into())), &mut config.tls_key),
            shown: |config| shown(config.tls_key.as_deref()),
            unset: "plain HTTP",
        }),
    },
    Setting {
        variable: "PAYFRAME_METRICS_LISTEN",
        means: "address and port of `GET /metrics`; the public must not reach it",
        field: Field::Text(Text {
            accepts: "an address and a port, as in 127.0.0.1:9090",
            put: |config, text| keep(text.parse().ok().map(Some), &mut config.metrics_listen),
            shown: |config| config.metrics_listen.map(|address| address.to_string()),
            unset: "no metrics",
        }),
    },
    Setting {
        variable: "PAYFRAME_LOG",
        means: "filter of the log, JSON lines on the standard error",
        field: Field::Text(Text {
            accepts: "a filter of the log, as in info or payframe_gateway=debug",
            put: |config, text| {
                let is_one = EnvFilter::try_new(&text).is_ok();
                keep(is_one.then_some(text), &mut config.log)
            },
            shown: |config| Some(config.log.clone()),
            unset: "",
        }),
    },
    times::IDLE_SECONDS,
    times::HARD_SECONDS,
    times::CHALLENGE_SECONDS,
    times::REDIRECT_SECONDS,
    times::OFFER_SECONDS,
    times::PENDING_SECONDS,
    times::PREAUTH_SECONDS,
    times::DELAYED_SECONDS,
    times::CAPTURE_SECONDS,
    times::FULFIL_SECONDS,
    limits::MERCHANT_CALLS_PER_SECOND,
    limits::MERCHANT_TOTAL_CALLS,
    limits::ADDRESS_CALLS,
    Setting {
        variable: "PAYFRAME_OFFICE",
        means: "whether the back office is served at `/office`",
        field: Field::Switch(|config| &mut config.office),
    },
    switches::FORM_WITHOUT_SCRIPTS,
    Setting {
        variable: "PAYFRAME_PROXIES",
        means: "number of proxies in front; each adds its caller to `X-Forwarded-For`",
        field: Field::Count(|config| &mut config.proxies),
    },
    limits::CALLS_AT_WORK,
    limits::CONNECTIONS_PER_ADDRESS,
    limits::REFUSALS_PER_CARD,
    switches::CARD_TESTING_RULES,
    retention::ANSWERS,
    retention::EVENTS,
    retention::NOTIFICATIONS,
    retention::SESSIONS,
    retention::PROOFS,
    Setting {
        variable: "PAYFRAME_ALIASES",
        means: "earlier addresses of scripts and of the API, each with the present one, separated by commas",
        field: Field::Text(Text {
            accepts: "paths, each with the one below /sdk/ or /api that it stands for, as in /old/sdk.js=/sdk/build.js,/old/api=/api",
            put: |config, text| keep(text.parse().ok(), &mut config.aliases),
            shown: |config| config.aliases.written(),
            unset: "none but that of `Build`",
        }),
    },
];

/// Stores `value` in `place`. False: there is no value.
fn keep<T>(value: Option<T>, place: &mut T) -> bool {
    match value {
        Some(value) => {
            *place = value;
            true
        }
        None => false,
    }
}

fn shown(path: Option<&Path>) -> Option<String> {
    path.map(|path| path.display().to_string())
}

fn has_scheme(text: &str, schemes: &[&str]) -> bool {
    url::Url::parse(text).is_ok_and(|url| schemes.contains(&url.scheme()))
}

/// The origin in `text`; `None` if there is anything besides the origin.
fn origin(text: &str) -> Option<String> {
    let url = url::Url::parse(text).ok()?;
    let origin = url.origin();
    (origin.is_tuple() && url.path() == "/" && url.query().is_none() && url.fragment().is_none())
        .then(|| origin.ascii_serialization())
}

const DAY: u64 = 86_400;

/// A hundred years: more is a mistake.
const MOST_DAYS: u32 = 36_525;

#[cfg(test)]
mod tests;
