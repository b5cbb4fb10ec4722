-- Origins of the pages that may hold a terminal's forms: registered by the operator, each with what proves it, and proven by the gateway.
CREATE TABLE terminal_origin (
    terminal_id TEXT NOT NULL REFERENCES terminal (terminal_id),
    origin      TEXT NOT NULL,
    token       TEXT NOT NULL, -- has to be in a file of the origin
    added_ms    BIGINT NOT NULL,
    proven_ms   BIGINT, -- NULL: not yet
    PRIMARY KEY (terminal_id, origin)
);
