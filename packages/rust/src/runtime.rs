//! Time and randomness: those of the machine, or those of a test.

use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, SystemTime};

/// A wait, as [`Runtime::pause`] returns it.
pub type Pause = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Time and randomness. Every method has the machine's own; a test replaces those that it decides.
pub trait Runtime: Send + Sync {
    /// The present time.
    fn now(&self) -> SystemTime {
        SystemTime::now()
    }

    /// A number from 0 up to, but not including, 1. It spreads repeated calls; nothing secret is made of it.
    fn random(&self) -> f64 {
        fastrand::f64()
    }

    /// A random UUID.
    fn uuid(&self) -> String {
        uuid::Uuid::new_v4().to_string()
    }

    /// The wait before an attempt is repeated.
    fn pause(&self, duration: Duration) -> Pause {
        Box::pin(tokio::time::sleep(duration))
    }
}

/// The machine's own time and randomness. Its pauses need the runtime of tokio, as the HTTP client does.
#[derive(Clone, Copy, Debug, Default)]
pub struct System;

impl Runtime for System {}
