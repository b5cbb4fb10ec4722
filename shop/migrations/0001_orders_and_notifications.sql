-- What the shop must remember by itself: which sessions are its own, and what it was told about them.
CREATE TABLE shop_order (
    order_id       TEXT PRIMARY KEY,
    session_id     TEXT NOT NULL UNIQUE,
    security_token TEXT NOT NULL,
    amount_minor   TEXT NOT NULL,
    currency       TEXT NOT NULL,
    locale         TEXT NOT NULL,
    created_ms     INTEGER NOT NULL
) STRICT;

-- event_id is the key because the gateway delivers at least once: the second delivery changes nothing.
CREATE TABLE received_notification (
    event_id    TEXT PRIMARY KEY,
    order_id    TEXT NOT NULL REFERENCES shop_order (order_id),
    received_ms INTEGER NOT NULL,
    event_time  TEXT NOT NULL,
    operation_type   TEXT NOT NULL,
    operation_result TEXT NOT NULL,
    body        TEXT NOT NULL
) STRICT;

CREATE INDEX received_notification_by_time ON received_notification (received_ms);
