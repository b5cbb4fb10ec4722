-- Keys that the frames encrypt card numbers and security codes with. The private key is sealed by the vault, together with
-- its public one; the key without an end is the current one. A key whose end has passed is deleted.
CREATE TABLE card_key (
    key_id     TEXT PRIMARY KEY,
    sealed     BLOB NOT NULL,
    created_ms BIGINT NOT NULL,
    ends_ms    BIGINT -- from then on nothing is opened with it
);
