-- When the merchant's newest operation is. A change asks for the time of an operation and for a place in the feed in one statement, just
-- before it writes both. The row of the merchant, which every change refers to, stays as it is.
ALTER TABLE event_feed ADD COLUMN last_time_ms BIGINT NOT NULL DEFAULT 0;
INSERT INTO event_feed (merchant_id, last_position, last_written_ms, last_time_ms)
    SELECT merchant_id, 0, 0, last_time_ms FROM merchant WHERE last_time_ms > 0
    ON CONFLICT (merchant_id) DO UPDATE SET last_time_ms = excluded.last_time_ms;
