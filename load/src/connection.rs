//! A connection to the gateway that one buyer and its merchant's server keep for all their calls. The gateway ends it after a card in clear;
//! then there is another one.
//!
//! The bench uses it, because buyers and gateway share one machine there: computing time of the buyers is
//! missing for the gateway. So there is no pool, no look-up of names and no timer, and every call must succeed.

use crate::caller::{Credentials, good};
use anyhow::{Context, Result, ensure};
use axum::body::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::header::{CONTENT_TYPE, COOKIE, HOST, SET_COOKIE, USER_AGENT};
use hyper::http::request::Builder;
use hyper::http::response::Parts;
use hyper::{Request, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;
use uuid::Uuid;

/// The answer to a card.
pub(crate) enum CardAnswer {
    /// It was taken, with this answer.
    Taken(Value),
    /// It is taken only with a solution of this puzzle.
    ProofDue(String),
}

/// An open connection.
pub(crate) struct Connection {
    sender: SendRequest<Full<Bytes>>,
    origin: String,
}

impl Connection {
    /// Connects to the gateway at this origin, without encryption.
    pub(crate) async fn open(origin: &str) -> Result<Connection> {
        let host = origin.strip_prefix("http://").context("not http")?;
        let stream = TcpStream::connect(host).await?;
        stream.set_nodelay(true)?;
        let (sender, connection) = handshake(TokioIo::new(stream)).await?;
        // It ends when the sender is dropped. An error appears in the call that it interrupts.
        tokio::spawn(connection);
        Ok(Connection {
            sender,
            origin: origin.to_owned(),
        })
    }

    /// `POST` of JSON with an idempotency key. Returns the answer, read as JSON.
    pub(crate) async fn post(
        &mut self,
        who: Credentials<'_>,
        path: &str,
        key: &str,
        body: impl Into<Bytes>,
    ) -> Result<Value> {
        let request = with_key(Request::post(path), who, key);
        let answer = self.call(path, request, body.into()).await?;
        serde_json::from_slice(&answer).with_context(|| format!("POST {path}: not JSON"))
    }

    /// The form of a session sends a card: from an address that a proxy tells, and a browser that calls itself so.
    pub(crate) async fn send_card(
        &mut self,
        (address, browser): (&str, &str),
        session: &str,
        key: &str,
        items: &Value,
    ) -> Result<CardAnswer> {
        let path = "/api/fe/build/text";
        let request = Request::post(path)
            .header("x-forwarded-for", address)
            .header(USER_AGENT, browser);
        let request = with_key(request, Credentials::Frame(session), key);
        let (parts, answer) = self.exchange(request, items.to_string().into()).await?;
        let puzzle = parts.headers.get("proof-of-work");
        if let Some(puzzle) = puzzle.and_then(|puzzle| puzzle.to_str().ok()) {
            return Ok(CardAnswer::ProofDue(puzzle.to_owned()));
        }
        let answer = good(path, parts.status, answer)?;
        let read = serde_json::from_slice(&answer);
        Ok(CardAnswer::Taken(read.context("a card: not JSON")?))
    }

    /// Like [`Connection::post`]. `None`: the gateway has too much to do, and turned the call away.
    pub(crate) async fn try_post(
        &mut self,
        who: Credentials<'_>,
        path: &str,
        key: &str,
        body: impl Into<Bytes>,
    ) -> Result<Option<Value>> {
        let request = with_key(Request::post(path), who, key);
        let answer = self.try_call(path, request, body.into()).await?;
        let read = |answer: Bytes| serde_json::from_slice(&answer);
        answer
            .map(read)
            .transpose()
            .with_context(|| format!("POST {path}: not JSON"))
    }

    /// `GET`: the answer, read as JSON.
    pub(crate) async fn get(&mut self, who: Credentials<'_>, path: &str) -> Result<Value> {
        let (name, value) = who.header();
        let request = Request::get(path)
            .header("correlation-id", Uuid::new_v4().to_string())
            .header(name, value);
        let answer = self.call(path, request, Bytes::new()).await?;
        serde_json::from_slice(&answer).with_context(|| format!("GET {path}: not JSON"))
    }

    /// Presses a button of a page that the gateway shows. The gateway gave the page's address.
    pub(crate) async fn press(&mut self, url: &str, form: &'static str) -> Result<()> {
        let is_accepted = self.try_press(url, form).await?;
        ensure!(is_accepted, "{url}: the gateway has too much to do");
        Ok(())
    }

    /// The same. `false`: the gateway has too much to do, and turned the call away.
    pub(crate) async fn try_press(&mut self, url: &str, form: &'static str) -> Result<bool> {
        let path = url
            .strip_prefix(&self.origin)
            .with_context(|| format!("{url} is not the gateway's"))?
            .to_owned();
        let request =
            Request::post(&path).header(CONTENT_TYPE, "application/x-www-form-urlencoded");
        let body = Bytes::from_static(form.as_bytes());
        Ok(self.try_call(&path, request, body).await?.is_some())
    }

    /// Logs a member in to the back office: the cookie for further pages.
    pub(crate) async fn log_in(&mut self, email: &str, password: &str) -> Result<String> {
        let form = format!("email={}&password={}", encoded(email), encoded(password));
        let request = Request::post("/office/login")
            .header(CONTENT_TYPE, "application/x-www-form-urlencoded");
        let (parts, _) = self.exchange(request, form.into()).await?;
        let cookie = parts.headers.get(SET_COOKIE).context("not logged in")?;
        let (cookie, _) = cookie.to_str()?.split_once(';').context("a bare cookie")?;
        Ok(cookie.to_owned())
    }

    /// A page of the back office.
    pub(crate) async fn page(&mut self, cookie: &str, path: &str) -> Result<Bytes> {
        let request = Request::get(path).header(COOKIE, cookie);
        let (parts, answer) = self.exchange(request, Bytes::new()).await?;
        ensure!(
            parts.status == StatusCode::OK,
            "GET {path}: {}",
            parts.status
        );
        Ok(answer)
    }

    async fn call(&mut self, path: &str, request: Builder, body: Bytes) -> Result<Bytes> {
        let (parts, answer) = self.exchange(request, body).await?;
        let status = parts.status;
        good(&format!("call of {path}"), status, answer)
    }

    async fn try_call(
        &mut self,
        path: &str,
        request: Builder,
        body: Bytes,
    ) -> Result<Option<Bytes>> {
        let (parts, answer) = self.exchange(request, body).await?;
        match parts.status {
            StatusCode::SERVICE_UNAVAILABLE => Ok(None),
            status => good(&format!("call of {path}"), status, answer).map(Some),
        }
    }

    async fn exchange(&mut self, request: Builder, body: Bytes) -> Result<(Parts, Bytes)> {
        let host = self.origin.trim_start_matches("http://");
        let request = request.header(HOST, host).body(Full::new(body))?;
        if self.sender.ready().await.is_err() {
            *self = Connection::open(&self.origin).await?;
            self.sender.ready().await?;
        }
        let answer = self.sender.send_request(request).await?;
        let (parts, body) = answer.into_parts();
        Ok((parts, body.collect().await?.to_bytes()))
    }
}

/// A value of a form.
fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

fn with_key(request: Builder, who: Credentials<'_>, key: &str) -> Builder {
    let (name, value) = who.header();
    request
        .header(CONTENT_TYPE, "application/json")
        .header("idempotency-key", key)
        .header("correlation-id", Uuid::new_v4().to_string())
        .header(name, value)
}
