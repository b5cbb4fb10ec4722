-- Tries are also counted by what the buyer's browser says of itself (a keyed hash that is made for one merchant) and by the sum.
ALTER TABLE card_source ADD COLUMN device_id TEXT NOT NULL DEFAULT '';
-- NULL: not known.
ALTER TABLE card_try ADD COLUMN device_id TEXT;
ALTER TABLE card_try ADD COLUMN order_value TEXT;
CREATE INDEX card_try_device ON card_try (merchant_id, device_id, outcome, at_ms) WHERE device_id IS NOT NULL;
CREATE INDEX card_try_order_value ON card_try (merchant_id, order_value, outcome, at_ms) WHERE order_value IS NOT NULL;
