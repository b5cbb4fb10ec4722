-- What lists of orders and operations are searched and put in order by (contract 1.8, 8.2.1, 8.2.3).

-- Time of the order's newest operation. An order without operations has none and is in no list.
ALTER TABLE merchant_order ADD COLUMN last_operation_ms BIGINT;
UPDATE merchant_order SET last_operation_ms =
    (SELECT max(time_ms) FROM operation
     WHERE operation.merchant_id = merchant_order.merchant_id AND operation.order_id = merchant_order.order_id);
CREATE INDEX merchant_order_list ON merchant_order (merchant_id, last_operation_ms);

-- Read out of the documents, so that they can not differ from what merchants read.
ALTER TABLE merchant_order ADD COLUMN custom_field TEXT
    GENERATED ALWAYS AS (json_extract(document, '$.customField')) VIRTUAL;
ALTER TABLE operation ADD COLUMN channel TEXT
    GENERATED ALWAYS AS (json_extract(document, '$.channel')) VIRTUAL;
CREATE INDEX operation_list ON operation (merchant_id, time_ms);
