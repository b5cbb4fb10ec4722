-- Why the issuer declined a charge, if the gateway acts on it.
ALTER TABLE charge ADD COLUMN decline_reason TEXT;
