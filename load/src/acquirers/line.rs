//! The line to a host for ISO 8583, as bad as it can be: it passes messages on, and loses, doubles and delays those about money, in both directions,
//! and ends connections. It also brings answers that the gateway does not wait for any more.
//!
//! It changes no message. Sign-on and echo pass, so that there is a connection.

use anyhow::Result;
use fastrand::Rng;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

/// How messages are divided and told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wire {
    /// Four digits, then text.
    Ascii,
    /// Two bytes and a TPDU of five, then BCD.
    Binary,
}

/// Passes messages on as long as the process runs.
pub(super) struct Line {
    port: u16,
    faults: Arc<Faults>,
}

struct Faults {
    wire: Wire,
    random: Mutex<Rng>,
    figures: Figures,
}

/// What was done to messages about money.
#[derive(Default)]
struct Figures {
    messages: AtomicU32,
    answers: AtomicU32,
    lost: AtomicU32,
    doubled: AtomicU32,
    late: AtomicU32,
    ended: AtomicU32,
}

/// What becomes of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Arrives,
    Lost,
    Doubled,
    /// It comes so much later. Others may overtake an answer.
    Late(Duration),
    /// It is lost, and the connection ends.
    EndsConnection,
}

/// From the gateway to the host, or back.
#[derive(Clone, Copy)]
enum Direction {
    Message,
    Answer,
}

impl Line {
    /// Opens the line to a host's port.
    pub(super) async fn open(host: u16, wire: Wire, random: Rng) -> Result<Line> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let port = listener.local_addr()?.port();
        let faults = Arc::new(Faults {
            wire,
            random: Mutex::new(random),
            figures: Figures::default(),
        });
        let shared = Arc::clone(&faults);
        tokio::spawn(async move {
            loop {
                // The gateway may be dead by the time that its connection is accepted.
                let Ok((gateway, _)) = listener.accept().await else {
                    continue;
                };
                if let Ok(host) = TcpStream::connect(("127.0.0.1", host)).await {
                    tokio::spawn(carry(gateway, host, Arc::clone(&shared)));
                }
            }
        });
        Ok(Line { port, faults })
    }

    /// Where the gateway connects to.
    pub(super) fn port(&self) -> u16 {
        self.port
    }

    /// What was done to messages, in words, and how often.
    pub(super) fn figures(&self) -> Vec<(&'static str, u32)> {
        let figures = &self.faults.figures;
        let of = |figure: &AtomicU32| figure.load(Ordering::Relaxed);
        vec![
            ("messages to the acquirer", of(&figures.messages)),
            ("answers of the acquirer", of(&figures.answers)),
            ("  of both: lost on the way", of(&figures.lost)),
            ("    with the connection", of(&figures.ended)),
            ("  came twice", of(&figures.doubled)),
            ("  came late", of(&figures.late)),
        ]
    }
}

async fn carry(gateway: TcpStream, host: TcpStream, faults: Arc<Faults>) {
    let (from_gateway, to_gateway) = gateway.into_split();
    let (from_host, to_host) = host.into_split();
    tokio::select! {
        () = pass(Direction::Message, from_gateway, to_host, &faults) => {}
        () = pass(Direction::Answer, from_host, to_gateway, &faults) => {}
    }
}

/// Passes messages on until the connection ends.
async fn pass(
    direction: Direction,
    mut from: OwnedReadHalf,
    to: OwnedWriteHalf,
    faults: &Arc<Faults>,
) {
    let (send, mut arriving) = unbounded_channel::<Vec<u8>>();
    tokio::spawn(async move {
        let mut to = to;
        while let Some(message) = arriving.recv().await {
            if to.write_all(&message).await.is_err() {
                return;
            }
        }
    });
    while let Some(message) = next(&mut from, faults.wire).await {
        match faults.fate(direction, &message) {
            Fate::Lost => {}
            Fate::EndsConnection => return,
            Fate::Late(wait) => match direction {
                // What follows on the connection comes after it, or a reversal would arrive before its message.
                Direction::Message => {
                    tokio::time::sleep(wait).await;
                    deliver(&send, message);
                }
                Direction::Answer => {
                    let send = send.clone();
                    tokio::spawn(async move {
                        tokio::time::sleep(wait).await;
                        deliver(&send, message);
                    });
                }
            },
            Fate::Doubled => {
                deliver(&send, message.clone());
                deliver(&send, message);
            }
            Fate::Arrives => deliver(&send, message),
        }
    }
}

fn deliver(send: &UnboundedSender<Vec<u8>>, message: Vec<u8>) {
    // Where the connection has ended, the message is lost.
    let _ = send.send(message);
}

/// The next message, with what is before it. `None`: the connection has ended.
async fn next(stream: &mut OwnedReadHalf, wire: Wire) -> Option<Vec<u8>> {
    let mut message = vec![0; if wire == Wire::Ascii { 4 } else { 2 }];
    stream.read_exact(&mut message).await.ok()?;
    let length = match wire {
        Wire::Ascii => std::str::from_utf8(&message).ok()?.parse().ok()?,
        Wire::Binary => usize::from(u16::from_be_bytes([message[0], message[1]])),
    };
    let start = message.len();
    message.resize(start + length, 0);
    stream.read_exact(&mut message[start..]).await.ok()?;
    Some(message)
}

impl Faults {
    fn fate(&self, direction: Direction, message: &[u8]) -> Fate {
        if !self.wire.is_about_money(message) {
            return Fate::Arrives;
        }
        let figures = &self.figures;
        count(match direction {
            Direction::Message => &figures.messages,
            Direction::Answer => &figures.answers,
        });
        let mut random = self.random.lock().unwrap_or_else(PoisonError::into_inner);
        let fate = match random.u32(..100) {
            0..3 => Fate::Lost,
            3 => Fate::EndsConnection,
            4..7 => Fate::Doubled,
            7..10 => Fate::Late(Duration::from_millis(u64::from(random.u32(..300)))),
            10 => Fate::Late(ANSWER_LIMIT + Duration::from_millis(u64::from(random.u32(..500)))),
            _ => Fate::Arrives,
        };
        match fate {
            Fate::Arrives => {}
            Fate::Lost => count(&figures.lost),
            Fate::Doubled => count(&figures.doubled),
            Fate::Late(_) => count(&figures.late),
            Fate::EndsConnection => {
                count(&figures.lost);
                count(&figures.ended);
            }
        }
        fate
    }
}

impl Wire {
    /// Whether a message is none of network management (08xx, 18xx).
    fn is_about_money(self, message: &[u8]) -> bool {
        match self {
            Wire::Ascii => message.get(5) != Some(&b'8'),
            Wire::Binary => message.get(7).map(|byte| byte & 0x0F) != Some(8),
        }
    }
}

fn count(figure: &AtomicU32) {
    figure.fetch_add(1, Ordering::Relaxed);
}

/// How long the gateway waits for an answer, by the file of acquirers.
const ANSWER_LIMIT: Duration = Duration::from_secs(1);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sign_on_and_echo_are_not_about_money() {
        assert!(!Wire::Ascii.is_about_money(b"00040800"));
        assert!(Wire::Ascii.is_about_money(b"00040100"));
        let binary = |kind: u8| [0, 7, 0x60, 0, 1, 0, 0, kind, 0x00];
        assert!(!Wire::Binary.is_about_money(&binary(0x18)));
        assert!(Wire::Binary.is_about_money(&binary(0x12)));
    }
}
