-- The cards of an order's earlier operations are searched among the operations of that order. SQLite prefers an index of fewer rows, and read
-- all operations of the merchant for each later operation of an order.
DROP VIEW earlier_card_now;
CREATE VIEW earlier_card_now AS SELECT DISTINCT m.merchant_id, m.order_id, o.instrument, COALESCE(o.circuit, '') AS circuit, m.last_operation_ms
    FROM merchant_order m
    JOIN operation n INDEXED BY operation_order ON n.merchant_id = m.merchant_id AND n.order_id = m.order_id AND n.time_ms = m.last_operation_ms
    JOIN operation o INDEXED BY operation_order ON o.merchant_id = m.merchant_id AND o.order_id = m.order_id
    WHERE o.instrument LIKE '***____' AND (o.instrument IS NOT n.instrument OR o.circuit IS NOT n.circuit);
