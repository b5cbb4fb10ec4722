//! A log-in provider of a company (OpenID Connect), which can also misbehave.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use axum_server::tls_rustls::RustlsConfig;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use p256::ecdsa::signature::Signer;
use p256::ecdsa::{Signature, SigningKey};
use rustls::ServerConfig;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use url::Url;

/// A running provider.
pub(super) struct Company {
    pub(super) issuer: String,
    manner: Arc<Mutex<Manner>>,
}

/// How it answers next.
pub(super) struct Manner {
    /// Members of the discovery document in place of the right ones; `null` takes one out.
    pub(super) discovery: Value,
    /// The same for the token's header.
    pub(super) header: Value,
    /// The same for the token's claims.
    pub(super) claims: Value,
    /// The token as a whole in place of a signed one.
    pub(super) signs: Signs,
    /// The status of the answer to a code.
    pub(super) status: StatusCode,
    /// Seconds since 1970.
    pub(super) now_s: i64,
    /// What was asked for in the log-in of each code.
    asked: HashMap<String, HashMap<String, String>>,
    /// How often the keys were asked for.
    pub(super) keys_asked: usize,
    issuer: String,
}

/// How tokens are signed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Signs {
    /// With the provider's key.
    WithItsKey,
    /// With a key of somebody else.
    WithAnotherKey,
    /// Not at all.
    Not,
    /// With the published key as a shared secret.
    WithThePublicKey,
}

impl Company {
    /// Starts one. Its people are `otto@shop.example`, with the subject `42`.
    pub(super) async fn start(now_ms: i64) -> Company {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let issuer = format!("http://{}", listener.local_addr().unwrap());
        let (company, router) = Company::at(issuer, now_ms);
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        company
    }

    /// The same over TLS, at `localhost`.
    pub(super) fn start_over_tls(now_ms: i64, tls: ServerConfig) -> Company {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let port = listener.local_addr().unwrap().port();
        let (company, router) = Company::at(format!("https://localhost:{port}"), now_ms);
        let tls = RustlsConfig::from_config(Arc::new(tls));
        let server = axum_server::from_tcp_rustls(listener, tls).unwrap();
        tokio::spawn(async move { server.serve(router.into_make_service()).await.unwrap() });
        company
    }

    /// One with this issuer identifier, and what answers for it.
    fn at(issuer: String, now_ms: i64) -> (Company, Router) {
        let manner = Arc::new(Mutex::new(Manner {
            discovery: json!({}),
            header: json!({}),
            claims: json!({}),
            signs: Signs::WithItsKey,
            status: StatusCode::OK,
            now_s: now_ms / 1000,
            asked: HashMap::new(),
            keys_asked: 0,
            issuer: issuer.clone(),
        }));
        let router = Router::new()
            .route("/.well-known/openid-configuration", get(discovery))
            .route("/token", post(token))
            .route("/keys", get(keys))
            .with_state(manner.clone());
        (Company { issuer, manner }, router)
    }

    /// The providers' file for it, as a part.
    pub(super) fn in_file(&self, id: &str, merchant: &str, more: &str) -> String {
        format!(
            "[[provider]]\nid = \"{id}\"\nname = \"Acme {id}\"\nmerchant = \"{merchant}\"\nissuer = \"{}\"\n\
             client_id = \"pay frame\"\nclient_secret_file = \"client-secret\"\n{more}\n",
            self.issuer
        )
    }

    /// Changes how it answers.
    pub(super) fn answers(&self, change: impl FnOnce(&mut Manner)) {
        change(&mut self.manner.lock().unwrap());
    }

    /// Answers as it should again.
    pub(super) fn behaves(&self) {
        self.answers(|manner| {
            manner.discovery = json!({});
            manner.header = json!({});
            manner.claims = json!({});
            manner.signs = Signs::WithItsKey;
            manner.status = StatusCode::OK;
        });
    }

    /// A token that says that a log-in there is over, with other claims; `null` takes one out. Each has an id of its own.
    pub(super) fn logout_token(&self, changes: &Value) -> String {
        let manner = self.manner.lock().unwrap();
        let claims = json!({
            "iss": self.issuer, "aud": "pay frame", "iat": manner.now_s, "exp": manner.now_s + 120,
            "jti": uuid::Uuid::new_v4().to_string(), "sub": "42",
            "events": { "http://schemas.openid.net/event/backchannel-logout": {} },
        });
        let header = json!({ "alg": "ES256", "kid": "one", "typ": "logout+jwt" });
        manner.token(&header, claims, changes)
    }

    /// A person logs in at the page that the gateway sent the browser to. Returns the way back.
    pub(super) fn logs_in(&self, page: &Url) -> (Url, HashMap<String, String>) {
        let asked: HashMap<String, String> = page.query_pairs().into_owned().collect();
        let code = uuid::Uuid::new_v4().to_string();
        let mut back = Url::parse(&asked["redirect_uri"]).unwrap();
        back.query_pairs_mut()
            .append_pair("code", &code)
            .append_pair("state", &asked["state"]);
        self.answers(|manner| {
            manner.asked.insert(code, asked.clone());
        });
        (back, asked)
    }
}

