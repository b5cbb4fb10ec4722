//! The clock of a sandbox, which tests advance (own extension).

use serde::{Deserialize, Serialize};

/// The clock of a sandbox: the answer of `GET /test/clock` and of `POST /test/clock/advance`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct TestClock {
    /// Instant: the time of payments now.
    pub time: String,
    /// Instant: the real time now.
    pub real_time: String,
    /// How many seconds the clock is ahead of the real time; 0 if it was never advanced.
    pub seconds_ahead: u64,
    /// Instant: the last one to which the clock can be advanced now. It is two years after the real time.
    pub latest_time: String,
}
