//! A directory server and an issuer's access control for tests: real messages over mutual TLS, and any kind of misbehaviour.
//!
//! It writes and reads JSON itself, not by the types of the crate, so that a mistake in these is found.

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

pub(crate) const METHOD_URL: &str = "https://acs.example/method";
pub(crate) const ACS_URL: &str = "https://acs.example/challenge";
pub(crate) const PROOF: &str = "AAECAwQFBgcICQoLDA0ODxAREhM=";
/// `dsTransID` of every answer.
pub(crate) const DS_ID: &str = "d5d5d5d5-0000-4000-8000-00000000d5d5";
pub(crate) const LATER_PROOF: &str = "ExIREA8ODQwLCgkIBwYFBAMCAQA=";
/// What the issuer tells a buyer whom it asks apart from the browser.
#[allow(dead_code, reason = "not every test with a counterpart needs it")]
pub(crate) const NOTICE: &str = "Open the app of <Bank & Co>.";
const ACS_ID: &str = "acacacac-0000-4000-8000-00000000acac";

/// How it answers AReq.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(
    dead_code,
    reason = "not every test with a counterpart needs all of them"
)]
pub(crate) enum Conduct {
    /// With this `transStatus`.
    Status(&'static str),
    /// With `C` where a challenge is mandated, with `I` where data is only shared, else with `Y`.
    OnDemand,
    /// With `D` where a challenge is mandated, else with `Y`.
    ApartOnDemand,
    /// With `S` where a confirmation is offered, and with this `transStatus` to its outcome.
    Confirms(&'static str),
    /// With `S` and another sum than that of the payment.
    ConfirmsOtherSum,
    /// Never.
    Silent,
    /// With something that is no message.
    Malformed,
    /// With an ARes about another transaction.
    WrongIds,
    /// With an ARes in a version that was not asked for.
    WrongVersion,
    /// With `Y` and without the proof.
    NoProof,
    /// With status 500 of HTTP.
    Broken,
}

/// Both sides' knowledge.
#[derive(Clone)]
pub(crate) struct Counterpart(Arc<Mutex<Desk>>);

struct Desk {
    conduct: Conduct,
    /// The newest version that it accepts.
    newest: &'static str,
    has_method: bool,
    heard: Vec<Value>,
}

impl Counterpart {
    /// Listens, and writes the settings that a gateway needs into the folder: `3ds.toml`. Returns itself.
    pub(crate) async fn start(folder: &Path, terminals: &str) -> Counterpart {
        let counterpart = Counterpart(Arc::new(Mutex::new(Desk {
            conduct: Conduct::Status("Y"),
            newest: "2.3.1",
            has_method: true,
            heard: Vec::new(),
        })));
        let tls = tls(folder);
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let settings = format!(
            "reference_number = 'REF1'\n[[directory]]\nname = 'visa'\nurl = 'https://localhost:{port}/'\n\
             ca_file = 'ca.pem'\ncertificate_file = 'client.pem'\nkey_file = 'client.key'\nnetworks = ['VISA']\n\
             operator_id = 'OP1'\nconnect_seconds = 5\nanswer_seconds = 1\n{terminals}"
        );
        std::fs::write(folder.join("3ds.toml"), settings).unwrap();
        let router = Router::new()
            .route("/", post(answer))
            .with_state(counterpart.clone());
        let listener = TlsListener { listener, tls };
        tokio::spawn(async move { axum::serve(listener, router).await });
        counterpart
    }

    pub(crate) fn behave(&self, conduct: Conduct) {
        self.0.lock().unwrap().conduct = conduct;
    }

    #[allow(dead_code, reason = "not every test with a counterpart needs it")]
    pub(crate) fn accept_at_most(&self, newest: &'static str) {
        self.0.lock().unwrap().newest = newest;
    }

    #[allow(dead_code, reason = "not every test with a counterpart needs it")]
    pub(crate) fn have_no_method(&self) {
        self.0.lock().unwrap().has_method = false;
    }

    /// The messages of this type so far.
    pub(crate) fn heard(&self, of: &str) -> Vec<Value> {
        let heard = &self.0.lock().unwrap().heard;
        heard
            .iter()
            .filter(|one| one["messageType"] == of)
            .cloned()
            .collect()
    }

    /// RReq of the issuer about the last AReq.
    pub(crate) fn results(&self, status: &str) -> Value {
        let asked = self.heard("AReq").pop().unwrap();
        let mut results = json!({
            "messageType": "RReq", "messageVersion": asked["messageVersion"], "messageCategory": "01",
            "threeDSServerTransID": asked["threeDSServerTransID"], "dsTransID": DS_ID, "acsTransID": ACS_ID,
            "transStatus": status, "interactionCounter": "01", "eci": if status == "A" { "06" } else { "05" },
        });
        match status {
            "Y" | "A" => results["authenticationValue"] = json!(LATER_PROOF),
            _ => results["transStatusReason"] = json!("01"),
        }
        if let "Y" | "N" = status {
            put_method(&mut results);
        }
        results
    }

    fn answer_to(&self, asked: &Value) -> Option<Value> {
        let desk = self.0.lock().unwrap();
        let version = asked["messageVersion"].as_str().unwrap();
        if version > desk.newest {
            return Some(json!({
                "messageType": "Erro", "messageVersion": desk.newest, "errorCode": "102", "errorComponent": "D",
                "errorDescription": "not supported", "errorDetail": "messageVersion", "errorMessageType": asked["messageType"],
            }));
        }
        match asked["messageType"].as_str().unwrap() {
            "PReq" => Some(ranges(asked, desk.has_method)),
            "AReq" => match desk.conduct {
                Conduct::Silent => None,
                Conduct::Malformed | Conduct::Broken => Some(json!([])),
                Conduct::Status(status) => Some(authentication(asked, status)),
                Conduct::OnDemand => {
                    let status = match preference(asked) {
                        "04" => "C",
                        "06" => "I",
                        _ => "Y",
                    };
                    Some(authentication(asked, status))
                }
                Conduct::ApartOnDemand => {
                    let is_mandated = preference(asked) == "04";
                    Some(authentication(asked, if is_mandated { "D" } else { "Y" }))
                }
                Conduct::Confirms(status) => {
                    let is_outcome = asked
                        .get("threeDSRequestorPriorAuthenticationInfo")
                        .is_some();
                    let status = if is_outcome { status } else { "S" };
                    Some(authentication(asked, status))
                }
                Conduct::ConfirmsOtherSum => {
                    let mut answer = authentication(asked, "S");
                    answer["spcTransData"]["value"] = json!("1.00");
                    Some(answer)
                }
                Conduct::WrongIds => {
                    let mut answer = authentication(asked, "Y");
                    answer["threeDSServerTransID"] = json!(DS_ID);
                    Some(answer)
                }
                Conduct::WrongVersion => {
                    let mut answer = authentication(asked, "Y");
                    answer["messageVersion"] = json!("2.2.0");
                    Some(answer)
                }
                Conduct::NoProof => {
                    let mut answer = authentication(asked, "Y");
                    answer
                        .as_object_mut()
                        .unwrap()
                        .remove("authenticationValue");
                    Some(answer)
                }
            },
            _ => Some(json!({})),
        }
    }
}

/// What a browser posted as `creq` or as `threeDSMethodData`.
pub(crate) fn decoded(value: &str) -> Value {
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(value).unwrap()).unwrap()
}

/// The final CRes for a CReq, as a browser posts it.
#[allow(dead_code, reason = "not every test with a counterpart needs it")]
pub(crate) fn completed(asked: &Value, status: &str) -> String {
    let message = json!({
        "messageType": "CRes", "messageVersion": asked["messageVersion"], "transStatus": status,
        "threeDSServerTransID": asked["threeDSServerTransID"], "acsTransID": asked["acsTransID"],
        "challengeCompletionInd": "Y",
    });
    URL_SAFE_NO_PAD.encode(message.to_string())
}

fn ranges(asked: &Value, has_method: bool) -> Value {
    let (start, end) = ("4761730000000000", "4761739999999999");
    let mut range = match asked["messageVersion"].as_str().unwrap() {
        "2.2.0" => json!({ "startRange": start, "endRange": end,
            "acsStartProtocolVersion": "2.1.0", "acsEndProtocolVersion": "2.2.0" }),
        _ => json!({ "ranges": [{ "start": start, "end": end }],
            "acsProtocolVersions": [{ "version": "2.2.0" }, { "version": "2.3.1" }] }),
    };
    range["actionInd"] = json!("A");
    if has_method {
        range["threeDSMethodURL"] = json!(METHOD_URL);
        let versions = range.get_mut("acsProtocolVersions");
        for version in versions.and_then(Value::as_array_mut).into_iter().flatten() {
            version["threeDSMethodURL"] = json!(METHOD_URL);
        }
    }
    json!({
        "messageType": "PRes", "messageVersion": asked["messageVersion"], "serialNum": "1", "dsTransID": DS_ID,
        "threeDSServerTransID": asked["threeDSServerTransID"], "cardRangeData": [range],
    })
}

fn authentication(asked: &Value, status: &str) -> Value {
    let mut answer = json!({
        "messageType": "ARes", "messageVersion": asked["messageVersion"],
        "threeDSServerTransID": asked["threeDSServerTransID"], "dsTransID": DS_ID, "acsTransID": ACS_ID,
        "acsReferenceNumber": "ACS1", "dsReferenceNumber": "DS1", "transStatus": status, "somethingNew": 1,
    });
    match status {
        "Y" | "A" => {
            answer["authenticationValue"] = json!(PROOF);
            answer["eci"] = json!(if status == "Y" { "05" } else { "06" });
        }
        "C" => {
            answer["acsURL"] = json!(ACS_URL);
            put_method(&mut answer);
            answer["acsChallengeMandated"] = json!("Y");
        }
        "S" => {
            answer["spcTransData"] = json!({
                "challenge": "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8", "currency": "978", "value": "35.45", "displayName": "Card 0003",
                "icon": "data:image/png;base64,AA==", "payeeOrigin": "https://shop.example", "timeout": "60000",
            });
            answer["webAuthnCredList"] = json!([
                { "rpID": "acs.example", "credentialIds": "AAECAwQFBgcICQoL" },
                { "rpID": "acs.example", "credentialIds": "AwQFBgcICQoLDA0O" },
            ]);
        }
        "D" => {
            put_method(&mut answer);
            answer["acsDecConInd"] = json!("Y");
            answer["cardholderInfo"] = json!(NOTICE);
        }
        "I" if preference(asked) == "06" => answer["eci"] = json!("07"),
        _ => answer["transStatusReason"] = json!("01"),
    }
    answer
}

/// How the issuer authenticates, as the message's version says it.
fn put_method(message: &mut Value) {
    match message["messageVersion"].as_str() {
        Some("2.2.0") => message["authenticationType"] = json!("02"),
        _ => message["authenticationMethod"] = json!(["02"]),
    }
}

/// What the merchant prefers most, in either version.
#[allow(dead_code, reason = "not every test with a counterpart needs it")]
pub(crate) fn preference(asked: &Value) -> &str {
    let told = &asked["threeDSRequestorChallengeInd"];
    let first = told.as_str().or_else(|| told[0].as_str());
    first.unwrap_or_default()
}

async fn answer(State(counterpart): State<Counterpart>, body: Bytes) -> Response {
    let asked: Value = serde_json::from_slice(&body).unwrap();
    counterpart.0.lock().unwrap().heard.push(asked.clone());
    let is_broken = counterpart.0.lock().unwrap().conduct == Conduct::Broken;
    match counterpart.answer_to(&asked) {
        None => std::future::pending().await,
        Some(_) if is_broken && asked["messageType"] == "AReq" => {
            axum::http::StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
        Some(answer) => answer.to_string().into_response(),
    }
}

/// Certificates of one authority for both sides. Writes the client's into the folder.
fn tls(folder: &Path) -> TlsAcceptor {
    let authority_key = KeyPair::generate().unwrap();
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority = params.self_signed(&authority_key).unwrap();
    let issuer = Issuer::new(params, authority_key);
    let signed = |name: &str| {
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        (params.signed_by(&key, &issuer).unwrap(), key)
    };
    let (client, client_key) = signed("gateway.example");
    std::fs::write(folder.join("ca.pem"), authority.pem()).unwrap();
    std::fs::write(folder.join("client.pem"), client.pem()).unwrap();
    std::fs::write(folder.join("client.key"), client_key.serialize_pem()).unwrap();
    let (server, server_key) = signed("localhost");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut roots = RootCertStore::empty();
    roots.add(authority.der().clone()).unwrap();
    let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider.clone());
    let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(server_key.serialize_der()));
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_client_cert_verifier(verifier.build().unwrap())
        .with_single_cert(vec![server.der().clone()], key)
        .unwrap();
    TlsAcceptor::from(Arc::new(config))
}

struct TlsListener {
    listener: TcpListener,
    tls: TlsAcceptor,
}

impl axum::serve::Listener for TlsListener {
    type Io = TlsStream<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        loop {
            let Ok((stream, address)) = self.listener.accept().await else {
                continue;
            };
            // Who has no certificate gets no further.
            if let Ok(stream) = self.tls.accept(stream).await {
                return (stream, address);
            }
        }
    }

    fn local_addr(&self) -> std::io::Result<Self::Addr> {
        self.listener.local_addr()
    }
}
