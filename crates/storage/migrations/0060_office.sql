-- The back office (docs/back-office.md): who may work in it, who is at work, and what they did.

CREATE TABLE member (
    member_id     TEXT PRIMARY KEY,
    merchant_id   TEXT NOT NULL REFERENCES merchant (merchant_id),
    name          TEXT NOT NULL,
    email         TEXT NOT NULL UNIQUE, -- in lower case, as it is looked for
    role          TEXT NOT NULL,        -- VIEWER, OPERATOR, ADMINISTRATOR
    password_hash TEXT NOT NULL,        -- argon2id, with its salt and its costs
    disabled      BIGINT NOT NULL,      -- 1: does not get in
    created_ms    BIGINT NOT NULL
);
CREATE INDEX member_merchant ON member (merchant_id);

-- A member who is logged in somewhere.
CREATE TABLE seat (
    token_hash TEXT PRIMARY KEY, -- of the cookie
    member_id  TEXT NOT NULL REFERENCES member (member_id),
    created_ms BIGINT NOT NULL,
    seen_ms    BIGINT NOT NULL -- the latest call, within a minute
);
CREATE INDEX seat_member ON seat (member_id);

-- How often somebody tried to log in, by account and by network address.
CREATE TABLE login_attempt (
    subject  TEXT PRIMARY KEY, -- a hash
    tried    BIGINT NOT NULL,
    since_ms BIGINT NOT NULL -- when counting began
);

-- What was done in the back office. Rows are written and never changed.
CREATE TABLE audit_entry (
    seq         INTEGER PRIMARY KEY AUTOINCREMENT,
    merchant_id TEXT NOT NULL REFERENCES merchant (merchant_id),
    member_id   TEXT REFERENCES member (member_id), -- nobody: a command on the gateway's machine
    at_ms       BIGINT NOT NULL,
    act         TEXT NOT NULL,
    subject     TEXT NOT NULL, -- what it was done to, '' for the member themselves
    detail      TEXT NOT NULL
);
CREATE INDEX audit_entry_merchant ON audit_entry (merchant_id, seq);
