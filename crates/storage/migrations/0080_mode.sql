-- Whose tables these are: a sandbox's, or a production gateway's. The first start says it.
CREATE TABLE gateway_mode (
    one  INTEGER PRIMARY KEY CHECK (one = 1),
    mode TEXT NOT NULL -- sandbox, production
);
