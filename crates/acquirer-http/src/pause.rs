//! A pause after an adapter did not answer several times in a row.
//!
//! Each request to a silent adapter waits for the whole time limit. Without a pause, a gateway with many unknown outcomes would ask for
//! one after the other, and its start and its regular work would wait for all of them. During the pause nothing is sent, and every outcome
//! stays unknown, as without an answer.

use crate::error::ExchangeError;
use payframe_payment_ports::Clock;
use std::sync::{Mutex, PoisonError};

/// Counts the requests without an answer.
#[derive(Debug)]
pub(crate) struct Pause {
    clock: Clock,
    state: Mutex<State>,
}

#[derive(Clone, Copy, Debug, Default)]
struct State {
    /// How many requests in a row had no answer.
    unanswered: u32,
    until_ms: i64,
}

impl Pause {
    pub(crate) fn new(clock: Clock) -> Pause {
        Pause {
            clock,
            state: Mutex::default(),
        }
    }

    /// Refuses a request during a pause.
    pub(crate) fn admit(&self) -> Result<(), ExchangeError> {
        let until_ms = self.state().until_ms;
        // A clock that is set back does not make the pause longer.
        let left_ms = until_ms.saturating_sub(self.clock.now_ms());
        match (1..=PAUSE_MS).contains(&left_ms) {
            true => Err(ExchangeError::Paused),
            false => Ok(()),
        }
    }

    /// Counts how a request ended.
    pub(crate) fn count<A>(&self, answer: &Result<A, ExchangeError>) {
        let mut state = self.state();
        match answer {
            Err(
                ExchangeError::Unreachable(_)
                | ExchangeError::Timeout(_)
                | ExchangeError::Interrupted(_)
                // What stands in front of an adapter says so when the adapter does not answer.
                | ExchangeError::Status(408 | 429 | 502..=504),
            ) => {
                state.unanswered = state.unanswered.saturating_add(1);
                if state.unanswered >= UNANSWERED {
                    state.until_ms = self.clock.now_ms().saturating_add(PAUSE_MS);
                }
            }
            // An answer that does not count is an answer all the same.
            _ => *state = State::default(),
        }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        // A panic during the lock cannot leave the state inconsistent: each change is one assignment.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How many requests in a row without an answer begin a pause.
const UNANSWERED: u32 = 3;

/// As long as the gateway waits before it asks again.
const PAUSE_MS: i64 = 5_000;
