-- The tables as the migrations 0001 to 0050 make them for SQLite, whose comments say what is in them. On a server every
-- whole number is a BIGINT, bytes are BYTEA, and numbers that count up are identities. Further migrations have the number of the
-- one for SQLite.

-- What a change locks that is about no merchant.
CREATE TABLE turn (
    name TEXT PRIMARY KEY
);
INSERT INTO turn (name) VALUES ('gateway');

CREATE TABLE vault_proof (
    name   TEXT PRIMARY KEY,
    sealed BYTEA NOT NULL
);

CREATE TABLE merchant (
    merchant_id  TEXT PRIMARY KEY,
    name         TEXT NOT NULL,
    last_time_ms BIGINT NOT NULL DEFAULT 0
);

CREATE TABLE terminal (
    terminal_id         TEXT PRIMARY KEY,
    merchant_id         TEXT NOT NULL REFERENCES merchant (merchant_id),
    capture             TEXT NOT NULL,
    tokenization        BIGINT NOT NULL,
    currency_conversion BIGINT NOT NULL,
    networks            TEXT NOT NULL,
    eight_digit_bins    TEXT NOT NULL,
    card_fields         TEXT NOT NULL,
    methods             TEXT NOT NULL DEFAULT '',
    wallets             TEXT NOT NULL DEFAULT '',
    place               TEXT NOT NULL DEFAULT 'ONLINE'
);

CREATE TABLE api_key (
    key_hash    TEXT PRIMARY KEY,
    terminal_id TEXT NOT NULL REFERENCES terminal (terminal_id),
    created_ms  BIGINT NOT NULL DEFAULT 0,
    ends_ms     BIGINT
);

CREATE TABLE notification_secret (
    secret_id   TEXT PRIMARY KEY,
    terminal_id TEXT NOT NULL REFERENCES terminal (terminal_id),
    sealed      BYTEA NOT NULL,
    created_ms  BIGINT NOT NULL,
    ends_ms     BIGINT
);
CREATE INDEX notification_secret_terminal ON notification_secret (terminal_id);

CREATE TABLE card_key (
    key_id     TEXT PRIMARY KEY,
    sealed     BYTEA NOT NULL,
    created_ms BIGINT NOT NULL,
    ends_ms    BIGINT
);

CREATE TABLE merchant_order (
    merchant_id          TEXT NOT NULL REFERENCES merchant (merchant_id),
    order_id             TEXT NOT NULL,
    currency             TEXT NOT NULL,
    amount_minor         BIGINT NOT NULL,
    authorized_minor     BIGINT NOT NULL DEFAULT 0,
    captured_minor       BIGINT NOT NULL DEFAULT 0,
    refunded_minor       BIGINT NOT NULL DEFAULT 0,
    document             TEXT NOT NULL,
    plugin_name          TEXT,
    payment_operation_id TEXT,
    created_ms           BIGINT NOT NULL,
    last_operation_ms    BIGINT,
    custom_field         TEXT GENERATED ALWAYS AS (document::json ->> 'customField') STORED,
    customer_id          TEXT GENERATED ALWAYS AS (document::json ->> 'customerId') STORED,
    PRIMARY KEY (merchant_id, order_id)
);
CREATE INDEX merchant_order_list ON merchant_order (merchant_id, last_operation_ms);

CREATE TABLE hosted_page (
    page_id          TEXT PRIMARY KEY,
    token_hash       TEXT NOT NULL UNIQUE,
    kind             TEXT NOT NULL,
    merchant_id      TEXT NOT NULL,
    terminal_id      TEXT NOT NULL REFERENCES terminal (terminal_id),
    order_id         TEXT NOT NULL,
    action_type      TEXT NOT NULL,
    capture          TEXT NOT NULL,
    language         TEXT NOT NULL,
    challenge_wish   TEXT NOT NULL,
    service          TEXT,
    contract_wish    TEXT,
    kept_card_of     TEXT,
    methods          TEXT NOT NULL,
    result_url       TEXT,
    cancel_url       TEXT,
    notification_url TEXT,
    security_token   TEXT NOT NULL,
    trace_id         TEXT NOT NULL,
    currency         TEXT NOT NULL,
    amount_minor     BIGINT NOT NULL,
    standing         TEXT NOT NULL,
    refused          BIGINT NOT NULL DEFAULT 0,
    paid_by          TEXT,
    sessions         BIGINT NOT NULL DEFAULT 0,
    created_ms       BIGINT NOT NULL,
    ends_ms          BIGINT NOT NULL,
    last_day         TEXT,
    last_time        TEXT,
    life_days        BIGINT,
    renewals         BIGINT NOT NULL DEFAULT 0,
    FOREIGN KEY (merchant_id, order_id) REFERENCES merchant_order (merchant_id, order_id)
);
CREATE INDEX hosted_page_order ON hosted_page (merchant_id, order_id, created_ms);
CREATE INDEX hosted_page_list ON hosted_page (merchant_id, kind, created_ms);

