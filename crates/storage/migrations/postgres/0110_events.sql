-- The feed of events: what merchants are told, also where no notification is sent. A row is written in the transaction of the operation
-- that it tells of, and deleted when it is older than the feed keeps.
CREATE TABLE event (
    merchant_id TEXT NOT NULL REFERENCES merchant (merchant_id),
    position    BIGINT NOT NULL, -- in the order of the merchant's commits, without a gap
    event_id    TEXT NOT NULL UNIQUE,
    body        TEXT NOT NULL,   -- the notification
    written_ms  BIGINT NOT NULL, -- does not fall with rising positions
    PRIMARY KEY (merchant_id, position)
);
CREATE INDEX event_written ON event (written_ms);

-- The end of a merchant's feed. A transaction that writes an event changes this row first. So the next position is given when that
-- transaction has ended, and a reader who sees a position sees all positions before it.
CREATE TABLE event_feed (
    merchant_id     TEXT PRIMARY KEY REFERENCES merchant (merchant_id),
    last_position   BIGINT NOT NULL,
    last_written_ms BIGINT NOT NULL
);
