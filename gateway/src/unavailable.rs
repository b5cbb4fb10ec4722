//! Calls that are refused because the database is away or has no free connection, or because the process has enough to do
//! ([`crate::admission`]). Each is counted. The log has a line for the first of them, and then one in a while for all that came since.

use metrics::counter;
use payframe_payment_service::PaymentError;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Such calls: a counter.
pub(crate) const UNAVAILABLE: &str = "payframe_database_unavailable_total";

/// How long a caller is asked to wait before the same call is sent again.
pub(crate) const RETRY_AFTER_SECONDS: u64 = 5;

/// Counts a call that is refused for this reason.
pub(crate) fn note(problem: &PaymentError) {
    static LOG: Mutex<LogLimit> = Mutex::new(LogLimit::new());
    counter!(UNAVAILABLE).increment(1);
    if let Some(calls) = due(&LOG) {
        tracing::error!(%problem, calls, "the database is away or busy: calls are refused, and can be sent again");
    }
}

/// Writes about a call that was turned away because too many are at work.
pub(crate) fn note_busy() {
    static LOG: Mutex<LogLimit> = Mutex::new(LogLimit::new());
    if let Some(calls) = due(&LOG) {
        tracing::error!(
            calls,
            "too many calls are at work (PAYFRAME_CALLS_AT_WORK): calls are turned away, and can be sent again"
        );
    }
}

fn due(log: &Mutex<LogLimit>) -> Option<u64> {
    // A panic during the lock cannot leave the numbers inconsistent.
    let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
    log.note(Instant::now())
}

/// How many calls were refused since the last line in the log, and when that was.
#[derive(Debug)]
struct LogLimit {
    since: Option<Instant>,
    calls: u64,
}

impl LogLimit {
    const fn new() -> LogLimit {
        LogLimit {
            since: None,
            calls: 0,
        }
    }

    /// One more call. If a line is due: the number of calls that it is about.
    fn note(&mut self, now: Instant) -> Option<u64> {
        self.calls += 1;
        let is_recent = |since: Instant| now.saturating_duration_since(since) < PAUSE;
        if self.since.is_some_and(is_recent) {
            return None;
        }
        self.since = Some(now);
        Some(std::mem::take(&mut self.calls))
    }
}

/// The time between two lines.
const PAUSE: Duration = Duration::from_secs(30);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_of_refusals_is_one_line_in_the_log() {
        let mut log = LogLimit::new();
        let began = Instant::now();
        let at = |seconds| began + Duration::from_secs(seconds);
        assert_eq!(log.note(at(0)), Some(1));
        for second in 1..30 {
            assert_eq!(log.note(at(second)), None, "{second}");
        }
        assert_eq!(log.note(at(30)), Some(30), "all that came since");
        assert_eq!(log.note(at(31)), None);
        assert_eq!(log.note(at(600)), Some(2));
    }
}