CREATE TABLE build_session (
    session_hash           TEXT PRIMARY KEY,
    merchant_id            TEXT NOT NULL,
    terminal_id            TEXT NOT NULL REFERENCES terminal (terminal_id),
    order_id               TEXT NOT NULL,
    version                BIGINT NOT NULL,
    merchant_origin        TEXT NOT NULL,
    action_type            TEXT NOT NULL,
    capture                TEXT NOT NULL,
    language               TEXT NOT NULL,
    challenge_wish         TEXT NOT NULL,
    result_url             TEXT NOT NULL,
    cancel_url             TEXT NOT NULL,
    notification_url       TEXT,
    security_token         TEXT NOT NULL,
    trace_id               TEXT NOT NULL,
    closing                TEXT NOT NULL,
    card_summary           TEXT NOT NULL,
    currency               TEXT NOT NULL,
    amount_minor           BIGINT NOT NULL,
    attempts_left          BIGINT NOT NULL,
    submissions            BIGINT NOT NULL,
    bin_lookups            BIGINT NOT NULL DEFAULT 0,
    state                  TEXT NOT NULL,
    state_document         TEXT NOT NULL,
    created_ms             BIGINT NOT NULL,
    last_seen_ms           BIGINT NOT NULL,
    ends_ms                BIGINT NOT NULL,
    wake_ms                BIGINT NOT NULL,
    methods                TEXT NOT NULL DEFAULT '',
    hosted_page_id         TEXT REFERENCES hosted_page (page_id),
    contract_wish          TEXT,
    channel_detail         TEXT NOT NULL DEFAULT 'BUILD',
    asked_by               TEXT,
    asked_fingerprint      TEXT,
    announced_operation_id TEXT,
    wallet                 TEXT,
    redirect               TEXT NOT NULL DEFAULT 'FRAME',
    installments           TEXT NOT NULL DEFAULT '',
    saved_cards            TEXT NOT NULL DEFAULT 'NONE',
    consent                TEXT NOT NULL DEFAULT 'NONE',
    consent_text           TEXT,
    FOREIGN KEY (merchant_id, order_id) REFERENCES merchant_order (merchant_id, order_id)
);
CREATE INDEX build_session_order ON build_session (merchant_id, order_id);
CREATE INDEX build_session_wake ON build_session (wake_ms);
CREATE UNIQUE INDEX build_session_asked ON build_session (asked_by) WHERE asked_by IS NOT NULL;

CREATE TABLE threeds_page (
    token_hash   TEXT PRIMARY KEY,
    session_hash TEXT NOT NULL REFERENCES build_session (session_hash),
    kind         TEXT NOT NULL,
    subject      TEXT NOT NULL
);

CREATE TABLE sealed_card (
    session_hash TEXT PRIMARY KEY REFERENCES build_session (session_hash),
    sealed       BYTEA NOT NULL
);

CREATE TABLE currency_offer (
    offer_id              TEXT PRIMARY KEY,
    session_hash          TEXT NOT NULL REFERENCES build_session (session_hash),
    bin                   TEXT NOT NULL,
    amount_minor          BIGINT NOT NULL,
    currency              TEXT NOT NULL,
    exchange_rate         TEXT NOT NULL,
    merchant_amount_minor BIGINT NOT NULL,
    expires_ms            BIGINT NOT NULL,
    accepted              BIGINT NOT NULL DEFAULT 0
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
    document       TEXT NOT NULL,
    settle_ms      BIGINT,
    channel        TEXT GENERATED ALWAYS AS (document::json ->> 'channel') STORED,
    payment_id     TEXT REFERENCES operation (operation_id),
    target_id      TEXT REFERENCES operation (operation_id),
    description    TEXT,
    stage          TEXT NOT NULL DEFAULT 'BOOKED',
    release_ms     BIGINT,
    FOREIGN KEY (merchant_id, order_id) REFERENCES merchant_order (merchant_id, order_id)
);
CREATE INDEX operation_order ON operation (merchant_id, order_id, time_ms);
CREATE INDEX operation_settle ON operation (settle_ms);
CREATE INDEX operation_list ON operation (merchant_id, time_ms);
CREATE INDEX operation_payment ON operation (payment_id) WHERE payment_id IS NOT NULL;
CREATE INDEX operation_release ON operation (release_ms) WHERE result = 'AUTHORIZED';
CREATE INDEX operation_asking ON operation (operation_id) WHERE stage = 'ASKING';

CREATE TABLE refund_share (
    refund_id    TEXT NOT NULL REFERENCES operation (operation_id),
    capture_id   TEXT NOT NULL REFERENCES operation (operation_id),
    amount_minor BIGINT NOT NULL,
    PRIMARY KEY (refund_id, capture_id)
);

CREATE TABLE stored_answer (
    scope       TEXT NOT NULL,
    key         TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    status      BIGINT NOT NULL,
    sealed_body BYTEA NOT NULL,
    created_ms  BIGINT NOT NULL,
    PRIMARY KEY (scope, key)
);
CREATE INDEX stored_answer_created ON stored_answer (created_ms);

