-- What the buyer of an order accepts on its page before anything is paid there (contract 2.1), separated by commas.
ALTER TABLE hosted_page ADD COLUMN text_ids TEXT NOT NULL DEFAULT '';
