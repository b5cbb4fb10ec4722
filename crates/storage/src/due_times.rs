//! When timed work is due: the limits of sessions, the results of pending operations, the release of authorizations, the installments
//! of reservations, the deadlines of disputes, the disputes of a sandbox's bank, and whether an attack is over. The work itself is in the files of these things.

use super::{Connection, StoreError, query_scalar};

/// The first time after `after_ms` at which something is due. A release that failed and is tried again does not count.
pub async fn next_ms(
    connection: &mut Connection,
    after_ms: i64,
) -> Result<Option<i64>, StoreError> {
    let mut earliest = None;
    for question in QUESTIONS {
        let next: Option<i64> = query_scalar(question)
            .bind(after_ms)
            .fetch_optional(&mut *connection)
            .await?;
        earliest = earliest.into_iter().chain(next).min();
    }
    Ok(earliest)
}

/// Each is answered from an index.
const QUESTIONS: [&str; 7] = [
    "SELECT wake_ms FROM build_session WHERE wake_ms > ? AND state <> 'DEAD' ORDER BY wake_ms LIMIT 1",
    "SELECT settle_ms FROM operation WHERE settle_ms > ? ORDER BY settle_ms LIMIT 1",
    "SELECT release_ms FROM operation WHERE result = 'AUTHORIZED' AND release_ms > ? ORDER BY release_ms LIMIT 1",
    "SELECT p.due_ms FROM reservation_part p \
     JOIN reservation r ON r.merchant_id = p.merchant_id AND r.reservation_id = p.reservation_id \
     JOIN merchant_order m ON m.merchant_id = p.merchant_id AND m.order_id = p.reservation_id \
     JOIN operation o ON o.operation_id = m.payment_operation_id \
     WHERE p.due_ms > ? AND r.cancelled_ms IS NULL AND o.result IN ('AUTHORIZED', 'EXECUTED') \
     ORDER BY p.due_ms LIMIT 1",
    "SELECT deadline_ms FROM dispute WHERE state = 'NEEDS_RESPONSE' AND deadline_ms > ? ORDER BY deadline_ms LIMIT 1",
    "SELECT due_ms FROM planned_dispute WHERE due_ms > ? ORDER BY due_ms LIMIT 1",
    "SELECT check_ms FROM terminal_attack WHERE check_ms > ? ORDER BY check_ms LIMIT 1",
];
