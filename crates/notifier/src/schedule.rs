//! The time of the next attempt. A pure function: randomness is a parameter.

use std::time::Duration;

/// The time between the failed attempt with this number (1, 2, …) and the next one. `None` after the last attempt.
pub(super) fn delay_after(attempt: u32, jitter: Jitter) -> Option<Duration> {
    let minutes = match attempt {
        0 => 0,
        1..=11 => 1 << (attempt - 1),
        12 => 24 * 60,
        _ => return None,
    };
    Some(jitter.apply(Duration::from_secs(minutes * 60)))
}

/// The random change of a delay, in thousandths: -100 to 100. It prevents many failed deliveries from being retried at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Jitter(i16);

impl Jitter {
    /// A uniformly distributed random value.
    pub(super) fn random() -> Jitter {
        // Without randomness there is no jitter, and the delay is still correct.
        let chance = payframe_vault::random::<4>().map_or(u32::MAX / 2, u32::from_be_bytes);
        let step = (u64::from(chance) * 201) >> 32;
        Jitter::new(i16::try_from(step).unwrap_or(100) - 100)
    }

    /// Values of `thousandths` beyond a tenth are limited to a tenth.
    pub(super) fn new(thousandths: i16) -> Jitter {
        Jitter(thousandths.clamp(-100, 100))
    }

    fn apply(self, delay: Duration) -> Duration {
        delay * u32::from((1000 + self.0).unsigned_abs()) / 1000
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thirteen_attempts_and_no_more() {
        let minutes: Vec<u64> = (1..)
            .map_while(|attempt| delay_after(attempt, Jitter::new(0)))
            .map(|delay| delay.as_secs() / 60)
            .collect();
        assert_eq!(minutes, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1440]);
        for attempt in [13, 14, u32::MAX] {
            assert_eq!(delay_after(attempt, Jitter::new(0)), None);
        }
    }

    #[test]
    fn a_delay_moves_by_a_tenth_at_most() {
        for (thousandths, expected) in [
            (0, 60_000),
            (100, 66_000),
            (-100, 54_000),
            (1, 60_060),
            (5000, 66_000),
            (-5000, 54_000),
        ] {
            assert_eq!(
                delay_after(1, Jitter::new(thousandths)),
                Some(Duration::from_millis(expected))
            );
        }
        for _ in 0..1000 {
            let Jitter(thousandths) = Jitter::random();
            assert!((-100..=100).contains(&thousandths));
        }
    }
}
