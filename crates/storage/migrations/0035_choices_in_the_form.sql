-- Who takes the buyer to a page elsewhere, FRAME or PAGE, and the numbers of instalments that the form offers, separated by
-- commas. Both are fixed when the session is made.
ALTER TABLE build_session ADD COLUMN redirect TEXT NOT NULL DEFAULT 'FRAME';
ALTER TABLE build_session ADD COLUMN installments TEXT NOT NULL DEFAULT '';

-- A currency offer that was taken stays good for its session, however long it takes (contract 5.6).
ALTER TABLE currency_offer ADD COLUMN accepted INTEGER NOT NULL DEFAULT 0;
