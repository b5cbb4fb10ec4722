-- 3-step payments (contract 8.1.5 to 8.1.7): the merchant's server sends the card, its page sends the buyer to the challenge,
-- and the server pays.

-- The operation that was told of when the session was made: whatever becomes of the session is written into it.
ALTER TABLE build_session ADD COLUMN announced_operation_id TEXT;

CREATE TABLE three_step (
    operation_id   TEXT PRIMARY KEY REFERENCES operation (operation_id),
    session_hash   TEXT NOT NULL REFERENCES build_session (session_hash),
    standing       TEXT NOT NULL,   -- DUE, PASSED, FAILED, AUTHENTICATED
    script         TEXT,            -- with DUE: REGULAR, FAILING, ENDLESS
    wrong_codes    INTEGER NOT NULL DEFAULT 0,
    authentication TEXT,            -- with AUTHENTICATED: FULL, ATTEMPTED, NONE
    return_url     TEXT,            -- where the browser goes with the result; known from its coming on
    validation     TEXT,            -- the answer of the validation, once there was one
    ends_ms        BIGINT NOT NULL  -- when the payment must be made
);
