-- The locks of an order, as functions: the server plans what they read once for a connection. Nothing of them is new: processes of a
-- release before this one take the same locks by their own statements (crates/storage/src/subject.rs).

-- First that of its merchant, which the changes of other orders share.
CREATE FUNCTION lock_order(merchant TEXT, merchants_order TEXT) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(hashtextextended('merchant ' || merchant, 0)),
        pg_advisory_xact_lock(hashtextextended('order ' || merchant || ' ' || merchants_order, 0));
END
$$;

CREATE FUNCTION lock_order_of_session(hash TEXT) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM lock_order(merchant_id, order_id) FROM build_session WHERE session_hash = hash;
END
$$;

CREATE FUNCTION lock_order_of_operation(id TEXT) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM lock_order(merchant_id, order_id) FROM operation WHERE operation_id = id;
END
$$;
