//! The network between shop, gateway and buyers, as bad as it can be: two doors that pass messages on, and lose, double and delay them and their
//! answers. It also says when the shop is to die, because it sees what the shop is doing: a call was sent, was answered, a page was asked for.
//!
//! It changes no message: what arrives is what was sent.

use anyhow::{Result, anyhow};
use axum::body::Bytes;
use fastrand::Rng;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{HeaderMap, Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use reqwest::{Client, redirect};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::watch;

/// Passes messages on as long as the process runs.
#[derive(Clone)]
pub(crate) struct Network {
    lines: Arc<Lines>,
}

struct Lines {
    http: Client,
    gateway: String,
    shop: String,
    random: Mutex<Rng>,
    is_calm: AtomicBool,
    takes_notifications: AtomicBool,
    /// Messages that have no answer yet.
    under_way: watch::Sender<u32>,
    deaths: Mutex<Deaths>,
    shop_dies: UnboundedSender<()>,
    notifications: Mutex<Vec<Message>>,
    figures: Figures,
}

/// What the network did to messages.
#[derive(Default)]
pub(crate) struct Figures {
    pub(crate) messages: AtomicU32,
    /// Never arrived; the sender knows, or has a receipt all the same.
    pub(crate) lost: AtomicU32,
    /// Arrived, and the sender got no answer.
    pub(crate) unanswered: AtomicU32,
    pub(crate) doubled: AtomicU32,
    pub(crate) late: AtomicU32,
    pub(crate) notifications: AtomicU32,
    /// The gateway took them for delivered.
    pub(crate) swallowed: AtomicU32,
}

/// When the shop dies.
struct Deaths {
    /// So many more times.
    due: u32,
    /// After so many messages.
    messages_left: u32,
    /// It is about to die, or not yet back.
    is_under_way: bool,
}

/// Where messages come in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Door {
    /// Pages for buyers, and notifications.
    OfShop,
    /// The shop's calls.
    OfGateway,
}

#[derive(Clone)]
struct Message {
    door: Door,
    method: Method,
    path: String,
    headers: HeaderMap,
    body: Bytes,
}

/// What becomes of a message.
enum Fate {
    Arrives,
    Lost,
    Unanswered,
    /// Its copy comes so much later.
    Doubled(Duration),
    Late(Duration),
}

/// The two doors.
pub(crate) struct Doors {
    /// The shop's address for buyers and the gateway.
    pub(crate) of_shop: String,
    /// The gateway's address for the shop.
    pub(crate) of_gateway: String,
    /// Something is in it when the shop is to die.
    pub(crate) deaths: UnboundedReceiver<()>,
}

impl Network {
    /// Opens the doors to a gateway and to a shop, which are given by their origins.
    pub(crate) async fn open(
        gateway: String,
        shop: String,
        random: Rng,
    ) -> Result<(Network, Doors)> {
        let (shop_dies, deaths) = unbounded_channel();
        let lines = Arc::new(Lines {
            http: Client::builder()
                .redirect(redirect::Policy::none())
                .no_proxy()
                .build()?,
            gateway,
            shop,
            random: Mutex::new(random),
            is_calm: AtomicBool::new(false),
            takes_notifications: AtomicBool::new(true),
            under_way: watch::Sender::new(0),
            deaths: Mutex::new(Deaths {
                due: 0,
                messages_left: 0,
                is_under_way: false,
            }),
            shop_dies,
            notifications: Mutex::default(),
            figures: Figures::default(),
        });
        let doors = Doors {
            of_shop: door(&lines, Door::OfShop).await?,
            of_gateway: door(&lines, Door::OfGateway).await?,
            deaths,
        };
        Ok((Network { lines }, doors))
    }

    /// The counts so far.
    pub(crate) fn figures(&self) -> &Figures {
        &self.lines.figures
    }

    /// The shop is to die so many more times.
    pub(crate) fn let_shop_die(&self, times: u32) {
        locked(&self.lines.deaths).due += times;
    }

    /// The shop is back after a death.
    pub(crate) fn shop_is_back(&self) {
        locked(&self.lines.deaths).is_under_way = false;
    }

    /// From now on every message arrives, and every answer.
    pub(crate) fn calm_down(&self) {
        self.lines.is_calm.store(true, Ordering::Relaxed);
    }

    /// From now on the gateway's notifications do not arrive, and those before have been answered: the shop can come to rest.
    pub(crate) async fn end_notifications(&self) -> Result<()> {
        self.lines
            .takes_notifications
            .store(false, Ordering::Relaxed);
        let mut under_way = self.lines.under_way.subscribe();
        under_way.wait_for(|messages| *messages == 0).await?;
        Ok(())
    }

    /// Brings each notification of the gateway to the shop once more, in any order.
    pub(crate) async fn bring_again(&self) {
        let mut all = locked(&self.lines.notifications).clone();
        locked(&self.lines.random).shuffle(&mut all);
        for message in all {
            // The shop refuses those that are too old: that is an answer.
            let _answer = self.lines.forward(message).await;
        }
    }
}

/// Opens a door, and answers with its origin.
async fn door(lines: &Arc<Lines>, door: Door) -> Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let origin = format!("http://localhost:{}", listener.local_addr()?.port());
    let lines = Arc::clone(lines);
    tokio::spawn(async move {
        loop {
            let Ok((stream, _)) = listener.accept().await else {
                continue;
            };
            let lines = Arc::clone(&lines);
            tokio::spawn(async move {
                let pass = service_fn(move |request| Arc::clone(&lines).pass(door, request));
                // An error here is a connection that was cut, and that is what this network does.
                let _end = http1::Builder::new()
                    .serve_connection(TokioIo::new(stream), pass)
                    .await;
            });
        }
    });
    Ok(origin)
}

