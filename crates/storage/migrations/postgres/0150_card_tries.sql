-- Tries to pay with cards, to stop whoever tries out stolen ones. Cards, ranges and addresses are keyed hashes that are made for one
-- merchant. Rows are deleted once they no longer count.
CREATE TABLE card_try (
    operation_id TEXT PRIMARY KEY,
    merchant_id  TEXT NOT NULL,
    terminal_id  TEXT NOT NULL,
    session_hash TEXT NOT NULL,
    card_id      TEXT NOT NULL,
    range_id     TEXT NOT NULL,
    -- NULL: not known.
    address_id   TEXT,
    at_ms        BIGINT NOT NULL,
    -- ADMITTED: not approved, or not yet; APPROVED; REFUSED: by a rule, and nobody was asked.
    outcome      TEXT NOT NULL,
    -- The rule that refused it or demanded a challenge.
    rule         TEXT
);
CREATE INDEX card_try_card ON card_try (merchant_id, card_id, outcome, at_ms);
CREATE INDEX card_try_range ON card_try (merchant_id, range_id, outcome, at_ms);
CREATE INDEX card_try_address ON card_try (merchant_id, address_id, outcome, at_ms);
CREATE INDEX card_try_session ON card_try (session_hash, outcome, at_ms);
CREATE INDEX card_try_terminal ON card_try (terminal_id, outcome, at_ms);
CREATE INDEX card_try_time ON card_try (at_ms);

-- Where the card of a session was sent from. Deleted as the tries are.
CREATE TABLE card_source (
    session_hash TEXT PRIMARY KEY,
    address_id   TEXT NOT NULL,
    -- What the terminal's lists say of the address: empty, ALLOWED or BLOCKED.
    listed       TEXT NOT NULL,
    at_ms        BIGINT NOT NULL
);
CREATE INDEX card_source_time ON card_source (at_ms);

ALTER TABLE terminal ADD COLUMN card_testing TEXT NOT NULL DEFAULT 'default';
ALTER TABLE terminal ADD COLUMN card_testing_limits TEXT NOT NULL DEFAULT '';
ALTER TABLE terminal ADD COLUMN allowed_ranges TEXT NOT NULL DEFAULT '';
ALTER TABLE terminal ADD COLUMN blocked_ranges TEXT NOT NULL DEFAULT '';
ALTER TABLE terminal ADD COLUMN allowed_addresses TEXT NOT NULL DEFAULT '';
ALTER TABLE terminal ADD COLUMN blocked_addresses TEXT NOT NULL DEFAULT '';
