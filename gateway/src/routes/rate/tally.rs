//! What a process knows of the calls of one account in all processes: plain numbers, without a clock and without I/O.
//!
//! Calls fill a bucket from which so many run out each second. The database has the bucket of all processes. A process tells it of its calls in
//! portions, and hears each time how full the bucket is. In between it lets calls run out of what it heard, and adds its own. So it asks
//! rarely, and all processes together allow at most a portion for each process more than one process alone.

/// How often an account may call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limit {
    /// Calls a second.
    pub(super) per_second: u32,
    /// Calls that may come at once.
    pub(super) burst: u32,
    /// After so many calls a process tells the others.
    pub(super) portion: u32,
}

/// The calls of an account.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    /// What counted in all processes when this was last heard, in thousandths of a call.
    heard_milli: i64,
    heard_at_ms: i64,
    /// Calls of this process that are being told.
    in_flight: u32,
    /// Calls of this process that were not told.
    untold: u32,
}

/// What becomes of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It passes.
    Passed,
    /// It passes, and so many calls have to be told.
    PassedAndTell(u32),
    /// It would pass after so many milliseconds.
    Refused { wait_ms: i64 },
}

impl Tally {
    /// Takes one call.
    pub(super) fn take(&mut self, limit: Limit, now_ms: i64) -> Verdict {
        let own = i64::from(self.in_flight) + i64::from(self.untold) + 1;
        let used_milli = self.counted_milli(limit, now_ms) + own * MILLI;
        let above_milli = used_milli - i64::from(limit.burst) * MILLI;
        if above_milli > 0 {
            let per_ms = i64::from(limit.per_second.max(1));
            let wait_ms = (above_milli + per_ms - 1) / per_ms;
            return Verdict::Refused { wait_ms };
        }
        self.untold += 1;
        if self.untold < limit.portion {
            return Verdict::Passed;
        }
        Verdict::PassedAndTell(self.hand_over())
    }

    /// The calls that were not told. They are being told from now on.
    pub(super) fn hand_over(&mut self) -> u32 {
        let calls = std::mem::take(&mut self.untold);
        self.in_flight += calls;
        calls
    }

    /// So many calls were told, and this counts in all processes now.
    pub(super) fn heard(&mut self, limit: Limit, calls: u32, used_milli: i64, now_ms: i64) {
        // Of two answers that overtake each other, the one that counts more calls is the later one.
        self.heard_milli = self.counted_milli(limit, now_ms).max(used_milli);
        self.heard_at_ms = now_ms;
        self.in_flight = self.in_flight.saturating_sub(calls);
    }

    /// So many calls could not be told: only this process has counted them.
    pub(super) fn lost(&mut self, calls: u32) {
        self.in_flight = self.in_flight.saturating_sub(calls);
    }

    /// Whether a new tally knows as much.
    pub(super) fn is_quiet(&self, limit: Limit, now_ms: i64) -> bool {
        self.in_flight == 0 && self.untold == 0 && self.counted_milli(limit, now_ms) == 0
    }

    /// What is left of what was heard. A clock that goes back makes nothing run out.
    fn counted_milli(&self, limit: Limit, now_ms: i64) -> i64 {
        let elapsed_ms = now_ms.saturating_sub(self.heard_at_ms).clamp(0, LONGEST_MS);
        (self.heard_milli - i64::from(limit.per_second) * elapsed_ms).max(0)
    }
}

/// Calls are counted in thousandths, because so many run out each millisecond.
const MILLI: i64 = 1000;
/// Every bucket is empty after an hour.
const LONGEST_MS: i64 = 3_600_000;

#[cfg(test)]
mod tests;
