-- What a logout token said is over, so that a log-in that was on its way by then does not begin after it.
ALTER TABLE logout_token ADD COLUMN taken_ms BIGINT NOT NULL DEFAULT 0;
-- Hashed. NULL: the token names no person, or no log-in.
ALTER TABLE logout_token ADD COLUMN subject_hash TEXT;
ALTER TABLE logout_token ADD COLUMN session_hash TEXT;
