-- A session with its encrypted card, read under the lock of its order, in one statement. The query sees what was committed while the lock was
-- waited for, because each statement of such a function sees the newest rows. The session is one value, so columns of later migrations are in it.
CREATE FUNCTION locked_session(hash TEXT) RETURNS TABLE (session build_session, sealed_card BYTEA) LANGUAGE plpgsql AS $$
BEGIN
    PERFORM lock_order_of_session(hash);
    RETURN QUERY SELECT s, c.sealed FROM build_session s
        LEFT JOIN sealed_card c ON c.session_hash = s.session_hash WHERE s.session_hash = hash;
END
$$;
