-- The second factor of members of the back office: an authenticator app (RFC 6238), and codes for the day when it is lost.
CREATE TABLE second_factor (
    member_id     TEXT   NOT NULL PRIMARY KEY REFERENCES member (member_id),
    sealed_secret BYTEA  NOT NULL,
    last_step     BIGINT NOT NULL, -- the newest 30 seconds since 1970 whose code was used: no code is good twice
    created_ms    BIGINT NOT NULL
);
CREATE TABLE recovery_code (
    member_id TEXT NOT NULL REFERENCES member (member_id),
    code_hash TEXT NOT NULL, -- keyed
    PRIMARY KEY (member_id, code_hash)
);
-- 1: the password was right, and the code is not given yet.
ALTER TABLE login_session ADD COLUMN awaits_code BIGINT NOT NULL DEFAULT 0;
