-- Acquirers' clearing files, and what they say of operations (docs/settlement.md).

-- Of an operation with an approval: the acquirer's reference, by which a file may name it.
ALTER TABLE operation ADD COLUMN rrn TEXT
    GENERATED ALWAYS AS (document::json -> 'additionalData' ->> 'rrn') STORED;

CREATE TABLE settlement_file (
    file_id        TEXT PRIMARY KEY,
    merchant_id    TEXT NOT NULL REFERENCES merchant (merchant_id),
    file_hash      TEXT NOT NULL, -- the same file is read once
    file_name      TEXT NOT NULL,
    mapping        TEXT NOT NULL, -- the name of its format
    terminal_ids   TEXT NOT NULL, -- separated by commas
    imported_ms    BIGINT NOT NULL,
    imported_by    TEXT NOT NULL, -- the user of the operating system
    line_count     BIGINT NOT NULL,
    repeated_count BIGINT NOT NULL, -- lines that were read before, and are not among the others
    first_day      TEXT NOT NULL,
    last_day       TEXT NOT NULL,
    UNIQUE (merchant_id, file_hash)
);
CREATE INDEX settlement_file_list ON settlement_file (merchant_id, imported_ms, file_id);

CREATE TABLE settlement_line (
    file_id             TEXT NOT NULL REFERENCES settlement_file (file_id),
    line_number         BIGINT NOT NULL,
    merchant_id         TEXT NOT NULL,
    line_hash           TEXT NOT NULL, -- the same line is booked once
    kind                TEXT NOT NULL, -- PAYMENT, REFUND, OTHER
    difference          TEXT, -- no value: it agrees with its operation, or there is nothing to compare
    operation_id        TEXT REFERENCES operation (operation_id), -- what it is about
    operation_reference TEXT,
    order_reference     TEXT,
    retrieval_reference TEXT,
    acquirer_reference  TEXT,
    payout_id           TEXT,
    booked_day          TEXT NOT NULL, -- in the file's time zone
    booked_ms           BIGINT NOT NULL,
    gross_minor         BIGINT NOT NULL, -- with a sign, as the next two: net is gross less fee
    fee_minor           BIGINT NOT NULL,
    net_minor           BIGINT NOT NULL,
    currency            TEXT NOT NULL,
    resolved_by         TEXT REFERENCES member (member_id), -- who marked its difference as cleared
    resolved_ms         BIGINT,
    resolved_note       TEXT,
    PRIMARY KEY (file_id, line_number),
    UNIQUE (merchant_id, line_hash)
);
CREATE INDEX settlement_line_operation ON settlement_line (operation_id) WHERE operation_id IS NOT NULL;
CREATE INDEX settlement_line_difference ON settlement_line (merchant_id, booked_ms) WHERE difference IS NOT NULL;
CREATE INDEX settlement_line_booked ON settlement_line (merchant_id, booked_ms);

-- Which operations the files of an acquirer have to have.
CREATE TABLE settlement_scope (
    terminal_id        TEXT NOT NULL REFERENCES terminal (terminal_id),
    acquirer           TEXT NOT NULL, -- of the operator's file; empty: whichever
    since_ms           BIGINT NOT NULL, -- operations from before the first file are not missed
    missing_after_days BIGINT NOT NULL,
    PRIMARY KEY (terminal_id, acquirer)
);

-- Operations that no file has, which somebody marked as cleared.
CREATE TABLE settlement_missing (
    operation_id  TEXT PRIMARY KEY REFERENCES operation (operation_id),
    resolved_by   TEXT NOT NULL REFERENCES member (member_id),
    resolved_ms   BIGINT NOT NULL,
    resolved_note TEXT NOT NULL
);
