-- What the form asks of the billing address, fixed when the session is made: NONE or POSTAL_CODE. What the buyer enters is part of
-- the encrypted card.
ALTER TABLE build_session ADD COLUMN billing_address TEXT NOT NULL DEFAULT 'NONE';
