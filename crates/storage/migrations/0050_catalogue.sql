-- What reservations refer to (contract 2.12): the texts that buyers accept, the places that they stay at, and the fields
-- that a place adds to its reservations.

-- Terms and conditions, and the conditions of a structure. They never change; one that nothing refers to can be cancelled.
CREATE TABLE legal_text (
    text_id          TEXT PRIMARY KEY,
    merchant_id      TEXT NOT NULL REFERENCES merchant (merchant_id),
    kind             TEXT NOT NULL, -- TERMS, CONDITION
    structure_id     TEXT,          -- of a condition, as the next one
    reservation_type TEXT,
    status           TEXT NOT NULL, -- ACTIVE, CANCELED
    document         TEXT NOT NULL, -- as the merchant sent it, checked
    created_ms       BIGINT NOT NULL
);
CREATE INDEX legal_text_structure ON legal_text (merchant_id, structure_id, created_ms);

CREATE TABLE structure (
    merchant_id  TEXT NOT NULL REFERENCES merchant (merchant_id),
    structure_id TEXT NOT NULL,
    name         TEXT NOT NULL, -- '' where it has none
    status       TEXT NOT NULL, -- ACTIVE, NOT_ACTIVE
    document     TEXT NOT NULL, -- as the merchant sent it, checked
    created_ms   BIGINT NOT NULL,
    PRIMARY KEY (merchant_id, structure_id)
);

CREATE TABLE custom_field (
    field_id     TEXT PRIMARY KEY,
    merchant_id  TEXT NOT NULL,
    structure_id TEXT NOT NULL,
    place        INTEGER NOT NULL, -- customFieldOrd
    document     TEXT NOT NULL,    -- as the merchant sent it, checked
    created_ms   BIGINT NOT NULL,
    FOREIGN KEY (merchant_id, structure_id) REFERENCES structure (merchant_id, structure_id)
);
CREATE INDEX custom_field_structure ON custom_field (merchant_id, structure_id, place);

-- What refers to a text: then it can not be cancelled.
CREATE TABLE legal_text_use (
    text_id     TEXT NOT NULL REFERENCES legal_text (text_id),
    merchant_id TEXT NOT NULL,
    user_kind   TEXT NOT NULL, -- STRUCTURE, RESERVATION
    user_id     TEXT NOT NULL,
    PRIMARY KEY (text_id, merchant_id, user_kind, user_id)
);
CREATE INDEX legal_text_use_user ON legal_text_use (merchant_id, user_kind, user_id);
