-- One text, sealed with the vault's key: who cannot open it has another key, and must not write anything in here.
CREATE TABLE vault_proof (
    name   TEXT PRIMARY KEY,
    sealed BLOB NOT NULL
);
