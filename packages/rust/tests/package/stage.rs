//! A client whose gateway, time and randomness are the test's. Nothing here waits, except for the end of an attempt without an answer.

use payframe_server::types::Taken;
use payframe_server::{Options, Pause, Payframe, PayframeError, Runtime};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

pub(crate) const API_KEY: &str = "key-of-the-shop_1";
pub(crate) const CID: &str = "1e4a678b-29b8-4826-b73b-987218a3b7b0";
/// 2030-01-31T10:00:00Z
pub(crate) const NOW: Duration = Duration::from_secs(1_896_084_000);
/// How long an attempt may take: long enough for slow machines, and short for the few attempts that get no answer.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(2);

/// What the gateway does with one attempt.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Answer {
        status: u16,
        text: String,
        headers: Vec<(&'static str, String)>,
    },
    /// The connection ends without an answer.
    Lost,
    /// There is no answer until the time is over.
    Silent,
}

/// The gateway's answer with status 200.
pub(crate) fn answer(body: &Value) -> Step {
    text(200, &body.to_string())
}

/// An answer of the gateway with this body.
pub(crate) fn text(status: u16, text: &str) -> Step {
    with(status, text, &[("cid", CID)])
}

/// An answer that is not the gateway's: it has no id of the call.
pub(crate) fn foreign(status: u16, text: &str) -> Step {
    with(status, text, &[])
}

pub(crate) fn with(status: u16, text: &str, headers: &[(&'static str, &str)]) -> Step {
    let owned = |(name, value): &(&'static str, &str)| (*name, (*value).to_owned());
    Step::Answer {
        status,
        text: text.to_owned(),
        headers: headers.iter().map(owned).collect(),
    }
}

/// A refusal of the gateway.
pub(crate) fn refusal(status: u16, code: &str, description: &str) -> Step {
    let body = json!({ "errors": [{ "code": code, "description": description }] });
    text(status, &body.to_string())
}

/// The answer of a call that moves money.
pub(crate) fn taken() -> Step {
    answer(&json!({ "operationId": "2", "operationTime": "2030-01-31T10:00:00.000Z" }))
}

/// What the gateway has received.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Received {
    pub(crate) verb: String,
    /// Behind `/api`.
    pub(crate) path: String,
    headers: Vec<(String, String)>,
    pub(crate) body: Value,
}

impl Received {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(one, _)| one == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// Time and randomness of the test.
struct Clock {
    waits: Arc<Mutex<Vec<u128>>>,
    ids: AtomicU32,
    random: f64,
}

impl Runtime for Clock {
    fn now(&self) -> SystemTime {
        UNIX_EPOCH + NOW
    }

    fn random(&self) -> f64 {
        self.random
    }

    fn uuid(&self) -> String {
        format!("id-{}", self.ids.fetch_add(1, Ordering::Relaxed) + 1)
    }

    fn pause(&self, duration: Duration) -> Pause {
        self.waits.lock().unwrap().push(duration.as_millis());
        Box::pin(std::future::ready(()))
    }
}

pub(crate) struct Stage {
    pub(crate) payframe: Payframe,
    received: Arc<Mutex<Vec<Received>>>,
    waits: Arc<Mutex<Vec<u128>>>,
}

impl Stage {
    /// A gateway that carries out these steps; the last one is repeated.
    pub(crate) async fn new(steps: &[Step]) -> Stage {
        Stage::with(steps, 0.0, |options| options).await
    }

    pub(crate) async fn with(
        steps: &[Step],
        random: f64,
        change: impl FnOnce(Options) -> Options,
    ) -> Stage {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let gateway = format!("http://{}", listener.local_addr().unwrap());
        let received = Arc::default();
        tokio::spawn(serve(listener, steps.to_vec(), Arc::clone(&received)));
        let waits = Arc::default();
        let clock = Clock {
            waits: Arc::clone(&waits),
            ids: AtomicU32::new(0),
            random,
        };
        let options = Options::new(&gateway, API_KEY)
            .timeout(TIMEOUT)
            .runtime(clock);
        Stage {
            payframe: Payframe::with(change(options)).unwrap(),
            received,
            waits,
        }
    }

    pub(crate) fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }

    /// The pauses so far, in milliseconds.
    pub(crate) fn waits(&self) -> Vec<u128> {
        self.waits.lock().unwrap().clone()
    }

    /// A refund of 35.45 EUR.
    pub(crate) async fn refund(&self) -> Result<Taken, PayframeError> {
        let sum = payframe_server::money(3545, "EUR").unwrap();
        self.payframe
            .operations
            .refund("1", sum)
            .idempotency_key("k")
            .await
    }
}

async fn serve(listener: TcpListener, steps: Vec<Step>, received: Arc<Mutex<Vec<Received>>>) {
    loop {
        let (connection, _) = listener.accept().await.unwrap();
        let (steps, received) = (steps.clone(), Arc::clone(&received));
        tokio::spawn(exchange(connection, steps, received));
    }
}

/// One request, and what becomes of it.
async fn exchange(
    mut connection: TcpStream,
    steps: Vec<Step>,
    received: Arc<Mutex<Vec<Received>>>,
) {
    let Some(request) = read(&mut connection).await else {
        return;
    };
    let count = {
        let mut received = received.lock().unwrap();
        received.push(request);
        received.len()
    };
    match &steps[count.min(steps.len()) - 1] {
        Step::Lost => {}
        Step::Silent => std::future::pending().await,
        Step::Answer {
            status,
            text,
            headers,
        } => {
            let mut head = format!(
                "HTTP/1.1 {status} .\r\nconnection: close\r\ncontent-length: {}\r\n",
                text.len()
            );
            for (name, value) in headers {
                head.push_str(&format!("{name}: {value}\r\n"));
            }
            let whole = format!("{head}\r\n{text}");
            connection.write_all(whole.as_bytes()).await.unwrap();
        }
    }
}

async fn read(connection: &mut TcpStream) -> Option<Received> {
    let mut bytes = Vec::new();
    loop {
        if connection.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        let mut lines = head.lines();
        let mut words = lines.next()?.split(' ').map(str::to_owned);
        let (verb, path) = (words.next()?, words.next()?);
        let pairs = lines.filter_map(|line| line.split_once(": "));
        let headers: Vec<_> = pairs
            .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
            .collect();
        let length = headers.iter().find(|(name, _)| name == "content-length");
        if length.is_some_and(|(_, length)| body.len() < length.parse().unwrap()) {
            continue;
        }
        return Some(Received {
            verb,
            path: path.strip_prefix("/api").unwrap_or(&path).to_owned(),
            headers,
            body: serde_json::from_str(body).unwrap_or(Value::Null),
        });
    }
}
