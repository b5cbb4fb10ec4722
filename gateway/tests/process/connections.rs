//! Connections over which a card came in clear end after their answers: their buffers are wiped then. Others stay open.

use crate::encrypted_card::encrypted;
use crate::memory::{by_telephone, session};
use crate::process::Process;
use crate::shop::socket;
use http_body_util::{BodyExt, Full};
use hyper::client::conn::{http1, http2};
use hyper::{Request, Response, StatusCode, body::Bytes, body::Incoming};
use hyper_util::rt::{TokioExecutor, TokioIo};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::task::JoinHandle;

const NUMBER: &str = "374245000003045";
const CODE: &str = "7391";

/// A caller's connection, of either version of HTTP.
enum Sender {
    Http1(http1::SendRequest<Full<Bytes>>),
    Http2(http2::SendRequest<Full<Bytes>>),
}

struct Connection {
    sender: Sender,
    /// Ends when the gateway ends the connection in order.
    open: JoinHandle<hyper::Result<()>>,
}

#[derive(Clone, Copy, Debug)]
enum Version {
    Http1,
    Http2,
}

impl Connection {
    async fn open(server: SocketAddr, version: Version) -> Connection {
        let stream = TokioIo::new(TcpStream::connect(server).await.unwrap());
        match version {
            Version::Http1 => {
                let (sender, open) = http1::handshake(stream).await.unwrap();
                Connection {
                    sender: Sender::Http1(sender),
                    open: tokio::spawn(open),
                }
            }
            Version::Http2 => {
                let (sender, open) = http2::handshake(TokioExecutor::new(), stream)
                    .await
                    .unwrap();
                Connection {
                    sender: Sender::Http2(sender),
                    open: tokio::spawn(open),
                }
            }
        }
    }

    async fn call(&mut self, request: Request<Full<Bytes>>) -> (StatusCode, String) {
        let answer: Response<Incoming> = match &mut self.sender {
            Sender::Http1(sender) => {
                sender.ready().await.unwrap();
                sender.send_request(request).await.unwrap()
            }
            Sender::Http2(sender) => {
                sender.ready().await.unwrap();
                sender.send_request(request).await.unwrap()
            }
        };
        let (parts, body) = answer.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        (parts.status, String::from_utf8(body.to_vec()).unwrap())
    }

    /// Waits until the gateway ends the connection, for less than a connection without a call may stay open.
    async fn ended(self) {
        let ended = tokio::time::timeout(Duration::from_secs(60), self.open);
        let ended = ended.await.expect("the connection is kept open");
        ended.unwrap().unwrap();
    }

    /// Checks that the gateway goes on answering.
    async fn is_kept(&mut self, server: SocketAddr) {
        // An end would arrive before the second of these answers.
        for _ in 0..3 {
            let health = format!("http://{server}/health");
            let health = Request::get(health).header("host", server.to_string());
            let answer = self.call(health.body(Full::default()).unwrap()).await;
            assert_eq!(answer, (StatusCode::OK, String::from("ok")));
        }
    }
}

/// A call of the API, by a merchant's server or a session's frame.
fn api(server: SocketAddr, path: &str, who: (&str, &str), body: &Value) -> Request<Full<Bytes>> {
    let [correlation, key] = [(); 2].map(|()| uuid::Uuid::new_v4().to_string());
    Request::post(format!("http://{server}/api{path}"))
        .header("host", server.to_string())
        .header("content-type", "application/json")
        .header("correlation-id", correlation)
        .header("idempotency-key", key)
        .header(who.0, who.1)
        .body(Full::from(body.to_string()))
        .unwrap()
}

const MERCHANT: (&str, &str) = ("x-api-key", "sandbox-implicit");

#[tokio::test]
async fn a_connection_that_brought_a_card_in_clear_ends_after_its_answer() {
    let folder = tempfile::tempdir().unwrap();
    let dist = folder.path().join("dist");
    crate::dist::write(&dist);
    let settings = [("PAYFRAME_ASSETS", dist.to_str().unwrap())];
    let gateway = Process::start(&folder.path().join("data"), &settings);
    let server = socket(&gateway.address);
    for version in [Version::Http1, Version::Http2] {
        let by_telephone = by_telephone(&format!("{version:?}-telephone"), (NUMBER, CODE));
        let session = session(server, &format!("{version:?}-form"));
        let frame = ("session", session.as_str());
        let items = json!([
            { "id": "CARD_NUMBER", "value": NUMBER }, { "id": "SECURITY_CODE", "value": CODE },
            { "id": "EXPIRATION_DATE", "value": "1230" }, { "id": "CARDHOLDER_NAME", "value": "Anna Rossi" },
        ]);
        let without_scripts =
            Request::post(format!("http://{server}/form/plain?sessionid={session}"))
                .header("host", server.to_string())
                .header("content-type", "application/x-www-form-urlencoded")
                .header("sec-fetch-site", "same-origin")
                .body(Full::from(format!("cardnumber={NUMBER}&act=card")))
                .unwrap();
        for (request, expected) in [
            (
                api(server, "/orders/moto", MERCHANT, &by_telephone),
                StatusCode::OK,
            ),
            // Whoever calls with a wrong key has sent the card, too.
            (
                api(
                    server,
                    "/orders/moto",
                    ("x-api-key", "unknown"),
                    &by_telephone,
                ),
                StatusCode::UNAUTHORIZED,
            ),
            // This form has no token, so it is not taken.
            (without_scripts, StatusCode::SEE_OTHER),
            (api(server, "/fe/build/text", frame, &items), StatusCode::OK),
        ] {
            let path = request.uri().path().to_owned();
            let mut connection = Connection::open(server, version).await;
            connection.is_kept(server).await;
            let (status, answer) = connection.call(request).await;
            assert_eq!(status, expected, "{version:?} {path}: {answer}");
            connection.ended().await;
        }
    }
}

#[tokio::test]
async fn a_connection_stays_open_while_cards_come_encrypted() {
    let folder = tempfile::tempdir().unwrap();
    let dist = folder.path().join("dist");
    crate::dist::write(&dist);
    let settings = [("PAYFRAME_ASSETS", dist.to_str().unwrap())];
    let gateway = Process::start(&folder.path().join("data"), &settings);
    let server = socket(&gateway.address);
    for version in [Version::Http1, Version::Http2] {
        let session = session(server, &format!("{version:?}-form"));
        let mut connection = Connection::open(server, version).await;
        let page = Request::get(format!("http://{server}/form/?sessionid={session}"))
            .header("host", server.to_string())
            .body(Full::default())
            .unwrap();
        let (_, page) = connection.call(page).await;
        let (_, boot) = page.split_once(r#"id="boot">"#).unwrap();
        let boot: Value = serde_json::from_str(boot.split_once("</script>").unwrap().0).unwrap();
        let secret = json!([
            { "id": "CARD_NUMBER", "value": NUMBER }, { "id": "SECURITY_CODE", "value": CODE },
        ]);
        let secret = encrypted(&secret, boot["cardKey"].as_str().unwrap(), &session, 1);
        let items = json!([
            { "id": "ENCRYPTED_CARD", "value": secret },
            { "id": "EXPIRATION_DATE", "value": "1230" }, { "id": "CARDHOLDER_NAME", "value": "Anna Rossi" },
        ]);
        let entry = api(server, "/fe/build/text", ("session", &session), &items);
        let (status, answer) = connection.call(entry).await;
        assert_eq!(status, StatusCode::OK, "{version:?}: {answer}");
        connection.is_kept(server).await;
    }
}
