-- How many documents of the session's form have shown the customer's saved cards.
ALTER TABLE build_session ADD COLUMN card_documents BIGINT NOT NULL DEFAULT 0;
