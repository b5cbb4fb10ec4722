-- Times are milliseconds since 1970-01-01 UTC, amounts are minor units, hashes are lower-case hex.
-- Nothing in here opens anything: API keys, session ids and page tokens are kept as hashes, card
-- numbers and stored answers are sealed with a key that is not in this database.

CREATE TABLE merchant (
    merchant_id  TEXT PRIMARY KEY,
    name         TEXT NOT NULL,
    -- the latest time given to one of the merchant's operations: the next one is later (1.8, ties)
    last_time_ms BIGINT NOT NULL DEFAULT 0
);

CREATE TABLE terminal (
    terminal_id         TEXT PRIMARY KEY,
    merchant_id         TEXT NOT NULL REFERENCES merchant (merchant_id),
    capture             TEXT NOT NULL,    -- IMPLICIT, EXPLICIT
    tokenization        INTEGER NOT NULL, -- 0, 1
    currency_conversion INTEGER NOT NULL, -- 0, 1
    networks            TEXT NOT NULL,    -- codes, separated by commas
    eight_digit_bins    TEXT NOT NULL,    -- codes, separated by commas
    card_fields         TEXT NOT NULL     -- ids in the order in which they are shown, separated by commas
);

CREATE TABLE api_key (
    key_hash    TEXT PRIMARY KEY,
    terminal_id TEXT NOT NULL REFERENCES terminal (terminal_id)
);

CREATE TABLE merchant_order (
    merchant_id          TEXT NOT NULL REFERENCES merchant (merchant_id),
    order_id             TEXT NOT NULL,
    currency             TEXT NOT NULL,
    amount_minor         BIGINT NOT NULL,
    authorized_minor     BIGINT NOT NULL DEFAULT 0,
    captured_minor       BIGINT NOT NULL DEFAULT 0,
    refunded_minor       BIGINT NOT NULL DEFAULT 0,
    document             TEXT NOT NULL, -- the order as the merchant sent it, checked
    plugin_name          TEXT,
    -- the operation that pays the order, or is about to: at most one at any time
    payment_operation_id TEXT,
    created_ms           BIGINT NOT NULL,
    PRIMARY KEY (merchant_id, order_id)
);

CREATE TABLE build_session (
    session_hash     TEXT PRIMARY KEY,
    merchant_id      TEXT NOT NULL,
    terminal_id      TEXT NOT NULL REFERENCES terminal (terminal_id),
    order_id         TEXT NOT NULL,
    version          INTEGER NOT NULL,
    merchant_origin  TEXT NOT NULL,
    action_type      TEXT NOT NULL,
    capture          TEXT NOT NULL,
    language         TEXT NOT NULL,
    challenge_wish   TEXT NOT NULL,
    result_url       TEXT NOT NULL,
    cancel_url       TEXT NOT NULL,
    notification_url TEXT,
    security_token   TEXT NOT NULL,
    trace_id         TEXT NOT NULL,
    closing          TEXT NOT NULL, -- SERVER, FRAME
    card_summary     TEXT NOT NULL, -- NONE, LAST4, BIN_LAST4
    currency         TEXT NOT NULL,
    amount_minor     BIGINT NOT NULL,
    attempts_left    INTEGER NOT NULL,
    submissions      INTEGER NOT NULL,
    bin_lookups      INTEGER NOT NULL DEFAULT 0,
    state            TEXT NOT NULL,
    state_document   TEXT NOT NULL,
    created_ms       BIGINT NOT NULL,
    last_seen_ms     BIGINT NOT NULL, -- the buyer's last sign of life
    ends_ms          BIGINT NOT NULL, -- the hard limit
    wake_ms          BIGINT NOT NULL, -- when the sweep has to look at it next
    FOREIGN KEY (merchant_id, order_id) REFERENCES merchant_order (merchant_id, order_id)
);
CREATE INDEX build_session_order ON build_session (merchant_id, order_id);
CREATE INDEX build_session_wake ON build_session (wake_ms);

CREATE TABLE threeds_page (
    token_hash   TEXT PRIMARY KEY,
    session_hash TEXT NOT NULL REFERENCES build_session (session_hash),
    kind         TEXT NOT NULL, -- DEVICE_CHECK, CHALLENGE
    subject      TEXT NOT NULL  -- which of the session's device checks or challenges
);

CREATE TABLE sealed_card (
    session_hash TEXT PRIMARY KEY REFERENCES build_session (session_hash),
    sealed       BLOB NOT NULL
);

CREATE TABLE currency_offer (
    offer_id            TEXT PRIMARY KEY,
    session_hash        TEXT NOT NULL REFERENCES build_session (session_hash),
    bin                 TEXT NOT NULL,
    amount_minor        BIGINT NOT NULL,
    currency            TEXT NOT NULL,
    exchange_rate       TEXT NOT NULL,
    merchant_amount_minor BIGINT NOT NULL,
    expires_ms          BIGINT NOT NULL
);
CREATE INDEX currency_offer_session ON currency_offer (session_hash);

CREATE TABLE operation (
    operation_id   TEXT PRIMARY KEY,
    merchant_id    TEXT NOT NULL,
    terminal_id    TEXT NOT NULL REFERENCES terminal (terminal_id),
    order_id       TEXT NOT NULL,
    session_hash   TEXT NOT NULL REFERENCES build_session (session_hash),
    operation_type TEXT NOT NULL,
    result         TEXT NOT NULL,
    time_ms        BIGINT NOT NULL,
    amount_minor   BIGINT NOT NULL,
    currency       TEXT NOT NULL,
    document       TEXT NOT NULL, -- everything else that the merchant reads of it
    settle_ms      BIGINT,        -- while PENDING: when to ask the acquirer again
    FOREIGN KEY (merchant_id, order_id) REFERENCES merchant_order (merchant_id, order_id)
);
CREATE INDEX operation_order ON operation (merchant_id, order_id, time_ms);
CREATE INDEX operation_settle ON operation (settle_ms);

CREATE TABLE stored_answer (
    scope       TEXT NOT NULL,
    key         TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    status      INTEGER NOT NULL,
    sealed_body BLOB NOT NULL,
    created_ms  BIGINT NOT NULL,
    PRIMARY KEY (scope, key)
);
CREATE INDEX stored_answer_created ON stored_answer (created_ms);
