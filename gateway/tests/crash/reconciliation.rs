//! Compares what clients were told with the records of the gateway and of the acquirer.

use super::Paid;
use super::processes::{Place, get};
use payframe_storage::Row;
use serde_json::Value;
use std::collections::BTreeMap;

/// Compares the gateway's database with the acquirer's, and both with what the clients received.
pub(super) fn reconcile(place: &Place, payments: &[Paid]) {
    let mut operations: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for row in place.gateways("SELECT order_id, operation_id, result FROM operation WHERE payment_id IS NULL ORDER BY time_ms",
    ) {
        operations
            .entry(get(&row, "order_id"))
            .or_default()
            .push((get(&row, "operation_id"), get(&row, "result")));
    }
    let mut charges: BTreeMap<String, String> = BTreeMap::new();
    let question =
        "SELECT reference, coalesce(final_settlement, settlement) AS settlement FROM charge";
    for row in place.acquirers(question) {
        assert!(
            charges
                .insert(get(&row, "reference"), get(&row, "settlement"))
                .is_none()
        );
    }
    let mut movements = Vec::new();
    for Paid {
        order,
        told,
        moved,
        totals: (_, captured),
        charges: more,
    } in payments
    {
        // Operations that are captured in whole or in part, with nothing left open, are executed.
        let good = if *captured > 0 {
            "EXECUTED"
        } else {
            "AUTHORIZED"
        };
        let booked = operations.remove(order).unwrap_or_default();
        let results: Vec<&str> = booked.iter().map(|(_, result)| result.as_str()).collect();
        let expected: Vec<&str> = told
            .iter()
            .map(|result| match result.as_str() {
                "PENDING" | "AUTHORIZED" => good,
                other => other,
            })
            .collect();
        assert_eq!(
            results, expected,
            "{order}: the gateway's ledger is not what its client was told"
        );
        assert_eq!(
            results.iter().filter(|result| **result == good).count(),
            1 + more,
            "{order}: one final success, and one for each charge"
        );
        for (operation_id, result) in &booked {
            let acquirers = charges.remove(operation_id);
            let expected = if result == good {
                "APPROVED"
            } else {
                "DECLINED"
            };
            assert_eq!(
                acquirers.as_deref(),
                Some(expected),
                "{order}: the acquirer's ledger is not the gateway's"
            );
        }
        for (id, kind, amount) in moved {
            movements.push((id.clone(), (*kind).to_owned(), *amount));
        }
    }
    movements.sort();
    let booked = "SELECT operation_id AS id, operation_type AS kind, amount_minor FROM operation \
                  WHERE payment_id IS NOT NULL AND stage = 'BOOKED' \
                  AND (result IN ('EXECUTED', 'AUTHORIZED') OR operation_type = 'VOID' AND result = 'VOIDED')";
    assert_eq!(
        movements,
        moved_in(&place.gateways(booked)),
        "the gateway's movements"
    );
    let done =
        "SELECT reference AS id, kind, amount_minor FROM movement WHERE settlement = 'APPROVED'";
    let done = moved_in(&place.acquirers(done));
    assert_eq!(movements, done, "the acquirer's movements");
    let others = place.gateways(
        "SELECT operation_id FROM operation WHERE payment_id IS NOT NULL AND result NOT IN ('EXECUTED', 'AUTHORIZED') \
         AND NOT (operation_type = 'VOID' AND result = 'VOIDED')",
    );
    assert!(others.is_empty(), "movements that no client asked for");
    assert!(
        operations.is_empty(),
        "operations that no client knows: {operations:?}"
    );
    assert!(
        charges.is_empty(),
        "charges that the gateway does not know: {charges:?}"
    );
    for row in place.gateways("SELECT order_id, authorized_minor, captured_minor, refunded_minor, payment_operation_id FROM merchant_order",
    ) {
        let order: String = get(&row, "order_id");
        let paid = payments.iter().find(|paid| paid.order == order).unwrap();
        let refunds = paid.moved.iter().filter(|(_, kind, _)| *kind == "REFUND");
        let refunded: i64 = refunds.map(|(_, _, amount)| amount).sum();
        assert_eq!(
            (
                get::<i64>(&row, "authorized_minor"),
                get::<i64>(&row, "captured_minor"),
                get::<i64>(&row, "refunded_minor")
            ),
            (paid.totals.0, paid.totals.1, refunded),
            "{order}"
        );
        assert!(
            get::<Option<String>>(&row, "payment_operation_id")
                .is_some(),
            "{order}"
        );
    }
    for row in place.gateways(
        "SELECT order_id, state, count(*) AS sessions FROM build_session GROUP BY order_id, state",
    ) {
        let order: String = get(&row, "order_id");
        let paid = payments.iter().find(|paid| paid.order == order).unwrap();
        assert_eq!(
            (
                get::<String>(&row, "state").as_str(),
                get::<i64>(&row, "sessions")
            ),
            ("COMPLETE", 1 + paid.charges as i64),
            "{order}"
        );
    }
    reconcile_notifications(place, payments);
    let unpaid = place.gateways(
        "SELECT page_id FROM hosted_page WHERE status <> 'PAID' OR refused <> 1 OR paid_by NOT IN \
         (SELECT payment_operation_id FROM merchant_order WHERE payment_operation_id IS NOT NULL)",
    );
    assert!(unpaid.is_empty(), "pages that do not know of their payment");
    let unheard =
        place.gateways("SELECT operation_id FROM external_3ds WHERE status NOT IN ('AUTHENTICATED', 'FRICTIONLESS')");
    assert!(unheard.is_empty(), "authentications that were lost");
    // Each contract exists once, and every change of one is finished.
    let made = payments
        .iter()
        .filter(|paid| paid.order.ends_with("-later") || paid.charges > 0)
        .count();
    let contracts = place.gateways("SELECT contract_id FROM contract WHERE is_active = 1");
    assert_eq!(contracts.len(), made, "contracts");
    let changes = place.gateways("SELECT operation_id FROM contract_change");
    assert!(
        changes.is_empty(),
        "changes of contracts that were left undone"
    );
    let unaccepted = place.gateways(
        "SELECT reservation_id FROM reservation r WHERE 1 <> (SELECT count(*) FROM acceptance a WHERE a.order_id = r.reservation_id)",
    );
    assert!(unaccepted.is_empty(), "acceptances that were lost");
    let kept = place.gateways("SELECT session_hash FROM sealed_card");
    assert!(
        kept.is_empty(),
        "cards of finished payments are still there"
    );
}

