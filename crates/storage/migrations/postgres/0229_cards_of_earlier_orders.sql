-- no-transaction
-- The earlier cards of orders from before 0228, a thousand orders in a transaction, so that processes of an earlier version serve meanwhile.
-- Each order that has some is locked, as for a payment. After an interruption the migration runs again from the start.
DO $$
DECLARE
    behind_merchant TEXT := '';
    behind_order TEXT := '';
    last_merchant TEXT;
    last_order TEXT;
    earlier RECORD;
BEGIN
    LOOP
        SELECT part.merchant_id, part.order_id INTO last_merchant, last_order FROM (
            SELECT m.merchant_id, m.order_id FROM merchant_order m WHERE (m.merchant_id, m.order_id) > (behind_merchant, behind_order)
            ORDER BY m.merchant_id, m.order_id LIMIT 1000
        ) AS part ORDER BY part.merchant_id DESC, part.order_id DESC LIMIT 1;
        EXIT WHEN NOT FOUND;
        FOR earlier IN
            SELECT DISTINCT m.merchant_id, m.order_id FROM merchant_order m
            JOIN operation n ON n.merchant_id = m.merchant_id AND n.order_id = m.order_id AND n.time_ms = m.last_operation_ms
            JOIN operation o ON o.merchant_id = m.merchant_id AND o.order_id = m.order_id
            WHERE (m.merchant_id, m.order_id) > (behind_merchant, behind_order)
            AND (m.merchant_id, m.order_id) <= (last_merchant, last_order)
            AND (o.instrument, o.circuit) IS DISTINCT FROM (n.instrument, n.circuit)
            ORDER BY m.merchant_id, m.order_id
        LOOP
            PERFORM lock_order(earlier.merchant_id, earlier.order_id);
            PERFORM put_earlier_cards(earlier.merchant_id, earlier.order_id);
        END LOOP;
        COMMIT;
        behind_merchant := last_merchant;
        behind_order := last_order;
    END LOOP;
END
$$;
