-- Whether the card came with a proof of work, while its terminal was under attack: 0, 1.
ALTER TABLE card_source ADD COLUMN proven BIGINT NOT NULL DEFAULT 0;
ALTER TABLE card_try ADD COLUMN proven BIGINT NOT NULL DEFAULT 0;
