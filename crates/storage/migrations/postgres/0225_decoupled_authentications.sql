-- Until when the result of an issuer counts that asks the buyer apart from the browser.
ALTER TABLE three_ds_authentication ADD COLUMN until_ms BIGINT;
