-- Buyers' data that is exported and erased (docs/operations.md, "A buyer's data").

ALTER TABLE merchant_order ADD COLUMN erased_ms BIGINT; -- when the data of its buyer was erased
CREATE INDEX merchant_order_customer ON merchant_order (merchant_id, customer_id) WHERE customer_id IS NOT NULL;
CREATE INDEX contract_card_from ON contract (card_from);
