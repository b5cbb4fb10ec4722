//! One exchange with an adapter: a signed request, and its signed answer, within limits of time and size.
//!
//! Nothing is repeated here, no redirect is followed, and no proxy of the environment is used: a request goes to the configured address or
//! nowhere. Errors contain neither bodies nor card data.

use crate::secrets::Secrets;
use crate::settings::AcquirerSettings;
use crate::signature::{
    ID_HEADER, PROTOCOL_HEADER, SIGNATURE_HEADER, SignedHeaders, TIMESTAMP_HEADER, check_answer,
};
use payframe_payment_ports::Clock;
use payframe_vault::VaultError;
use reqwest::header::{CONTENT_TYPE, HeaderMap};
use reqwest::{Certificate, Client, redirect};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::error::Error;
use thiserror::Error as ThisError;
use url::Url;

/// What a request is for: the last part of its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Endpoint {
    Describe,
    Authorize,
    FollowUp,
    Inquire,
}

impl Endpoint {
    fn path(self) -> &'static str {
        match self {
            Endpoint::Describe => "describe",
            Endpoint::Authorize => "authorize",
            Endpoint::FollowUp => "follow-up",
            Endpoint::Inquire => "inquire",
        }
    }
}

/// Why there is no answer that counts. The outcome of the request is unknown, except after [`ExchangeError::Unreachable`] and [`ExchangeError::Paused`]: then nothing was sent, now.
#[derive(Debug, ThisError)]
pub enum ExchangeError {
    /// No connection was made, so nothing was sent.
    #[error("no connection: {}", innermost(.0))]
    Unreachable(#[source] reqwest::Error),
    /// Nothing was sent, because the latest requests had no answer.
    #[error("nothing is sent for some seconds, because the latest requests had no answer")]
    Paused,
    /// No answer came within the time limit.
    #[error("no answer within the time limit")]
    Timeout(#[source] reqwest::Error),
    /// The connection ended before the answer.
    #[error("the connection ended before the answer: {}", innermost(.0))]
    Interrupted(#[source] reqwest::Error),
    /// The status is not 200.
    #[error("the status is {0}, and only 200 is an answer")]
    Status(u16),
    /// The answer is longer than allowed.
    #[error("the answer has more than {LONGEST_ANSWER_BYTES} bytes")]
    TooLong,
    /// The headers of the signature are missing or malformed.
    #[error("the answer is not signed")]
    NotSigned,
    /// No secret made the signature.
    #[error(
        "the answer's signature is not made with a known secret, for this request and this body"
    )]
    WrongSignature,
    /// The answer was signed too long ago, or in the future.
    #[error("the answer's time differs from the gateway's by {seconds} s")]
    Stale {
        /// The difference, in seconds; positive if the adapter's clock is ahead.
        seconds: i64,
    },
    /// The answer is not the expected JSON. The text of the parser is left out, because it may repeat what was sent.
    #[error("the answer is not the JSON of the protocol (line {line}, column {column})")]
    NotJson {
        /// The line in the answer.
        line: usize,
        /// The column.
        column: usize,
    },
    /// The answer contradicts its request, or itself.
    #[error("the answer {0}")]
    Contradiction(&'static str),
    /// The request cannot be made.
    #[error("the request can not be made: {0}")]
    Request(#[source] Box<dyn Error + Send + Sync>),
}

impl ExchangeError {
    /// Whether the answer came, and cannot be used.
    pub(crate) fn is_unreadable(&self) -> bool {
        match self {
            ExchangeError::Unreachable(_)
            | ExchangeError::Paused
            | ExchangeError::Timeout(_)
            | ExchangeError::Interrupted(_)
            | ExchangeError::Status(_)
            | ExchangeError::Request(_) => false,
            ExchangeError::TooLong
            | ExchangeError::NotSigned
            | ExchangeError::WrongSignature
            | ExchangeError::Stale { .. }
            | ExchangeError::NotJson { .. }
            | ExchangeError::Contradiction(_) => true,
        }
    }

    fn of(problem: reqwest::Error) -> ExchangeError {
        // The operator knows the address, and the log does not need it in each line.
        let problem = problem.without_url();
        if problem.is_connect() {
            ExchangeError::Unreachable(problem)
        } else if problem.is_timeout() {
            ExchangeError::Timeout(problem)
        } else {
            ExchangeError::Interrupted(problem)
        }
    }
}

impl From<VaultError> for ExchangeError {
    fn from(problem: VaultError) -> ExchangeError {
        ExchangeError::Request(Box::new(problem))
    }
}

/// An answer before anything in it was checked.
pub(crate) struct RawAnswer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

/// The way to one adapter.
#[derive(Clone, Debug)]
pub(crate) struct Transport {
    client: Client,
    base: Url,
    secrets: Secrets,
    clock: Clock,
}

impl Transport {
    /// The way to this adapter.
    pub(crate) fn new(settings: &AcquirerSettings, clock: Clock) -> reqwest::Result<Transport> {
        let mut builder = Client::builder()
            .user_agent("payframe-gateway")
            .redirect(redirect::Policy::none())
            .no_proxy()
            .https_only(settings.url.scheme() == "https")
            .connect_timeout(settings.connect_limit)
            .timeout(settings.answer_limit)
            .tcp_keepalive(settings.answer_limit);
        if let Some(certificates) = &settings.certificates {
            builder = builder.tls_built_in_root_certs(false);
            for certificate in Certificate::from_pem_bundle(certificates)? {
                builder = builder.add_root_certificate(certificate);
            }
        }
        Ok(Transport {
            client: builder.build()?,
            base: settings.url.clone(),
            secrets: settings.secrets.clone(),
            clock,
        })
    }

    /// Sends a message, and reads its answer.
    pub(crate) async fn ask<A: DeserializeOwned>(
        &self,
        endpoint: Endpoint,
        message: &impl Serialize,
    ) -> Result<A, ExchangeError> {
        let body = to_json(message)?;
        let signed = self.sign(endpoint, &body)?;
        let id = signed.id.clone();
        let answer = self.send(endpoint, signed, body).await?;
        let body = self.checked(&id, answer)?;
        serde_json::from_slice(&body).map_err(|problem| ExchangeError::NotJson {
            line: problem.line(),
            column: problem.column(),
        })
    }

    /// The signature of a request that is made now.
    pub(crate) fn sign(
        &self,
        endpoint: Endpoint,
        body: &[u8],
    ) -> Result<SignedHeaders, ExchangeError> {
        self.sign_as_of(self.now_seconds(), endpoint, body)
    }

    /// The signature of a request that was made at another time.
    pub(crate) fn sign_as_of(
        &self,
        seconds: i64,
        endpoint: Endpoint,
        body: &[u8],
    ) -> Result<SignedHeaders, ExchangeError> {
        let id = payframe_vault::random_token()?;
        let address = self.address(endpoint);
        let path = address.path();
        Ok(SignedHeaders::of_request(
            &self.secrets,
            id,
            seconds,
            path,
            body,
        ))
    }

    /// The gateway's time.
    pub(crate) fn now_seconds(&self) -> i64 {
        self.clock.now_ms() / 1000
    }

    /// Sends a request, and returns whatever comes back.
    pub(crate) async fn send(
        &self,
        endpoint: Endpoint,
        signed: SignedHeaders,
        body: Vec<u8>,
    ) -> Result<RawAnswer, ExchangeError> {
        let request = self
            .client
            .post(self.address(endpoint))
            .header(CONTENT_TYPE, "application/json")
            .header(PROTOCOL_HEADER, signed.protocol)
            .header(ID_HEADER, signed.id)
            .header(TIMESTAMP_HEADER, signed.timestamp)
            .header(SIGNATURE_HEADER, signed.signature)
            .body(body);
        let mut response = request.send().await.map_err(ExchangeError::of)?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(ExchangeError::of)? {
            body.extend_from_slice(&chunk);
            if body.len() > LONGEST_ANSWER_BYTES {
                return Err(ExchangeError::TooLong);
            }
        }
        Ok(RawAnswer {
            status,
            headers,
            body,
        })
    }

    /// The body of an answer that counts.
    pub(crate) fn checked(&self, id: &str, answer: RawAnswer) -> Result<Vec<u8>, ExchangeError> {
        if answer.status != 200 {
            return Err(ExchangeError::Status(answer.status));
        }
        check_answer(
            &self.secrets,
            &self.clock,
            id,
            &answer.headers,
            &answer.body,
        )?;
        Ok(answer.body)
    }

    fn address(&self, endpoint: Endpoint) -> Url {
        let mut address = self.base.clone();
        let path = format!(
            "{}/{}",
            self.base.path().trim_end_matches('/'),
            endpoint.path()
        );
        address.set_path(&path);
        address
    }
}

/// A message as JSON.
pub(crate) fn to_json(message: &impl Serialize) -> Result<Vec<u8>, ExchangeError> {
    serde_json::to_vec(message).map_err(|problem| ExchangeError::Request(Box::new(problem)))
}

/// What a chain of errors ends with: the cause that an operator can act on.
fn innermost(problem: &reqwest::Error) -> String {
    let mut cause: &dyn Error = problem;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}

/// Longer than any answer of the protocol.
const LONGEST_ANSWER_BYTES: usize = 64 * 1024;
