-- Devices that may confirm payments with the card of the issuer that asks for it.
CREATE TABLE payment_credential (
    -- base64url, as browsers name it.
    credential_id TEXT   NOT NULL PRIMARY KEY,
    -- The point of the public key on P-256, base64url.
    public_key    TEXT   NOT NULL,
    made_ms       BIGINT NOT NULL
);
