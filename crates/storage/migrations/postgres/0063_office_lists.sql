-- As for SQLite.

ALTER TABLE operation ADD COLUMN circuit TEXT
    GENERATED ALWAYS AS (document::json ->> 'paymentCircuit') STORED;
ALTER TABLE operation ADD COLUMN instrument TEXT
    GENERATED ALWAYS AS (document::json ->> 'paymentInstrumentInfo') STORED;
ALTER TABLE operation ADD COLUMN issuer_code TEXT
    GENERATED ALWAYS AS (document::json -> 'additionalData' ->> 'authorizationStatus') STORED;

CREATE INDEX notification_list ON notification (merchant_id, seq);
CREATE INDEX contract_list ON contract (merchant_id, contract_key);
