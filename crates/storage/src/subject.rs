//! The subjects of changes, and how each is locked on a server.

use super::lock_order::Rank;
use super::statement::{Statement, query};

/// The subject of a change.
#[derive(Clone, Copy, Debug)]
pub enum Subject<'a> {
    /// The data of one merchant: orders, sessions, operations, contracts, pages, stored responses. No change of one of the merchant's
    /// orders runs beside it.
    Merchant(&'a str),
    /// One order, also one that does not exist yet: its sessions, operations, pages, stored responses.
    Order {
        /// The merchant of the order.
        merchant_id: &'a str,
        /// The merchant's order.
        order_id: &'a str,
    },
    /// The same, for the order of this session.
    Session(&'a str),
    /// The same, for the order of this operation.
    Operation(&'a str),
    /// The tries with cards at all orders of a merchant, which are counted together.
    CardTries(&'a str),
    /// What browsers reported of the pages of a terminal.
    PageWatch(&'a str),
    /// The clearing files of a merchant: one is imported after the other.
    Clearing(&'a str),
    /// Data that belongs to no merchant: terminals, keys.
    Gateway,
    /// Old records, of which one process deletes some at a time.
    Retention,
    /// Data that another party stores here, in its own tables.
    Foreign {
        /// The query that locks its row on a server, with one value.
        lock: &'static str,
        /// The value.
        name: &'a str,
    },
    /// A single statement, or several that need no lock.
    Statement,
}

impl Subject<'_> {
    /// The statement that locks it on a server.
    pub(super) fn lock(self) -> Option<Statement> {
        Some(match self {
            Subject::Merchant(merchant_id) => {
                query("SELECT pg_advisory_xact_lock(hashtextextended('merchant ' || ?, 0))")
                    .bind(merchant_id)
            }
            // First that of its merchant, which the changes of other orders share.
            Subject::Order {
                merchant_id,
                order_id,
            } => query(
                "SELECT pg_advisory_xact_lock_shared(hashtextextended('merchant ' || ?1, 0)), \
                 pg_advisory_xact_lock(hashtextextended('order ' || ?1 || ' ' || ?2, 0))",
            )
            .bind(merchant_id)
            .bind(order_id),
            Subject::Session(session_hash) => query(
                "SELECT pg_advisory_xact_lock_shared(hashtextextended('merchant ' || merchant_id, 0)), \
                 pg_advisory_xact_lock(hashtextextended('order ' || merchant_id || ' ' || order_id, 0)) \
                 FROM build_session WHERE session_hash = ?",
            )
            .bind(session_hash),
            Subject::Operation(operation_id) => query(
                "SELECT pg_advisory_xact_lock_shared(hashtextextended('merchant ' || merchant_id, 0)), \
                 pg_advisory_xact_lock(hashtextextended('order ' || merchant_id || ' ' || order_id, 0)) \
                 FROM operation WHERE operation_id = ?",
            )
            .bind(operation_id),
            Subject::CardTries(merchant_id) => {
                query("SELECT pg_advisory_xact_lock(hashtextextended('card tries ' || ?, 0))")
                    .bind(merchant_id)
            }
            Subject::PageWatch(terminal_id) => {
                query("SELECT pg_advisory_xact_lock(hashtextextended('page watch ' || ?, 0))")
                    .bind(terminal_id)
            }
            Subject::Clearing(merchant_id) => {
                query("SELECT pg_advisory_xact_lock(hashtextextended('clearing ' || ?, 0))")
                    .bind(merchant_id)
            }
            Subject::Gateway => query("SELECT 1 FROM turn WHERE name = 'gateway' FOR NO KEY UPDATE"),
            Subject::Retention => {
                query("SELECT pg_advisory_xact_lock(hashtextextended('retention', 0))")
            }
            Subject::Foreign { lock, name } => query(lock).bind(name),
            Subject::Statement => return None,
        })
    }

    /// The highest lock that the change has from its start.
    pub(super) fn rank(self) -> Option<Rank> {
        match self {
            Subject::Merchant(_) => Some(Rank::Merchant),
            Subject::Order { .. } | Subject::Session(_) | Subject::Operation(_) => {
                Some(Rank::Order)
            }
            Subject::CardTries(_)
            | Subject::PageWatch(_)
            | Subject::Clearing(_)
            | Subject::Gateway
            | Subject::Retention
            | Subject::Foreign { .. }
            | Subject::Statement => None,
        }
    }
}
