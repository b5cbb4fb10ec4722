-- How far the clock of a sandbox is ahead of the real time. No row: not at all.
CREATE TABLE test_clock (
    one      INTEGER PRIMARY KEY CHECK (one = 1),
    ahead_ms BIGINT NOT NULL
);
