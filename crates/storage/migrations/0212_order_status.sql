-- The status of an order's money, for lists and searches (crates/storage/src/order_list.rs says what each means). Triggers keep it, so it
-- follows in the same transaction whatever changes the order or its operations. Whoever makes one of the two tables anew makes its
-- triggers anew.

ALTER TABLE merchant_order ADD COLUMN order_status TEXT; -- an order without operations has none

-- The totals decide first. Where they are empty, the newest operation decides.
CREATE VIEW order_status_now AS SELECT m.merchant_id, m.order_id, CASE
        WHEN m.authorized_minor > m.captured_minor THEN 'TO_CAPTURE'
        WHEN m.captured_minor > 0 AND m.refunded_minor = 0 THEN 'PAID'
        WHEN m.captured_minor > 0 AND m.refunded_minor = m.captured_minor THEN 'REFUNDED'
        WHEN m.captured_minor > 0 THEN 'PARTLY_REFUNDED'
        WHEN o.result IN ('PENDING', 'THREEDS_VALIDATED') THEN 'PENDING'
        WHEN o.operation_type = 'CARD_VERIFICATION' AND o.result = 'EXECUTED' THEN 'VERIFIED'
        WHEN o.result IN ('DECLINED', 'DENIED_BY_RISK', 'THREEDS_FAILED') THEN 'REFUSED'
        WHEN o.result IN ('CANCELED', 'FAILED') THEN o.result
        ELSE 'RELEASED' END AS order_status
    FROM merchant_order m JOIN operation o
    ON o.merchant_id = m.merchant_id AND o.order_id = m.order_id AND o.time_ms = m.last_operation_ms;

CREATE TRIGGER order_status_of_order
AFTER UPDATE OF authorized_minor, captured_minor, refunded_minor, last_operation_ms ON merchant_order
BEGIN
    UPDATE merchant_order SET order_status =
        (SELECT v.order_status FROM order_status_now v WHERE v.merchant_id = NEW.merchant_id AND v.order_id = NEW.order_id)
        WHERE merchant_id = NEW.merchant_id AND order_id = NEW.order_id;
END;

CREATE TRIGGER order_status_of_new_operation AFTER INSERT ON operation
BEGIN
    UPDATE merchant_order SET order_status =
        (SELECT v.order_status FROM order_status_now v WHERE v.merchant_id = NEW.merchant_id AND v.order_id = NEW.order_id)
        WHERE merchant_id = NEW.merchant_id AND order_id = NEW.order_id AND last_operation_ms = NEW.time_ms;
END;

CREATE TRIGGER order_status_of_operation AFTER UPDATE OF operation_type, result ON operation
WHEN OLD.operation_type <> NEW.operation_type OR OLD.result <> NEW.result
BEGIN
    UPDATE merchant_order SET order_status =
        (SELECT v.order_status FROM order_status_now v WHERE v.merchant_id = NEW.merchant_id AND v.order_id = NEW.order_id)
        WHERE merchant_id = NEW.merchant_id AND order_id = NEW.order_id AND last_operation_ms = NEW.time_ms;
END;
