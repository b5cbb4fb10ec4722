//! How long the session, or the issuer's page, still lasts by the clock of this device, and what is due when: a warning, the end, a
//! question to the gateway.
//!
//! Its caller tells it what the form waits for and what the gateway said, asks what is due, and comes back when the answer says so.
//! It reads no clock and sets no timer, and it ends nothing: the gateway decides what the end means.

use super::WaitingFor;

/// How long something lasts, as the gateway told it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeLeft {
    /// Counted from `received_ms`.
    pub seconds: u32,
    /// When it was told, in milliseconds since 1970 by the clock of this device.
    pub received_ms: u64,
}

/// See the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Countdown {
    waiting_for: WaitingFor,
    /// When it ends. `None` while the end is not known, and once the gateway was asked at the end.
    ends_ms: Option<u64>,
    /// The longest time that was told since the form waits for the same: its remaining share decides when to warn.
    span_ms: u64,
    /// When the gateway answered last, or was told that the buyer is active.
    heard_ms: u64,
}

/// What is due now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Due {
    /// Seconds that the buyer is told are left; `None` while there is time enough.
    pub warning: Option<u32>,
    /// Whether the issuer's page has used up its time.
    pub challenge_is_over: bool,
    /// Whether the gateway is to be asked how the session stands.
    pub asks_gateway: bool,
    /// When to ask again what is due; `None`: only after news.
    pub again_in_ms: Option<u64>,
}

impl Countdown {
    /// The countdown of a form that waits for `waiting_for`, and has just had an answer of the gateway.
    pub(super) fn new(waiting_for: WaitingFor, now_ms: u64) -> Self {
        Self {
            waiting_for,
            ends_ms: None,
            span_ms: 0,
            heard_ms: now_ms,
        }
    }

    /// Who the form waits for.
    pub(super) fn waiting_for(&self) -> WaitingFor {
        self.waiting_for
    }

    /// The form waits for `waiting_for` now, and `told` is the time left that the gateway told, if it did.
    pub(super) fn follow(&mut self, waiting_for: WaitingFor, told: Option<TimeLeft>) {
        if let Some(TimeLeft {
            seconds,
            received_ms,
        }) = told
        {
            let span_ms = u64::from(seconds) * 1_000;
            self.span_ms = if waiting_for == self.waiting_for {
                self.span_ms.max(span_ms)
            } else {
                span_ms
            };
            self.ends_ms = Some(received_ms + span_ms);
            self.heard_ms = received_ms;
        }
        self.waiting_for = waiting_for;
    }

    /// What is due.
    pub(super) fn due(&mut self, now_ms: u64) -> Due {
        let Some(ends_ms) = self.ends_ms.filter(|_| self.is_counted()) else {
            return Due::default();
        };
        let left_ms = ends_ms.saturating_sub(now_ms);
        let challenge_is_over = left_ms == 0 && self.waiting_for == WaitingFor::Issuer;
        if now_ms > ends_ms + LEEWAY_MS {
            self.ends_ms = None;
            return Due {
                warning: Some(0),
                challenge_is_over,
                asks_gateway: true,
                again_in_ms: None,
            };
        }
        let quiet_ms = left_ms.saturating_sub(self.warn_ms());
        let seconds = u32::try_from(left_ms.div_ceil(1_000)).unwrap_or(u32::MAX);
        // Again at the next full second, or at the end.
        let second_ms = match left_ms % 1_000 {
            0 => 1_000,
            rest => rest,
        };
        Due {
            warning: (quiet_ms == 0).then_some(seconds),
            challenge_is_over,
            asks_gateway: false,
            again_in_ms: Some(if quiet_ms > 0 { quiet_ms } else { second_ms }),
        }
    }

