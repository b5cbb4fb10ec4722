//! How long a session may stay in a state.

use super::{ChallengeMeans, State};

/// A limit of a session's life (contract 4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// The buyer was inactive for too long.
    Idle,
    /// Too long since it was made.
    Hard,
    /// The challenge was open for too long.
    Challenge,
    /// An alternative method took too long.
    Redirect,
    /// The time in which the outcome is reported is over.
    Retention,
}

/// The limits, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    /// For a session without activity of the buyer.
    pub idle_ms: i64,
    /// For a challenge in the browser.
    pub challenge_ms: i64,
    /// For an alternative method.
    pub redirect_ms: i64,
    /// For reporting an outcome.
    pub retention_ms: i64,
}

/// The limit that `session` has passed by `now_ms`, if any.
pub fn passed_limit(
    state: &State,
    last_seen_ms: i64,
    ends_ms: i64,
    limits: Limits,
    now_ms: i64,
) -> Option<Limit> {
    let (limit, at_ms) = next_limit(state, last_seen_ms, ends_ms, limits)?;
    (now_ms >= at_ms).then_some(limit)
}

/// The limit that passes next, and when. A session that waits for an answer has none.
pub fn next_limit(
    state: &State,
    last_seen_ms: i64,
    ends_ms: i64,
    limits: Limits,
) -> Option<(Limit, i64)> {
    match state {
        State::ChoosingMethod
        | State::CollectingCard(_)
        | State::CheckingDevice { .. }
        | State::Ready { .. }
        | State::VerifyingDevice { .. } => {
            let idle_ms = last_seen_ms + limits.idle_ms;
            Some(if idle_ms < ends_ms {
                (Limit::Idle, idle_ms)
            } else {
                (Limit::Hard, ends_ms)
            })
        }
        State::Challenged { challenge, .. } => {
            let at_ms = match challenge.means {
                ChallengeMeans::Decoupled { until_ms } => until_ms,
                ChallengeMeans::Page | ChallengeMeans::Confirmation => {
                    challenge.since_ms + limits.challenge_ms
                }
            };
            Some((Limit::Challenge, at_ms))
        }
        State::Redirected { redirect } => {
            Some((Limit::Redirect, redirect.since_ms + limits.redirect_ms))
        }
        State::Complete { since_ms, .. } | State::Cancelled { since_ms, .. } => {
            Some((Limit::Retention, since_ms + limits.retention_ms))
        }
        State::Authorizing { .. }
        | State::SteppingUp { .. }
        | State::AuthorizingMethod { .. }
        | State::Dead => None,
    }
}