impl Lines {
    /// An error cuts the connection, so that the sender has no answer.
    async fn pass(
        self: Arc<Self>,
        door: Door,
        request: Request<Incoming>,
    ) -> Result<Response<Full<Bytes>>> {
        let (head, body) = request.into_parts();
        let message = Message {
            door,
            method: head.method,
            path: head.uri.to_string(),
            headers: head.headers,
            body: body.collect().await?.to_bytes(),
        };
        let is_notification = message.is_notification();
        if is_notification && !self.takes_notifications.load(Ordering::Relaxed) {
            return Err(anyhow!("the run is over"));
        }
        count(&self.figures.messages);
        if is_notification {
            count(&self.figures.notifications);
            locked(&self.notifications).push(message.clone());
        }
        self.moment();
        match self.fate(&message) {
            Fate::Arrives => {}
            Fate::Lost => {
                count(&self.figures.lost);
                if is_notification && self.draw(2) == 0 {
                    count(&self.figures.swallowed);
                    return Ok(Response::builder()
                        .status(StatusCode::NO_CONTENT)
                        .body(Full::default())?);
                }
                return Err(anyhow!("lost"));
            }
            Fate::Unanswered => {
                count(&self.figures.unanswered);
                self.carry(message).await?;
                return Err(anyhow!("the answer is lost"));
            }
            Fate::Doubled(later) => {
                count(&self.figures.doubled);
                let (lines, copy) = (Arc::clone(&self), message.clone());
                tokio::spawn(async move {
                    tokio::time::sleep(later).await;
                    lines.forward(copy).await
                });
            }
            Fate::Late(wait) => {
                count(&self.figures.late);
                let lines = Arc::clone(&self);
                // It arrives also if the sender has stopped waiting.
                return tokio::spawn(async move {
                    tokio::time::sleep(wait).await;
                    lines.forward(message).await
                })
                .await?;
            }
        }
        self.carry(message).await
    }

    /// Passes a message on, also if its sender dies meanwhile.
    async fn carry(self: &Arc<Self>, message: Message) -> Result<Response<Full<Bytes>>> {
        let lines = Arc::clone(self);
        let answer = tokio::spawn(async move { lines.forward(message).await }).await?;
        self.moment();
        answer
    }

    async fn forward(&self, message: Message) -> Result<Response<Full<Bytes>>> {
        self.under_way.send_modify(|messages| *messages += 1);
        let answer = self.answer_to(message).await;
        self.under_way.send_modify(|messages| *messages -= 1);
        answer
    }

    async fn answer_to(&self, message: Message) -> Result<Response<Full<Bytes>>> {
        let to = match message.door {
            Door::OfShop => &self.shop,
            Door::OfGateway => &self.gateway,
        };
        let mut headers = message.headers;
        for own in OF_A_CONNECTION {
            headers.remove(own);
        }
        let answer = self
            .http
            .request(message.method, format!("{to}{}", message.path))
            .headers(headers)
            .body(message.body)
            .send()
            .await?;
        let mut passed = Response::builder().status(answer.status());
        if let Some(all) = passed.headers_mut() {
            *all = answer.headers().clone();
            for own in OF_A_CONNECTION {
                all.remove(own);
            }
        }
        Ok(passed.body(Full::new(answer.bytes().await?))?)
    }

    /// Something happens at the shop: it may be the moment in which it dies.
    fn moment(&self) {
        let next = self.draw(MESSAGES_BETWEEN_DEATHS);
        let mut deaths = locked(&self.deaths);
        if deaths.due == 0 || deaths.is_under_way {
            return;
        }
        if deaths.messages_left > 0 {
            deaths.messages_left -= 1;
            return;
        }
        deaths.due -= 1;
        deaths.is_under_way = true;
        deaths.messages_left = next;
        // Nobody listens any more when the run is over.
        let _told = self.shop_dies.send(());
    }

    /// Notifications suffer most. A page for a buyer is never doubled: each would be another order.
    fn fate(&self, message: &Message) -> Fate {
        if self.is_calm.load(Ordering::Relaxed) {
            return Fate::Arrives;
        }
        let is_page = message.door == Door::OfShop && !message.is_notification();
        let scale = if message.is_notification() { 40 } else { 100 };
        match self.draw(scale) {
            0..4 => Fate::Lost,
            4..10 => Fate::Unanswered,
            10..15 if !is_page => Fate::Doubled(self.wait(800)),
            15..22 => Fate::Late(self.wait(300)),
            // Longer than the shop waits for an answer.
            22 => Fate::Late(CALL_LIMIT + self.wait(800)),
            _ => Fate::Arrives,
        }
    }

    fn wait(&self, most_ms: u32) -> Duration {
        Duration::from_millis(u64::from(self.draw(most_ms)))
    }

    fn draw(&self, below: u32) -> u32 {
        locked(&self.random).u32(..below)
    }
}

impl Message {
    fn is_notification(&self) -> bool {
        self.door == Door::OfShop && self.path == "/notifications"
    }
}

/// A panic while it is locked leaves it valid.
fn locked<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}

fn count(figure: &AtomicU32) {
    figure.fetch_add(1, Ordering::Relaxed);
}

/// How long the shop waits for the answer to an attempt of a call.
pub(crate) const CALL_LIMIT: Duration = Duration::from_millis(1500);
const MESSAGES_BETWEEN_DEATHS: u32 = 40;
/// Headers that are about one connection.
const OF_A_CONNECTION: [&str; 5] = [
    "host",
    "connection",
    "keep-alive",
    "content-length",
    "transfer-encoding",
];
