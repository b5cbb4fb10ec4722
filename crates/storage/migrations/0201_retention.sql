-- What is looked for when old records are deleted (docs/operations.md, "How long data is kept"), and when a session is deleted with
-- what belongs to it.

-- 0: what a closed session leaves is not deleted yet. 1: it is. 2: the running change deletes it.
ALTER TABLE build_session ADD COLUMN tidied INTEGER NOT NULL DEFAULT 0;
CREATE INDEX build_session_untidied ON build_session (tidied, ends_ms) WHERE tidied <> 1;
CREATE INDEX build_session_page ON build_session (hosted_page_id) WHERE hosted_page_id IS NOT NULL;
CREATE INDEX threeds_page_session ON threeds_page (session_hash);
CREATE INDEX external_3ds_session ON external_3ds (session_hash);
CREATE INDEX operation_session ON operation (session_hash);
