//! The rows of the database whose plans are asked for.

use crate::{StorageSettings, Store, day_sums, query};

/// How many orders there are.
pub(super) const ROWS: i64 = 20_000;

/// Rows as payments leave them: each order with a session, an operation, a link, a notification, an event, a stored card, goods, and a line of
/// a clearing file. No file has some hundred of the operations.
const FILL: &[&str] = &[
    "INSERT INTO merchant (merchant_id, name) VALUES ('demo', 'Demo')",
    "INSERT INTO terminal (terminal_id, merchant_id, capture, tokenization, currency_conversion, networks, eight_digit_bins, card_fields) \
     VALUES ('t1', 'demo', 'IMPLICIT', 1, 1, '', '', '')",
    "WITH RECURSIVE n (i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < ?) \
     INSERT INTO merchant_order (merchant_id, order_id, currency, amount_minor, captured_minor, authorized_minor, document, created_ms, last_operation_ms) \
     SELECT 'demo', 'o' || CAST(i AS TEXT), 'EUR', 3545, 3545, 3545, '{\"orderId\":\"o' || CAST(i AS TEXT) || '\",\"amount\":\"3545\",\"currency\":\"EUR\",\
     \"customerId\":\"' || CASE i % 2 WHEN 0 THEN 'guest' ELSE 'c' || CAST(i / 3 AS TEXT) END || '\",\"customField\":\"' || CASE i % 2 WHEN 0 THEN 'web' ELSE 'f' || CAST(i % 1000 AS TEXT) END || '\"}', i * 1000, i * 1000 FROM n",
    "WITH RECURSIVE n (i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < ?) \
     INSERT INTO hosted_page (page_id, token_hash, kind, merchant_id, terminal_id, order_id, action_type, capture, language, challenge_wish, methods, \
     security_token, trace_id, currency, amount_minor, status, created_ms, ends_ms, last_day, life_days) \
     SELECT 'p' || CAST(i AS TEXT), 'p' || CAST(i AS TEXT), 'LINK', 'demo', 't1', 'o' || CAST(i AS TEXT), 'PAY', 'IMPLICIT', 'eng', '', '', '', '', 'EUR', 3545, \
     'CANCELED', i * 1000, i * 1000 + 5000, '2026-01-01', 3 FROM n",
    "WITH RECURSIVE n (i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < ?) \
     INSERT INTO build_session (session_hash, merchant_id, terminal_id, order_id, version, merchant_origin, action_type, capture, language, challenge_wish, \
     result_url, cancel_url, security_token, trace_id, closing, card_summary, currency, amount_minor, attempts_left, submissions, state, state_document, \
     created_ms, last_seen_ms, ends_ms, wake_ms, hosted_page_id) \
     SELECT 's' || CAST(i AS TEXT), 'demo', 't1', 'o' || CAST(i AS TEXT), 3, '', 'PAY', 'IMPLICIT', 'eng', '', '', '', '', '', 'SERVER', 'NONE', 'EUR', 3545, 0, 1, \
     CASE i % 100 WHEN 0 THEN 'COMPLETE' ELSE 'DEAD' END, '', i * 1000, i * 1000, i * 1000, \
     CASE i % 100 WHEN 0 THEN i * 1000 ELSE 9223372036854775807 END, 'p' || CAST(i AS TEXT) FROM n",
    "WITH RECURSIVE n (i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < ?) \
     INSERT INTO operation (operation_id, merchant_id, terminal_id, order_id, session_hash, operation_type, result, time_ms, amount_minor, currency, document) \
     SELECT CAST(100000000000000000 + i AS TEXT), 'demo', 't1', 'o' || CAST(i AS TEXT), 's' || CAST(i AS TEXT), 'AUTHORIZATION', 'EXECUTED', i * 1000, 3545, 'EUR', \
     '{\"orderId\":\"o' || CAST(i AS TEXT) || '\",\"operationId\":\"' || CAST(100000000000000000 + i AS TEXT) || '\",\"channel\":\"ECOMMERCE\",\"channelDetail\":\"BUILD\",\
     \"operationType\":\"AUTHORIZATION\",\"operationResult\":\"EXECUTED\",\"operationTime\":\"\",\"operationAmount\":\"3545\",\"operationCurrency\":\"EUR\",\
     \"paymentCircuit\":\"' || CASE i % 500 WHEN 0 THEN 'AMEX' ELSE 'VISA' END || '\",\"paymentInstrumentInfo\":\"***' || CASE i % 2 WHEN 1 THEN '0003' ELSE CAST(1400 + i % 200 AS TEXT) END || '\",\
     \"customerInfo\":{},\"warnings\":[],\"terminalId\":\"t1\",\"additionalData\":{}}' FROM n",
    "WITH RECURSIVE n (i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < ?) \
     INSERT INTO earlier_card (merchant_id, order_id, instrument, circuit, last_operation_ms) \
     SELECT 'demo', 'o' || CAST(i AS TEXT), '***0004', 'VISA', i * 1000 FROM n",
    "WITH RECURSIVE n (i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < ?) \
     INSERT INTO notification (event_id, merchant_id, order_id, url, body, next_attempt_ms, state, created_ms) \
     SELECT 'e' || CAST(i AS TEXT), 'demo', 'o' || CAST(i AS TEXT), '', '{\"eventId\":\"e\",\"eventTime\":\"\",\"eventType\":\"X\"}', i * 1000, 'DELIVERED', i * 1000 FROM n",
    "WITH RECURSIVE n (i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < ?) \
     INSERT INTO notification_attempt (event_id, attempt, at_ms, status) SELECT 'e' || CAST(i AS TEXT), 1, i * 1000, 200 FROM n",
    "WITH RECURSIVE n (i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < ?) \
     INSERT INTO event (merchant_id, position, event_id, body, written_ms) \
     SELECT 'demo', i, 'e' || CAST(i AS TEXT), '{\"eventId\":\"e\",\"eventTime\":\"\",\"eventType\":\"X\"}', i * 1000 FROM n",
    "INSERT INTO event_feed (merchant_id, last_position, last_written_ms) VALUES ('demo', 20000, 0)",
    "WITH RECURSIVE n (i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < ?) \
     INSERT INTO contract (merchant_id, contract_id, customer_id, contract_type, is_active, card, card_from, created_ms) \
     SELECT 'demo', 'k' || CAST(i AS TEXT), 'c' || CAST(i / 3 AS TEXT), 'CIT', 0, \
     '{\"bin\":\"476173\",\"masked\":\"\",\"last4\":\"0003\",\"expiry\":\"1230\",\"network\":\"VISA\"}', CAST(100000000000000000 + i AS TEXT), i * 1000 FROM n",
    "WITH RECURSIVE n (i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < ?) \
     INSERT INTO stored_answer (scope, key, fingerprint, status, sealed_body, created_ms) SELECT 'merchant demo', 'k' || CAST(i AS TEXT), '', 200, '', i * 1000 FROM n",
    "WITH RECURSIVE n (i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < ?) \
     INSERT INTO dispute (dispute_id, merchant_id, terminal_id, order_id, operation_id, payment_id, kind, category, reason_code, amount, currency, \
     state, opened_ms, deadline_ms, changed_ms) \
     SELECT 'd' || CAST(i AS TEXT), 'demo', 't1', 'o' || CAST(i AS TEXT), CAST(100000000000000000 + i AS TEXT), CAST(100000000000000000 + i AS TEXT), \
     'CHARGEBACK', 'FRAUD', '', 3545, 'EUR', 'WON', i * 1000, i * 1000, i * 1000 FROM n",
    "WITH RECURSIVE n (i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < ?) \
     INSERT INTO order_fulfilment (merchant_id, order_id, state, first_ms, changed_ms) \
     SELECT 'demo', 'o' || CAST(i AS TEXT), 'FULFILLED', i * 1000, i * 1000 FROM n",
    "WITH RECURSIVE n (i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < ?) \
     INSERT INTO book_open_order (merchant_id, order_id, standing) \
     SELECT 'demo', 'o' || CAST(i AS TEXT), CASE i % 2 WHEN 0 THEN 'DIFFERS' ELSE 'UNDECIDED' END FROM n",
    "INSERT INTO member (member_id, merchant_id, name, email, role, password_hash, disabled, created_ms) \
     VALUES ('m1', 'demo', 'ada', '', 'OPERATOR', '', 0, 0)",
    "INSERT INTO settlement_scope (terminal_id, acquirer, since_ms, missing_after_days, compared_since_ms, compared_until_ms) \
     VALUES ('t1', '', 0, 1, 0, ? * 1000 - 10000)",
    "WITH RECURSIVE n (i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i * 100 < ?) \
     INSERT INTO settlement_file (file_id, merchant_id, file_hash, file_name, mapping, terminal_ids, imported_ms, imported_by, line_count, repeated_count, \
     first_day, last_day) SELECT 'f' || CAST(i AS TEXT), 'demo', 'f' || CAST(i AS TEXT), '', '', 't1', i * 100000, '', 100, 0, '', '' FROM n",
    "WITH RECURSIVE n (i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < ?) \
     INSERT INTO settlement_line (file_id, line_number, merchant_id, line_hash, kind, difference, operation_id, booked_day, booked_ms, gross_minor, \
     fee_minor, net_minor, currency, payout_id, resolved_ms) \
     SELECT 'f' || CAST((i + 99) / 100 AS TEXT), i, 'demo', 'l' || CAST(i AS TEXT), 'PAYMENT', CASE i % 20 WHEN 0 THEN 'AMOUNT_DIFFERS' ELSE NULL END, \
     CASE i % 150 WHEN 0 THEN NULL ELSE CAST(100000000000000000 + i AS TEXT) END, '', i * 1000, 3545, 0, 3545, 'EUR', 'p1', \
     CASE i % 400 WHEN 0 THEN NULL ELSE 1 END FROM n",
    "INSERT INTO settlement_sum (file_id, payout_id, currency, line_count, gross_minor, fee_minor, net_minor) \
     SELECT file_id, 'p1', 'EUR', COUNT(*), SUM(gross_minor), 0, SUM(net_minor) FROM settlement_line WHERE file_id <> 'f1' GROUP BY file_id",
    "INSERT INTO settlement_unmatched (operation_id, merchant_id, time_ms) SELECT operation_id, merchant_id, time_ms FROM operation \
     WHERE NOT EXISTS (SELECT 1 FROM settlement_line l WHERE l.operation_id = operation.operation_id)",
    "INSERT INTO settlement_missing (operation_id, resolved_by, resolved_ms, resolved_note) \
     SELECT operation_id, 'm1', 1, '' FROM settlement_unmatched ORDER BY time_ms LIMIT 9",
];

/// A database with [`ROWS`] orders. A server knows its statistics; a gateway's file has none.
pub(super) async fn filled(settings: &StorageSettings) -> Store {
    let store = written(settings).await;
    if store.is_shared() {
        store.change(query("ANALYZE")).await.unwrap();
    }
    store
}

/// A database with [`ROWS`] orders that have just been written.
pub(super) async fn written(settings: &StorageSettings) -> Store {
    let store = Store::open(settings).await.unwrap();
    for sql in FILL {
        let statement = match sql.contains('?') {
            true => query(sql).bind(ROWS),
            false => query(sql),
        };
        store.change(statement).await.unwrap();
    }
    assert!(day_sums::sum(&store, "demo", 0).await.unwrap());
    store
}
