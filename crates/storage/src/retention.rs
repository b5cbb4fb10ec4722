//! Deletes old records, some at a time and by an index, so that no payment waits for long.
//!
//! How old is a parameter. Money is not among the [`OldRecords`]: orders, operations, disputes, settlements and the audit log stay.

use super::{Connection, StoreError, query};

/// A kind of records that are deleted when they are old.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OldRecords {
    /// Stored responses of calls with an idempotency key, by the time of the response.
    Answers,
    /// Events of the feed, by the time of writing. The newest of each merchant stays, so that a reader at the end keeps its cursor.
    Events,
    /// Notifications that were delivered or given up, with their attempts, by the time of the last attempt.
    Notifications,
    /// What closed sessions leave, by the end of their longest life: their pages, offers and addresses. The session goes, too, unless it has
    /// an operation or belongs to a hosted page.
    Sessions,
    /// Messages to acquirers over ISO 8583 that are done, by the time of sending.
    Exchanges,
    /// Answers of directory servers, by the time of the authentication.
    Authentications,
    /// Tries of cards, by their time.
    CardTries,
    /// Decisions about stopped tries, by their end.
    CardTryReviews,
    /// Addresses from which cards came, by their time.
    CardSources,
    /// Refusals of issuers, by their time.
    CardRefusals,
    /// Tokens of wallets that have begun a payment, by the time from which on they are too old.
    WalletTokens,
}

impl OldRecords {
    /// The name in metrics and logs.
    pub fn name(self) -> &'static str {
        match self {
            OldRecords::Answers => "answers",
            OldRecords::Events => "events",
            OldRecords::Notifications => "notifications",
            OldRecords::Sessions => "sessions",
            OldRecords::Exchanges => "exchanges",
            OldRecords::Authentications => "authentications",
            OldRecords::CardTries => "card_tries",
            OldRecords::CardTryReviews => "card_try_reviews",
            OldRecords::CardSources => "card_sources",
            OldRecords::CardRefusals => "card_refusals",
            OldRecords::WalletTokens => "wallet_tokens",
        }
    }

    /// Whether somebody may miss it, so that its deletion is in the audit log. The others are answers to repeated calls, and counts that limits
    /// need for some hours.
    pub fn is_record(self) -> bool {
        match self {
            OldRecords::Events
            | OldRecords::Notifications
            | OldRecords::Sessions
            | OldRecords::Exchanges
            | OldRecords::Authentications
            | OldRecords::CardTryReviews => true,
            OldRecords::Answers
            | OldRecords::CardTries
            | OldRecords::CardSources
            | OldRecords::CardRefusals
            | OldRecords::WalletTokens => false,
        }
    }

    /// Deletes records from before `before_ms`, at most `most`. Returns how many: fewer than `most` if none is left.
    pub async fn delete(
        self,
        connection: &mut Connection,
        before_ms: i64,
        most: u32,
    ) -> Result<u64, StoreError> {
        match self {
            OldRecords::Notifications => delete_notifications(connection, before_ms, most).await,
            OldRecords::Sessions => tidy_sessions(connection, before_ms, most).await,
            _ => {
                let deleted = query(self.statement())
                    .bind(before_ms)
                    .bind(most)
                    .execute(connection);
                Ok(deleted.await?)
            }
        }
    }

    /// The statement that deletes some, where one is enough. Its values are the time and the number.
    fn statement(self) -> &'static str {
        match self {
            OldRecords::Answers => {
                "DELETE FROM stored_answer WHERE (scope, key) IN \
                 (SELECT scope, key FROM stored_answer WHERE created_ms < ? ORDER BY created_ms LIMIT ?)"
            }
            OldRecords::Events => {
                "DELETE FROM event WHERE event_id IN (SELECT e.event_id FROM event e \
                 JOIN event_feed f ON f.merchant_id = e.merchant_id \
                 WHERE e.written_ms < ? AND e.position < f.last_position ORDER BY e.written_ms LIMIT ?)"
            }
            OldRecords::Notifications => {
                "DELETE FROM notification_attempt WHERE event_id IN (SELECT event_id FROM notification \
                 WHERE state IN ('DELIVERED', 'GIVEN_UP') AND next_attempt_ms < ? ORDER BY state, next_attempt_ms, event_id LIMIT ?)"
            }
            OldRecords::Sessions => {
                "UPDATE build_session SET tidied = 2 WHERE session_hash IN (SELECT session_hash FROM build_session \
                 WHERE tidied <> 1 AND tidied = 0 AND ends_ms < ? AND state IN ('COMPLETE', 'CANCELLED', 'DEAD') \
                 ORDER BY ends_ms LIMIT ?)"
            }
            OldRecords::Exchanges => {
                "DELETE FROM iso8583_exchange WHERE reference IN (SELECT reference FROM iso8583_exchange \
                 WHERE sent_ms < ? AND state = 'DONE' ORDER BY sent_ms LIMIT ?)"
            }
            OldRecords::Authentications => {
                "DELETE FROM three_ds_authentication WHERE reference IN (SELECT reference FROM three_ds_authentication \
                 WHERE made_ms < ? ORDER BY made_ms LIMIT ?)"
            }
            OldRecords::CardTries => {
                "DELETE FROM card_try WHERE operation_id IN (SELECT operation_id FROM card_try WHERE at_ms < ? ORDER BY at_ms LIMIT ?)"
            }
            OldRecords::CardTryReviews => {
                "DELETE FROM card_try_review WHERE review_id IN (SELECT review_id FROM card_try_review WHERE ends_ms < ? ORDER BY ends_ms LIMIT ?)"
            }
            OldRecords::CardSources => {
                "DELETE FROM card_source WHERE session_hash IN (SELECT session_hash FROM card_source WHERE at_ms < ? ORDER BY at_ms LIMIT ?)"
            }
            OldRecords::CardRefusals => {
                "DELETE FROM card_refusal WHERE card_id IN (SELECT card_id FROM card_refusal WHERE at_ms < ?1 ORDER BY at_ms LIMIT ?2) \
                 AND at_ms < ?1"
            }
            OldRecords::WalletTokens => {
                "DELETE FROM wallet_token WHERE token_hash IN (SELECT token_hash FROM wallet_token WHERE until_ms < ? ORDER BY until_ms LIMIT ?)"
            }
        }
    }
}

