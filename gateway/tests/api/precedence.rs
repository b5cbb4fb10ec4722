//! The order of checks (contract 10.8), for every operation of the document: the first failed check answers,
//! and no later one runs. The test reads the operations from the document, so new operations are tested too.

mod currency;
mod mine;
mod values;

use crate::conformity::{DOCUMENT, problems};
use crate::harness::{ABSENT, Answer, Caller, TestApp, build};
use axum::body::Body;
use axum::http::Method;
use mine::Mine;
use serde_json::{Value, json};

/// An operation of the document.
struct Operation {
    verb: Method,
    path: &'static str,
    declared: &'static Value,
}

impl Operation {
    fn all() -> impl Iterator<Item = Operation> {
        DOCUMENT["paths"]
            .as_object()
            .unwrap()
            .iter()
            .flat_map(|(path, verbs)| {
                verbs
                    .as_object()
                    .unwrap()
                    .iter()
                    .map(move |(verb, declared)| Operation {
                        verb: verb.to_ascii_uppercase().parse().unwrap(),
                        path,
                        declared,
                    })
            })
    }

    fn takes(&self, credential: &str) -> bool {
        let ways = self.declared["security"].as_array().unwrap();
        ways.iter().any(|way| way.get(credential).is_some())
    }

    fn needs(&self, header: &str) -> bool {
        let parameters = self.declared["parameters"].as_array().unwrap();
        parameters
            .iter()
            .any(|parameter| parameter["name"] == header && parameter["required"] == true)
    }

    fn codes(&self, code: &str) -> bool {
        self.declared["description"]
            .as_str()
            .unwrap()
            .contains(&format!("`{code}`"))
    }

    fn schema(&self) -> &Value {
        &self.declared["requestBody"]["content"]["application/json"]["schema"]
    }

    fn has_body(&self) -> bool {
        [Method::POST, Method::PATCH, Method::PUT].contains(&self.verb)
    }

    /// The path with a parameter that belongs to no object.
    fn unknown(&self) -> String {
        match self.path.split_once('{') {
            Some((before, rest)) => format!("{before}unknown{}", rest.split_once('}').unwrap().1),
            None => self.path.to_owned(),
        }
    }
}

/// A gateway with a session.
struct Stage {
    app: TestApp,
    session: String,
}

impl Stage {
    async fn new() -> Stage {
        let app = TestApp::new().await;
        let session = app.open(&build("A1")).await;
        Stage { app, session }
    }

    /// A call with a valid credential and valid headers, except for the named ones.
    async fn call(&self, operation: &Operation, headers: &[(&str, &str)], body: Body) -> Answer {
        self.call_at(operation, &operation.unknown(), headers, body)
            .await
    }

    /// The same at a path of the operation.
    async fn call_at(
        &self,
        operation: &Operation,
        path: &str,
        headers: &[(&str, &str)],
        body: Body,
    ) -> Answer {
        let caller = if operation.takes("apiKey") {
            self.app.merchant()
        } else {
            self.app.frame(&self.session)
        };
        let key = uuid::Uuid::new_v4().to_string();
        let mut all = headers.to_vec();
        for (name, value) in [
            ("idempotency-key", key.as_str()),
            ("content-type", "application/json"),
        ] {
            if operation.has_body() && !headers.iter().any(|(known, _)| *known == name) {
                all.push((name, value));
            }
        }
        // The calls come one after the other, because the rate is not tested here. The session's frame shows activity in between.
        let step = if operation.takes("apiKey") { 20 } else { 100 };
        self.app
            .advance(std::time::Duration::from_millis(step))
            .await;
        let request = caller.request(operation.verb.clone(), path, &all, body);
        self.app.send(request).await
    }
}

#[tokio::test]
async fn without_a_good_credential_nothing_else_is_said() {
    let stage = Stage::new().await;
    for operation in Operation::all() {
        let place = format!("{} {}", operation.verb, operation.path);
        let mut callers = vec![
            stage.app.nobody(),
            stage.app.key("unknown"),
            stage.app.key(""),
            stage.app.frame("unknown"),
        ];
        if !operation.takes("session") {
            callers.push(stage.app.frame(&stage.session));
        }
        if !operation.takes("apiKey") {
            callers.push(stage.app.merchant());
        }
        for caller in callers {
            let headers = [("correlation-id", ABSENT), ("content-type", "text/plain")];
            let request = caller.request(
                operation.verb.clone(),
                operation.path,
                &headers,
                Body::from("{"),
            );
            // The path template itself can be used: no object has this name.
            let request = with_path(request, &operation.unknown());
            let answer = stage.app.send(request).await;
            assert_eq!(answer.status, 401, "{place}");
            assert_eq!(answer.refusal(), "401 GW9020", "{place}");
        }
    }
}

