-- What directory servers are asked about buyers, and what they answered: after a restart nobody is asked twice.
CREATE TABLE three_ds_authentication (
    reference      TEXT    NOT NULL PRIMARY KEY,
    -- The id of the 3-D Secure transaction. It is sent once.
    transaction_id TEXT    NOT NULL UNIQUE,
    state          TEXT    NOT NULL,
    -- The answers, encrypted: they prove an authentication.
    sealed_answer  BYTEA,
    made_ms        BIGINT  NOT NULL
);
CREATE INDEX three_ds_authentication_age ON three_ds_authentication (made_ms);
