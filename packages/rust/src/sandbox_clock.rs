//! The clock of a sandbox, for tests: days pass at once.

use crate::call::Call;
use crate::errors::PayframeError;
use crate::exchange::{Sent, Verb};
use crate::transport::Sender;
use crate::types::ClockReading;
use serde_json::json;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Calls of [`crate::Payframe::test_clock`]. A gateway in production has none of them, so they are `not_found` there.
#[derive(Clone)]
pub struct SandboxClock {
    sender: Arc<Sender>,
}

impl SandboxClock {
    pub(crate) fn new(sender: &Arc<Sender>) -> Self {
        Self {
            sender: Arc::clone(sender),
        }
    }

    /// The time of payments.
    pub fn read(&self) -> Call<ClockReading> {
        Call::new(&self.sender, Ok(Sent::new(Verb::Get, "/test/clock")))
    }

    /// Lets time pass for the whole sandbox; a part of a second counts as a whole one. What is due by then has happened when the call answers, and
    /// notifications are on their way.
    ///
    /// ```
    /// use payframe_server::{Payframe, PayframeError};
    /// use std::time::Duration;
    ///
    /// async fn a_month_later(payframe: &Payframe) -> Result<String, PayframeError> {
    ///     let reading = payframe.test_clock.advance(Duration::from_secs(31 * 86_400)).await?;
    ///     Ok(reading.time)
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// Those of the two calls, which read the clock and advance it.
    pub async fn advance(&self, by: Duration) -> Result<ClockReading, PayframeError> {
        let seconds = by
            .as_secs()
            .saturating_add(u64::from(by.subsec_nanos() > 0));
        let ahead = u64::from(self.read().await?.seconds_ahead).saturating_add(seconds);
        let sent = Sent::new(Verb::Post, "/test/clock/advance");
        let sent = sent.body(&json!({ "secondsAhead": ahead }));
        Call::new(&self.sender, sent).await
    }

    /// The same, until an instant such as `2026-12-31T10:00:00.000Z`. One that has passed changes nothing.
    pub fn advance_to(&self, instant: &str) -> Call<ClockReading> {
        let sent = Sent::new(Verb::Post, "/test/clock/advance");
        Call::new(&self.sender, sent.body(&json!({ "to": instant })))
    }
}

impl fmt::Debug for SandboxClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SandboxClock").finish_non_exhaustive()
    }
}
