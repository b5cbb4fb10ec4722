-- The earlier cards of orders from before 0228.
INSERT INTO earlier_card (merchant_id, order_id, instrument, circuit, last_operation_ms)
    SELECT merchant_id, order_id, instrument, circuit, last_operation_ms FROM earlier_card_now;
