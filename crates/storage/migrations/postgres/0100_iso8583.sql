-- What is asked of acquirers over ISO 8583. Their hosts have no answer to a question about an earlier request, so the gateway keeps what it
-- sent, and what has to be reversed.
CREATE TABLE iso8583_number (
    acquirer    TEXT    NOT NULL PRIMARY KEY,
    last_number BIGINT  NOT NULL
);
CREATE TABLE iso8583_exchange (
    reference           TEXT    NOT NULL PRIMARY KEY,
    acquirer            TEXT    NOT NULL,
    message             TEXT    NOT NULL,
    state               TEXT    NOT NULL,
    original            TEXT,
    trace_number        BIGINT  NOT NULL,
    retrieval_reference TEXT    NOT NULL,
    sent_ms             BIGINT  NOT NULL,
    deadline_ms         BIGINT  NOT NULL,
    terminal_id         TEXT    NOT NULL,
    amount              BIGINT  NOT NULL,
    currency            TEXT    NOT NULL,
    -- Number and expiry, encrypted: later messages about the payment contain them.
    sealed_card         BYTEA,
    result              TEXT    NOT NULL,
    response_code       TEXT    NOT NULL,
    authorization_code  TEXT    NOT NULL,
    answered_reference  TEXT    NOT NULL,
    scheme_id           TEXT    NOT NULL,
    -- Of the reversal, if there is one.
    reversal_number     BIGINT,
    reversal_reference  TEXT,
    reversal_ms         BIGINT
);
CREATE INDEX iso8583_exchange_age ON iso8583_exchange (sent_ms);
