//! Counts calls together for all processes that use one database server, so that they limit calls together. The table is `call_rate`.
//!
//! Each row belongs to one API key, one session or one merchant ("account"). It says how many calls were made and not forgotten yet. A fixed
//! number is forgotten each second (a leaky bucket). When nothing is left, the row is deleted. Times are those of the server's clock, because
//! the clocks of the machines differ. The table is not kept after a crash of the server: counting then begins at zero.
//!
//! This module only counts. Its callers decide what follows. Where the tables are in a file, there is one process, which counts in its
//! memory, and no such table.

use super::{Row, Store, StoreError, query};
use serde::Serialize;

/// Calls of an account that other processes do not know of yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UncountedCalls {
    /// The name under which they are counted: a hash or an id.
    pub account: String,
    /// How many calls are forgotten each second.
    pub per_second: u32,
    /// How many calls there were.
    pub calls: u32,
}

/// The calls of an account in all processes that are not forgotten.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountedCalls {
    /// The name under which they are counted.
    pub account: String,
    /// How many, in thousandths of a call.
    pub used_milli: i64,
}

impl Store {
    /// Counts calls, and returns what counts of their accounts now. Each account is there once. One journey, which waits for no disk, because
    /// the table has no log. Only where the tables are on a server.
    pub async fn count_calls(
        &self,
        mut calls: Vec<UncountedCalls>,
    ) -> Result<Vec<CountedCalls>, StoreError> {
        // In the same order in all processes, so that no two of them wait for each other's rows.
        calls.sort_by(|one, other| one.account.cmp(&other.account));
        let calls = serde_json::to_string(&calls).map_err(|_| StoreError::Unreadable("calls"))?;
        // An hour empties every bucket, and its product with the highest rate is a number that fits.
        let count = query(
            "INSERT INTO call_rate AS kept (account, per_second, used_milli, at_ms) \
             SELECT account, per_second, calls * 1000, (EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::BIGINT \
             FROM json_to_recordset(?::JSON) AS added (account TEXT, per_second BIGINT, calls BIGINT) ORDER BY account \
             ON CONFLICT (account) DO UPDATE SET \
             used_milli = excluded.used_milli + GREATEST(0, kept.used_milli \
             - kept.per_second * LEAST(3600000, GREATEST(0, excluded.at_ms - kept.at_ms))), \
             per_second = excluded.per_second, at_ms = GREATEST(kept.at_ms, excluded.at_ms) \
             RETURNING account, used_milli",
        );
        let rows = self.0.change_returning(count.bind(calls)).await?;
        let read = |row: &Row| {
            Ok(CountedCalls {
                account: row.try_get("account")?,
                used_milli: row.try_get("used_milli")?,
            })
        };
        rows.iter().map(read).collect()
    }

    /// Deletes the accounts of which no call counts any more. Returns their number. Only where the tables are on a server.
    pub async fn forget_quiet_accounts(&self) -> Result<u64, StoreError> {
        // The table is small: it has the accounts that called in the last minute. Rows that another process counts at are left to it.
        let forget = query(
            "DELETE FROM call_rate WHERE account IN (SELECT account FROM call_rate WHERE used_milli <= per_second \
             * LEAST(3600000, GREATEST(0, (EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::BIGINT - at_ms)) \
             FOR UPDATE SKIP LOCKED)",
        );
        self.change(forget).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::own_server::OwnServer;

    fn calls(account: &str, per_second: u32, calls: u32) -> UncountedCalls {
        UncountedCalls {
            account: account.to_owned(),
            per_second,
            calls,
        }
    }

    async fn used(store: &Store, added: Vec<UncountedCalls>) -> Vec<i64> {
        let counted = store.count_calls(added).await.unwrap();
        counted.iter().map(|counted| counted.used_milli).collect()
    }

    /// As if the last call of an account were so much longer ago.
    async fn age(store: &Store, account: &str, ms: i64) {
        let back = query("UPDATE call_rate SET at_ms = at_ms - ? WHERE account = ?");
        store.change(back.bind(ms).bind(account)).await.unwrap();
    }

    /// Two processes on a database of their own. Nothing where no server is named.
    async fn on_a_server<F: Future<Output = ()>>(name: &str, test: impl FnOnce([Store; 2]) -> F) {
        let Some(server) = OwnServer::begin(&format!("rates_{name}")).await else {
            return;
        };
        let open = || async { Store::open(server.settings()).await.unwrap() };
        test([open().await, open().await]).await;
        server.end().await;
    }

    /// The slow account is forgotten so slowly that the time of the test hardly counts.
    #[tokio::test]
    async fn processes_count_together_and_calls_are_forgotten_with_time() {
        on_a_server("time", async |[one, other]| {
            assert_eq!(used(&one, vec![calls("slow \"'", 1, 500)]).await, [500_000]);
            let after = used(&other, vec![calls("slow \"'", 1, 500)]).await;
            assert!((900_000..=1_000_000).contains(&after[0]), "{after:?}");
            let journeys = one.journeys().unwrap();
            let most = vec![calls("slow \"'", 1, 0), calls("fast", u32::MAX, u32::MAX)];
            assert_eq!(used(&one, most).await.len(), 2);
            assert_eq!(one.journeys().unwrap(), journeys + 1);
            age(&one, "slow \"'", 100_000).await;
            let after = used(&other, vec![calls("slow \"'", 1, 1)]).await;
            assert!((800_000..=901_000).contains(&after[0]), "{after:?}");
            age(&one, "fast", 1_000_000_000_000).await;
            assert_eq!(one.forget_quiet_accounts().await.unwrap(), 1, "the fast");
            age(&one, "slow \"'", 901_000).await;
            assert_eq!(one.forget_quiet_accounts().await.unwrap(), 1, "both");
        })
        .await;
    }

    #[tokio::test]
    async fn processes_that_count_the_same_accounts_at_once_do_not_wait_for_ever() {
        on_a_server("order", async |stores| {
            let names: Vec<String> = (0..50).map(|number| number.to_string()).collect();
            let mut running = Vec::new();
            for turn in 0..20 {
                let store = stores[turn % 2].clone();
                let mut added: Vec<_> = names.iter().map(|name| calls(name, 1, 1000)).collect();
                if turn % 3 == 0 {
                    added.reverse();
                }
                running.push(tokio::spawn(async move { store.count_calls(added).await }));
            }
            for counted in running {
                assert_eq!(counted.await.unwrap().unwrap().len(), names.len());
            }
            let after = used(&stores[0], vec![calls("7", 1, 0)]).await;
            assert!((19_900_000..=20_000_000).contains(&after[0]), "{after:?}");
        })
        .await;
    }
}