    /// Whether the gateway is to be told that the buyer is active, which prolongs the session; at intervals, not each time.
    pub(super) fn is_activity_due(&self, now_ms: u64) -> bool {
        let pause_ms = match self.span_ms {
            0 => ACTIVITY_REPORT_MS,
            span_ms => ACTIVITY_REPORT_MS.min(span_ms / 4),
        };
        self.waiting_for == WaitingFor::Buyer && now_ms.saturating_sub(self.heard_ms) >= pause_ms
    }

    /// The buyer was active. Gives whether to tell the gateway.
    pub(super) fn should_report_activity(&mut self, now_ms: u64) -> bool {
        let is_due = self.is_activity_due(now_ms);
        if is_due {
            self.heard_ms = now_ms;
        }
        is_due
    }

    fn is_counted(&self) -> bool {
        matches!(self.waiting_for, WaitingFor::Buyer | WaitingFor::Issuer)
    }

    /// How long before the end the buyer is warned: a quarter of the time.
    fn warn_ms(&self) -> u64 {
        (self.span_ms / 4).clamp(WARN_AT_LEAST_MS, WARN_AT_MOST_MS)
    }
}

/// Enough to react: WCAG 2.2, 2.2.1.
const WARN_AT_LEAST_MS: u64 = 20_000;
const WARN_AT_MOST_MS: u64 = 60_000;
/// The interval at which the buyer's activity is passed on.
const ACTIVITY_REPORT_MS: u64 = 20_000;
/// The gateway is asked this long after the end, and not before: a request would prolong the session.
const LEEWAY_MS: u64 = 2_000;

#[cfg(test)]
mod tests {
    use super::*;

    const START: u64 = 1_700_000_000_000;

    /// A form that was told this number of seconds at [`START`].
    fn told(waiting_for: WaitingFor, seconds: u32) -> Countdown {
        let mut countdown = Countdown::new(waiting_for, START);
        countdown.follow(waiting_for, Some(at(seconds, 0)));
        countdown
    }

    fn at(seconds: u32, after_ms: u64) -> TimeLeft {
        TimeLeft {
            seconds,
            received_ms: START + after_ms,
        }
    }

    #[test]
    fn warning_comes_a_quarter_before_the_end_and_from_20_seconds_to_a_minute() {
        for (seconds, warned_at) in [(900, 60), (200, 50), (100, 25), (60, 20), (23, 20)] {
            let mut countdown = told(WaitingFor::Buyer, seconds);
            let quiet_ms = u64::from(seconds - warned_at) * 1_000;
            let due = countdown.due(START);
            assert_eq!((due.warning, due.again_in_ms), (None, Some(quiet_ms)));
            let due = countdown.due(START + quiet_ms);
            assert_eq!(due.warning, Some(warned_at), "of {seconds} seconds");
        }
    }

    #[test]
    fn shorter_time_than_that_is_warned_of_at_once() {
        assert_eq!(told(WaitingFor::Buyer, 6).due(START).warning, Some(6));
    }

    #[test]
    fn warning_counts_down_to_the_second() {
        let mut countdown = told(WaitingFor::Buyer, 20);
        for (after_ms, warning, again_in_ms) in [
            (0, 20, 1_000),
            (250, 20, 750),
            (1_000, 19, 1_000),
            (19_999, 1, 1),
            (20_000, 0, 1_000),
            (21_500, 0, 1_000),
        ] {
            let due = countdown.due(START + after_ms);
            assert_eq!(
                (due.warning, due.again_in_ms),
                (Some(warning), Some(again_in_ms)),
                "after {after_ms} ms"
            );
        }
    }

    #[test]
    fn gateway_is_asked_once_and_only_past_the_end() {
        let mut countdown = told(WaitingFor::Buyer, 30);
        assert!(!countdown.due(START + 32_000).asks_gateway);
        let due = countdown.due(START + 32_001);
        assert!(due.asks_gateway);
        assert_eq!((due.warning, due.again_in_ms), (Some(0), None));
        assert_eq!(countdown.due(START + 40_000), Due::default());
    }

