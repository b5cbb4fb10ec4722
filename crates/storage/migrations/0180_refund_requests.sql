-- Refunds in the back office that wait for a second member (docs/back-office.md).

-- Above which sum, by currency. No row: no refund in this currency waits.
CREATE TABLE refund_rule (
    merchant_id TEXT NOT NULL REFERENCES merchant (merchant_id),
    currency    TEXT NOT NULL,
    above       BIGINT NOT NULL, -- in the smallest unit of the currency
    PRIMARY KEY (merchant_id, currency)
);

CREATE TABLE refund_request (
    request_id    TEXT PRIMARY KEY, -- the key of the form that asked
    merchant_id   TEXT NOT NULL REFERENCES merchant (merchant_id),
    order_id      TEXT NOT NULL,
    order_version TEXT NOT NULL, -- what whoever asked saw; of another order nothing is refunded
    operation_id  TEXT NOT NULL, -- what is refunded
    payment_id    TEXT NOT NULL, -- its payment
    terminal_id   TEXT NOT NULL,
    amount        BIGINT NOT NULL, -- in the smallest unit of the currency
    currency      TEXT NOT NULL,
    note          TEXT, -- for the merchant's books
    asked_by      TEXT NOT NULL REFERENCES member (member_id),
    asked_ms      BIGINT NOT NULL,
    ends_ms       BIGINT NOT NULL, -- from then on nobody can approve it
    state         TEXT NOT NULL, -- WAITING, APPROVED, REFUNDED, REFUSED, DECLINED
    decided_by    TEXT REFERENCES member (member_id),
    decided_ms    BIGINT,
    outcome       TEXT -- the refund's operation, or why there is none
);
CREATE INDEX refund_request_merchant ON refund_request (merchant_id, asked_ms);