/// The merchant's notifications are the events of the feed. Each operation has one with its result. Before it there is one with `PENDING`
/// if the gateway told its client so, or preassigned the operation.
///
/// An acquirer's `PENDING` alone asks for none: when the database is gone at that moment, the gateway asks again later and may hear
/// nothing but the final response.
fn reconcile_notifications(place: &Place, payments: &[Paid]) {
    let mut notified = events_of(&place.gateways("SELECT body FROM notification ORDER BY seq"));
    let mut fed =
        events_of(&place.gateways("SELECT body FROM event ORDER BY merchant_id, position"));
    // By order whose merchant wants notifications: whether one of them had `PENDING`.
    let mut is_pending_notified: BTreeMap<String, bool> = BTreeMap::new();
    for row in place.gateways(
        "SELECT operation_id, order_id, announced_operation_id \
         FROM operation JOIN build_session USING (session_hash, order_id) WHERE notification_url IS NOT NULL",
    ) {
        let (operation, order): (String, String) = (get(&row, "operation_id"), get(&row, "order_id"));
        let events = notified.remove(&operation).unwrap_or_default();
        assert_eq!(Some(&events), fed.get(&operation), "{order}: the feed is not what was notified");
        let results: Vec<&str> = events.iter().map(|(_, result)| result.as_str()).collect();
        let (last, earlier) = results.split_last().expect("an operation without a notification");
        assert_ne!(*last, "PENDING", "{order}: a result that was not notified");
        assert!(matches!(earlier, [] | ["PENDING"]), "{order}: {results:?}");
        let is_preassigned = get::<Option<String>>(&row, "announced_operation_id").as_ref() == Some(&operation);
        assert!(!is_preassigned || earlier == ["PENDING"], "{order}: {results:?}");
        *is_pending_notified.entry(order).or_default() |= !earlier.is_empty();
        fed.remove(&operation);
    }
    assert!(
        notified.is_empty(),
        "notifications of no operation: {notified:?}"
    );
    for paid in payments {
        let was_told = paid.told.iter().any(|result| result == "PENDING");
        let is_notified = is_pending_notified
            .get(&paid.order)
            .is_none_or(|is_notified| *is_notified);
        assert!(
            !was_told || is_notified,
            "{}: a client was told PENDING, its merchant was not",
            paid.order
        );
    }
}

/// Ids and results of the events of each operation, in their order.
fn events_of(rows: &[Row]) -> BTreeMap<String, Vec<(String, String)>> {
    let mut events: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for row in rows {
        let event: Value = serde_json::from_str(get(row, "body")).unwrap();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let operation = &event["operation"];
        events
            .entry(text(&operation["operationId"]))
            .or_default()
            .push((text(&event["eventId"]), text(&operation["operationResult"])));
    }
    events
}

/// Sorted by their ids, like the text that is compared here.
fn moved_in(rows: &[Row]) -> Vec<(String, String, i64)> {
    let read = |row| (get(row, "id"), get(row, "kind"), get(row, "amount_minor"));
    let mut moved: Vec<_> = rows.iter().map(read).collect();
    moved.sort();
    moved
}
