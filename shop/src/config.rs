//! The shop's settings, read once from the environment.
//!
//! A wrong setting stops the start with a message that names it, instead of failing at the first buyer.

use reqwest::Url;
use std::{fmt, net::SocketAddr, path::PathBuf};
use thiserror::Error;

/// The shop's settings.
#[derive(Clone, Debug)]
pub struct Config {
    /// Address to listen on.
    pub listen: SocketAddr,
    /// Origin of the shop for buyers. The gateway lets only this origin frame the form.
    pub origin: String,
    /// Origin of the gateway.
    pub gateway: String,
    /// The merchant's key. Never leaves this server.
    pub api_key: ApiKey,
    /// Folder of `shop.db`.
    pub data: PathBuf,
}

impl Config {
    /// Reads `SHOP_*` from the process environment.
    pub fn from_env() -> Result<Self, ConfigError> {
        Self::from_lookup(|name| std::env::var(name).ok())
    }

    /// Reads the settings from any source, so that tests need no process environment.
    pub fn from_lookup(lookup: impl Fn(&str) -> Option<String>) -> Result<Self, ConfigError> {
        let setting = |name: &'static str, default: &str| {
            lookup(name)
                .filter(|value| !value.is_empty())
                .unwrap_or_else(|| default.to_owned())
        };
        let listen = setting("SHOP_LISTEN", "127.0.0.1:8788");
        Ok(Self {
            listen: listen.parse().map_err(|_| ConfigError {
                name: "SHOP_LISTEN",
                accepted: "an address and port such as 127.0.0.1:8788",
            })?,
            origin: origin(
                "SHOP_ORIGIN",
                &setting("SHOP_ORIGIN", "http://127.0.0.1:8788"),
            )?,
            gateway: origin(
                "SHOP_GATEWAY",
                &setting("SHOP_GATEWAY", "http://localhost:8787"),
            )?,
            api_key: ApiKey::parse(&setting("SHOP_API_KEY", "sandbox-implicit"))?,
            data: setting("SHOP_DATA", "./data").into(),
        })
    }
}

/// The merchant's API key. `Debug` does not show it.
#[derive(Clone)]
pub struct ApiKey(String);

impl ApiKey {
    fn parse(text: &str) -> Result<Self, ConfigError> {
        let sendable = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        if sendable {
            Ok(Self(text.to_owned()))
        } else {
            Err(ConfigError {
                name: "SHOP_API_KEY",
                accepted: "printable ASCII without blanks",
            })
        }
    }

    /// Used only for the `X-API-KEY` header of calls to the gateway.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ApiKey(…)")
    }
}

/// A setting that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{name} must be {accepted}")]
pub struct ConfigError {
    /// Name of the environment variable.
    pub name: &'static str,
    /// The accepted values.
    pub accepted: &'static str,
}

/// Reads an origin. It is written as browsers write it, because headers compare it byte by byte.
fn origin(name: &'static str, text: &str) -> Result<String, ConfigError> {
    let problem = ConfigError {
        name,
        accepted: "an origin such as https://shop.example, without a path",
    };
    let url = Url::parse(text).map_err(|_| problem.clone())?;
    let bare = url.path() == "/"
        && url.query().is_none()
        && url.fragment().is_none()
        && url.username().is_empty()
        && url.password().is_none();
    if bare && matches!(url.scheme(), "http" | "https") {
        Ok(url.origin().ascii_serialization())
    } else {
        Err(problem)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(name: &str, value: &str) -> Result<Config, ConfigError> {
        Config::from_lookup(|asked| (asked == name).then(|| value.to_owned()))
    }

    #[test]
    fn defaults_are_complete() {
        let config = Config::from_lookup(|_| None).expect("defaults are valid");
        assert_eq!(config.origin, "http://127.0.0.1:8788");
        assert_eq!(config.gateway, "http://localhost:8787");
    }

    #[test]
    fn origins_are_written_as_browsers_write_them() {
        let check = |value: &str, expected: Option<&str>| {
            let found = with("SHOP_ORIGIN", value).ok().map(|config| config.origin);
            assert_eq!(found.as_deref(), expected, "{value}");
        };
        check("https://Shop.Example/", Some("https://shop.example"));
        check("https://shop.example:443", Some("https://shop.example"));
        check(
            "https://shop.example:8443",
            Some("https://shop.example:8443"),
        );
        check("https://shop.example/path", None);
        check("https://user@shop.example", None);
        check("https://shop.example/?a=b", None);
        check("ftp://shop.example", None);
        check("shop.example", None);
        check("https://a; script-src *", None);
    }

    #[test]
    fn the_key_is_not_in_debug_output() {
        let config = with("SHOP_API_KEY", "top-secret").expect("valid");
        assert!(!format!("{config:?}").contains("top-secret"));
    }

    #[test]
    fn a_wrong_setting_is_named() {
        assert_eq!(
            with("SHOP_LISTEN", "8788").map_err(|p| p.name).err(),
            Some("SHOP_LISTEN")
        );
        assert_eq!(
            with("SHOP_API_KEY", "a b").map_err(|p| p.name).err(),
            Some("SHOP_API_KEY")
        );
    }
}
