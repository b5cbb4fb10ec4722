-- The acquirer that is asked if the first one has surely not taken the operation. Empty once a request may have arrived at the first one, or the
-- operation has moved on: then it stays where it is.
ALTER TABLE acquirer_choice ADD COLUMN fallback TEXT;
-- Which process may use it: the one that has this in its memory, because it wrote the intent and has not asked anybody yet.
ALTER TABLE acquirer_choice ADD COLUMN fallback_key TEXT;
