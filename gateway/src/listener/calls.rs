//! The calls of a connection: whether one runs, and since when none does.
//!
//! Over HTTP/2 a caller can keep a connection busy without any call, as with pings. So what counts is calls, not bytes.

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::response::Response;
use http_body::{Frame, SizeHint};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use tokio::time::Instant;
use tower::Service;

/// The calls of one connection.
#[derive(Clone, Debug)]
pub(super) struct Calls(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    running: usize,
    /// When the last call ended, or the connection began.
    idle_since: Instant,
}

impl Calls {
    /// Of a connection that begins now.
    pub(super) fn none_yet() -> Calls {
        Calls(Arc::new(Mutex::new(State {
            running: 0,
            idle_since: Instant::now(),
        })))
    }

    /// Since when no call runs. `None`: one does.
    pub(super) fn idle_since(&self) -> Option<Instant> {
        let state = self.state();
        (state.running == 0).then_some(state.idle_since)
    }

    fn begin(&self) -> Running {
        self.state().running += 1;
        Running(self.clone())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic during the lock cannot leave a count half changed.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Counts as one call until it is dropped.
#[derive(Debug)]
struct Running(Calls);

impl Drop for Running {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.running -= 1;
        state.idle_since = Instant::now();
    }
}

/// A service that counts its calls. A call runs until its answer has been sent.
#[derive(Clone, Debug)]
pub(super) struct Counted<S> {
    service: S,
    calls: Calls,
}

impl<S> Counted<S> {
    pub(super) fn new(service: S, calls: Calls) -> Counted<S> {
        Counted { service, calls }
    }
}

impl<S, B> Service<Request<B>> for Counted<S>
where
    S: Service<Request<B>, Response = Response>,
    S::Future: Send + 'static,
{
    type Response = Response;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Response, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.service.poll_ready(context)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let running = self.calls.begin();
        let answering = self.service.call(request);
        Box::pin(async move {
            let answer = answering.await?;
            Ok(answer.map(|body| match body.is_end_stream() {
                true => body,
                false => Body::new(CountedBody {
                    body,
                    _running: running,
                }),
            }))
        })
    }
}

/// The body of an answer that is being sent.
struct CountedBody {
    body: Body,
    _running: Running,
}

impl HttpBody for CountedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
