-- What the list of a member's log-ins shows. Earlier log-ins end: they have no id in the list.
DELETE FROM login_session;
ALTER TABLE login_session ADD COLUMN session_id TEXT NOT NULL DEFAULT '';
ALTER TABLE login_session ADD COLUMN address TEXT NOT NULL DEFAULT ''; -- of the caller; '': not known
ALTER TABLE login_session ADD COLUMN browser TEXT NOT NULL DEFAULT ''; -- its family
