-- How the provider names the log-in there (`sid`), hashed. NULL: it does not name log-ins, or nobody logged in there.
ALTER TABLE login_session ADD COLUMN provider_session_hash TEXT;
-- Logout tokens of providers (OpenID Connect Back-Channel Logout) that were taken: none is taken twice.
CREATE TABLE logout_token (
    provider   TEXT   NOT NULL,
    token_hash TEXT   NOT NULL, -- of the token's id (`jti`)
    until_ms   BIGINT NOT NULL, -- from then on the token is too old
    PRIMARY KEY (provider, token_hash)
);
CREATE INDEX logout_token_until ON logout_token (until_ms);
