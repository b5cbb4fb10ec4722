//! One call of the API: what is sent, the options of the call, and the type of its answer.

use crate::errors::PayframeError;
use crate::exchange::{CallOptions, Sent};
use crate::transport::Sender;
use serde::de::DeserializeOwned;
use std::fmt;
use std::future::{Future, IntoFuture};
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;

pub use crate::exchange::Verb;

/// A call that is made when it is awaited, and answers `T`.
///
/// A future that is dropped leaves its call, and the gateway may have carried it out: give an idempotency key to writes that can be dropped.
#[must_use = "a call is made when it is awaited"]
pub struct Call<T> {
    sender: Arc<Sender>,
    sent: Result<Sent, PayframeError>,
    options: CallOptions,
    answer: PhantomData<fn() -> T>,
}

impl<T> Call<T> {
    pub(crate) fn new(sender: &Arc<Sender>, sent: Result<Sent, PayframeError>) -> Self {
        Self {
            sender: Arc::clone(sender),
            sent,
            options: CallOptions::default(),
            answer: PhantomData,
        }
    }

    /// 1 to 63 printable ASCII characters. With the same key the same call is carried out once, and its answer is given again. Without it every call
    /// has a new one. Reads have none.
    pub fn idempotency_key(mut self, key: impl Into<String>) -> Self {
        self.options.idempotency_key = Some(key.into());
        self
    }

    /// `order_version` of [`crate::Orders::read`], for a call that moves the money of the order: if the order has changed since, nothing is done, and the
    /// error has the code `GW9012`.
    pub fn order_version(mut self, version: impl Into<String>) -> Self {
        self.options.order_version = Some(version.into());
        self
    }
}

impl<T: DeserializeOwned + 'static> IntoFuture for Call<T> {
    type Output = Result<T, PayframeError>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move { self.sender.run(self.sent?, self.options).await })
    }
}

impl<T> fmt::Debug for Call<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call").finish_non_exhaustive()
    }
}