fn with_path(request: axum::http::Request<Body>, path: &str) -> axum::http::Request<Body> {
    let (mut parts, body) = request.into_parts();
    parts.uri = format!("/api{path}").parse().unwrap();
    axum::http::Request::from_parts(parts, body)
}

#[tokio::test]
async fn verbs_that_are_not_served_come_before_credentials() {
    let stage = Stage::new().await;
    for operation in Operation::all() {
        for verb in [Method::PUT, Method::PATCH] {
            if verb == operation.verb {
                continue;
            }
            let request =
                stage
                    .app
                    .nobody()
                    .request(verb, &operation.unknown(), &[], Body::empty());
            let answer = stage.app.send(request).await;
            assert_eq!(answer.status, 405, "{}", operation.path);
            let allowed = answer.header("allow").unwrap();
            assert!(
                allowed
                    .split(", ")
                    .any(|verb| verb == operation.verb.as_str()),
                "{}",
                operation.path
            );
        }
    }
}

#[tokio::test]
async fn size_then_media_type_then_json_come_before_headers() {
    let stage = Stage::new().await;
    // More than the largest body of any call: a file in base64.
    let too_large = "x".repeat(6_100_001);
    for operation in Operation::all().filter(Operation::has_body) {
        let place = operation.path;
        let bad_headers = [("correlation-id", "x"), ("idempotency-key", "")];
        let with_type = |kind| [bad_headers[0], bad_headers[1], ("content-type", kind)];
        let answer = stage
            .call(
                &operation,
                &with_type("text/plain"),
                Body::from(too_large.clone()),
            )
            .await;
        assert_eq!(answer.refusal(), "413 GW9004", "{place}");
        let answer = stage
            .call(&operation, &with_type("text/plain"), Body::from("{"))
            .await;
        assert_eq!(answer.refusal(), "415 PS0035", "{place}");
        let answer = stage
            .call(&operation, &with_type("application/json"), Body::from("{"))
            .await;
        assert_eq!(answer.refusal(), "400 PS0035", "{place}");
        if operation.declared["requestBody"]["required"] == true {
            let answer = stage
                .call(&operation, &with_type("application/json"), Body::empty())
                .await;
            assert_eq!(answer.refusal(), "400 PS0035", "{place}");
        }
    }
}

