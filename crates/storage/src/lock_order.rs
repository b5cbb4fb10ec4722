//! The locks of a change, and their order.
//!
//! A change takes its locks in the order of [`Rank`], and at most one of each rank. So no two changes wait for each other. The order is
//! checked at each lock, also on a file, where one change runs at a time anyway: a change out of order fails, and every test with such
//! a change with it.
//!
//! | Rank | What it is on a server | Who takes it |
//! |---|---|---|
//! | merchant | an advisory lock, shared or exclusive | shared: each change of one order; exclusive: a change of what several orders use |
//! | order | an advisory lock | a change of an order, its sessions, operations and pages |
//! | contract | an advisory lock | a change that judges a contract and then promises something of it |
//! | feed | the row of `event_feed` | a change that needs the time of an operation or a place in the feed; just before it writes and commits |
//! | audit log | the row of `audit_head` | a change that writes an entry of the audit log; just before it commits. No payment does |
//!
//! The tries with a merchant's cards have an advisory lock too, before all others: a change begins with it, and takes at most that of the feed
//! behind it, where an attack begins or ends.
//!
//! A day of a merchant has one as well. The triggers of operations share it, behind all other locks. Whoever sums the day ([`super::day_sums`])
//! tries to have it alone, without others and without waiting.
//!
//! The first two are advisory locks, because a new order has no row yet, and because a row that many changes share is written by each
//! of them. The texts of keys are hashed by the server; two keys with the same hash only wait without need.

use sqlx::Error;

/// The place of a lock in the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    /// What all orders of a merchant share.
    Merchant,
    /// An order.
    Order,
    /// A contract.
    Contract,
    /// The end of a merchant's feed.
    Feed,
    /// The end of the audit log.
    AuditLog,
}

/// The locks that a change has.
#[derive(Debug, Default)]
pub(crate) struct HeldLocks(Vec<(Rank, String)>);

impl HeldLocks {
    /// Notes a lock. `false`: the change has it already. An error: its turn is over.
    pub(crate) fn take(&mut self, rank: Rank, name: &str) -> Result<bool, Error> {
        if self
            .0
            .iter()
            .any(|(held, called)| *held == rank && called == name)
        {
            return Ok(false);
        }
        match self.0.last() {
            Some((last, _)) if *last >= rank => Err(Error::Protocol(format!(
                "a lock out of order: {rank:?} behind {last:?}"
            ))),
            _ => {
                self.0.push((rank, name.to_owned()));
                Ok(true)
            }
        }
    }

    /// Forgets all: the change has ended.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locks_are_taken_in_one_order_and_one_of_a_rank() {
        let mut held = HeldLocks::default();
        assert_eq!(held.take(Rank::Order, "a").ok(), Some(true));
        assert_eq!(held.take(Rank::Feed, "demo").ok(), Some(true));
        assert_eq!(held.take(Rank::Feed, "demo").ok(), Some(false));
        assert_eq!(held.take(Rank::Order, "a").ok(), Some(false));
        assert_eq!(held.take(Rank::AuditLog, "audit log").ok(), Some(true));
        for (rank, name) in [
            (Rank::AuditLog, "other"),
            (Rank::Feed, "other"),
            (Rank::Contract, "c"),
            (Rank::Order, "b"),
            (Rank::Merchant, "demo"),
        ] {
            assert!(held.take(rank, name).is_err(), "{rank:?} {name}");
        }
        held.clear();
        assert_eq!(held.take(Rank::Merchant, "demo").ok(), Some(true));
    }
}
