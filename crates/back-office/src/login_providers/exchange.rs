//! Asking a provider: where its parts are (OpenID Connect Discovery 1.0), for a token (RFC 6749, with PKCE by RFC 7636), and for its keys.
//!
//! Nothing is kept between two log-ins: a provider that changes its keys is followed at once, and log-ins are rare. Connections are made to
//! checked addresses only, follow no redirect, and end after [`LIMIT`].

use super::LoginProvider;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use payframe_login_tokens::id_token::{Expected, Identity, read};
use payframe_login_tokens::{KeySet, TokenProblem};
use payframe_outbound_address::{AddressError, AllowedAddresses, OutboundAddress};
use reqwest::header;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use std::sync::Arc;
use std::time::{Duration, Instant};
use thiserror::Error;
use url::Url;
use url::form_urlencoded::{Serializer, byte_serialize};
use zeroize::Zeroizing;

/// What a browser carries through a log-in. Each value is made of the cookie's token, so the tables have none of them.
pub(crate) struct BrowserSecrets {
    /// Comes back with the browser.
    pub(crate) state: String,
    /// Comes back in the token.
    pub(crate) nonce: String,
    verifier: Zeroizing<String>,
}

impl BrowserSecrets {
    pub(crate) fn of(token: &str) -> BrowserSecrets {
        let part = |name: &str| payframe_vault::hash(&format!("{name} {token}"));
        BrowserSecrets {
            state: part("provider state"),
            nonce: part("provider nonce"),
            verifier: Zeroizing::new(part("provider verifier")),
        }
    }
}

