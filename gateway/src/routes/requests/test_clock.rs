//! The body of the call by which a test advances the clock of a sandbox.

use super::Member;
use serde::Deserialize;
use utoipa::ToSchema;

/// The body of `POST /test/clock/advance`: one of the two members.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AdvanceTestClock {
    /// Where the clock is advanced to: an instant, at most `latestTime`.
    #[schema(value_type = Option<String>, format = "date-time")]
    pub(crate) to: Member,
    /// How far ahead of the real time the clock is put, in seconds: what is `secondsAhead` now, and the time that shall pass.
    #[schema(value_type = Option<u32>, minimum = 0, maximum = 63_158_400, examples(2_678_400))]
    pub(crate) seconds_ahead: Member,
}
