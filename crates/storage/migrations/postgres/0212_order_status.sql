-- The status of an order's money, for lists and searches (crates/storage/src/order_list.rs says what each means). Triggers keep it, so it
-- follows in the same transaction whatever changes the order or its operations, also in a process of an earlier version. Whoever makes one
-- of the two tables anew makes its triggers anew.

ALTER TABLE merchant_order ADD COLUMN order_status TEXT; -- an order without operations has none
-- It is empty until 0213, so that nobody waits long for it.
CREATE INDEX merchant_order_status ON merchant_order (merchant_id, order_status, last_operation_ms) WHERE order_status IS NOT NULL;

-- The totals decide first. Where they are empty, the newest operation decides.
CREATE FUNCTION order_status_of(authorized BIGINT, captured BIGINT, refunded BIGINT, operation_type TEXT, result TEXT) RETURNS TEXT
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE
        WHEN authorized > captured THEN 'TO_CAPTURE'
        WHEN captured > 0 AND refunded = 0 THEN 'PAID'
        WHEN captured > 0 AND refunded = captured THEN 'REFUNDED'
        WHEN captured > 0 THEN 'PARTLY_REFUNDED'
        WHEN result IN ('PENDING', 'THREEDS_VALIDATED') THEN 'PENDING'
        WHEN operation_type = 'CARD_VERIFICATION' AND result = 'EXECUTED' THEN 'VERIFIED'
        WHEN result IN ('DECLINED', 'DENIED_BY_RISK', 'THREEDS_FAILED') THEN 'REFUSED'
        WHEN result IN ('CANCELED', 'FAILED') THEN result
        ELSE 'RELEASED' END
$$;

CREATE FUNCTION put_status_of_order() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    SELECT order_status_of(NEW.authorized_minor, NEW.captured_minor, NEW.refunded_minor, o.operation_type, o.result) INTO NEW.order_status
        FROM operation o
        WHERE o.merchant_id = NEW.merchant_id AND o.order_id = NEW.order_id AND o.time_ms = NEW.last_operation_ms;
    RETURN NEW;
END
$$;

-- An operation that is written in one statement with its order may come after it.
CREATE FUNCTION put_status_of_operation() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    UPDATE merchant_order m
        SET order_status = order_status_of(m.authorized_minor, m.captured_minor, m.refunded_minor, NEW.operation_type, NEW.result)
        WHERE m.merchant_id = NEW.merchant_id AND m.order_id = NEW.order_id AND m.last_operation_ms = NEW.time_ms
        AND m.order_status IS DISTINCT FROM
            order_status_of(m.authorized_minor, m.captured_minor, m.refunded_minor, NEW.operation_type, NEW.result);
    RETURN NULL;
END
$$;

CREATE TRIGGER order_status_of_order
BEFORE UPDATE OF authorized_minor, captured_minor, refunded_minor, last_operation_ms ON merchant_order
FOR EACH ROW EXECUTE FUNCTION put_status_of_order();

CREATE TRIGGER order_status_of_new_operation AFTER INSERT ON operation
FOR EACH ROW EXECUTE FUNCTION put_status_of_operation();

CREATE TRIGGER order_status_of_operation AFTER UPDATE OF operation_type, result ON operation
FOR EACH ROW WHEN (OLD.operation_type <> NEW.operation_type OR OLD.result <> NEW.result)
EXECUTE FUNCTION put_status_of_operation();
