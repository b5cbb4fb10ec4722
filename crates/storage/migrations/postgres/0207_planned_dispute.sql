-- Disputes that a sandbox's bank opens by itself: when it disputes the money of a capture (docs/testing.md). Empty in production.
CREATE TABLE planned_dispute (
    operation_id TEXT NOT NULL PRIMARY KEY,
    due_ms       BIGINT NOT NULL
);
CREATE INDEX planned_dispute_due ON planned_dispute (due_ms);