async fn discovery(State(manner): State<Arc<Mutex<Manner>>>) -> Json<Value> {
    let manner = manner.lock().unwrap();
    let issuer = &manner.issuer;
    let document = json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/log-in?tenant=1"),
        "token_endpoint": format!("{issuer}/token"),
        "jwks_uri": format!("{issuer}/keys"),
    });
    Json(with(document, &manner.discovery))
}

impl Manner {
    /// A token with these claims, changed, and signed as it is told to.
    fn token(&self, header: &Value, claims: Value, changes: &Value) -> String {
        let claims = with(claims, changes);
        let header = with(header.clone(), &self.header);
        let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let signed = format!("{}.{}", part(&header), part(&claims));
        let signature = match self.signs {
            Signs::WithItsKey => sign(&key(), &signed),
            Signs::WithAnotherKey => sign(&SigningKey::from_slice(&[8; 32]).unwrap(), &signed),
            Signs::Not => String::new(),
            Signs::WithThePublicKey => {
                let point = key().verifying_key().to_encoded_point(false);
                let tag = hmac(point.as_bytes(), signed.as_bytes());
                URL_SAFE_NO_PAD.encode(tag)
            }
        };
        format!("{signed}.{signature}")
    }
}

async fn keys(State(manner): State<Arc<Mutex<Manner>>>) -> Json<Value> {
    manner.lock().unwrap().keys_asked += 1;
    let point = key().verifying_key().to_encoded_point(false);
    let coordinate = |bytes: Option<&p256::FieldBytes>| URL_SAFE_NO_PAD.encode(bytes.unwrap());
    Json(json!({ "keys": [{
        "kty": "EC", "crv": "P-256", "kid": "one", "use": "sig",
        "x": coordinate(point.x()), "y": coordinate(point.y()),
    }] }))
}

/// Takes each code once, with the secret of the client and the verifier of the challenge.
async fn token(
    State(manner): State<Arc<Mutex<Manner>>>,
    headers: HeaderMap,
    body: String,
) -> Response {
    let sent: HashMap<String, String> = url::form_urlencoded::parse(body.as_bytes())
        .into_owned()
        .collect();
    let mut manner = manner.lock().unwrap();
    let Some(asked) = manner.asked.remove(&sent["code"]) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(&sent["code_verifier"]));
    // `pay frame` and the secret, encoded as in a form.
    let authorization = "Basic cGF5K2ZyYW1lOmh1c2glMkZodXNo";
    let by_header = headers
        .get("authorization")
        .is_some_and(|sent| sent == authorization);
    let by_form = sent.get("client_id").is_some_and(|id| id == "pay frame")
        && sent
            .get("client_secret")
            .is_some_and(|secret| secret == "hush/hush");
    assert_eq!(sent["grant_type"], "authorization_code");
    assert_eq!(asked["code_challenge_method"], "S256");
    assert_eq!(asked["code_challenge"], challenge);
    assert_eq!(asked["redirect_uri"], sent["redirect_uri"]);
    assert!(by_header != by_form, "once");
    if manner.status != StatusCode::OK {
        return manner.status.into_response();
    }
    let claims = json!({
        "iss": manner.issuer, "sub": "42", "aud": "pay frame", "nonce": asked["nonce"],
        "iat": manner.now_s, "exp": manner.now_s + 300, "auth_time": manner.now_s,
        "email": "Otto@Shop.Example", "email_verified": true,
    });
    let header = json!({ "alg": "ES256", "kid": "one" });
    let id_token = manner.token(&header, claims, &manner.claims);
    Json(json!({ "access_token": "a", "token_type": "Bearer", "id_token": id_token }))
        .into_response()
}

fn sign(key: &SigningKey, signed: &str) -> String {
    let signature: Signature = key.sign(signed.as_bytes());
    URL_SAFE_NO_PAD.encode(signature.to_bytes())
}

fn key() -> SigningKey {
    SigningKey::from_slice(&[7; 32]).unwrap()
}

/// HMAC-SHA256 (RFC 2104), with a secret that is longer than a block.
fn hmac(secret: &[u8], message: &[u8]) -> Vec<u8> {
    let secret = Sha256::digest(secret);
    let pad = |with: u8| {
        let mut block = [with; 64];
        for (byte, of_secret) in block.iter_mut().zip(secret) {
            *byte ^= of_secret;
        }
        block
    };
    let inner = Sha256::new()
        .chain_update(pad(0x36))
        .chain_update(message)
        .finalize();
    Sha256::new()
        .chain_update(pad(0x5c))
        .chain_update(inner)
        .finalize()
        .to_vec()
}

/// A JSON object with other members; `null` takes one out.
fn with(mut object: Value, changes: &Value) -> Value {
    let members = object.as_object_mut().unwrap();
    for (name, value) in changes.as_object().unwrap() {
        match value {
            Value::Null => members.remove(name),
            value => members.insert(name.clone(), value.clone()),
        };
    }
    object
}
