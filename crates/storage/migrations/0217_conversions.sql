-- What the merchant gets, where the cardholder is charged in the card's own currency: amount and currency are then the cardholder's.
ALTER TABLE iso8583_exchange ADD COLUMN merchant_amount INTEGER;
ALTER TABLE iso8583_exchange ADD COLUMN merchant_currency TEXT;
