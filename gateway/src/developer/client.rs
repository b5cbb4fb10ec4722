//! A client of a running gateway's API.

use clap::Args;
use reqwest::redirect::Policy;
use reqwest::{Client, RequestBuilder};
use serde_json::Value;
use std::time::Duration;
use thiserror::Error;
use uuid::Uuid;

/// Which gateway is called, and as whom.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub struct RunningGateway {
    /// The address of the gateway: scheme, host and port.
    #[arg(long, value_name = "URL", default_value = "http://localhost:8787")]
    pub gateway: String,
    /// An API key of the merchant. Without it: the environment variable PAYFRAME_API_KEY, else the demo's key `sandbox-implicit`.
    #[arg(long)]
    pub key: Option<String>,
}

/// Why a call has no result.
#[derive(Debug, Error)]
pub enum CallError {
    /// There is no answer.
    #[error("the gateway at {0} does not answer")]
    NoAnswer(String),
    /// The gateway refuses the call, or failed.
    #[error("the gateway answers {status}: {said}")]
    Refused {
        /// The HTTP status.
        status: u16,
        /// The code and the description of the first error.
        said: String,
    },
    /// The answer is not one of a gateway.
    #[error("what answers at {0} is not a gateway of this version")]
    Unreadable(String),
    /// The client cannot be made.
    #[error(transparent)]
    Client(#[from] reqwest::Error),
    /// There are no random bytes.
    #[error(transparent)]
    Random(#[from] payframe_vault::KeyringError),
}

impl CallError {
    /// Whether the same call may succeed later.
    pub(super) fn is_temporary(&self) -> bool {
        match self {
            CallError::NoAnswer(_) => true,
            CallError::Refused { status, .. } => *status == 429 || *status >= 500,
            CallError::Unreadable(_) | CallError::Client(_) | CallError::Random(_) => false,
        }
    }
}

impl RunningGateway {
    /// The key of the command line, of the environment, or of the demo.
    pub(super) fn api_key(&self) -> String {
        let named = self.key.clone();
        named
            .or_else(|| std::env::var("PAYFRAME_API_KEY").ok())
            .unwrap_or_else(|| String::from(DEMO_KEY))
    }
}

/// Calls one gateway.
pub(super) struct GatewayClient {
    http: Client,
    /// Without a slash at its end.
    gateway: String,
    api_key: String,
}

impl GatewayClient {
    pub(super) fn of(called: &RunningGateway) -> Result<GatewayClient, CallError> {
        Ok(GatewayClient {
            http: client()?,
            gateway: called.gateway.trim_end_matches('/').to_owned(),
            api_key: called.api_key(),
        })
    }

    pub(super) fn gateway(&self) -> &str {
        &self.gateway
    }

    /// A call of the merchant.
    pub(super) async fn get(&self, path: &str) -> Result<Value, CallError> {
        let request = self.http.get(format!("{}/api{path}", self.gateway));
        self.send(request.header("x-api-key", &self.api_key)).await
    }

    /// A call of the merchant, which is made once.
    pub(super) async fn post(&self, path: &str, body: &Value) -> Result<Value, CallError> {
        let request = self.posted(path, body);
        self.send(request.header("x-api-key", &self.api_key)).await
    }

    /// A call of a form, for its session.
    pub(super) async fn post_of_form(
        &self,
        session: &str,
        path: &str,
        body: &Value,
    ) -> Result<Value, CallError> {
        let request = self.posted(path, body);
        self.send(request.header("session", session)).await
    }

    /// An empty HTML form of one of the gateway's own pages.
    pub(super) async fn submit(&self, path: &str) -> Result<Value, CallError> {
        let request = self.http.post(format!("{}{path}", self.gateway));
        let request = request
            .header("content-type", "application/x-www-form-urlencoded")
            .header("sec-fetch-site", "same-origin");
        self.send(request).await
    }

    fn posted(&self, path: &str, body: &Value) -> RequestBuilder {
        self.http
            .post(format!("{}/api{path}", self.gateway))
            .header("content-type", "application/json")
            .header("correlation-id", Uuid::new_v4().to_string())
            .header("idempotency-key", Uuid::new_v4().to_string())
            .body(body.to_string())
    }

    /// A text that the gateway serves to everybody, by its path.
    pub(super) async fn text(&self, path: &str) -> Result<String, CallError> {
        self.answer(self.http.get(format!("{}{path}", self.gateway)))
            .await
    }

    async fn send(&self, request: RequestBuilder) -> Result<Value, CallError> {
        match serde_json::from_str(&self.answer(request).await?) {
            Ok(body @ Value::Object(_)) => Ok(body),
            _ => Err(self.unreadable()),
        }
    }

    /// The text of a successful answer.
    async fn answer(&self, request: RequestBuilder) -> Result<String, CallError> {
        let silent = |_| CallError::NoAnswer(self.gateway.clone());
        let answer = request.send().await.map_err(silent)?;
        let status = answer.status();
        let text = answer.text().await.map_err(silent)?;
        if status.is_success() {
            return Ok(text);
        }
        Err(CallError::Refused {
            status: status.as_u16(),
            said: first_error(&serde_json::from_str(&text).unwrap_or(Value::Null)),
        })
    }

    pub(super) fn unreadable(&self) -> CallError {
        CallError::Unreadable(self.gateway.clone())
    }
}

/// A client that connects to nothing but what it is told to.
pub(super) fn client() -> reqwest::Result<Client> {
    Client::builder()
        .no_proxy()
        .redirect(Policy::none())
        .timeout(TIMEOUT)
        .build()
}

fn first_error(body: &Value) -> String {
    let error = &body["errors"][0];
    match (error["code"].as_str(), error["description"].as_str()) {
        (Some(code), Some(description)) => format!("{code}: {description}"),
        _ => String::from("without a reason"),
    }
}

/// The key of the sandbox's demo merchant.
const DEMO_KEY: &str = "sandbox-implicit";

/// How long an answer may take.
const TIMEOUT: Duration = Duration::from_secs(10);
