//! Times of one kind, for percentiles.

use std::time::{Duration, Instant};

#[derive(Default)]
pub(crate) struct Times(Vec<Duration>);

impl Times {
    pub(crate) fn add(&mut self, since: Instant) {
        self.0.push(since.elapsed());
    }

    pub(crate) fn append(&mut self, mut others: Times) {
        self.0.append(&mut others.0);
    }

    /// The time in milliseconds that a `share` (0 to 1) of all do not exceed; 0 if there are none.
    pub(crate) fn within(&mut self, share: f64) -> f64 {
        self.0.sort_unstable();
        let last = self.0.len().saturating_sub(1);
        let at = (share * last as f64).round() as usize;
        self.0
            .get(at)
            .map_or(0.0, |time| time.as_secs_f64() * 1000.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_the_times_stays_within() {
        let mut times = Times((1..=101).rev().map(Duration::from_millis).collect());
        let all = [0.0, 0.5, 0.99, 1.0].map(|share| times.within(share));
        assert_eq!(all, [1.0, 51.0, 100.0, 101.0]);
        assert_eq!(Times::default().within(0.5), 0.0);
    }
}
