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
use tokio::time::Instant;

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
    /// It comes so much later.
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
    let (send, mut arriving) = unbounded_channel::<(Instant, Vec<u8>)>();
    tokio::spawn(async move {
        let mut to = to;
        while let Some((due, message)) = arriving.recv().await {
            tokio::time::sleep_until(due).await;
            if to.write_all(&message).await.is_err() {
                return;
            }
        }
    });
    let mut queue = Queue {
        free: Instant::now(),
    };
    while let Some(message) = next(&mut from, faults.wire).await {
        let fate = faults.fate(direction, &message);
        let now = Instant::now();
        match (direction, fate) {
            (_, Fate::Lost) => {}
            (_, Fate::EndsConnection) => return,
            // Others may overtake an answer.
            (Direction::Answer, Fate::Late(wait)) => {
                let send = send.clone();
                tokio::spawn(async move {
                    tokio::time::sleep(wait).await;
                    deliver(&send, Instant::now(), message);
                });
            }
            (Direction::Answer, Fate::Arrives) => deliver(&send, now, message),
            (Direction::Answer, Fate::Doubled) => {
                deliver(&send, now, message.clone());
                deliver(&send, now, message);
            }
            (Direction::Message, fate) => {
                let wait = match fate {
                    Fate::Late(wait) => wait,
                    _ => Duration::ZERO,
                };
                let Some(due) = queue.due(now, wait) else {
                    count(&faults.figures.lost);
                    continue;
                };
                if fate == Fate::Doubled {
                    deliver(&send, due, message.clone());
                }
                deliver(&send, due, message);
            }
        }
    }
}

/// The messages of a connection, which arrive in their order: a reversal never before its message.
struct Queue {
    /// When the one before arrives.
    free: Instant,
}

impl Queue {
    /// When a message arrives that is sent now and is so much late. `None`: it would wait too long behind others, and is lost. On another
    /// connection a reversal counts once no message can be on its way any more (docs/iso8583.md, `nothing_to_reverse`).
    fn due(&mut self, now: Instant, wait: Duration) -> Option<Instant> {
        let due = self.free.max(now) + wait;
        if due > now + LONGEST {
            return None;
        }
        self.free = due;
        Some(due)
    }
}

fn deliver(send: &UnboundedSender<(Instant, Vec<u8>)>, due: Instant, message: Vec<u8>) {
    // Where the connection has ended, the message is lost.
    let _ = send.send((due, message));
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
            10 => {
                let most = (LONGEST - ANSWER_LIMIT).as_millis();
                Fate::Late(ANSWER_LIMIT + Duration::from_millis(random.u64(..most as u64)))
            }
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

/// How long a message is on its way at most: clearly less than two times that.
const LONGEST: Duration = Duration::from_millis(1_500);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_arrive_in_their_order_and_none_is_on_its_way_for_too_long() {
        let now = Instant::now();
        let mut queue = Queue { free: now };
        let ms = Duration::from_millis;
        assert_eq!(queue.due(now, ms(1_200)), Some(now + ms(1_200)));
        // Behind it, and then one that would come too late.
        assert_eq!(queue.due(now, ms(0)), Some(now + ms(1_200)));
        assert_eq!(queue.due(now, ms(301)), None);
        assert_eq!(queue.due(now + ms(100), ms(0)), Some(now + ms(1_200)));
        let later = now + ms(5_000);
        assert_eq!(queue.due(later, ms(1_500)), Some(later + ms(1_500)));
    }

    #[test]
    fn sign_on_and_echo_are_not_about_money() {
        assert!(!Wire::Ascii.is_about_money(b"00040800"));
        assert!(Wire::Ascii.is_about_money(b"00040100"));
        let binary = |kind: u8| [0, 7, 0x60, 0, 1, 0, 0, kind, 0x00];
        assert!(!Wire::Binary.is_about_money(&binary(0x18)));
        assert!(Wire::Binary.is_about_money(&binary(0x12)));
    }
}
