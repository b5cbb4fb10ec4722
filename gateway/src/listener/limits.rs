//! Limits of connections: the time to send, and the number of connections at once.
//!
//! A caller that sends nothing, or only a part of a call, would keep a socket open for ever. Each wait for the other side has a limit here,
//! and each address may have a limited number of connections. How often a key may call is not decided here: see `routes::rate`.

use super::connection::Connection;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use http_body::{Frame, SizeHint};
use payframe_payment_domain::card_testing::address_key;
use std::collections::HashMap;
use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;
use tokio_io_timeout::TimeoutStream;

/// The limits of connections; the module says why they exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// From the first wait for a call until its head is there; also how long a connection may be kept without a call.
    pub head: Duration,
    /// From the start of a body to its end.
    pub body: Duration,
    /// How long the other side may neither send nor receive anything.
    pub silence: Duration,
    /// How long a connection may be open without a call that runs, whatever else is sent.
    pub idle: Duration,
    /// How many connections one address may have at once; of IPv6 one network of 64 bits. `None`: any number, as where all calls come from a
    /// proxy.
    pub per_address: Option<usize>,
}

impl Default for Limits {
    /// For callers from the network. The silence is longer than what common proxies keep an unused connection for, and than any call takes.
    fn default() -> Limits {
        Limits {
            head: Duration::from_secs(30),
            body: Duration::from_secs(30),
            silence: Duration::from_secs(75),
            idle: Duration::from_secs(75),
            per_address: None,
        }
    }
}

/// The open connections of each address.
#[derive(Debug, Default)]
pub(super) struct Connections(Mutex<HashMap<String, usize>>);

/// Counts as one connection of its address until it is dropped.
#[derive(Debug)]
pub(super) struct Place {
    connections: Arc<Connections>,
    address: String,
}

impl Place {
    /// `None`: the address has as many as it may have.
    pub(super) fn take(
        connections: &Arc<Connections>,
        address: IpAddr,
        most: Option<usize>,
    ) -> Option<Place> {
        let address = address_key(address);
        let mut counts = connections.counts();
        let count = counts.entry(address.clone()).or_default();
        if most.is_some_and(|most| *count >= most) {
            return None;
        }
        *count += 1;
        Some(Place {
            connections: Arc::clone(connections),
            address,
        })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut counts = self.connections.counts();
        if let Some(count) = counts.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.address);
            }
        }
    }
}

impl Connections {
    fn counts(&self) -> std::sync::MutexGuard<'_, HashMap<String, usize>> {
        // A panic during the lock cannot leave a count half changed.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection that ends when the other side is silent for too long, or begins no call.
pub(super) struct LimitedStream<T> {
    /// Dropped before the stream: when the other side sees the end, another connection is possible.
    _place: Place,
    stream: Pin<Box<TimeoutStream<T>>>,
    connection: Connection,
    idle: Duration,
    end: Pin<Box<Sleep>>,
    /// Whether there was no call for too long at the last look.
    was_over: bool,
}

impl<T: AsyncRead + AsyncWrite> LimitedStream<T> {
    pub(super) fn new(
        stream: T,
        place: Place,
        connection: Connection,
        limits: Limits,
    ) -> LimitedStream<T> {
        let Limits { silence, idle, .. } = limits;
        let mut stream = TimeoutStream::new(stream);
        stream.set_read_timeout(Some(silence));
        stream.set_write_timeout(Some(silence));
        LimitedStream {
            _place: place,
            stream: Box::pin(stream),
            connection,
            idle,
            end: Box::pin(tokio::time::sleep(idle)),
            was_over: false,
        }
    }

    /// Whether there was no call for too long. What was just read may begin one, so this is asked once more before it counts.
    fn is_over(&mut self, context: &mut Context<'_>) -> bool {
        let Some(since) = self.connection.idle_since() else {
            // The connection is polled again when the call's answer has been sent.
            self.was_over = false;
            return false;
        };
        let end = since + self.idle;
        if self.end.deadline() != end {
            self.end.as_mut().reset(end);
        }
        let is_now = self.end.as_mut().poll(context).is_ready();
        let was = std::mem::replace(&mut self.was_over, is_now);
        if is_now && !was {
            context.waker().wake_by_ref();
        }
        is_now && was
    }
}

impl<T: AsyncRead + AsyncWrite> AsyncRead for LimitedStream<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let read = self.stream.as_mut().poll_read(context, buffer);
        if read.is_pending() && self.is_over(context) {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        read
    }
}

impl<T: AsyncRead + AsyncWrite> AsyncWrite for LimitedStream<T> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.stream.as_mut().poll_write(context, buffer)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream.as_mut().poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream.as_mut().poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.stream.as_mut().poll_write_vectored(context, buffers)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

/// Limits the time in which the body of a request has to arrive.
pub(super) fn limit_body(request: Request, limits: Limits) -> Request {
    request.map(|body| match body.is_end_stream() {
        true => body,
        false => Body::new(LimitedBody {
            body,
            end: Box::pin(tokio::time::sleep(limits.body)),
        }),
    })
}

struct LimitedBody {
    body: Body,
    end: Pin<Box<Sleep>>,
}

impl HttpBody for LimitedBody {
    type Data = Bytes;
    type Error = axum::BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::BoxError>>> {
        if let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(context) {
            return Poll::Ready(frame.map(|frame| frame.map_err(axum::BoxError::from)));
        }
        self.end
            .as_mut()
            .poll(context)
            .map(|()| Some(Err("the body did not end in time".into())))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_of_ipv6_counts_as_one_address() {
        let connections = Arc::default();
        let check = |taken: &str, other: &str, expected: bool| {
            let take = |address: &str| Place::take(&connections, address.parse().unwrap(), Some(1));
            let _first = take(taken).unwrap();
            assert_eq!(take(other).is_some(), expected, "{taken} and {other}");
        };
        check("192.0.2.1", "192.0.2.1", false);
        check("192.0.2.1", "192.0.2.2", true);
        check("192.0.2.1", "::ffff:192.0.2.1", false);
        check("::ffff:192.0.2.1", "::ffff:192.0.2.2", true);
        check("2001:db8::1", "2001:db8::ffff:1", false);
        check("2001:db8::1", "2001:db8:0:1::1", true);
    }
}
