//! Metrics of connections and commits, through the `metrics` facade. Without a recorder they cost nothing.
//!
//! The gateway describes all metrics in one place.

use metrics::{Gauge, Histogram, gauge, histogram};
use std::time::Instant;

/// Duration of commits, by `schema`: a histogram.
pub const COMMIT_DURATION: &str = "payframe_database_commit_duration_seconds";
/// Connections that are in use, by `schema` and `for` (`questions`, `changes`): a gauge.
pub const CONNECTIONS_IN_USE: &str = "payframe_database_connections_in_use";
/// Callers that wait for a connection, by the same labels: a gauge.
pub const CONNECTIONS_WAITED_FOR: &str = "payframe_database_connections_waited_for";

/// The metrics of one schema's connections.
#[derive(Clone, Debug)]
pub(crate) struct DatabaseMeter {
    asking: Places,
    changing: Places,
    commit: Meter<Histogram>,
}

/// The metrics of one kind of connection.
#[derive(Clone, Debug)]
struct Places {
    in_use: Meter<Gauge>,
    waiting: Meter<Gauge>,
}

/// A gauge without `Debug` output.
#[derive(Clone)]
struct Meter<T>(T);

/// Increments a gauge for as long as it exists.
#[derive(Debug)]
pub(crate) struct GaugeGuard(Meter<Gauge>);

impl DatabaseMeter {
    /// The metrics of the tables in a schema.
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

    /// Waits for a connection for queries.
    pub(crate) async fn asking<T>(&self, wait: impl Future<Output = T>) -> (T, GaugeGuard) {
        self.asking.wait(wait).await
    }

    /// Waits for a connection for a change.
    pub(crate) async fn changing<T>(&self, wait: impl Future<Output = T>) -> (T, GaugeGuard) {
        self.changing.wait(wait).await
    }

    /// Records the duration of a commit, successful or not.
    pub(crate) fn committed(&self, began: Instant) {
        self.commit.0.record(began.elapsed());
    }
}

impl Places {
    async fn wait<T>(&self, wait: impl Future<Output = T>) -> (T, GaugeGuard) {
        let waiting = GaugeGuard::one(&self.waiting);
        let waited = wait.await;
        drop(waiting);
        (waited, GaugeGuard::one(&self.in_use))
    }
}

impl GaugeGuard {
    fn one(meter: &Meter<Gauge>) -> GaugeGuard {
        meter.0.increment(1.0);
        GaugeGuard(meter.clone())
    }
}

impl Drop for GaugeGuard {
    fn drop(&mut self) {
        self.0.0.decrement(1.0);
    }
}

impl<T> std::fmt::Debug for Meter<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Meter")
    }
}
