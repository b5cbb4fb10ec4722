-- How far the books of each merchant are compared, and the orders to look at again (docs/reconciliation.md). Neither refers to the orders'
-- table, so that no comparison locks an order.
CREATE TABLE book_comparison (
    merchant_id TEXT PRIMARY KEY,
    compared_ms BIGINT NOT NULL, -- every order whose difference counted by then was looked at
    fulfil_ms   BIGINT NOT NULL, -- with this time to send the goods
    ended_ms    BIGINT,          -- when a comparison last came to its end; NULL: the first one has not
    turn        BIGINT NOT NULL  -- how often this row was written: who writes has to have read the newest
);
CREATE TABLE book_open_order (
    merchant_id TEXT NOT NULL,
    order_id    TEXT NOT NULL,
    standing    TEXT NOT NULL, -- DIFFERS; UNDECIDED: an operation has no result yet
    PRIMARY KEY (merchant_id, order_id)
);
CREATE INDEX book_open_order_standing ON book_open_order (merchant_id, standing, order_id);
CREATE INDEX order_fulfilment_changed ON order_fulfilment (merchant_id, changed_ms);
CREATE INDEX dispute_changed ON dispute (merchant_id, changed_ms);
