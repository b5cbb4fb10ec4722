-- What the cardholder is charged, or gets back, in the card's own currency, if the buyer accepted that.
ALTER TABLE charge ADD COLUMN cardholder_amount_minor BIGINT;
ALTER TABLE charge ADD COLUMN cardholder_currency TEXT;
ALTER TABLE charge ADD COLUMN exchange_rate TEXT;
ALTER TABLE movement ADD COLUMN cardholder_amount_minor BIGINT;
ALTER TABLE movement ADD COLUMN cardholder_currency TEXT;
ALTER TABLE movement ADD COLUMN exchange_rate TEXT;
