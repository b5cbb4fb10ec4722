//! Whole connections, over sockets of this machine.

use super::*;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use axum::http::Request as HttpRequest;
use axum::routing::{MethodRouter, get};
use http_body_util::BodyExt;
use hyper::client::conn::http2::{SendRequest, handshake};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout};

/// Starts a server of these routes, and returns what stops it.
async fn started(router: Router, limit: Duration) -> (SocketAddr, Arc<Notify>, JoinHandle<()>) {
    limited(router, Limits::default(), limit).await
}

async fn limited(
    router: Router,
    limits: Limits,
    limit: Duration,
) -> (SocketAddr, Arc<Notify>, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let stop = Arc::new(Notify::new());
    let stopped = stop.clone();
    let serving = tokio::spawn(async move {
        serve(listener, None, router, limits, stopped.notified(), limit).await
    });
    (address, stop, serving)
}

async fn called(server: SocketAddr, path: &str) -> TcpStream {
    let mut caller = TcpStream::connect(server).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nhost: gateway\r\nconnection: close\r\n\r\n");
    caller.write_all(request.as_bytes()).await.unwrap();
    caller
}

#[tokio::test]
async fn handlers_know_the_other_end() {
    let told = |ConnectInfo(address): ConnectInfo<SocketAddr>| async move { address.to_string() };
    let (server, _stop, _serving) =
        started(Router::new().route("/", get(told)), Duration::ZERO).await;
    let mut caller = called(server, "/").await;
    let mut answer = String::new();
    let own = caller.local_addr().unwrap().to_string();
    caller.read_to_string(&mut answer).await.unwrap();
    assert!(answer.ends_with(&own), "{answer}");
}

#[tokio::test]
async fn connections_send_at_once() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let _buyer = TcpStream::connect(listener.local_addr().unwrap())
        .await
        .unwrap();
    let (connection, _) = accept(&listener).await;
    assert!(connection.nodelay().unwrap());
}

/// A call that says that it has begun, and goes on when it is told.
fn waiting(begun: &Arc<Notify>, go_on: &Arc<Notify>) -> MethodRouter {
    let (begun, go_on) = (begun.clone(), go_on.clone());
    get(move |_: Request| async move {
        begun.notify_one();
        go_on.notified().await;
        "done"
    })
}

