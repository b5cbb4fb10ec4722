//! The merchants' side of notifications: an address that accepts them, and sometimes fails.

use anyhow::Result;
use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use fastrand::Rng;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::net::TcpListener;

/// Accepts notifications as long as the process runs.
#[derive(Clone)]
pub(crate) struct Receiver {
    address: String,
    deliveries: Arc<Mutex<Deliveries>>,
}

struct Deliveries {
    random: Rng,
    /// How often each event came, by its id.
    came: BTreeMap<String, u32>,
}

impl Receiver {
    pub(crate) async fn start(random: Rng) -> Result<Receiver> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let receiver = Receiver {
            address: format!("http://{}/hook", listener.local_addr()?),
            deliveries: Arc::new(Mutex::new(Deliveries {
                random,
                came: BTreeMap::new(),
            })),
        };
        let app = Router::new()
            .route("/hook", post(take))
            .with_state(receiver.clone());
        tokio::spawn(async move { axum::serve(listener, app).await });
        Ok(receiver)
    }

    /// The value of the merchants' `notificationUrl`.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// How often each event came.
    pub(crate) fn came(&self) -> BTreeMap<String, u32> {
        self.deliveries().came.clone()
    }

    fn deliveries(&self) -> std::sync::MutexGuard<'_, Deliveries> {
        // A panic while they are locked leaves them valid.
        self.deliveries
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// Accepts a notification, but refuses one in forty of the first deliveries. The gateway has to send it again, which it does after a minute.
async fn take(State(receiver): State<Receiver>, headers: HeaderMap) -> StatusCode {
    let id = headers
        .get("x-event-id")
        .and_then(|id| id.to_str().ok())
        .unwrap_or_default();
    let mut deliveries = receiver.deliveries();
    let fails = deliveries.random.u32(..40) == 0;
    let times = deliveries.came.entry(id.to_owned()).or_insert(0);
    *times += 1;
    if fails && *times == 1 {
        StatusCode::SERVICE_UNAVAILABLE
    } else {
        StatusCode::NO_CONTENT
    }
}
