-- What lists are searched by, so that no search reads a table (crates/storage/src/plans.rs holds it).

CREATE INDEX operation_instrument ON operation (merchant_id, instrument, time_ms) WHERE instrument IS NOT NULL;
CREATE INDEX operation_circuit ON operation (merchant_id, circuit, time_ms) WHERE circuit IS NOT NULL;
CREATE INDEX merchant_order_custom_field ON merchant_order (merchant_id, custom_field, last_operation_ms) WHERE custom_field IS NOT NULL;
