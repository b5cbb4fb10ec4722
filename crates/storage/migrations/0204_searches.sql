-- What lists are searched by, however rare it is among all orders (crates/storage/src/plans.rs holds it). The expressions are those of
-- crates/storage/src/order_list.rs. SQLite prefers an index with a condition to one without.

CREATE INDEX merchant_order_money ON merchant_order (merchant_id, (CASE WHEN authorized_minor > captured_minor THEN 'TO_CAPTURE'
    WHEN captured_minor > 0 THEN CASE refunded_minor WHEN 0 THEN 'PAID' WHEN captured_minor THEN 'REFUNDED' ELSE 'PARTLY_REFUNDED' END END),
    last_operation_ms) WHERE last_operation_ms IS NOT NULL;
CREATE INDEX merchant_order_amount ON merchant_order (merchant_id, amount_minor);
CREATE INDEX merchant_order_authorized ON merchant_order (merchant_id, authorized_minor) WHERE authorized_minor > 0;
CREATE INDEX merchant_order_captured ON merchant_order (merchant_id, captured_minor) WHERE captured_minor > 0;
CREATE INDEX merchant_order_currency ON merchant_order (merchant_id, currency, last_operation_ms) WHERE last_operation_ms IS NOT NULL;

-- Operations after which an order can be without money. One that moved money is never the newest of such an order.
CREATE INDEX operation_outcome ON operation (merchant_id, (CASE WHEN result IN ('PENDING', 'THREEDS_VALIDATED') THEN 'PENDING'
    WHEN operation_type = 'CARD_VERIFICATION' AND result = 'EXECUTED' THEN 'VERIFIED'
    WHEN result IN ('DECLINED', 'DENIED_BY_RISK', 'THREEDS_FAILED') THEN 'REFUSED'
    WHEN result IN ('CANCELED', 'FAILED') THEN result ELSE 'RELEASED' END), time_ms)
    WHERE NOT (operation_type IN ('AUTHORIZATION', 'CAPTURE', 'REFUND') AND result IN ('AUTHORIZED', 'EXECUTED', 'REFUNDED'));
CREATE INDEX operation_type_list ON operation (merchant_id, operation_type, time_ms) WHERE operation_type <> 'AUTHORIZATION';
CREATE INDEX operation_channel ON operation (merchant_id, channel, time_ms) WHERE channel IS NOT NULL;

CREATE INDEX dispute_state ON dispute (merchant_id, state, opened_ms, dispute_id);
CREATE INDEX hosted_page_status ON hosted_page (merchant_id, kind, status, created_ms);
