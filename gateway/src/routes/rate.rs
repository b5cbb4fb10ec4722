//! Limits how often a caller may call (contract 1.10): a key, all keys of a merchant together, a session, and all browsers with one address.
//!
//! Each process counts in its memory ([`own`]), so none ever allows more than a limit. Where several processes share a database, they count
//! together ([`shared`], [`tally`]): all of them allow hardly more than one does. Connections of an address are those of a process, and log-ins
//! and tries of cards are counted in the database by the modules that they belong to.

mod own;
mod shared;
mod tally;

use super::caller::Caller;
use super::error::ApiError;
use crate::config::Config;
use metrics::counter;
use own::OwnLimiter;
use payframe_payment_domain::card_testing::address_key;
use payframe_payment_ports::{Clock, Vault};
use payframe_storage::Store;
use shared::SharedCounts;
use std::net::IpAddr;
use tally::Limit;

/// Calls that were answered 429: a counter.
pub(crate) const LIMITED: &str = "payframe_calls_limited_total";
/// The limits of calls: the values of its label `of`.
pub(crate) const LIMITS: [&str; 4] = [KEY, MERCHANT, SESSION, ADDRESS];

/// How many calls each caller has left.
pub(crate) struct Rates {
    keys: Limiter,
    merchants: Limiter,
    frames: Limiter,
    addresses: Limiter,
    /// `None`: no other process uses the tables.
    shared: Option<SharedCounts>,
}

/// One limit, for many accounts.
struct Limiter {
    of: &'static str,
    limit: Limit,
    own: OwnLimiter,
}

impl Rates {
    /// The limits of the settings. Processes that share `store` count together.
    pub(crate) fn new(config: &Config, clock: &Clock, store: &Store) -> Rates {
        let of_setting = |of, per_second: u32| {
            let burst = per_second.saturating_mul(2);
            let limit = Limit {
                per_second,
                burst,
                portion: (burst / PORTIONS).max(1),
            };
            Limiter::new(of, limit, clock)
        };
        Rates {
            keys: of_setting(KEY, config.merchant_calls_per_second),
            merchants: of_setting(MERCHANT, config.merchant_total_calls_per_second()),
            frames: Limiter::new(SESSION, FRAMES, clock),
            addresses: of_setting(ADDRESS, config.address_calls_per_second),
            shared: store
                .is_shared()
                .then(|| SharedCounts::new(store.clone(), clock.clone())),
        }
    }

    /// Lets a call pass, or says how long to wait.
    pub(crate) async fn admit(&self, caller: &Caller) -> Result<(), ApiError> {
        let admitted = match caller {
            Caller::Merchant { terminal, key_hash } => {
                match self.take(&self.keys, key_hash).await {
                    Ok(()) => self.take(&self.merchants, &terminal.merchant_id).await,
                    refused => refused,
                }
            }
            Caller::Frame { session_hash, .. } => self.admit_frame(session_hash).await,
        };
        admitted.map_err(ApiError::TooMany)
    }

    /// The same for a call of a browser, before anybody asks who it is. The account is a hash that only this gateway can make of the address.
    pub(crate) async fn admit_address(
        &self,
        vault: &dyn Vault,
        address: IpAddr,
    ) -> Result<(), ApiError> {
        let account = vault.card_id("", &["address", &address_key(address)]);
        let admitted = self.take(&self.addresses, &account).await;
        admitted.map_err(ApiError::TooMany)
    }

    /// The same for what a session's frame asks besides the API. The error is the number of seconds to wait.
    pub(crate) async fn admit_frame(&self, session_hash: &str) -> Result<(), u64> {
        self.take(&self.frames, session_hash).await
    }

    /// Tells the other processes of the calls that they do not know of. To be called every second.
    pub(crate) async fn tell_all(&self) {
        if let Some(shared) = &self.shared {
            shared.tell_all().await;
        }
    }

    async fn take(&self, limiter: &Limiter, account: &str) -> Result<(), u64> {
        let mut admitted = limiter.own.take(account);
        if let (Ok(()), Some(shared)) = (admitted, &self.shared) {
            let account = format!("{} {account}", limiter.of);
            admitted = shared.take(limiter.limit, account).await;
        }
        if admitted.is_err() {
            counter!(LIMITED, "of" => limiter.of).increment(1);
        }
        admitted
    }
}

impl Limiter {
    fn new(of: &'static str, limit: Limit, clock: &Clock) -> Limiter {
        Limiter {
            of,
            limit,
            own: OwnLimiter::new(limit.per_second, limit.burst, clock),
        }
    }
}

const KEY: &str = "key";
const MERCHANT: &str = "merchant";
const SESSION: &str = "session";
const ADDRESS: &str = "address";

/// The limit of a session. A form makes fewer calls in a second than its portion, so no payment waits for the database because of it.
const FRAMES: Limit = Limit {
    per_second: 10,
    burst: 30,
    portion: 10,
};

/// A process tells the others after this part of a burst that a setting allows.
const PORTIONS: u32 = 10;

#[cfg(test)]
mod tests {
    use super::*;
    use payframe_storage::StorageSettings;

    #[tokio::test]
    async fn twice_as_many_calls_of_a_key_come_at_once_and_none_where_none_may() {
        let clock = Clock::manual(1_760_000_000_000);
        let folder = tempfile::tempdir().unwrap();
        let settings = StorageSettings {
            folder: folder.path().to_owned(),
            server_url: None,
        };
        let store = Store::open(&settings).await.unwrap();
        for (per_second, expected) in [(0, 0), (1, 2), (50, 100), (u32::MAX, 1000)] {
            let config = Config {
                merchant_calls_per_second: per_second,
                ..Config::sandbox()
            };
            let rates = Rates::new(&config, &clock, &store);
            let mut passed = 0;
            for _ in 0..1000 {
                passed += u32::from(rates.take(&rates.keys, "a").await.is_ok());
            }
            assert_eq!(passed, expected, "{per_second}");
            let total = config.merchant_total_calls_per_second();
            assert_eq!(total, per_second.saturating_mul(10));
        }
    }
}
