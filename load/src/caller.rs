//! Calls of merchants' servers and of buyers' frames, as the contract wants them made.

use anyhow::{Context, Result, bail};
use reqwest::{Client, redirect};
use serde_json::Value;
use std::time::{Duration, Instant};
use uuid::Uuid;

/// Calls one gateway.
pub(crate) struct Caller {
    http: Client,
    origin: String,
}

/// Who calls: the merchant's server with its key, or a frame with its session.
#[derive(Clone, Copy)]
pub(crate) enum As<'a> {
    Merchant(&'a str),
    Frame(&'a str),
}

impl As<'_> {
    fn header(self) -> (&'static str, String) {
        match self {
            As::Merchant(api_key) => ("x-api-key", api_key.to_owned()),
            As::Frame(session) => ("session", session.to_owned()),
        }
    }
}

impl Caller {
    pub(crate) fn new(origin: &str) -> Result<Caller> {
        let http = Client::builder()
            .timeout(Duration::from_secs(60))
            .redirect(redirect::Policy::none())
            .no_proxy()
            .build()?;
        Ok(Caller {
            http,
            origin: origin.to_owned(),
        })
    }

    /// `POST` of JSON under an idempotency key: the answer, read as JSON.
    pub(crate) async fn post(
        &self,
        who: As<'_>,
        path: &str,
        key: &str,
        body: &Value,
    ) -> Result<Value> {
        let (name, value) = who.header();
        let request = self
            .http
            .post(format!("{}{path}", self.origin))
            .header(name, value)
            .header("correlation-id", Uuid::new_v4().to_string())
            .header("idempotency-key", key)
            .header("content-type", "application/json")
            .body(body.to_string());
        let answer = request.send().await?;
        let status = answer.status();
        let text = answer.text().await?;
        if !status.is_success() {
            bail!("POST {path}: {status}: {text}");
        }
        serde_json::from_str(&text).with_context(|| format!("POST {path}: not JSON"))
    }

    /// Presses a button of a page that the gateway shows.
    pub(crate) async fn press(&self, path: &str, form: &str) -> Result<()> {
        let request = self
            .http
            .post(format!("{}{path}", self.origin))
            .header("content-type", "application/x-www-form-urlencoded")
            .body(form.to_owned());
        let answer = request.send().await?;
        if answer.status().is_client_error() || answer.status().is_server_error() {
            bail!("POST {path}: {}", answer.status());
        }
        Ok(())
    }

    /// The path of an address of the gateway's.
    pub(crate) fn path<'a>(&self, url: &'a str) -> Result<&'a str> {
        url.strip_prefix(&self.origin)
            .with_context(|| format!("{url} is not the gateway's"))
    }
}

/// Times of one kind, to be told as percentiles.
#[derive(Default)]
pub(crate) struct Times(Vec<Duration>);

impl Times {
    pub(crate) fn add(&mut self, since: Instant) {
        self.0.push(since.elapsed());
    }

    pub(crate) fn append(&mut self, mut others: Times) {
        self.0.append(&mut others.0);
    }

    /// The time that `share` (0 to 1) of all stay within, in milliseconds; 0 when there are none.
    pub(crate) fn within(&mut self, share: f64) -> f64 {
        self.0.sort_unstable();
        let last = self.0.len().saturating_sub(1);
        let at = (share * last as f64).round() as usize;
        self.0
            .get(at)
            .map_or(0.0, |time| time.as_secs_f64() * 1000.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_the_times_stays_within() {
        let mut times = Times((1..=101).rev().map(Duration::from_millis).collect());
        let all: Vec<f64> = [0.0, 0.5, 0.99, 1.0]
            .map(|share| times.within(share))
            .to_vec();
        assert_eq!(all, [1.0, 51.0, 100.0, 101.0]);
        assert_eq!(Times::default().within(0.5), 0.0);
    }
}
