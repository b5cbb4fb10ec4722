-- When a notification was written; 0 for those from before this was kept.
ALTER TABLE notification ADD COLUMN created_ms BIGINT NOT NULL DEFAULT 0;
