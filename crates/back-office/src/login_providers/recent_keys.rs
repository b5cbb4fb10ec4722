//! The keys of a provider for tokens that come without a question of ours: anybody may send one.
//!
//! One question is on its way at a time, and its answer counts for [`KEPT_FOR`], also if there was none. So whoever sends such tokens cannot
//! make the gateway ask a provider often.

use payframe_login_tokens::KeySet;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Mutex;

/// The newest answer of a provider.
#[derive(Debug, Default)]
pub(super) struct RecentKeys(Mutex<Option<Answer>>);

#[derive(Debug)]
struct Answer {
    at: Instant,
    /// `None`: the provider gave no usable answer.
    keys: Option<Arc<KeySet>>,
}

impl RecentKeys {
    /// The keys as of a moment ago, or those that `ask` gets. `None`: there is no usable answer.
    pub(super) async fn or_ask(
        &self,
        now: Instant,
        ask: impl Future<Output = Option<KeySet>>,
    ) -> Option<Arc<KeySet>> {
        let mut newest = self.0.lock().await;
        if let Some(answer) = &*newest
            && now.saturating_duration_since(answer.at) < KEPT_FOR
        {
            return answer.keys.clone();
        }
        let keys = ask.await.map(Arc::new);
        *newest = Some(Answer {
            at: now,
            keys: keys.clone(),
        });
        keys
    }
}

/// How long an answer counts: a new key is known after that at the latest.
const KEPT_FOR: Duration = Duration::from_secs(10);

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[tokio::test]
    async fn a_provider_is_asked_again_after_a_while_whatever_it_answered() {
        let recent = RecentKeys::default();
        let asked = Cell::new(0);
        let start = Instant::now();
        let is_there = async |after: Duration, answers: bool| {
            let ask = async {
                asked.set(asked.get() + 1);
                let none = serde_json::json!({ "keys": [] });
                answers.then(|| serde_json::from_value(none).ok()).flatten()
            };
            (
                recent.or_ask(start + after, ask).await.is_some(),
                asked.get(),
            )
        };
        assert_eq!(is_there(Duration::ZERO, true).await, (true, 1));
        assert_eq!(is_there(KEPT_FOR / 2, false).await, (true, 1));
        assert_eq!(is_there(KEPT_FOR, false).await, (false, 2));
        assert_eq!(is_there(KEPT_FOR, true).await, (false, 2));
        assert_eq!(is_there(KEPT_FOR * 2, true).await, (true, 3));
    }
}