#[tokio::test]
async fn headers_come_before_what_they_are_about() {
    let stage = Stage::new().await;
    for operation in Operation::all() {
        let place = operation.path;
        // Nothing in it is valid, and the object does not exist.
        let body = || {
            if operation.has_body() {
                Body::from(r#"{"order":"<script>"}"#)
            } else {
                Body::empty()
            }
        };
        if !operation.has_body() {
            continue;
        }
        let long = "x".repeat(64);
        for key in ["", "\u{e9}", long.as_str()] {
            let answer = stage
                .call(&operation, &[("idempotency-key", key)], body())
                .await;
            assert_eq!(answer.refusal(), "400 PS0025", "{place}");
        }
        if operation.needs("Idempotency-Key") {
            let answer = stage
                .call(&operation, &[("idempotency-key", ABSENT)], body())
                .await;
            assert_eq!(answer.refusal(), "400 PS0025", "{place}");
        }
    }
}

#[tokio::test]
async fn what_is_named_in_the_path_comes_before_scripts_and_fields() {
    let stage = Stage::new().await;
    for operation in Operation::all().filter(|operation| operation.path.contains('{')) {
        let body = if operation.has_body() {
            Body::from(r#"{"description":"<script>"}"#)
        } else {
            Body::empty()
        };
        let answer = stage.call(&operation, &[], body).await;
        // A missing contract is a wrong reference (PS0017), not a missing page.
        let expected = if operation.codes("PS0017") { 400 } else { 404 };
        assert_eq!(answer.status, expected, "{}", operation.path);
    }
}

#[tokio::test]
async fn scripts_come_before_fields() {
    let stage = Stage::new().await;
    for operation in Operation::all().filter(|operation| !operation.path.contains('{')) {
        let place = operation.path;
        // Some calls have no body.
        if operation.has_body() && !operation.schema().is_null() {
            let mut body = json!({ "unknown": "<script>", "order": 5, "amount": [] });
            if operation.codes("PS0061") {
                body["sessionId"] = json!(stage.session);
            }
            let answer = stage
                .call(&operation, &[], Body::from(body.to_string()))
                .await;
            assert_eq!(answer.refusal(), "400 PS0041", "{place}");
        }
    }
}

fn members<'a>(path: &str, schema: &'a Value, found: &mut Vec<(String, &'a Value)>) {
    for (name, member) in schema["properties"].as_object().into_iter().flatten() {
        let path = if path.is_empty() {
            name.clone()
        } else {
            format!("{path}.{name}")
        };
        members(&path, member, found);
        if let Some(items) = member.get("items") {
            members(&format!("{path}[0]"), items, found);
        }
        found.push((path, member));
    }
}

#[tokio::test]
async fn no_list_has_anything_of_another_merchant() {
    let stage = Stage::new().await;
    let ids = Mine::of(&stage).await.ids();
    let holds = |text: &str| ids.iter().any(|id| text.contains(id));
    let mut telling = 0;
    for operation in Operation::all() {
        let is_list = operation.verb == Method::GET && !operation.path.contains('{');
        if !is_list || !operation.takes("apiKey") {
            continue;
        }
        let path = operation.path;
        let own = stage.app.merchant().get(path).await;
        let other = stage.app.key("sandbox-other-merchant").get(path).await;
        telling += usize::from(own.status == 200 && holds(&own.text()));
        assert!(!holds(&other.text()), "{path}");
    }
    assert!(
        telling >= 6,
        "{telling} lists have something of their own merchant"
    );
}

#[tokio::test]
async fn what_belongs_to_another_merchant_is_not_there() {
    let stage = Stage::new().await;
    let mine = Mine::of(&stage).await;
    stage
        .app
        .enter(&stage.session, crate::harness::APPROVED)
        .await;
    let mut tried = 0;
    for operation in Operation::all() {
        // Frames have only their own session.
        if !operation.path.contains('{') || !operation.takes("apiKey") {
            continue;
        }
        let path = mine.path(&operation);
        let body = json!({ "amount": "1", "currency": "EUR" });
        let (own, other) = (
            stage.app.merchant(),
            stage.app.key("sandbox-other-merchant"),
        );
        let foreign = if operation.verb == Method::PUT {
            other.put(&path, &body).await
        } else if operation.has_body() {
            other.post(&path, &body).await
        } else if operation.verb == Method::DELETE {
            let request = other.request(Method::DELETE, &path, &[], Body::empty());
            stage.app.send(request).await
        } else {
            assert_eq!(own.get(&path).await.status, 200, "{path}");
            other.get(&path).await
        };
        // The merchant itself names a contract: a missing one is a wrong reference (8.2.10).
        let expected = if operation.codes("PS0017") {
            "400 PS0017"
        } else {
            "404"
        };
        assert_eq!(foreign.refusal(), expected, "{path}");
        tried += 1;
    }
    assert!(tried >= 13);
    for path in ["/build/state", "/build/cardData"] {
        let path = format!("{path}?sessionId={}", stage.session);
        let answer = stage.app.key("sandbox-other-merchant").get(&path).await;
        assert_eq!(answer.refusal(), "400 PS0061");
    }
    for path in [
        "/build/confirm_payment",
        "/build/finalize_payment",
        "/build/cancel",
    ] {
        let body = json!({ "sessionId": stage.session, "amount": "1" });
        let answer = stage
            .app
            .key("sandbox-other-merchant")
            .post(path, &body)
            .await;
        assert_eq!(answer.refusal(), "400 PS0061");
    }
}

async fn exhaust(caller: Caller<'_>, path: &str) {
    while caller.get(path).await.status != 429 {}
}

#[tokio::test]
async fn above_the_rate_every_operation_says_when_to_come_back() {
    let stage = Stage::new().await;
    exhaust(stage.app.merchant(), "/payment_methods").await;
    exhaust(stage.app.frame(&stage.session), "/build/state").await;
    for operation in Operation::all() {
        let caller = if operation.takes("apiKey") {
            stage.app.merchant()
        } else {
            stage.app.frame(&stage.session)
        };
        let headers = [("correlation-id", "x"), ("content-type", "text/plain")];
        let request = caller.request(
            operation.verb.clone(),
            &operation.unknown(),
            &headers,
            Body::from("{"),
        );
        let answer = stage.app.send(request).await;
        assert_eq!(answer.refusal(), "429 GW9002", "{}", operation.path);
        assert_eq!(
            answer.header("retry-after"),
            Some("1"),
            "{}",
            operation.path
        );
    }
    stage.app.clock.advance(std::time::Duration::from_secs(1));
    assert_eq!(
        stage.app.merchant().get("/payment_methods").await.status,
        200
    );
}
