-- The id of the key with which a merchant's server called the API, if it did: no key, and no hash of one.
ALTER TABLE audit_entry ADD COLUMN key_id TEXT;
