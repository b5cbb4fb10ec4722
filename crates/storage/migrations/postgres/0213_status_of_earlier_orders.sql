-- no-transaction
-- The status of orders from before 0212, a thousand in a transaction, so that processes of an earlier version serve meanwhile. An order that
-- changes meanwhile gets its status by the triggers, and keeps it. After an interruption the migration runs again from the start. The
-- expressions by which orders were found are not needed any more.
DO $$
DECLARE
    behind_merchant TEXT := '';
    behind_order TEXT := '';
    last_merchant TEXT;
    last_order TEXT;
BEGIN
    LOOP
        WITH part AS (
            SELECT m.merchant_id, m.order_id FROM merchant_order m WHERE (m.merchant_id, m.order_id) > (behind_merchant, behind_order)
            ORDER BY m.merchant_id, m.order_id LIMIT 1000
        ), changed AS (
            UPDATE merchant_order m SET order_status =
                (SELECT order_status_of(m.authorized_minor, m.captured_minor, m.refunded_minor, o.operation_type, o.result) FROM operation o
                 WHERE o.merchant_id = m.merchant_id AND o.order_id = m.order_id AND o.time_ms = m.last_operation_ms)
                FROM part WHERE m.merchant_id = part.merchant_id AND m.order_id = part.order_id
                AND m.order_status IS NULL AND m.last_operation_ms IS NOT NULL
        )
        SELECT merchant_id, order_id INTO last_merchant, last_order FROM part ORDER BY merchant_id DESC, order_id DESC LIMIT 1;
        EXIT WHEN NOT FOUND;
        COMMIT;
        behind_merchant := last_merchant;
        behind_order := last_order;
    END LOOP;
    DROP INDEX IF EXISTS merchant_order_money;
    DROP INDEX IF EXISTS operation_outcome;
END
$$;
