-- Reservations (contract 2.12, 8.3): what was agreed, what buyers accepted, and what was charged beside the first payment.

-- For names that are looked for by their beginning, in any letter case.
ALTER TABLE structure ADD COLUMN name_key TEXT NOT NULL DEFAULT '';

CREATE TABLE reservation (
    merchant_id          TEXT NOT NULL REFERENCES merchant (merchant_id),
    reservation_id       TEXT NOT NULL,
    terminal_id          TEXT NOT NULL REFERENCES terminal (terminal_id), -- the structure's when it was made
    structure_id         TEXT NOT NULL,
    reservation_type     TEXT NOT NULL,
    text_ids             TEXT NOT NULL, -- what the buyer has to accept, separated by commas
    document             TEXT NOT NULL, -- as the merchant sent it, checked
    custom_field         TEXT,
    customer_name_key    TEXT NOT NULL, -- '' where there is none, as the next one
    customer_surname_key TEXT NOT NULL,
    check_in_ms          BIGINT NOT NULL, -- the first moment of that day, as the next one
    check_out_ms         BIGINT NOT NULL,
    created_ms           BIGINT NOT NULL, -- unique for each merchant (1.8)
    cancelled_ms         BIGINT,
    PRIMARY KEY (merchant_id, reservation_id),
    FOREIGN KEY (merchant_id, reservation_id) REFERENCES merchant_order (merchant_id, order_id),
    FOREIGN KEY (merchant_id, structure_id) REFERENCES structure (merchant_id, structure_id)
);
CREATE INDEX reservation_created ON reservation (merchant_id, created_ms);
CREATE INDEX reservation_check_in ON reservation (merchant_id, check_in_ms);
CREATE INDEX reservation_check_out ON reservation (merchant_id, check_out_ms);

-- What is charged for a reservation after its first payment. Written with the intent; what became of it is in the operation.
CREATE TABLE reservation_charge (
    operation_id   TEXT PRIMARY KEY,
    merchant_id    TEXT NOT NULL,
    reservation_id TEXT NOT NULL,
    kind           TEXT NOT NULL, -- NO_SHOW, DELAYED, PART, PENALTY
    amount_minor   BIGINT NOT NULL,
    part           BIGINT,       -- which of the agreed parts, where the gateway charges it by itself
    description    TEXT,          -- as the merchant sent it
    FOREIGN KEY (merchant_id, reservation_id) REFERENCES reservation (merchant_id, reservation_id)
);
CREATE INDEX reservation_charge_of ON reservation_charge (merchant_id, reservation_id);
CREATE UNIQUE INDEX reservation_charge_part ON reservation_charge (merchant_id, reservation_id, part) WHERE part IS NOT NULL;

-- The parts that the gateway charges by itself and has not tried yet.
CREATE TABLE reservation_part (
    merchant_id    TEXT NOT NULL,
    reservation_id TEXT NOT NULL,
    part           BIGINT NOT NULL,
    due_ms         BIGINT NOT NULL,
    PRIMARY KEY (merchant_id, reservation_id, part),
    FOREIGN KEY (merchant_id, reservation_id) REFERENCES reservation (merchant_id, reservation_id)
);
CREATE INDEX reservation_part_due ON reservation_part (due_ms);

-- What a buyer accepted on the page of a link before paying there. The text is in legal_text and never changes.
CREATE TABLE acceptance (
    page_id        TEXT NOT NULL REFERENCES hosted_page (page_id),
    place          BIGINT NOT NULL, -- of the box on the page
    merchant_id    TEXT NOT NULL,
    order_id       TEXT NOT NULL, -- of a reservation: its id
    text_id        TEXT NOT NULL REFERENCES legal_text (text_id),
    part           TEXT NOT NULL, -- TERMS, STAY, CANCELLATION
    language       TEXT NOT NULL, -- of the text that was shown
    text_hash      TEXT NOT NULL, -- SHA-256 of the text's bytes
    accepted_ms    BIGINT NOT NULL,
    PRIMARY KEY (page_id, place)
);
CREATE INDEX acceptance_order ON acceptance (merchant_id, order_id);

-- The order of a reservation is paid over its links and by its charges, and by nothing else.
ALTER TABLE merchant_order ADD COLUMN is_reservation BIGINT NOT NULL DEFAULT 0; -- 0, 1
-- What a session charges a reservation for, beside its first payment.
ALTER TABLE build_session ADD COLUMN charge TEXT;
-- Where the merchant's server is told of what nobody named an address for (contract 9.1).
ALTER TABLE terminal ADD COLUMN notification_url TEXT;
-- The call that asked for a later operation, so that its repetition is recognised where the process died before it could keep its answer.
ALTER TABLE operation ADD COLUMN asked_by TEXT;
ALTER TABLE operation ADD COLUMN asked_fingerprint TEXT;
CREATE UNIQUE INDEX operation_asked ON operation (asked_by) WHERE asked_by IS NOT NULL;
