-- Contracts: cards that a merchant keeps for later payments (contract 2.5).

CREATE TABLE contract (
    contract_key   INTEGER PRIMARY KEY AUTOINCREMENT, -- the merchant's id may be used again after a deactivation
    merchant_id    TEXT NOT NULL REFERENCES merchant (merchant_id),
    contract_id    TEXT NOT NULL,
    customer_id    TEXT,             -- of the order that made it
    contract_type  TEXT NOT NULL,    -- CIT, MIT_UNSCHEDULED, MIT_SCHEDULED
    last_day       TEXT,             -- YYYY-MM-DD
    gap_days       INTEGER,
    is_active      INTEGER NOT NULL, -- 0, 1
    card           TEXT NOT NULL,    -- what may be shown of the card
    sealed_card    BLOB,             -- forgotten with the deactivation
    card_from      TEXT NOT NULL,    -- the operation that brought the card: what it is sealed for
    last_charge_ms BIGINT,           -- the latest charge that counts for gap_days
    created_ms     BIGINT NOT NULL
);
CREATE UNIQUE INDEX contract_active ON contract (merchant_id, contract_id) WHERE is_active = 1;
CREATE INDEX contract_any ON contract (merchant_id, contract_id);
CREATE INDEX contract_customer ON contract (merchant_id, customer_id);

-- What an operation that is on its way does with a contract once it is good. Gone when the operation is final.
CREATE TABLE contract_change (
    operation_id  TEXT PRIMARY KEY,
    merchant_id   TEXT NOT NULL REFERENCES merchant (merchant_id),
    contract_id   TEXT NOT NULL,
    kind          TEXT NOT NULL,    -- CREATE, SUBSTITUTE, CHARGE
    is_charge     INTEGER NOT NULL, -- 0, 1: whether it counts for gap_days
    customer_id   TEXT,
    contract_type TEXT,             -- with CREATE, as the next two
    last_day      TEXT,
    gap_days      INTEGER,
    card          TEXT,             -- with CREATE and SUBSTITUTE, as the next one
    sealed_card   BLOB
);
CREATE UNIQUE INDEX contract_change_create ON contract_change (merchant_id, contract_id) WHERE kind = 'CREATE';
CREATE INDEX contract_change_any ON contract_change (merchant_id, contract_id);

-- What the payment of a session does with a contract: a document; NULL if nothing.
ALTER TABLE build_session ADD COLUMN contract_wish TEXT;
-- How the payment came (channelDetail of its operations).
ALTER TABLE build_session ADD COLUMN channel_detail TEXT NOT NULL DEFAULT 'BUILD';
-- Of a payment that one call makes from beginning to end: the call, so that its repetition is recognised even where
-- the process died before it could keep its answer.
ALTER TABLE build_session ADD COLUMN asked_by TEXT;
ALTER TABLE build_session ADD COLUMN asked_fingerprint TEXT;
CREATE UNIQUE INDEX build_session_asked ON build_session (asked_by) WHERE asked_by IS NOT NULL;
