-- The sandbox acquirer's books, the same in a file and on a server. Books of an earlier release are read as they are.

CREATE TABLE IF NOT EXISTS charge (
    reference           TEXT PRIMARY KEY,
    terminal_id         TEXT NOT NULL,
    action              TEXT NOT NULL,
    amount_minor        BIGINT NOT NULL,
    currency            TEXT NOT NULL,
    security_code       TEXT NOT NULL, -- GIVEN, NOT_GIVEN, LOST
    iso                 TEXT NOT NULL,
    settlement          TEXT NOT NULL,
    final_iso           TEXT,          -- of a pending one, as the next two
    final_settlement    TEXT,
    final_ms            BIGINT,
    authorization_code  TEXT NOT NULL,
    retrieval_reference TEXT NOT NULL,
    scheme_id           TEXT NOT NULL,
    created_ms          BIGINT NOT NULL
);

CREATE TABLE IF NOT EXISTS movement (
    reference           TEXT PRIMARY KEY,
    charge              TEXT NOT NULL,
    kind                TEXT NOT NULL,
    amount_minor        BIGINT NOT NULL,
    iso                 TEXT NOT NULL,
    settlement          TEXT NOT NULL,
    final_iso           TEXT,
    final_settlement    TEXT,
    final_ms            BIGINT,
    authorization_code  TEXT NOT NULL,
    retrieval_reference TEXT NOT NULL,
    scheme_id           TEXT NOT NULL,
    created_ms          BIGINT NOT NULL
);
CREATE INDEX IF NOT EXISTS movement_charge ON movement (charge);

-- What the issuer will answer to refunds of a charge, where it does not simply take them.
CREATE TABLE IF NOT EXISTS refund_plan (
    charge           TEXT PRIMARY KEY,
    iso              TEXT NOT NULL,
    settlement       TEXT NOT NULL,
    final_iso        TEXT NOT NULL,
    final_settlement TEXT NOT NULL
);
