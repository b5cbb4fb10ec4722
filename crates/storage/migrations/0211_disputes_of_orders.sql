-- The disputes of one order, newest first. With the whole order in the index, it is preferred to the list of all disputes.
DROP INDEX dispute_order;
CREATE INDEX dispute_order ON dispute (merchant_id, order_id, opened_ms, dispute_id);