/// Why a provider gave no answer that can be used.
#[derive(Debug, Error)]
pub(crate) enum ExchangeProblem {
    /// No connection is made to one of its addresses.
    #[error("{part}: {problem}")]
    Address {
        /// What was asked for.
        part: &'static str,
        /// Why.
        problem: AddressError,
    },
    /// It cannot be reached, or answers too late or too much.
    #[error("{0}: no answer")]
    NoAnswer(&'static str),
    /// It refuses.
    #[error("{part}: status {status}")]
    Refused {
        /// What was asked for.
        part: &'static str,
        /// The status of the answer.
        status: u16,
    },
    /// Its answer is not what the standard says.
    #[error("{0}: not what the standard says")]
    Unreadable(&'static str),
    /// Its token is not accepted.
    #[error("{0}")]
    Token(#[from] TokenProblem),
}

/// Where the parts of a provider are.
#[derive(Deserialize)]
pub(crate) struct Discovery {
    issuer: String,
    authorization_endpoint: Url,
    token_endpoint: Url,
    jwks_uri: Url,
    #[serde(default)]
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
    /// Whether the browser brings the issuer back (RFC 9207).
    #[serde(default)]
    pub(crate) authorization_response_iss_parameter_supported: bool,
}

#[derive(Deserialize)]
struct TokenAnswer {
    id_token: String,
}

impl Discovery {
    /// Asks a provider.
    pub(crate) async fn of(provider: &LoginProvider) -> Result<Discovery, ExchangeProblem> {
        let part = "the discovery document";
        let address = format!(
            "{}/.well-known/openid-configuration",
            provider.issuer.trim_end_matches('/')
        );
        let discovery: Discovery = ask(provider, part, &address, None).await?;
        match discovery.is_of(provider) {
            true => Ok(discovery),
            false => Err(ExchangeProblem::Unreadable(part)),
        }
    }

    /// Whether the document is this provider's, and names only addresses that the gateway may use.
    pub(super) fn is_of(&self, provider: &LoginProvider) -> bool {
        let addresses = [
            &self.authorization_endpoint,
            &self.token_endpoint,
            &self.jwks_uri,
        ];
        self.issuer == provider.issuer && addresses.iter().all(|address| provider.may_use(address))
    }

    /// Where the browser goes to log in. `is_fresh`: the provider has to ask who it is, even if it knows.
    pub(crate) fn log_in_page(
        &self,
        provider: &LoginProvider,
        origin: &str,
        secrets: &BrowserSecrets,
        is_fresh: bool,
    ) -> Url {
        let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(secrets.verifier.as_bytes()));
        let mut page = self.authorization_endpoint.clone();
        page.query_pairs_mut()
            .append_pair("response_type", "code")
            .append_pair("client_id", &provider.client_id)
            .append_pair("redirect_uri", &provider.callback(origin))
            .append_pair("scope", "openid email")
            .append_pair("state", &secrets.state)
            .append_pair("nonce", &secrets.nonce)
            .append_pair("code_challenge", &challenge)
            .append_pair("code_challenge_method", "S256");
        if is_fresh {
            page.query_pairs_mut()
                .append_pair("prompt", "login")
                .append_pair("max_age", "0");
        }
        page
    }

    /// Exchanges the code that the browser brought back for a token, and reads who has logged in.
    pub(crate) async fn identity(
        &self,
        provider: &LoginProvider,
        origin: &str,
        code: &str,
        secrets: &BrowserSecrets,
        expected: &Expected<'_>,
    ) -> Result<Identity, ExchangeProblem> {
        let question = self.question(provider, origin, code, secrets);
        let endpoint = self.token_endpoint.as_str();
        let answer: TokenAnswer = ask(provider, "the token", endpoint, Some(question)).await?;
        let keys = self.keys(provider).await?;
        Ok(read(&answer.id_token, &keys, expected)?)
    }

    async fn keys(&self, provider: &LoginProvider) -> Result<KeySet, ExchangeProblem> {
        ask(provider, "the keys", self.jwks_uri.as_str(), None).await
    }

    /// The form that asks for a token, with the secret in the way that the provider takes it.
    fn question(
        &self,
        provider: &LoginProvider,
        origin: &str,
        code: &str,
        secrets: &BrowserSecrets,
    ) -> TokenQuestion {
        let mut form = Serializer::new(String::new());
        form.append_pair("grant_type", "authorization_code")
            .append_pair("code", code)
            .append_pair("redirect_uri", &provider.callback(origin))
            .append_pair("code_verifier", &secrets.verifier);
        let client_secret = &provider.client_secret.0;
        let methods = self.token_endpoint_auth_methods_supported.as_ref();
        let takes_header = methods
            .is_none_or(|methods| methods.iter().any(|method| method == "client_secret_basic"));
        let authorization = if takes_header {
            // RFC 6749, section 2.3.1: both are encoded as in a form first.
            let encoded = |text: &str| byte_serialize(text.as_bytes()).collect::<String>();
            let both = format!(
                "{}:{}",
                encoded(&provider.client_id),
                encoded(client_secret)
            );
            Some(format!("Basic {}", STANDARD.encode(both)))
        } else {
            form.append_pair("client_id", &provider.client_id)
                .append_pair("client_secret", client_secret);
            None
        };
        TokenQuestion {
            form: form.finish(),
            authorization,
        }
    }
}

/// The keys of a provider, as of a moment ago, for a token that it sends by itself. `None`: it gave no usable answer.
pub(crate) async fn recent_keys(provider: &LoginProvider) -> Option<Arc<KeySet>> {
    let ask = async {
        let keys = async { Discovery::of(provider).await?.keys(provider).await };
        keys.await
            .inspect_err(|problem: &ExchangeProblem| {
                tracing::warn!(provider = provider.id, %problem, "a log-in provider gave no keys");
            })
            .ok()
    };
    provider.recent_keys.or_ask(Instant::now(), ask).await
}

/// The form that asks for a token, and what proves that the gateway asks.
struct TokenQuestion {
    form: String,
    authorization: Option<String>,
}

/// Asks for a document, or sends a form.
async fn ask<T: DeserializeOwned>(
    provider: &LoginProvider,
    part: &'static str,
    address: &str,
    question: Option<TokenQuestion>,
) -> Result<T, ExchangeProblem> {
    let asked = tokio::time::timeout(LIMIT, bytes(provider, part, address, question)).await;
    let bytes = asked.map_err(|_| ExchangeProblem::NoAnswer(part))??;
    serde_json::from_slice(&bytes).map_err(|_| ExchangeProblem::Unreadable(part))
}

async fn bytes(
    provider: &LoginProvider,
    part: &'static str,
    address: &str,
    question: Option<TokenQuestion>,
) -> Result<Vec<u8>, ExchangeProblem> {
    let no_answer = |_: reqwest::Error| ExchangeProblem::NoAnswer(part);
    let reach = match (provider.place, provider.is_private) {
        (super::ProviderPlace::SecureUrls, false) => AllowedAddresses::Public,
        _ => AllowedAddresses::Anywhere,
    };
    let checked = OutboundAddress::find(address, reach)
        .await
        .map_err(|problem| ExchangeProblem::Address { part, problem })?;
    let client = checked.client_builder(USER_AGENT);
    let client = match &provider.authorities {
        None => client,
        Some(authorities) => authorities.alone_in(client),
    };
    let client = client.build().map_err(no_answer)?;
    let mut request = match question {
        None => client.get(checked.url.clone()),
        Some(question) => {
            let kind = "application/x-www-form-urlencoded";
            let mut request = client
                .post(checked.url.clone())
                .header(header::CONTENT_TYPE, kind)
                .body(question.form);
            if let Some(authorization) = question.authorization {
                request = request.header(header::AUTHORIZATION, authorization);
            }
            request
        }
    };
    request = request.header(header::ACCEPT, "application/json");
    let mut answer = request.send().await.map_err(no_answer)?;
    if !answer.status().is_success() {
        let status = answer.status().as_u16();
        return Err(ExchangeProblem::Refused { part, status });
    }
    let mut bytes = Vec::new();
    while let Some(more) = answer.chunk().await.map_err(no_answer)? {
        bytes.extend_from_slice(&more);
        if bytes.len() > MOST_BYTES {
            return Err(ExchangeProblem::NoAnswer(part));
        }
    }
    Ok(bytes)
}

const USER_AGENT: &str = "payframe-gateway";
/// How long one answer may take.
const LIMIT: Duration = Duration::from_secs(10);
/// The largest answer that is read.
const MOST_BYTES: usize = 256 * 1024;
