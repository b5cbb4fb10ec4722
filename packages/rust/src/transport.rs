//! Sends the attempts of a call, and waits between them. It decides nothing: [`crate::exchange`] does.

use crate::errors::PayframeError;
use crate::exchange::{CallOptions, Exchange, Sent, Verdict};
use crate::options::Settings;
use crate::retry::{Attempt, Failure};
use reqwest::header::HeaderValue;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::sync::Arc;

/// Makes calls. Tasks may share it.
pub(crate) struct Sender {
    settings: Arc<Settings>,
}

impl Sender {
    pub(crate) fn new(settings: Settings) -> Self {
        Self {
            settings: Arc::new(settings),
        }
    }

    /// A call, until its answer or its error.
    pub(crate) async fn run<T: DeserializeOwned>(
        &self,
        sent: Sent,
        options: CallOptions,
    ) -> Result<T, PayframeError> {
        let mut exchange = Exchange::new(&self.settings, sent, options)?;
        let answer = self.answer(&mut exchange).await?;
        serde_json::from_value(answer).map_err(|_| exchange.unreadable())
    }

    async fn answer(&self, exchange: &mut Exchange) -> Result<Value, PayframeError> {
        loop {
            let attempt = self.attempt(exchange).await;
            match exchange.judge(attempt)? {
                Verdict::Answered(answer) => return Ok(answer),
                Verdict::Pause(duration) => self.settings.runtime.pause(duration).await,
            }
        }
    }

    async fn attempt(&self, exchange: &Exchange) -> Attempt {
        let request = &exchange.request;
        let mut headers = request.headers.clone();
        // The only place where the key is used, as a credential. Its letters were checked, so it always is a header.
        if let Ok(mut key) = HeaderValue::from_str(self.settings.api_key.expose()) {
            key.set_sensitive(true);
            headers.insert("x-api-key", key);
        }
        let mut attempt = self
            .settings
            .http
            .request(request.verb.method(), request.url.clone())
            .headers(headers)
            // For the whole attempt: connection, request, answer.
            .timeout(self.settings.timeout);
        if let Some(body) = &request.body {
            attempt = attempt.body(body.clone());
        }
        let response = match attempt.send().await {
            Ok(response) => response,
            Err(error) => return failed(&error),
        };
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        match response.bytes().await {
            Ok(body) => exchange.read(status, &headers, &body),
            Err(error) => failed(&error),
        }
    }
}

/// What an error of the HTTP client means. The error itself is not kept: it may hold addresses.
fn failed(error: &reqwest::Error) -> Attempt {
    Attempt::Failed {
        failure: if error.is_timeout() {
            Failure::Timeout
        } else {
            Failure::Unreachable
        },
        is_unsent: error.is_connect() || error.is_builder(),
    }
}
