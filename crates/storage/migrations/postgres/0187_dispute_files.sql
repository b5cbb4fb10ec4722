-- Files that merchants sent as evidence for disputes (docs/disputes.md).
CREATE TABLE dispute_file (
    file_id        TEXT PRIMARY KEY,
    dispute_id     TEXT NOT NULL REFERENCES dispute (dispute_id),
    name           TEXT NOT NULL, -- what the merchant calls it
    media_type     TEXT NOT NULL, -- found in the content
    size           BIGINT NOT NULL, -- in bytes
    added_ms       BIGINT NOT NULL,
    sealed_content BYTEA NOT NULL -- encrypted
);
CREATE INDEX dispute_file_dispute ON dispute_file (dispute_id, added_ms, file_id);
