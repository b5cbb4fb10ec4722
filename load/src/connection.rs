//! A connection to the gateway that one buyer and its merchant's server keep for all their calls.
//!
//! The bench uses it, because buyers and gateway share one machine there: computing time of the buyers is
//! missing for the gateway. So there is no pool, no look-up of names and no timer, and every call must succeed.

use crate::caller::{Credentials, good};
use anyhow::{Context, Result};
use axum::body::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::Request;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::header::{CONTENT_TYPE, HOST};
use hyper::http::request::Builder;
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;
use uuid::Uuid;

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
        self.post_with(Request::post(path), who, path, key, body.into())
            .await
    }

    /// The same behind a proxy, which says from which address the call came.
    pub(crate) async fn post_from(
        &mut self,
        address: &str,
        who: Credentials<'_>,
        path: &str,
        key: &str,
        body: impl Into<Bytes>,
    ) -> Result<Value> {
        let request = Request::post(path).header("x-forwarded-for", address);
        self.post_with(request, who, path, key, body.into()).await
    }

    async fn post_with(
        &mut self,
        request: Builder,
        who: Credentials<'_>,
        path: &str,
        key: &str,
        body: Bytes,
    ) -> Result<Value> {
        let (name, value) = who.header();
        let request = request
            .header(CONTENT_TYPE, "application/json")
            .header("idempotency-key", key)
            .header("correlation-id", Uuid::new_v4().to_string())
            .header(name, value);
        let answer = self.call(path, request, body).await?;
        serde_json::from_slice(&answer).with_context(|| format!("POST {path}: not JSON"))
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
        let path = url
            .strip_prefix(&self.origin)
            .with_context(|| format!("{url} is not the gateway's"))?
            .to_owned();
        let request =
            Request::post(&path).header(CONTENT_TYPE, "application/x-www-form-urlencoded");
        self.call(&path, request, Bytes::from_static(form.as_bytes()))
            .await?;
        Ok(())
    }

    async fn call(&mut self, path: &str, request: Builder, body: Bytes) -> Result<Bytes> {
        let host = self.origin.trim_start_matches("http://");
        let request = request.header(HOST, host).body(Full::new(body))?;
        self.sender.ready().await?;
        let answer = self.sender.send_request(request).await?;
        let status = answer.status();
        let answer = answer.into_body().collect().await?.to_bytes();
        good(&format!("call of {path}"), status, answer)
    }
}
