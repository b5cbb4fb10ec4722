-- Where a terminal stands (contract 8.0): what is done with the key of one at a point of sale says so.
ALTER TABLE terminal ADD COLUMN place TEXT NOT NULL DEFAULT 'ONLINE'; -- ONLINE, POINT_OF_SALE
