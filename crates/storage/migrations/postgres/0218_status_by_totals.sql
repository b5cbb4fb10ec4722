-- The totals of an order decide its status, if there are any, and then no operation is read. An order that changes in one statement with
-- its new operation does not see that operation yet: without this, each payment would write its order a second time.
CREATE OR REPLACE FUNCTION put_status_of_order() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF NEW.last_operation_ms IS NOT NULL AND (NEW.captured_minor > 0 OR NEW.authorized_minor > NEW.captured_minor) THEN
        NEW.order_status := order_status_of(NEW.authorized_minor, NEW.captured_minor, NEW.refunded_minor, NULL, NULL);
    ELSE
        SELECT order_status_of(NEW.authorized_minor, NEW.captured_minor, NEW.refunded_minor, o.operation_type, o.result) INTO NEW.order_status
            FROM operation o
            WHERE o.merchant_id = NEW.merchant_id AND o.order_id = NEW.order_id AND o.time_ms = NEW.last_operation_ms;
    END IF;
    RETURN NEW;
END
$$;