    /// A device that slept wakes long after the end.
    #[test]
    fn sleep_over_the_end_asks_at_once() {
        let due = told(WaitingFor::Issuer, 300).due(START + 9_000_000);
        assert!(due.asks_gateway && due.challenge_is_over);
    }

    #[test]
    fn time_of_the_issuers_page_is_over_at_its_end() {
        let mut countdown = told(WaitingFor::Issuer, 24);
        assert!(!countdown.due(START + 23_999).challenge_is_over);
        assert!(countdown.due(START + 24_000).challenge_is_over);
        let mut session = told(WaitingFor::Buyer, 24);
        assert!(!session.due(START + 24_000).challenge_is_over);
    }

    #[test]
    fn nothing_is_counted_while_the_form_waits_for_others() {
        for waiting_for in [
            WaitingFor::Gateway,
            WaitingFor::Merchant,
            WaitingFor::Nobody,
        ] {
            let mut countdown = told(WaitingFor::Buyer, 5);
            countdown.follow(waiting_for, None);
            assert_eq!(countdown.due(START + 60_000), Due::default());
        }
    }

    #[test]
    fn nothing_is_counted_before_anybody_told_how_long() {
        let mut countdown = Countdown::new(WaitingFor::Buyer, START);
        assert_eq!(countdown.due(START + 60_000), Due::default());
    }

    #[test]
    fn more_time_withdraws_the_warning() {
        let mut countdown = told(WaitingFor::Buyer, 100);
        assert_eq!(countdown.due(START + 80_000).warning, Some(20));
        countdown.follow(WaitingFor::Buyer, Some(at(100, 80_000)));
        assert_eq!(countdown.due(START + 80_000).warning, None);
    }

    /// An answer near the end contains a small remaining time; the warning must not start later because of it.
    #[test]
    fn warning_is_measured_by_the_longest_time_of_the_same_wait() {
        let mut countdown = told(WaitingFor::Buyer, 200);
        countdown.follow(WaitingFor::Buyer, Some(at(49, 151_000)));
        assert_eq!(countdown.due(START + 151_000).warning, Some(49));
        countdown.follow(WaitingFor::Issuer, Some(at(49, 151_000)));
        assert_eq!(countdown.due(START + 151_000).warning, None);
    }

    /// The countdown starts later than the form: the time runs from when it was told.
    #[test]
    fn time_runs_from_when_it_was_told() {
        let mut countdown = Countdown::new(WaitingFor::Buyer, START + 10_000);
        countdown.follow(WaitingFor::Buyer, Some(at(25, 0)));
        assert_eq!(countdown.due(START + 10_000).warning, Some(15));
    }

    #[test]
    fn signs_of_the_buyer_are_passed_on_now_and_then() {
        let mut countdown = told(WaitingFor::Buyer, 900);
        for (after_ms, takes) in [
            (0, false),
            (19_999, false),
            (20_000, true),
            (20_001, false),
            (39_999, false),
            (40_000, true),
        ] {
            assert_eq!(
                countdown.should_report_activity(START + after_ms),
                takes,
                "after {after_ms} ms"
            );
        }
    }

    #[test]
    fn signs_of_a_short_session_are_passed_on_four_times_in_it() {
        let mut countdown = told(WaitingFor::Buyer, 6);
        assert!(!countdown.should_report_activity(START + 1_499));
        assert!(countdown.should_report_activity(START + 1_500));
    }

    #[test]
    fn signs_are_passed_on_only_while_the_form_waits_for_the_buyer() {
        for waiting_for in [
            WaitingFor::Gateway,
            WaitingFor::Issuer,
            WaitingFor::Merchant,
            WaitingFor::Nobody,
        ] {
            let mut countdown = told(WaitingFor::Buyer, 900);
            countdown.follow(waiting_for, None);
            assert!(!countdown.should_report_activity(START + 60_000));
        }
    }
}
