-- The watch over merchants' pages (docs/page-watch.md): what the pages that show a terminal's forms were made of, as browsers reported it.
-- Nothing here is about a buyer: addresses have no query, and contents are hashes.
ALTER TABLE terminal ADD COLUMN page_watch TEXT NOT NULL DEFAULT 'off'; -- or one of so many loads

CREATE TABLE watched_page (
    terminal_id TEXT NOT NULL REFERENCES terminal (terminal_id),
    page        TEXT NOT NULL,   -- origin and path
    entries     TEXT NOT NULL,   -- hash of the entries of the newest load
    loads       BIGINT NOT NULL, -- how many were reported
    first_ms    BIGINT NOT NULL,
    last_ms     BIGINT NOT NULL,
    headers_ms  BIGINT,          -- when a load could last read the headers of its page
    PRIMARY KEY (terminal_id, page)
);

-- A script, a policy or a header of such a page.
CREATE TABLE page_entry (
    terminal_id   TEXT NOT NULL REFERENCES terminal (terminal_id),
    page          TEXT NOT NULL,
    fingerprint   TEXT NOT NULL,            -- of all of it
    shape         TEXT NOT NULL,            -- of its place alone
    kind          TEXT NOT NULL,
    source        TEXT NOT NULL,            -- origin and path, or the name of a header
    hash          TEXT NOT NULL,            -- SHA-256 of the content; empty where a page cannot read it
    has_integrity BIGINT NOT NULL,
    told_ms       BIGINT NOT NULL,
    first_ms      BIGINT,                   -- when a load first had it; none: it was only told
    gone_ms       BIGINT,                   -- since when loads do not have it
    was_gone      BIGINT NOT NULL DEFAULT 0,
    replaces      TEXT,                     -- the hash that it had before
    alarm_ms      BIGINT,                   -- when it was last found to be new, changed or gone, behind the first load of its terminal's pages
    varies        BIGINT NOT NULL DEFAULT 0, -- a member said that it differs at each load
    is_authorized BIGINT NOT NULL DEFAULT 0,
    justification TEXT NOT NULL DEFAULT '',
    judged_by     TEXT,                     -- who decided last, and when
    judged_ms     BIGINT,
    PRIMARY KEY (terminal_id, page, fingerprint)
);
CREATE INDEX page_entry_alarm ON page_entry (terminal_id, alarm_ms) WHERE alarm_ms IS NOT NULL;
