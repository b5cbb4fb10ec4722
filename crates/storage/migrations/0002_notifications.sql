-- The outbox: a row is written in the transaction of the operation that it tells of.

CREATE TABLE notification (
    seq             INTEGER PRIMARY KEY AUTOINCREMENT, -- order of events
    event_id        TEXT NOT NULL UNIQUE,
    merchant_id     TEXT NOT NULL,
    order_id        TEXT NOT NULL,
    url             TEXT NOT NULL,
    body            TEXT NOT NULL,
    attempts        INTEGER NOT NULL DEFAULT 0,
    next_attempt_ms BIGINT NOT NULL,
    state           TEXT NOT NULL DEFAULT 'WAITING' -- WAITING, DELIVERED, GIVEN_UP
);
CREATE INDEX notification_due ON notification (state, next_attempt_ms);
CREATE INDEX notification_order ON notification (merchant_id, order_id, seq);

CREATE TABLE notification_attempt (
    event_id TEXT NOT NULL REFERENCES notification (event_id),
    attempt  INTEGER NOT NULL,
    at_ms    BIGINT NOT NULL,
    status   INTEGER, -- HTTP status, if there was an answer
    cause    TEXT,    -- why there was none
    PRIMARY KEY (event_id, attempt)
);
