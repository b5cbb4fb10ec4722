//! The keys of a provider for tokens that come without a question of ours: anybody may send one.
//!
//! One question is on its way at a time, and its answer counts for [`KEPT_FOR`], also if there was none. So whoever sends such tokens cannot
//! make the gateway ask a provider often.

use super::LoginProvider;
use super::exchange;
use super::signature::KeySet;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::Instant;

/// The newest answer of a provider.
#[derive(Debug, Default)]
pub(super) struct RecentKeys(Mutex<Option<Answer>>);

#[derive(Debug)]
struct Answer {
    at: Instant,
    /// `None`: the provider gave no usable answer.
    keys: Option<Arc<KeySet>>,
}

impl LoginProvider {
    /// Its keys as of a moment ago. `None`: it gave no usable answer.
    pub(crate) async fn recent_keys(&self) -> Option<Arc<KeySet>> {
        let mut newest = self.recent_keys.0.lock().await;
        if let Some(answer) = &*newest
            && answer.at.elapsed() < KEPT_FOR
        {
            return answer.keys.clone();
        }
        let keys = match exchange::keys(self).await {
            Ok(keys) => Some(Arc::new(keys)),
            Err(problem) => {
                tracing::warn!(provider = self.id, %problem, "a log-in provider gave no keys");
                None
            }
        };
        *newest = Some(Answer {
            at: Instant::now(),
            keys: keys.clone(),
        });
        keys
    }
}

/// How long an answer counts: a new key is known after that at the latest.
const KEPT_FOR: Duration = Duration::from_secs(10);
