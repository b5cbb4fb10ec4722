//! An adapter in this process that says what a test wants, with one fault, and records what it was asked.

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{OriginalUri, State};
use axum::http::{HeaderMap, Response};
use http_body::Frame;
use payframe_acquirer_http::{AcquirerFile, HttpAcquirer, Place};
use payframe_card_rules::expiry::Expiry;
use payframe_card_rules::network::Network;
use payframe_card_rules::secret::Secret;
use payframe_card_rules::security_code::SecurityCode;
use payframe_money::Amount;
use payframe_payment_domain::operation::ActionType;
use payframe_payment_ports::Clock;
use payframe_payment_ports::acquirer::{
    AuthorizationRequest, Capture, CardAuthorization, CardOrigin, Exemption, FollowUpOperation,
    FollowUpRequest, Initiator, InquiryRequest, Instrument, SecurityCodeData,
};
use serde_json::{Value, json};
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::net::TcpListener;

/// 2026-11-20T10:00:00Z, at which the gateway's clock stands.
pub(crate) const NOW_MS: i64 = 1_795_168_800_000;

/// The time limit of the client. The slow adapter never answers.
pub(crate) const ANSWER_LIMIT: Duration = Duration::from_secs(1);

const SECRET: &str = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
const OTHER_SECRET: &[u8] = b"another secret that nobody gave out";

/// What the adapter says.
#[derive(Clone, Debug)]
pub(crate) enum Say {
    /// An outcome about the reference of the request and 35.45 EUR, with these members.
    Outcome(Value),
    /// The answer to an inquiry about the reference of the request, with these members.
    Inquiry(Value),
}

/// What is wrong with the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    None,
    Lost,
    Status(u16),
    Redirect,
    Slow,
    TooLong,
    Unsigned,
    OtherSecret,
    OtherRequest,
    ChangedBody,
    /// Signed as a request.
    Reflected,
    /// Signed so many seconds from now.
    Clock(i64),
    Unreadable,
    OtherReference,
    OtherAmount,
    OtherCurrency,
    UnknownMember,
}

/// A request that came.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) path: String,
    pub(crate) is_signed: bool,
    pub(crate) body: Value,
}

/// An adapter, and the client for it.
pub(crate) struct Adapter {
    pub(crate) acquirer: HttpAcquirer,
    /// The gateway's.
    pub(crate) clock: Clock,
    heard: Arc<Mutex<Vec<Request>>>,
}

#[derive(Clone)]
struct Script {
    say: Say,
    fault: Fault,
    heard: Arc<Mutex<Vec<Request>>>,
}

impl Adapter {
    pub(crate) async fn start(say: Say, fault: Fault) -> Adapter {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let acquirer = acquirer(listener.local_addr().unwrap().port());
        Adapter::serve(listener, acquirer, say, fault)
    }

    /// A client for a port at which nobody listens.
    pub(crate) async fn unreachable() -> (HttpAcquirer, u16) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        (acquirer(port).0, port)
    }

    /// Starts at this port, for a client that knows it.
    pub(crate) async fn start_at(port: u16, acquirer: HttpAcquirer, say: Say) -> Adapter {
        let listener = TcpListener::bind(("127.0.0.1", port)).await.unwrap();
        let clock = Clock::manual(NOW_MS);
        Adapter::serve(listener, (acquirer, clock), say, Fault::None)
    }

    fn serve(
        listener: TcpListener,
        (acquirer, clock): (HttpAcquirer, Clock),
        say: Say,
        fault: Fault,
    ) -> Adapter {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let script = Script {
            say,
            fault,
            heard: heard.clone(),
        };
        let router = Router::new().fallback(answer).with_state(script);
        tokio::spawn(async move { axum::serve(listener, router).await });
        Adapter {
            acquirer,
            clock,
            heard,
        }
    }

    pub(crate) fn requests(&self) -> Vec<Request> {
        self.heard.lock().unwrap().clone()
    }
}

fn acquirer(port: u16) -> (HttpAcquirer, Clock) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("acquirers.toml");
    std::fs::write(folder.path().join("main.secret"), SECRET).unwrap();
    let text = format!(
        "[[acquirer]]\nname = 'main'\nurl = 'http://127.0.0.1:{port}/payframe'\nsecret_file = 'main.secret'\ntest_endpoint = true\n\
         answer_seconds = {}\n",
        ANSWER_LIMIT.as_secs()
    );
    std::fs::write(&path, text).unwrap();
    let file = AcquirerFile::read(&path, Place::Sandbox).unwrap();
    let clock = Clock::manual(NOW_MS);
    let acquirer = HttpAcquirer::new(&file.acquirers()[0], clock.clone()).unwrap();
    (acquirer, clock)
}

