//! Answers the calls of a connection.

use super::connection::{Connection, Running};
use super::limits::{Limits, limit_body};
use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{ConnectInfo, Request};
use axum::http::header::{CONNECTION, HeaderValue};
use axum::http::{Request as HttpRequest, Version};
use axum::response::Response;
use http_body::{Frame, SizeHint};
use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};
use tower::Service;

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
            if is_http1 && running.is_last() {
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
