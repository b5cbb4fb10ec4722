-- What the forms of a hosted page or a link ask of the billing address: NONE, POSTAL_CODE or FULL.
ALTER TABLE hosted_page ADD COLUMN billing_address TEXT NOT NULL DEFAULT 'NONE';
