-- A search for one amount finds the orders in the order of the list, however many have the amount. SQLite prefers an index with a condition
-- to one without.
DROP INDEX merchant_order_amount;
DROP INDEX merchant_order_authorized;
DROP INDEX merchant_order_captured;
CREATE INDEX merchant_order_amount ON merchant_order (merchant_id, amount_minor, last_operation_ms)
    WHERE last_operation_ms IS NOT NULL;
CREATE INDEX merchant_order_authorized ON merchant_order (merchant_id, authorized_minor, last_operation_ms)
    WHERE authorized_minor > 0 AND last_operation_ms IS NOT NULL;
CREATE INDEX merchant_order_captured ON merchant_order (merchant_id, captured_minor, last_operation_ms)
    WHERE captured_minor > 0 AND last_operation_ms IS NOT NULL;
