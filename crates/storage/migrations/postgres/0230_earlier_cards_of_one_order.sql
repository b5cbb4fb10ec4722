-- The cards of an order's earlier operations are searched among the operations of that order. A comparison with a pattern invites the server to
-- search all operations of the merchant by their cards, which it did for each later operation of an order, until its statistics knew better. To
-- functions of the column no index belongs.
CREATE OR REPLACE FUNCTION put_earlier_cards(merchant TEXT, merchants_order TEXT) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    DELETE FROM earlier_card WHERE merchant_id = merchant AND order_id = merchants_order;
    INSERT INTO earlier_card (merchant_id, order_id, instrument, circuit, last_operation_ms)
        SELECT DISTINCT m.merchant_id, m.order_id, o.instrument, COALESCE(o.circuit, ''), m.last_operation_ms
        FROM merchant_order m
        JOIN operation n ON n.merchant_id = m.merchant_id AND n.order_id = m.order_id AND n.time_ms = m.last_operation_ms
        JOIN operation o ON o.merchant_id = m.merchant_id AND o.order_id = m.order_id
        WHERE m.merchant_id = merchant AND m.order_id = merchants_order
        AND length(o.instrument) = 7 AND substr(o.instrument, 1, 3) = '***'
        AND (o.instrument, o.circuit) IS DISTINCT FROM (n.instrument, n.circuit);
END
$$;