async fn answer(
    State(script): State<Script>,
    OriginalUri(uri): OriginalUri,
    headers: HeaderMap,
    body: Bytes,
) -> Response<Body> {
    let header = |name: &str| headers[name].to_str().unwrap().to_owned();
    let (id, timestamp) = (header("payframe-id"), header("payframe-timestamp"));
    let path = uri.path().to_owned();
    let head = format!("request\n{id}\n{timestamp}\nPOST\n{path}\n");
    let signature = format!("v1,{}", signed(&key(), &head, &body));
    let heard = Request {
        is_signed: header("payframe-signature") == signature && header("payframe-protocol") == "1",
        body: serde_json::from_slice(&body).unwrap(),
        path,
    };
    let reference = heard.body["reference"].as_str().unwrap().to_owned();
    script.heard.lock().unwrap().push(heard);
    let fault = script.fault;
    let mut said = match &script.say {
        Say::Outcome(members) if uri.path().ends_with("inquire") => json!({
            "reference": reference, "known": true, "outcome": outcome(&reference, members),
        }),
        Say::Outcome(members) => outcome(&reference, members),
        Say::Inquiry(members) => joined(json!({ "reference": reference }), members),
    };
    match fault {
        Fault::OtherReference => said["reference"] = json!("999"),
        Fault::OtherAmount => said["amountMinor"] = json!(3546),
        Fault::OtherCurrency => said["currency"] = json!("USD"),
        Fault::UnknownMember => said["newMember"] = json!({ "a": 1 }),
        Fault::TooLong => said["padding"] = json!("x".repeat(70_000)),
        _ => {}
    }
    let mut body = match fault {
        Fault::Unreadable => b"<html>".to_vec(),
        _ => serde_json::to_vec(&said).unwrap(),
    };
    let seconds = match fault {
        Fault::Clock(seconds) => NOW_MS / 1000 + seconds,
        _ => NOW_MS / 1000,
    };
    let head = match fault {
        Fault::OtherRequest => format!("answer\n{}\n{seconds}\n200\n", "0".repeat(32)),
        Fault::Reflected => format!("request\n{id}\n{seconds}\nPOST\n{}\n", uri.path()),
        _ => format!("answer\n{id}\n{seconds}\n200\n"),
    };
    let signature = match fault {
        Fault::OtherSecret => signed(OTHER_SECRET, &head, &body),
        _ => signed(&key(), &head, &body),
    };
    if fault == Fault::ChangedBody {
        body.push(b' ');
    }
    let answer = Response::builder();
    match fault {
        Fault::Lost => answer.body(Body::new(Broken)).unwrap(),
        Fault::Slow => std::future::pending().await,
        Fault::Unsigned => answer.body(body.into()).unwrap(),
        Fault::Redirect => answer
            .status(307)
            .header("location", "/payframe/elsewhere")
            .body(Body::empty())
            .unwrap(),
        _ => answer
            .status(match fault {
                Fault::Status(status) => status,
                _ => 200,
            })
            .header("payframe-timestamp", seconds.to_string())
            .header("payframe-signature", format!("v1,{signature}"))
            .body(body.into())
            .unwrap(),
    }
}

/// A body that ends before it begins.
struct Broken;

impl axum::body::HttpBody for Broken {
    type Data = Bytes;
    type Error = std::io::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, std::io::Error>>> {
        Poll::Ready(Some(Err(std::io::Error::other("lost"))))
    }
}

fn outcome(reference: &str, members: &Value) -> Value {
    joined(
        json!({ "reference": reference, "amountMinor": 3545, "currency": "EUR" }),
        members,
    )
}

fn joined(mut first: Value, second: &Value) -> Value {
    let members = second.as_object().unwrap().clone();
    first.as_object_mut().unwrap().extend(members);
    first
}

fn key() -> Vec<u8> {
    payframe_vault::notification_key(SECRET.as_bytes())
}

fn signed(key: &[u8], head: &str, body: &[u8]) -> String {
    payframe_vault::signature_base64(key, &[head.as_bytes(), body])
}

/// The data of a card, for as long as a request borrows it.
pub(crate) struct TestCard {
    number: Secret,
    name: Secret,
    code: SecurityCode,
}

impl TestCard {
    /// The card of `docs/testing.md` that is approved.
    pub(crate) fn approved() -> TestCard {
        TestCard {
            number: Secret::new(String::from("4761730000000003")),
            name: Secret::new(String::from("Anna Rossi")),
            code: SecurityCode::parse("123", None).unwrap().unwrap(),
        }
    }
}

/// 35.45 EUR, to be captured at once.
pub(crate) fn authorization<'a>(
    reference: &'a str,
    card: &'a TestCard,
) -> AuthorizationRequest<'a> {
    AuthorizationRequest {
        reference,
        terminal_id: "55000001",
        action: ActionType::Pay,
        capture: Capture::Implicit,
        amount: amount(),
        currency: "EUR",
        conversion: None,
        instrument: Instrument::Card(CardAuthorization {
            number: &card.number,
            network_token: None,
            expiry: Expiry::parse_shape("1240").unwrap(),
            network: Network::Visa,
            security_code: SecurityCodeData::Given(&card.code),
            holder_name: Some(&card.name),
            holder_email: None,
            billing_address: None,
            origin: CardOrigin::Entered,
            initiator: Initiator::Cardholder,
            first_scheme_id: None,
            authentication: None,
            data_share: None,
            exemption: Exemption::None,
        }),
    }
}

/// A refund of the whole amount.
pub(crate) fn follow_up<'a>(reference: &'a str, authorization: &'a str) -> FollowUpRequest<'a> {
    FollowUpRequest {
        reference,
        authorization,
        target: authorization,
        terminal_id: "55000001",
        operation: FollowUpOperation::Refund,
        amount: amount(),
        currency: "EUR",
        conversion: None,
    }
}

pub(crate) fn inquiry(reference: &str) -> InquiryRequest<'_> {
    InquiryRequest {
        reference,
        terminal_id: "55000001",
        amount: amount(),
        currency: "EUR",
    }
}

fn amount() -> Amount {
    Amount::parse("3545").unwrap()
}
