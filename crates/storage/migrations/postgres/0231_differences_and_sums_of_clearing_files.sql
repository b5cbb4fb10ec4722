-- The operations that no clearing file had when they were compared with the files, those that had no result by then, and those that a member
-- marked as cleared (docs/settlement.md). Each is asked for again whenever it is shown. Nothing refers to the table of operations, so that no payment waits.
CREATE TABLE settlement_unmatched (
    operation_id TEXT PRIMARY KEY,
    merchant_id  TEXT NOT NULL,
    time_ms      BIGINT NOT NULL
);
CREATE INDEX settlement_unmatched_list ON settlement_unmatched (merchant_id, time_ms, operation_id);
INSERT INTO settlement_unmatched (operation_id, merchant_id, time_ms)
    SELECT o.operation_id, o.merchant_id, o.time_ms FROM settlement_missing m JOIN operation o ON o.operation_id = m.operation_id;
-- The operations from the one time on and before the other were compared. NULL: none were.
ALTER TABLE settlement_scope ADD COLUMN compared_since_ms BIGINT;
ALTER TABLE settlement_scope ADD COLUMN compared_until_ms BIGINT;
-- Lines with a difference are listed, the newest first.
DROP INDEX settlement_line_difference;
CREATE INDEX settlement_line_difference ON settlement_line (merchant_id, booked_ms, file_id, line_number) WHERE difference IS NOT NULL;
-- Differences that nobody has cleared are counted for a merchant and for a file.
CREATE INDEX settlement_line_open ON settlement_line (merchant_id, difference)
    WHERE difference IS NOT NULL AND resolved_ms IS NULL;
CREATE INDEX settlement_line_open_of_file ON settlement_line (file_id)
    WHERE difference IS NOT NULL AND resolved_ms IS NULL;
-- The sums of the lines of a file, by payout (empty: none) and currency: lines never change.
CREATE TABLE settlement_sum (
    file_id     TEXT NOT NULL REFERENCES settlement_file (file_id),
    payout_id   TEXT NOT NULL,
    currency    TEXT NOT NULL,
    line_count  BIGINT NOT NULL,
    gross_minor BIGINT NOT NULL,
    fee_minor   BIGINT NOT NULL,
    net_minor   BIGINT NOT NULL,
    PRIMARY KEY (file_id, payout_id, currency)
);
INSERT INTO settlement_sum (file_id, payout_id, currency, line_count, gross_minor, fee_minor, net_minor)
    SELECT file_id, COALESCE(payout_id, ''), currency, COUNT(*), SUM(gross_minor), SUM(fee_minor), SUM(net_minor)
    FROM settlement_line GROUP BY file_id, COALESCE(payout_id, ''), currency;