async fn delete_notifications(
    connection: &mut Connection,
    before_ms: i64,
    most: u32,
) -> Result<u64, StoreError> {
    query(OldRecords::Notifications.statement())
        .bind(before_ms)
        .bind(most)
        .execute(&mut *connection)
        .await?;
    // One that has got an attempt in between stays until the next time.
    let deleted = query(
        "DELETE FROM notification WHERE event_id IN (SELECT event_id FROM notification \
         WHERE state IN ('DELIVERED', 'GIVEN_UP') AND next_attempt_ms < ? ORDER BY state, next_attempt_ms, event_id LIMIT ?) \
         AND NOT EXISTS (SELECT 1 FROM notification_attempt a WHERE a.event_id = notification.event_id)",
    )
    .bind(before_ms)
    .bind(most)
    .execute(connection)
    .await?;
    Ok(deleted)
}

async fn tidy_sessions(
    connection: &mut Connection,
    before_ms: i64,
    most: u32,
) -> Result<u64, StoreError> {
    let tidied = query(OldRecords::Sessions.statement())
        .bind(before_ms)
        .bind(most)
        .execute(&mut *connection)
        .await?;
    if tidied == 0 {
        return Ok(0);
    }
    for sql in LEFT_BY_SESSIONS {
        query(sql).execute(&mut *connection).await?;
    }
    Ok(tidied)
}

/// What the running change deletes of the sessions that it tidies.
const LEFT_BY_SESSIONS: &[&str] = &[
    "DELETE FROM threeds_page WHERE session_hash IN (SELECT session_hash FROM build_session WHERE tidied <> 1 AND tidied = 2)",
    "DELETE FROM currency_offer WHERE session_hash IN (SELECT session_hash FROM build_session WHERE tidied <> 1 AND tidied = 2)",
    "DELETE FROM sealed_card WHERE session_hash IN (SELECT session_hash FROM build_session WHERE tidied <> 1 AND tidied = 2)",
    "DELETE FROM card_source WHERE session_hash IN (SELECT session_hash FROM build_session WHERE tidied <> 1 AND tidied = 2)",
    "UPDATE build_session SET tidied = 1 WHERE session_hash IN (SELECT s.session_hash FROM build_session s \
     WHERE s.tidied <> 1 AND s.tidied = 2 AND (s.hosted_page_id IS NOT NULL \
     OR EXISTS (SELECT 1 FROM operation o WHERE o.session_hash = s.session_hash)))",
    "DELETE FROM external_3ds WHERE session_hash IN (SELECT session_hash FROM build_session WHERE tidied <> 1 AND tidied = 2)",
    "DELETE FROM build_session WHERE tidied <> 1 AND tidied = 2",
];
