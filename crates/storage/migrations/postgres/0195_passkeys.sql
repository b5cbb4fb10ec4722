-- Passkeys (WebAuthn) of members of the back office. A row has no secret: the private key is in the member's device.
CREATE TABLE passkey (
    passkey_id    TEXT   NOT NULL PRIMARY KEY, -- in addresses of pages
    credential_id TEXT   NOT NULL UNIQUE,      -- base64url, as the device names it
    member_id     TEXT   NOT NULL REFERENCES member (member_id),
    name          TEXT   NOT NULL,
    credential    TEXT   NOT NULL,             -- JSON: the public key and the device's counter
    created_ms    BIGINT NOT NULL,
    used_ms       BIGINT                       -- NULL: never
);
CREATE INDEX passkey_member ON passkey (member_id);
-- What a browser was asked and has not answered yet. An answer takes the row away, so no question is answered twice.
CREATE TABLE passkey_question (
    browser_hash TEXT   NOT NULL, -- of the cookie's token
    purpose      TEXT   NOT NULL,
    state        TEXT   NOT NULL, -- JSON: the challenge, and which passkeys may answer
    asked_ms     BIGINT NOT NULL,
    PRIMARY KEY (browser_hash, purpose)
);
CREATE INDEX passkey_question_asked ON passkey_question (asked_ms);
