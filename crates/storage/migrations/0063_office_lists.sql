-- What people in the back office search orders by, and what the figures of the dashboard are made of.

-- Read out of the documents, so that they can not differ from what merchants read.
ALTER TABLE operation ADD COLUMN circuit TEXT
    GENERATED ALWAYS AS (json_extract(document, '$.paymentCircuit')) VIRTUAL;
ALTER TABLE operation ADD COLUMN instrument TEXT -- *** and the last four digits
    GENERATED ALWAYS AS (json_extract(document, '$.paymentInstrumentInfo')) VIRTUAL;
ALTER TABLE operation ADD COLUMN issuer_code TEXT -- what the issuer said (contract 10.6)
    GENERATED ALWAYS AS (json_extract(document, '$.additionalData.authorizationStatus')) VIRTUAL;

CREATE INDEX notification_list ON notification (merchant_id, seq);
CREATE INDEX contract_list ON contract (merchant_id, contract_key);