CREATE TABLE notification (
    seq             BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    event_id        TEXT NOT NULL UNIQUE,
    merchant_id     TEXT NOT NULL,
    order_id        TEXT NOT NULL,
    url             TEXT NOT NULL,
    body            TEXT NOT NULL,
    attempts        BIGINT NOT NULL DEFAULT 0,
    next_attempt_ms BIGINT NOT NULL,
    state           TEXT NOT NULL DEFAULT 'WAITING',
    terminal_id     TEXT NOT NULL DEFAULT ''
);
CREATE INDEX notification_due ON notification (state, next_attempt_ms);
CREATE INDEX notification_order ON notification (merchant_id, order_id, seq);

CREATE TABLE notification_attempt (
    event_id TEXT NOT NULL REFERENCES notification (event_id),
    attempt  BIGINT NOT NULL,
    at_ms    BIGINT NOT NULL,
    status   BIGINT,
    cause    TEXT,
    PRIMARY KEY (event_id, attempt)
);

CREATE TABLE contract (
    contract_key   BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    merchant_id    TEXT NOT NULL REFERENCES merchant (merchant_id),
    contract_id    TEXT NOT NULL,
    customer_id    TEXT,
    contract_type  TEXT NOT NULL,
    last_day       TEXT,
    gap_days       BIGINT,
    is_active      BIGINT NOT NULL,
    card           TEXT NOT NULL,
    sealed_card    BYTEA,
    card_from      TEXT NOT NULL,
    last_charge_ms BIGINT,
    created_ms     BIGINT NOT NULL
);
CREATE UNIQUE INDEX contract_active ON contract (merchant_id, contract_id) WHERE is_active = 1;
CREATE INDEX contract_any ON contract (merchant_id, contract_id);
CREATE INDEX contract_customer ON contract (merchant_id, customer_id);

CREATE TABLE contract_change (
    operation_id  TEXT PRIMARY KEY,
    merchant_id   TEXT NOT NULL REFERENCES merchant (merchant_id),
    contract_id   TEXT NOT NULL,
    kind          TEXT NOT NULL,
    is_charge     BIGINT NOT NULL,
    customer_id   TEXT,
    contract_type TEXT,
    last_day      TEXT,
    gap_days      BIGINT,
    card          TEXT,
    sealed_card   BYTEA
);
CREATE UNIQUE INDEX contract_change_create ON contract_change (merchant_id, contract_id) WHERE kind = 'CREATE';
CREATE INDEX contract_change_any ON contract_change (merchant_id, contract_id);

CREATE TABLE three_step (
    operation_id   TEXT PRIMARY KEY REFERENCES operation (operation_id),
    session_hash   TEXT NOT NULL REFERENCES build_session (session_hash),
    standing       TEXT NOT NULL,
    script         TEXT,
    wrong_codes    BIGINT NOT NULL DEFAULT 0,
    authentication TEXT,
    return_url     TEXT,
    validation     BYTEA,
    ends_ms        BIGINT NOT NULL
);

CREATE TABLE legal_text (
    text_id          TEXT PRIMARY KEY,
    merchant_id      TEXT NOT NULL REFERENCES merchant (merchant_id),
    kind             TEXT NOT NULL,
    structure_id     TEXT,
    reservation_type TEXT,
    status           TEXT NOT NULL,
    document         TEXT NOT NULL,
    created_ms       BIGINT NOT NULL
);
CREATE INDEX legal_text_structure ON legal_text (merchant_id, structure_id, created_ms);

CREATE TABLE structure (
    merchant_id  TEXT NOT NULL REFERENCES merchant (merchant_id),
    structure_id TEXT NOT NULL,
    name         TEXT NOT NULL,
    status       TEXT NOT NULL,
    document     TEXT NOT NULL,
    created_ms   BIGINT NOT NULL,
    PRIMARY KEY (merchant_id, structure_id)
);

CREATE TABLE custom_field (
    field_id     TEXT PRIMARY KEY,
    merchant_id  TEXT NOT NULL,
    structure_id TEXT NOT NULL,
    place        BIGINT NOT NULL,
    document     TEXT NOT NULL,
    created_ms   BIGINT NOT NULL,
    FOREIGN KEY (merchant_id, structure_id) REFERENCES structure (merchant_id, structure_id)
);
CREATE INDEX custom_field_structure ON custom_field (merchant_id, structure_id, place);

CREATE TABLE legal_text_use (
    text_id     TEXT NOT NULL REFERENCES legal_text (text_id),
    merchant_id TEXT NOT NULL,
    user_kind   TEXT NOT NULL,
    user_id     TEXT NOT NULL,
    PRIMARY KEY (text_id, merchant_id, user_kind, user_id)
);
CREATE INDEX legal_text_use_user ON legal_text_use (merchant_id, user_kind, user_id);
