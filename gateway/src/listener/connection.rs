//! A connection, as its calls see it: whether one runs, since when none does, and whether it ends after their answers.
//!
//! Over HTTP/2 a caller can keep a connection busy without any call, as with pings. So what counts is calls, not bytes.

use super::limits::{Limits, limit_body};
use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{ConnectInfo, Request};
use axum::http::header::{CONNECTION, HeaderValue};
use axum::http::{Extensions, Request as HttpRequest, Version};
use axum::response::Response;
use http_body::{Frame, SizeHint};
use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use tokio::sync::Notify;
use tokio::time::Instant;
use tower::Service;

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

    fn begin(&self) -> Running {
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
struct Running(Connection);

impl Drop for Running {
    fn drop(&mut self) {
        let mut calls = self.0.calls();
        calls.running -= 1;
        calls.idle_since = Instant::now();
    }
}

/// Answers the calls of one connection, and counts them. A call runs until its answer has been sent.
#[derive(Clone)]
pub(super) struct Answering {
    pub(super) router: Router,
    pub(super) connection: Connection,
    /// The address of the other side.
    pub(super) peer: SocketAddr,
    pub(super) limits: Limits,
}

impl<B> Service<HttpRequest<B>> for Answering
where
    B: HttpBody<Data = Bytes, Error: Into<axum::BoxError>> + Send + 'static,
{
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: HttpRequest<B>) -> Self::Future {
        let running = self.connection.begin();
        let is_http1 = request.version() < Version::HTTP_2;
        let mut request: Request = limit_body(request.map(Body::new), self.limits);
        let extensions = request.extensions_mut();
        extensions.insert(ConnectInfo(self.peer));
        extensions.insert(self.connection.clone());
        let answering = self.router.call(request);
        Box::pin(async move {
            let mut answer = answering.await?;
            // HTTP/2 has a frame for it, and no such header.
            if is_http1 && running.0.calls().are_last {
                let close = HeaderValue::from_static("close");
                answer.headers_mut().insert(CONNECTION, close);
            }
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
