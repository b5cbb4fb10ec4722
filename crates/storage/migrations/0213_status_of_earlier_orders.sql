-- The status of orders from before 0212. The expressions by which they were found are not needed any more.

UPDATE merchant_order SET order_status =
    (SELECT v.order_status FROM order_status_now v WHERE v.merchant_id = merchant_order.merchant_id AND v.order_id = merchant_order.order_id)
    WHERE order_status IS NULL AND last_operation_ms IS NOT NULL;
CREATE INDEX IF NOT EXISTS merchant_order_status ON merchant_order (merchant_id, order_status, last_operation_ms) WHERE order_status IS NOT NULL;
DROP INDEX IF EXISTS merchant_order_money;
DROP INDEX IF EXISTS operation_outcome;
