-- How many calls accounts have made of late, in all processes. An account is a key or a session by its hash, or a merchant.
-- A row is deleted as soon as it says nothing any more, seconds after the last call. After a crash the table is empty, and counting begins
-- anew. A file has one process, which counts in its memory.
CREATE UNLOGGED TABLE call_rate (
    account    TEXT   PRIMARY KEY,
    per_second BIGINT NOT NULL, -- so many calls are forgotten each second
    used_milli BIGINT NOT NULL, -- calls that were not forgotten at `at_ms`, in thousandths
    at_ms      BIGINT NOT NULL  -- by the server's clock, because those of the machines differ
);
