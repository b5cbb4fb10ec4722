-- What the form does with kept cards (NONE, USE, USE_AND_REMOVE), whether the buyer is asked before one is kept (NONE, OPTIONAL,
-- REQUIRED), and what the merchant says about that. Fixed when the session is made.
ALTER TABLE build_session ADD COLUMN saved_cards TEXT NOT NULL DEFAULT 'NONE';
ALTER TABLE build_session ADD COLUMN consent TEXT NOT NULL DEFAULT 'NONE';
ALTER TABLE build_session ADD COLUMN consent_text TEXT;
