-- What paying by a certain card costs beside the price of the goods.
ALTER TABLE shop_order ADD COLUMN fee_minor TEXT NOT NULL DEFAULT '0';
