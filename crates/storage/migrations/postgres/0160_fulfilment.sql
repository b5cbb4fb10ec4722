-- What shops say about the goods of their orders. The newest word counts; the feed of events has every change.
CREATE TABLE order_fulfilment (
    merchant_id TEXT NOT NULL,
    order_id    TEXT NOT NULL,
    state       TEXT NOT NULL,   -- NONE, PARTIAL, FULFILLED, CANCELED, RETURNED
    note        TEXT,
    first_ms    BIGINT NOT NULL, -- when the shop first told something of this order
    changed_ms  BIGINT NOT NULL, -- when it first told this state with this note
    PRIMARY KEY (merchant_id, order_id),
    FOREIGN KEY (merchant_id, order_id) REFERENCES merchant_order (merchant_id, order_id)
);
CREATE INDEX order_fulfilment_first ON order_fulfilment (merchant_id, first_ms);
