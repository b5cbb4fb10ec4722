-- Accounts of members at log-in providers (OpenID Connect). The first log-in binds a member to the account.
CREATE TABLE provider_account (
    member_id   TEXT   NOT NULL PRIMARY KEY REFERENCES member (member_id),
    merchant_id TEXT   NOT NULL,
    issuer      TEXT   NOT NULL,
    subject     TEXT   NOT NULL,
    bound_ms    BIGINT NOT NULL,
    UNIQUE (merchant_id, issuer, subject)
);
-- Log-ins at a provider that have not come back. Coming back takes the row away.
CREATE TABLE provider_question (
    browser_hash TEXT   NOT NULL PRIMARY KEY, -- of the cookie's token, from which state, nonce and verifier are made
    provider     TEXT   NOT NULL,
    next_page    TEXT   NOT NULL,
    is_fresh     BIGINT NOT NULL, -- 1: the provider has to ask who it is, even if it knows
    asked_ms     BIGINT NOT NULL
);
CREATE INDEX provider_question_asked ON provider_question (asked_ms);
-- 0: a password or a passkey; 1: a provider; 2: a provider whose log-in counts as two factors.
ALTER TABLE login_session ADD COLUMN provider_factors BIGINT NOT NULL DEFAULT 0;
