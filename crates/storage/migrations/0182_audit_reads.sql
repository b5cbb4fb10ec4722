-- Who reads the audit log leaves an entry in it, at most one in an hour (docs/audit-log.md). When a log-in's latest one was written:
ALTER TABLE login_session ADD COLUMN audit_read_ms BIGINT NOT NULL DEFAULT 0;
-- The latest one of whoever exports it.
CREATE INDEX audit_entry_read ON audit_entry (os_user, at_ms) WHERE act = 'READ_AUDIT_LOG';
