//! Measures how connections are used and how long commits take, through the `metrics` facade: it costs nothing where nobody reads.
//!
//! What each measure means is told where all of the gateway's are told.

use metrics::{Gauge, Histogram, gauge, histogram};
use std::time::Instant;

/// How long commits took, by `schema`: a histogram.
pub const COMMIT_DURATION: &str = "payframe_database_commit_duration_seconds";
/// Connections that are in use, by `schema` and `for` (`questions`, `changes`): a gauge.
pub const CONNECTIONS_IN_USE: &str = "payframe_database_connections_in_use";
/// Who waits for a connection, by the same labels: a gauge.
pub const CONNECTIONS_WAITED_FOR: &str = "payframe_database_connections_waited_for";

/// Measures the use of one schema's connections.
#[derive(Clone, Debug)]
pub(crate) struct DatabaseMeter {
    asking: Places,
    changing: Places,
    commit: Meter<Histogram>,
}

/// Where connections are lent.
#[derive(Clone, Debug)]
struct Places {
    in_use: Meter<Gauge>,
    waiting: Meter<Gauge>,
}

/// A measure, which has nothing to show of itself.
#[derive(Clone)]
struct Meter<T>(T);

/// Counts as one for as long as it lives.
#[derive(Debug)]
pub(crate) struct Counted(Meter<Gauge>);

impl DatabaseMeter {
    /// That of the tables in a schema.
    pub(crate) fn of(schema: &'static str) -> DatabaseMeter {
        let places = |of: &'static str| Places {
            in_use: Meter(gauge!(CONNECTIONS_IN_USE, "schema" => schema, "for" => of)),
            waiting: Meter(gauge!(CONNECTIONS_WAITED_FOR, "schema" => schema, "for" => of)),
        };
        DatabaseMeter {
            asking: places("questions"),
            changing: places("changes"),
            commit: Meter(histogram!(COMMIT_DURATION, "schema" => schema)),
        }
    }

    /// Waits for a connection to ask with.
    pub(crate) async fn asking<T>(&self, wait: impl Future<Output = T>) -> (T, Counted) {
        self.asking.wait(wait).await
    }

    /// Waits for a connection to change something with.
    pub(crate) async fn changing<T>(&self, wait: impl Future<Output = T>) -> (T, Counted) {
        self.changing.wait(wait).await
    }

    /// A change is on the disk, or is not.
    pub(crate) fn committed(&self, began: Instant) {
        self.commit.0.record(began.elapsed());
    }
}

impl Places {
    async fn wait<T>(&self, wait: impl Future<Output = T>) -> (T, Counted) {
        let waiting = Counted::one(&self.waiting);
        let waited = wait.await;
        drop(waiting);
        (waited, Counted::one(&self.in_use))
    }
}

impl Counted {
    fn one(meter: &Meter<Gauge>) -> Counted {
        meter.0.increment(1.0);
        Counted(meter.clone())
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.0.decrement(1.0);
    }
}

impl<T> std::fmt::Debug for Meter<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Meter")
    }
}
