-- The vault's keys can be followed by others. What it hashes with can not, so it lies here, sealed: name 'hashing'. Where there
-- is only the former proof, name 'vault', the first start makes it from the key that opens the proof.
ALTER TABLE vault_proof RENAME TO vault_content;

CREATE TABLE vault_key (
    key_id     TEXT PRIMARY KEY,
    sealing_ms BIGINT, -- when a gateway last said that it seals with it
    retired_ms BIGINT  -- from then on nobody seals with it
);
