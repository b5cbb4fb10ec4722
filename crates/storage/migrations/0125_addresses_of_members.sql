-- An e-mail address may belong to a member of each merchant: whoever adds one does not learn whether another merchant has it.
-- SQLite cannot remove the old constraint, so the table is made again. The rows that refer to it are checked at the end.
PRAGMA defer_foreign_keys = ON;
CREATE TABLE member_copy AS SELECT * FROM member;
DROP TABLE member;
CREATE TABLE member (
    member_id     TEXT PRIMARY KEY,
    merchant_id   TEXT NOT NULL REFERENCES merchant (merchant_id),
    name          TEXT NOT NULL,
    email         TEXT NOT NULL, -- in lower case, as it is looked for
    role          TEXT NOT NULL, -- VIEWER, OPERATOR, ADMINISTRATOR
    password_hash TEXT NOT NULL, -- argon2id, with its salt and its costs
    disabled      BIGINT NOT NULL, -- 1: does not get in
    created_ms    BIGINT NOT NULL,
    must_change   BIGINT NOT NULL DEFAULT 0, -- 1: somebody else knows the password
    active_ms     BIGINT NOT NULL DEFAULT 0, -- the latest log-in, or when the member was added or enabled
    UNIQUE (merchant_id, email)
);
INSERT INTO member (member_id, merchant_id, name, email, role, password_hash, disabled, created_ms, must_change, active_ms)
    SELECT member_id, merchant_id, name, email, role, password_hash, disabled, created_ms, must_change, active_ms FROM member_copy;
DROP TABLE member_copy;
CREATE INDEX member_email ON member (email);
-- A network is known to a member, not to an address.
DROP TABLE known_network;
CREATE TABLE known_network (
    member_id TEXT   NOT NULL REFERENCES member (member_id),
    network   TEXT   NOT NULL, -- a keyed hash
    seen_ms   BIGINT NOT NULL,
    PRIMARY KEY (member_id, network)
);
