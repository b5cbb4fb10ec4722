-- Fonts that forms are drawn in: rebuilt without rules, each under the hash of its bytes, and the one that a terminal's forms take.
CREATE TABLE font (
    hash       TEXT PRIMARY KEY,
    file       BLOB NOT NULL, -- TrueType
    created_ms BIGINT NOT NULL
);
ALTER TABLE terminal ADD COLUMN font TEXT REFERENCES font (hash);
