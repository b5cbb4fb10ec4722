//! A connection, as its calls see it: whether one runs, since when none does, and whether it ends after their answers.
//!
//! Over HTTP/2 a caller can keep a connection busy without any call, as with pings. So what counts is calls, not bytes.

use axum::http::Extensions;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;
use tokio::time::Instant;

/// The connection of a call, which each request has as an extension. Clones are the same connection.
#[derive(Clone, Debug)]
pub(crate) struct Connection(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    calls: Mutex<Calls>,
    end: Notify,
}

#[derive(Debug)]
struct Calls {
    running: usize,
    /// When the last call ended, or the connection began.
    idle_since: Instant,
    are_last: bool,
}

impl Connection {
    /// One that begins now.
    pub(super) fn new() -> Connection {
        Connection(Arc::new(Shared {
            calls: Mutex::new(Calls {
                running: 0,
                idle_since: Instant::now(),
                are_last: false,
            }),
            end: Notify::new(),
        }))
    }

    /// Lets the connection of a request with these extensions end as soon as the calls that run have their answers. What lies in its buffers is
    /// wiped then. Over HTTP/2 the other side is told to send no more, and what it sends before it hears that is answered, too.
    pub(crate) fn end_after_answers(request: &Extensions) {
        // A page's own call of the API has no connection.
        if let Some(connection) = request.get::<Connection>() {
            connection.calls().are_last = true;
            connection.0.end.notify_one();
        }
    }

    /// Waits until somebody wants the connection to end.
    pub(super) async fn is_to_end(&self) {
        self.0.end.notified().await;
    }

    /// Since when no call runs. `None`: one does.
    pub(super) fn idle_since(&self) -> Option<Instant> {
        let calls = self.calls();
        (calls.running == 0).then_some(calls.idle_since)
    }

    /// Counts a call that begins.
    pub(super) fn begin(&self) -> Running {
        self.calls().running += 1;
        Running(self.clone())
    }

    fn calls(&self) -> MutexGuard<'_, Calls> {
        // A panic during the lock cannot leave a count half changed.
        self.0.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Counts as one call until it is dropped.
#[derive(Debug)]
pub(super) struct Running(Connection);

impl Running {
    /// Whether the connection ends after its answer.
    pub(super) fn is_last(&self) -> bool {
        self.0.calls().are_last
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let mut calls = self.0.calls();
        calls.running -= 1;
        calls.idle_since = Instant::now();
    }
}
