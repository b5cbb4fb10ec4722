-- Keys can be taken back, at once or at an instant to come; what they were stays on record.
ALTER TABLE api_key ADD COLUMN created_ms BIGINT NOT NULL DEFAULT 0;
ALTER TABLE api_key ADD COLUMN ends_ms BIGINT; -- from then on it opens nothing

-- What notifications are signed with (9.4): sealed, because signing needs it in clear.
CREATE TABLE notification_secret (
    secret_id   TEXT PRIMARY KEY,
    terminal_id TEXT NOT NULL REFERENCES terminal (terminal_id),
    sealed      BLOB NOT NULL,
    created_ms  BIGINT NOT NULL,
    ends_ms     BIGINT -- from then on nothing is signed with it
);
CREATE INDEX notification_secret_terminal ON notification_secret (terminal_id);

-- Whose secrets a notification is signed with; '' for those from before there were any.
ALTER TABLE notification ADD COLUMN terminal_id TEXT NOT NULL DEFAULT '';