#[tokio::test]
async fn calls_that_run_get_their_answer_and_others_are_not_waited_for() {
    let (begun, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let router = || Router::new().route("/", waiting(&begun, &go_on));
    let (server, stop, serving) = started(router(), Duration::from_secs(600)).await;
    let mut caller = called(server, "/").await;
    // A silent connection does not delay the end.
    let _silent = TcpStream::connect(server).await.unwrap();
    begun.notified().await;
    stop.notify_one();
    go_on.notify_one();
    let mut answer = String::new();
    caller.read_to_string(&mut answer).await.unwrap();
    assert!(answer.ends_with("done"), "{answer}");
    timeout(Duration::from_secs(60), serving)
        .await
        .unwrap()
        .unwrap();
    assert!(TcpStream::connect(server).await.is_err());

    // A call that does not end is cut off.
    let limit = Duration::from_millis(200);
    let (server, stop, serving) = started(router(), limit).await;
    let mut caller = called(server, "/").await;
    begun.notified().await;
    let since = Instant::now();
    stop.notify_one();
    serving.await.unwrap();
    assert!(since.elapsed() >= limit);
    let mut answer = String::new();
    let ended = caller.read_to_string(&mut answer).await;
    assert!(ended.is_err() || answer.is_empty(), "{answer}");
}

/// For tests: each limit is set to this value alone.
const SHORT: Duration = Duration::from_millis(100);

/// Sends these bytes, and waits until the server ends the connection.
async fn cut_off(server: SocketAddr, sent: &[u8]) -> String {
    let mut caller = TcpStream::connect(server).await.unwrap();
    caller.write_all(sent).await.unwrap();
    let mut answer = Vec::new();
    let reading = caller.read_to_end(&mut answer);
    let ended = timeout(Duration::from_secs(60), reading).await;
    // Closed in order, or reset.
    let _ = ended.expect("the connection is kept open");
    String::from_utf8(answer).unwrap()
}

async fn echo(body: axum::body::Bytes) -> axum::body::Bytes {
    body
}

#[tokio::test]
async fn who_sends_nothing_or_half_a_call_is_cut_off() {
    let router = || Router::new().route("/", axum::routing::post(echo));
    let limits = Limits {
        silence: SHORT,
        ..Limits::default()
    };
    let (server, _stop, _serving) = limited(router(), limits, Duration::ZERO).await;
    assert_eq!(cut_off(server, b"").await, "");
    let limits = Limits {
        head: SHORT,
        ..Limits::default()
    };
    let (server, _stop, _serving) = limited(router(), limits, Duration::ZERO).await;
    let answer = cut_off(server, b"POST / HTTP/1.1\r\nhost: gat").await;
    assert!(!answer.contains("200 OK"), "{answer}");
    let limits = Limits {
        body: SHORT,
        ..Limits::default()
    };
    let (server, _stop, _serving) = limited(router(), limits, Duration::ZERO).await;
    let half = b"POST / HTTP/1.1\r\nhost: gateway\r\ncontent-length: 9\r\n\r\nhalf";
    let answer = cut_off(server, half).await;
    assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
    let whole =
        b"POST / HTTP/1.1\r\nhost: gateway\r\nconnection: close\r\ncontent-length: 4\r\n\r\nhalf";
    let answer = cut_off(server, whole).await;
    assert!(answer.ends_with("half"), "{answer}");
}

/// What a caller of HTTP/2 sends first, with empty settings.
const HTTP2: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
const PING: &[u8] = b"\0\0\x08\x06\0\0\0\0\0pingpong";

#[tokio::test]
async fn a_connection_of_http2_has_limits_and_pings_do_not_keep_it_open() {
    let router = Router::new().route("/", get(|| async { "served" }));
    let limits = Limits {
        idle: SHORT,
        ..Limits::default()
    };
    let (server, _stop, _serving) = limited(router, limits, Duration::ZERO).await;
    let mut caller = TcpStream::connect(server).await.unwrap();
    caller.write_all(HTTP2).await.unwrap();
    let told = timeout(Duration::from_secs(60), async {
        let mut told = Vec::new();
        loop {
            let mut answer = [0; 256];
            // Each ping is sent when the one before it was answered.
            match caller.read(&mut answer).await {
                Ok(0) | Err(_) => return told,
                Ok(length) => told.extend_from_slice(&answer[..length]),
            }
            if caller.write_all(PING).await.is_err() {
                return told;
            }
        }
    });
    let told = told.await.expect("pings keep the connection open");
    let has = |bytes: &[u8]| told.windows(bytes.len()).any(|window| window == bytes);
    // Identifier and value of SETTINGS_MAX_CONCURRENT_STREAMS and SETTINGS_MAX_HEADER_LIST_SIZE.
    assert!(has(&[0, 3, 0, 0, 0, 64]), "{told:?}");
    assert!(has(&[0, 6, 0, 0, 0x80, 0]), "{told:?}");
    assert!(has(b"pingpong"), "{told:?}");
}

#[tokio::test]
async fn a_call_may_run_for_longer_than_a_connection_may_be_idle() {
    let (begun, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let limits = Limits {
        idle: SHORT,
        ..Limits::default()
    };
    let router = Router::new().route("/", waiting(&begun, &go_on));
    let (server, _stop, _serving) = limited(router, limits, Duration::ZERO).await;
    let mut caller = called(server, "/").await;
    begun.notified().await;
    // A connection that began later is over.
    assert_eq!(cut_off(server, b"").await, "");
    go_on.notify_one();
    let mut answer = String::new();
    caller.read_to_string(&mut answer).await.unwrap();
    assert!(answer.ends_with("done"), "{answer}");
}

/// A caller of HTTP/2, and what ends after the server has said that the connection ends.
async fn caller_of_http2(server: SocketAddr) -> (SendRequest<Body>, JoinHandle<hyper::Result<()>>) {
    let stream = TokioIo::new(TcpStream::connect(server).await.unwrap());
    let (caller, open) = handshake(TokioExecutor::new(), stream).await.unwrap();
    (caller, tokio::spawn(open))
}

/// Sends a call, whose answer comes later.
fn sent(
    caller: &mut SendRequest<Body>,
    server: SocketAddr,
    path: &str,
) -> impl Future<Output = hyper::Result<String>> + use<> {
    let request = HttpRequest::get(format!("http://{server}{path}"));
    let answer = caller.send_request(request.body(Body::empty()).unwrap());
    async move {
        let body = answer.await?.into_body().collect().await?.to_bytes();
        Ok(String::from_utf8(body.to_vec()).unwrap())
    }
}

#[tokio::test]
async fn the_last_call_of_a_connection_of_http2_interrupts_no_other_one() {
    let (begun, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let last = async |request: Request| {
        Connection::end_after_answers(request.extensions());
        "last"
    };
    let router = Router::new()
        .route("/", get(|| async { "served" }))
        .route("/waiting", waiting(&begun, &go_on))
        .route("/last", get(last));
    let (server, _stop, _serving) = started(router, Duration::ZERO).await;
    let (mut caller, open) = caller_of_http2(server).await;
    let (mut other, other_open) = caller_of_http2(server).await;
    assert_eq!(sent(&mut other, server, "/").await.unwrap(), "served");
    let running = sent(&mut caller, server, "/waiting");
    begun.notified().await;
    assert_eq!(sent(&mut caller, server, "/last").await.unwrap(), "last");
    // What is sent before the caller hears of the end is answered, too.
    while let Ok(answer) = sent(&mut caller, server, "/").await {
        assert_eq!(answer, "served");
    }
    go_on.notify_one();
    assert_eq!(running.await.unwrap(), "done");
    let ended = timeout(Duration::from_secs(60), open).await;
    ended
        .expect("the connection is kept open")
        .unwrap()
        .unwrap();
    // Other connections go on.
    assert_eq!(sent(&mut other, server, "/").await.unwrap(), "served");
    assert!(!other_open.is_finished());
}

#[tokio::test]
async fn the_limits_count_under_tls_too() {
    let folder = tempfile::tempdir().unwrap();
    let [certificate, key] = ["cert.pem", "key.pem"].map(|file| folder.path().join(file));
    let own = rcgen::generate_simple_self_signed([String::from("gateway.example")]).unwrap();
    std::fs::write(&certificate, own.cert.pem()).unwrap();
    std::fs::write(&key, own.signing_key.serialize_pem()).unwrap();
    let mut roots = rustls::RootCertStore::empty();
    roots.add(own.cert.der().clone()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let client = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let client = tokio_rustls::TlsConnector::from(Arc::new(client));
    let started = |limits: Limits| {
        let tls = Tls::open(Files {
            certificate: certificate.clone(),
            key: key.clone(),
        })
        .unwrap();
        async move {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let address = listener.local_addr().unwrap();
            let router = Router::new().route("/", axum::routing::post(echo));
            tokio::spawn(async move {
                let never = std::future::pending();
                serve(listener, Some(&tls), router, limits, never, Duration::ZERO).await
            });
            address
        }
    };
    let all = Limits::default();
    let (half_head, half_body) = (
        &b"POST / HTTP/1.1\r\nhost: gat"[..],
        &b"POST / HTTP/1.1\r\nhost: gateway\r\ncontent-length: 9\r\n\r\nhalf"[..],
    );
    for (limits, sent) in [
        (
            Limits {
                silence: SHORT,
                ..all
            },
            &b""[..],
        ),
        (Limits { idle: SHORT, ..all }, HTTP2),
        (Limits { head: SHORT, ..all }, half_head),
        (Limits { body: SHORT, ..all }, half_body),
    ] {
        let server = started(limits).await;
        let connection = TcpStream::connect(server).await.unwrap();
        let name = "gateway.example".try_into().unwrap();
        let mut caller = client.connect(name, connection).await.unwrap();
        caller.write_all(sent).await.unwrap();
        let mut answer = Vec::new();
        let ended = timeout(Duration::from_secs(60), caller.read_to_end(&mut answer)).await;
        let _ = ended.unwrap_or_else(|_| panic!("{limits:?}: the connection is kept open"));
        assert!(!answer.starts_with(b"HTTP/1.1 200"), "{limits:?}");
    }
}

#[tokio::test]
async fn an_address_has_so_many_connections_at_once() {
    let router = Router::new().route("/", get(|| async { "served" }));
    let limits = Limits {
        per_address: Some(2),
        ..Limits::default()
    };
    let (server, _stop, _serving) = limited(router, limits, Duration::ZERO).await;
    let call = b"GET / HTTP/1.1\r\nhost: gateway\r\nconnection: close\r\n\r\n";
    let mut silent = TcpStream::connect(server).await.unwrap();
    let _other = TcpStream::connect(server).await.unwrap();
    // Connections are accepted in their order, so this is the third.
    assert_eq!(cut_off(server, call).await, "");
    silent.shutdown().await.unwrap();
    assert_eq!(silent.read(&mut [0]).await.unwrap(), 0);
    assert!(cut_off(server, call).await.ends_with("served"));
}
