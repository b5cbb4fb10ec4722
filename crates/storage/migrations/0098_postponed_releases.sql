-- When the release of an authorization is tried again, after an attempt that failed.
ALTER TABLE operation ADD COLUMN release_retry_ms BIGINT;
