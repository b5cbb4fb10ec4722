-- 1: somebody else knows the password, so the member has to choose another one before anything else.
ALTER TABLE member ADD COLUMN must_change BIGINT NOT NULL DEFAULT 0;
-- The latest log-in, or when the member was added or enabled.
ALTER TABLE member ADD COLUMN active_ms BIGINT NOT NULL DEFAULT 0;
UPDATE member SET active_ms = COALESCE(
    (SELECT MAX(a.at_ms) FROM audit_entry a WHERE a.member_id = member.member_id AND a.act = 'LOG_IN'), created_ms);
-- The passwords before the present one, which are not taken again.
CREATE TABLE former_password (
    member_id     TEXT   NOT NULL REFERENCES member (member_id),
    password_hash TEXT   NOT NULL,
    ended_ms      BIGINT NOT NULL
);
CREATE INDEX former_password_member ON former_password (member_id, ended_ms);
