-- Tokens of wallets that have begun a payment, so that none pays another order. Older ones are refused for their age.
CREATE TABLE wallet_token (
    token_hash  TEXT   NOT NULL PRIMARY KEY, -- of what the wallet has signed
    merchant_id TEXT   NOT NULL,
    order_id    TEXT   NOT NULL,
    until_ms    BIGINT NOT NULL -- from then on the token is too old
);
CREATE INDEX wallet_token_until ON wallet_token (until_ms);
