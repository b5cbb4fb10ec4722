-- Disputes of captured payments (docs/disputes.md). A change of a state writes its event in the same transaction.
CREATE TABLE dispute (
    dispute_id      TEXT PRIMARY KEY,
    merchant_id     TEXT NOT NULL REFERENCES merchant (merchant_id),
    terminal_id     TEXT NOT NULL, -- of the operation
    order_id        TEXT NOT NULL,
    operation_id    TEXT NOT NULL, -- whose captured money is disputed
    payment_id      TEXT NOT NULL, -- the first operation of its payment
    reference       TEXT, -- the acquirer's own number of the case
    kind            TEXT NOT NULL, -- INQUIRY, CHARGEBACK, PRE_ARBITRATION, ARBITRATION
    category        TEXT NOT NULL,
    reason_code     TEXT NOT NULL, -- as the network writes it
    amount          BIGINT NOT NULL, -- in the smallest unit of the currency
    currency        TEXT NOT NULL,
    state           TEXT NOT NULL, -- NEEDS_RESPONSE, UNDER_REVIEW, WON, LOST, ACCEPTED, EXPIRED
    opened_ms       BIGINT NOT NULL,
    deadline_ms     BIGINT NOT NULL,
    changed_ms      BIGINT NOT NULL,
    submitted_ms    BIGINT, -- when evidence was last submitted
    sealed_evidence BYTEA -- its texts, encrypted
);
CREATE UNIQUE INDEX dispute_reference ON dispute (merchant_id, reference);
CREATE INDEX dispute_list ON dispute (merchant_id, opened_ms, dispute_id);
CREATE INDEX dispute_order ON dispute (merchant_id, order_id);
CREATE INDEX dispute_payment ON dispute (payment_id);
CREATE INDEX dispute_deadline ON dispute (deadline_ms) WHERE state = 'NEEDS_RESPONSE';
