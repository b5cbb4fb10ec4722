-- The audit log cannot be changed unseen (docs/audit-log.md): each entry has the hash of the entry before it, and its own.

ALTER TABLE audit_entry ADD COLUMN address TEXT;       -- of the member's browser, '' if a proxy did not tell it
ALTER TABLE audit_entry ADD COLUMN os_user TEXT;       -- of a command: the user of the operating system
ALTER TABLE audit_entry ADD COLUMN previous_hash TEXT; -- with no hashes: from before there were any. The first hash covers these entries
ALTER TABLE audit_entry ADD COLUMN hash TEXT;

-- The newest hash. On a server its row is locked by whoever writes an entry, so that all entries form one chain.
CREATE TABLE audit_head (
    one  INTEGER PRIMARY KEY CHECK (one = 1),
    hash TEXT NOT NULL -- '': no entry has a hash
);
INSERT INTO audit_head (one, hash) VALUES (1, '');
