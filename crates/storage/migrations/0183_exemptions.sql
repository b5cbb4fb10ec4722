-- The exemptions from authentication that payments of a terminal may ask for: codes separated by commas (docs/3-d-secure.md).
ALTER TABLE terminal ADD COLUMN exemptions TEXT NOT NULL DEFAULT '';
