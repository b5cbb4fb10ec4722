//! Calls by the roles of [`TestApp`], and what comes back. Each call below `/api` is compared with the OpenAPI document.

use super::TestApp;
use crate::conformity::{self, Came, Sent};
use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Method, Request};
use http_body_util::BodyExt;
use serde_json::Value;
use tower::ServiceExt;

pub(crate) struct Caller<'a> {
    pub(super) app: &'a TestApp,
    pub(super) credential: Option<(&'static str, String)>,
}

pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) bytes: Vec<u8>,
    pub(crate) body: Value,
    /// The connection was closed without an answer.
    pub(crate) closed: bool,
}

impl Caller<'_> {
    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.app
            .send(self.request(Method::GET, path, &[], Body::empty()))
            .await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Answer {
        let key = uuid::Uuid::new_v4().to_string();
        self.post_with(path, body, &[("idempotency-key", &key)])
            .await
    }

    pub(crate) async fn post_with(
        &self,
        path: &str,
        body: &Value,
        headers: &[(&str, &str)],
    ) -> Answer {
        let mut all = vec![("content-type", "application/json")];
        all.extend_from_slice(headers);
        self.app
            .send(self.request(Method::POST, path, &all, Body::from(body.to_string())))
            .await
    }

    pub(crate) async fn put(&self, path: &str, body: &Value) -> Answer {
        let headers = [("content-type", "application/json")];
        let body = Body::from(body.to_string());
        let request = self.request(Method::PUT, path, &headers, body);
        self.app.send(request).await
    }

    /// A request with the caller's credential and a correlation id, unless `headers` has one.
    pub(crate) fn request(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Body,
    ) -> Request<Body> {
        let mut request = Request::builder().method(method).uri(format!("/api{path}"));
        if let Some((name, value)) = &self.credential {
            request = request.header(*name, value);
        }
        if !headers.iter().any(|(name, _)| *name == "correlation-id") {
            request = request.header("correlation-id", uuid::Uuid::new_v4().to_string());
        }
        for (name, value) in headers.iter().filter(|(_, value)| *value != ABSENT) {
            request = request.header(*name, *value);
        }
        request.body(body).unwrap()
    }
}

/// As the value of a header: it is not sent.
pub(crate) const ABSENT: &str = "\u{1}absent";

impl TestApp {
    /// Calls of the same router at the same time; returns the answers in the order of the requests.
    pub(crate) async fn all_at_once(
        &self,
        api_key: &str,
        path: &str,
        requests: &[(Value, String)],
    ) -> Vec<Answer> {
        let mut running = Vec::new();
        for (body, key) in requests {
            let headers = [
                ("content-type", "application/json"),
                ("idempotency-key", key),
            ];
            let body = Body::from(body.to_string());
            let request = self
                .key(api_key)
                .request(Method::POST, path, &headers, body);
            let router = self.router.clone();
            running.push(tokio::spawn(answer(router, request)));
        }
        let mut answers = Vec::new();
        for call in running {
            answers.push(call.await.unwrap());
        }
        answers
    }
}

impl Answer {
    /// The body of a successful answer.
    #[track_caller]
    pub(crate) fn ok(self) -> Value {
        assert_eq!(self.status, 200, "{}", self.body);
        self.body
    }

    /// Status and codes of a refusal, such as `400 PS0026 PS0036`.
    pub(crate) fn refusal(&self) -> String {
        let mut text = self.status.to_string();
        for error in self.body["errors"].as_array().into_iter().flatten() {
            text.push(' ');
            text.push_str(error["code"].as_str().unwrap_or("?"));
        }
        text
    }

    /// The description of the first error.
    pub(crate) fn why(&self) -> &str {
        self.body["errors"][0]["description"].as_str().unwrap_or("")
    }

    /// What the gateway wrote into a page's data block.
    pub(crate) fn boot(&self) -> Value {
        let text = self.text();
        let (_, rest) = text.split_once(r#"id="boot">"#).unwrap();
        serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.bytes.clone()).unwrap()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }
}

/// Sends a request. Calls below `/api` are compared with the OpenAPI document.
pub(super) async fn answer(router: Router, request: Request<Body>) -> Answer {
    let (head, body) = request.into_parts();
    let sent = body.collect().await.unwrap().to_bytes();
    let (verb, target) = (head.method.to_string(), head.uri.to_string());
    let answer = carry(router, Request::from_parts(head, Body::from(sent.clone()))).await;
    if target.starts_with("/api/") && !answer.closed {
        let body = serde_json::from_slice(&sent).unwrap_or(Value::Null);
        let sent = Sent {
            verb: &verb,
            target: &target,
            body: &body,
        };
        conformity::check(
            &sent,
            &Came {
                status: answer.status,
                bytes: &answer.bytes,
                body: &answer.body,
                retry_after: answer.header("retry-after"),
                replayed: answer.header("idempotency-replayed").is_some(),
            },
        );
    }
    answer
}

async fn carry(router: Router, request: Request<Body>) -> Answer {
    let response = router.oneshot(request).await.unwrap();
    let (parts, body) = response.into_parts();
    let (bytes, closed) = match body.collect().await {
        Ok(collected) => (collected.to_bytes().to_vec(), false),
        Err(_) => (Vec::new(), true),
    };
    let body = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
    Answer {
        status: parts.status.as_u16(),
        headers: parts.headers,
        bytes,
        body,
        closed,
    }
}
