//! Between gateway and host: passes every message on, and does to the answers about money what a test says.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

/// What is done with an answer about money.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    Pass,
    /// It never arrives.
    Drop,
    /// It arrives twice.
    Double,
    /// It arrives after the next answer of the connection.
    Delay,
    /// It does not arrive, and the connection ends.
    Close,
}

/// The proxy.
pub(crate) struct Proxy {
    pub(crate) port: u16,
    acts: Arc<Mutex<VecDeque<Act>>>,
}

/// How messages are divided and told apart.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wire {
    /// Four digits, then text.
    Ascii,
    /// Two bytes and a TPDU, then BCD.
    Binary,
}

impl Proxy {
    pub(crate) async fn start(host: u16, wire: Wire) -> Proxy {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let acts = Arc::new(Mutex::new(VecDeque::new()));
        let shared = acts.clone();
        tokio::spawn(async move {
            while let Ok((gateway, _)) = listener.accept().await {
                let host = TcpStream::connect(("127.0.0.1", host)).await.unwrap();
                tokio::spawn(carry(gateway, host, wire, shared.clone()));
            }
        });
        Proxy { port, acts }
    }

    /// What is done with the next answers; those after them pass.
    pub(crate) fn plan(&self, acts: &[Act]) {
        self.acts.lock().unwrap().extend(acts);
    }

    /// How many acts are left.
    pub(crate) fn left(&self) -> usize {
        self.acts.lock().unwrap().len()
    }
}

async fn carry(gateway: TcpStream, host: TcpStream, wire: Wire, acts: Arc<Mutex<VecDeque<Act>>>) {
    let (mut from_gateway, to_gateway) = gateway.into_split();
    let (from_host, mut to_host) = host.into_split();
    let there = async {
        let _ = tokio::io::copy(&mut from_gateway, &mut to_host).await;
    };
    tokio::select! {
        () = there => {}
        () = back(from_host, to_gateway, wire, acts) => {}
    }
}

async fn back(
    mut from_host: OwnedReadHalf,
    to_gateway: OwnedWriteHalf,
    wire: Wire,
    acts: Arc<Mutex<VecDeque<Act>>>,
) {
    let (send, mut answers) = mpsc::unbounded_channel::<Vec<u8>>();
    tokio::spawn(async move {
        let mut to_gateway = to_gateway;
        while let Some(answer) = answers.recv().await {
            if to_gateway.write_all(&answer).await.is_err() {
                return;
            }
        }
    });
    let mut delayed = Vec::new();
    while let Some(answer) = next(&mut from_host, wire).await {
        let act = match is_about_money(&answer, wire) {
            true => acts.lock().unwrap().pop_front().unwrap_or(Act::Pass),
            false => Act::Pass,
        };
        let passed = match act {
            Act::Pass => vec![answer],
            Act::Drop => Vec::new(),
            Act::Double => vec![answer.clone(), answer],
            Act::Delay => {
                delayed.push(answer);
                continue;
            }
            Act::Close => return,
        };
        for answer in passed.into_iter().chain(delayed.drain(..)) {
            // The gateway has closed the connection.
            if send.send(answer).is_err() {
                return;
            }
        }
    }
}

async fn next(stream: &mut OwnedReadHalf, wire: Wire) -> Option<Vec<u8>> {
    let mut header = vec![0; if wire == Wire::Ascii { 4 } else { 2 }];
    stream.read_exact(&mut header).await.ok()?;
    let length = match wire {
        Wire::Ascii => std::str::from_utf8(&header).unwrap().parse().unwrap(),
        Wire::Binary => usize::from(u16::from_be_bytes([header[0], header[1]])),
    };
    let mut message = vec![0; length];
    stream.read_exact(&mut message).await.ok()?;
    header.extend(message);
    Some(header)
}

/// Whether it is no message of network management (0810, 1814).
fn is_about_money(answer: &[u8], wire: Wire) -> bool {
    match wire {
        Wire::Ascii => answer[5] != b'8',
        Wire::Binary => answer[7] & 0x0F != 8,
    }
}
