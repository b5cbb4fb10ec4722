//! The options of a client, checked. Messages name the option and what it accepts, and never hold the API key.

use crate::errors::PayframeError;
use crate::runtime::{Runtime, System};
use reqwest::{ClientBuilder, Url};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// The options of a client.
///
/// ```
/// use payframe_server::{Options, Payframe};
/// use std::time::Duration;
///
/// let options = Options::new("https://gateway.example", "key-of-the-shop").timeout(Duration::from_secs(10)).max_retries(5);
/// assert!(Payframe::with(options).is_ok());
/// ```
pub struct Options {
    gateway: String,
    api_key: String,
    timeout: Duration,
    max_retries: u32,
    http: Option<ClientBuilder>,
    runtime: Arc<dyn Runtime>,
}

impl Options {
    /// `gateway` is the origin of the gateway, such as `https://gateway.example`. `api_key` is the merchant's, as the gateway printed it. It stays on the
    /// server.
    #[must_use]
    pub fn new(gateway: impl Into<String>, api_key: impl Into<String>) -> Self {
        Self {
            gateway: gateway.into(),
            api_key: api_key.into(),
            timeout: Duration::from_secs(35),
            max_retries: 2,
            http: None,
            runtime: Arc::new(System),
        }
    }

    /// How long one attempt may take: up to 600 seconds, 35 by default, because the gateway answers within 30.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// How often a call is repeated: 0 to 10, 2 by default.
    #[must_use]
    pub fn max_retries(mut self, max_retries: u32) -> Self {
        self.max_retries = max_retries;
        self
    }

    /// Used in place of the default, for instance for a proxy or for certificates of your own. Redirects are not followed in any case. Without this
    /// option variables such as `HTTPS_PROXY` are not read.
    #[must_use]
    pub fn http(mut self, http: ClientBuilder) -> Self {
        self.http = Some(http);
        self
    }

    /// Time and randomness, for tests.
    #[must_use]
    pub fn runtime(mut self, runtime: impl Runtime + 'static) -> Self {
        self.runtime = Arc::new(runtime);
        self
    }

    /// The options, or an error that names the first wrong one.
    pub(crate) fn checked(self) -> Result<Settings, PayframeError> {
        let is_key = |letter: u8| letter.is_ascii_alphanumeric() || matches!(letter, b'-' | b'_');
        if self.api_key.is_empty() || !self.api_key.bytes().all(is_key) {
            return Err(PayframeError::refused_value(
                "api_key",
                "must be an API key as the gateway printed it: letters, digits, - and _",
            ));
        }
        if self.timeout.is_zero() || self.timeout > Duration::from_secs(600) {
            return Err(PayframeError::refused_value(
                "timeout",
                "must be above 0, up to 600 seconds",
            ));
        }
        if self.max_retries > 10 {
            return Err(PayframeError::refused_value(
                "max_retries",
                "must be a whole number from 0 to 10",
            ));
        }
        let base = format!("{}/api", origin_of(&self.gateway)?);
        let http = self
            .http
            .unwrap_or_else(|| ClientBuilder::new().no_proxy())
            // A redirect would carry the API key to another place.
            .redirect(reqwest::redirect::Policy::none())
            .referer(false)
            .build()
            .map_err(|_| {
                PayframeError::refused_value("http", "must be able to make an HTTP client with TLS")
            })?;
        Ok(Settings {
            base,
            api_key: Secret(self.api_key),
            timeout: self.timeout,
            max_retries: self.max_retries,
            http,
            runtime: self.runtime,
        })
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("gateway", &self.gateway)
            .field("timeout", &self.timeout)
            .field("max_retries", &self.max_retries)
            .finish_non_exhaustive()
    }
}

/// The options of a client, after they were checked.
pub(crate) struct Settings {
    /// Where the API is, without a slash at the end.
    pub(crate) base: String,
    pub(crate) api_key: Secret,
    pub(crate) timeout: Duration,
    pub(crate) max_retries: u32,
    pub(crate) http: reqwest::Client,
    pub(crate) runtime: Arc<dyn Runtime>,
}

/// A text that is not shown.
pub(crate) struct Secret(String);

impl Secret {
    /// The text. Each use says why.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

/// The origin of a gateway, without a slash at the end.
fn origin_of(gateway: &str) -> Result<String, PayframeError> {
    let no_origin = || {
        PayframeError::refused_value(
            "gateway",
            "must be an origin without a path, such as https://gateway.example",
        )
    };
    let url = Url::parse(gateway).map_err(|_| no_origin())?;
    let origin = url.origin().ascii_serialization();
    let is_web = matches!(url.scheme(), "http" | "https");
    if !is_web || (url.as_str() != origin && url.as_str() != format!("{origin}/")) {
        return Err(no_origin());
    }
    if url.scheme() == "http" && !is_loopback(&url) {
        return Err(PayframeError::refused_value(
            "gateway",
            "must be https: over http the API key could be read on the way. Only loopback addresses may be http",
        ));
    }
    Ok(origin)
}

fn is_loopback(url: &Url) -> bool {
    // An IPv6 address stands in brackets.
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost"
        || host.ends_with(".localhost")
        || address
            .parse::<core::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}
