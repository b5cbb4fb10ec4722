//! Calls of merchants' servers and of buyers' frames, made as the contract requires, while everything fails: they
//! ask for faults, and are repeated until there is an answer.

use anyhow::{Context, Result, bail};
use fastrand::Rng;
use reqwest::{Client, RequestBuilder, StatusCode, redirect};
use serde_json::Value;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use uuid::Uuid;

/// Calls one gateway.
pub(crate) struct Caller {
    http: Client,
    origin: String,
    random: Mutex<Rng>,
    figures: Figures,
}

/// The caller: the merchant's server with its key, or a frame with its session.
#[derive(Clone, Copy)]
pub(crate) enum Credentials<'a> {
    Merchant(&'a str),
    Frame(&'a str),
}

impl Credentials<'_> {
    pub(crate) fn header(self) -> (&'static str, String) {
        match self {
            Credentials::Merchant(api_key) => ("x-api-key", api_key.to_owned()),
            Credentials::Frame(session) => ("session", session.to_owned()),
        }
    }
}

/// Counts the results of calls.
#[derive(Default)]
pub(crate) struct Figures {
    /// Attempts that were made.
    pub(crate) attempts: AtomicU32,
    /// Attempts that asked for a fault.
    pub(crate) faults: AtomicU32,
    /// Calls without an answer: refused, cut off, too late.
    pub(crate) unanswered: AtomicU32,
    /// Attempts that the gateway refused and asked to repeat.
    pub(crate) put_off: AtomicU32,
}

impl Caller {
    /// A caller whose calls ask the sandbox for faults.
    pub(crate) fn new(origin: &str, random: Rng) -> Result<Caller> {
        let http = Client::builder()
            .timeout(ATTEMPT_LIMIT)
            .redirect(redirect::Policy::none())
            .no_proxy()
            .build()?;
        Ok(Caller {
            http,
            origin: origin.to_owned(),
            random: Mutex::new(random),
            figures: Figures::default(),
        })
    }

    /// The counts of the calls.
    pub(crate) fn figures(&self) -> &Figures {
        &self.figures
    }

    /// `GET`: the answer, read as JSON.
    pub(crate) async fn get(&self, who: Credentials<'_>, path: &str) -> Result<Value> {
        let request = self.http.get(format!("{}{path}", self.origin));
        self.json(&format!("GET {path}"), who, request).await
    }

    /// `POST` of JSON with an idempotency key. Returns the answer, read as JSON.
    pub(crate) async fn post(
        &self,
        who: Credentials<'_>,
        path: &str,
        key: &str,
        body: &Value,
    ) -> Result<Value> {
        let request = self
            .http
            .post(format!("{}{path}", self.origin))
            .header("idempotency-key", key)
            .header("content-type", "application/json")
            .body(body.to_string());
        self.json(&format!("POST {path}"), who, request).await
    }

    /// Presses a button of a page that the gateway shows.
    pub(crate) async fn press(&self, path: &str, form: &str) -> Result<()> {
        let request = self
            .http
            .post(format!("{}{path}", self.origin))
            .header("content-type", "application/x-www-form-urlencoded")
            .body(form.to_owned());
        self.answer(&format!("POST {path}"), request).await?;
        Ok(())
    }

    /// The path of one of the gateway's addresses.
    pub(crate) fn path<'a>(&self, url: &'a str) -> Result<&'a str> {
        url.strip_prefix(&self.origin)
            .with_context(|| format!("{url} is not the gateway's"))
    }

    async fn json(
        &self,
        what: &str,
        who: Credentials<'_>,
        request: RequestBuilder,
    ) -> Result<Value> {
        let (name, value) = who.header();
        let request = request
            .header(name, value)
            .header("correlation-id", Uuid::new_v4().to_string());
        let text = self.answer(what, request).await?;
        serde_json::from_str(&text).with_context(|| format!("{what}: not JSON: {text}"))
    }

    /// Repeats a call until an attempt gets an answer, and returns it.
    async fn answer(&self, what: &str, request: RequestBuilder) -> Result<String> {
        let figures = &self.figures;
        let deadline = Instant::now() + ANSWER_TIMEOUT;
        while Instant::now() < deadline {
            let attempt = request
                .try_clone()
                .context("a body that can be sent once")?;
            count(&figures.attempts);
            let attempt = match self.fault() {
                Some(fault) => {
                    count(&figures.faults);
                    attempt.header("x-sandbox-fault", fault)
                }
                None => attempt,
            };
            let answer = async {
                let answer = attempt.send().await?;
                Ok::<_, reqwest::Error>((answer.status(), answer.text().await?))
            };
            match answer.await {
                Ok((status, _)) if asks_to_repeat(status) => count(&figures.put_off),
                Ok((status, text)) => return good(what, status, text),
                Err(_) => count(&figures.unanswered),
            }
            tokio::time::sleep(self.pause()).await;
        }
        bail!("{what}: no answer within {ANSWER_TIMEOUT:?}")
    }

    fn draw(&self, below: u32) -> u32 {
        // A panic while it is locked leaves it valid.
        let mut random = self.random.lock().unwrap_or_else(PoisonError::into_inner);
        random.u32(..below)
    }

    fn fault(&self) -> Option<String> {
        match self.draw(100) {
            0..3 => Some(String::from("drop")),
            3..6 => Some(String::from("500")),
            6 => Some(String::from("timeout")),
            7..12 => Some(format!("slow:{}", 1 + self.draw(800))),
            _ => None,
        }
    }

    fn pause(&self) -> Duration {
        Duration::from_millis(20 + u64::from(self.draw(180)))
    }
}

/// The answer; a refusal is an error.
pub(crate) fn good<T: AsRef<[u8]>>(what: &str, status: StatusCode, answer: T) -> Result<T> {
    if status.is_client_error() || status.is_server_error() {
        bail!(
            "{what}: {status}: {}",
            String::from_utf8_lossy(answer.as_ref())
        );
    }
    Ok(answer)
}

/// A call with the same key still runs, the rate was exceeded, or the gateway failed.
fn asks_to_repeat(status: StatusCode) -> bool {
    matches!(status, StatusCode::CONFLICT | StatusCode::TOO_MANY_REQUESTS)
        || status.is_server_error()
}

fn count(figure: &AtomicU32) {
    figure.fetch_add(1, Ordering::Relaxed);
}

/// A fault delays the answer for longer than a minute. The caller stops waiting long before that, and repeats the call.
const ATTEMPT_LIMIT: Duration = Duration::from_secs(4);
/// Longer than the fault: the delayed call must have been answered by then.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(120);
