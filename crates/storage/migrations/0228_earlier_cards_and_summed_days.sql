-- A search for the last four digits of a card finds the orders in the order of the list, however many have the digits. Most orders are found
-- by their newest operation, whose time is that of the order in the list. The index has the network, too, so that a search for both compares
-- it there and reads no operation of another network.
DROP INDEX operation_instrument;
CREATE INDEX operation_instrument ON operation (merchant_id, instrument, time_ms, circuit) WHERE instrument IS NOT NULL;

-- The cards of an order's earlier operations that are not the card of its newest one: of a buyer who tried another card. Triggers keep them,
-- so they follow in the same transaction. Whoever makes merchant_order or operation anew makes its triggers anew.
CREATE TABLE earlier_card (
    merchant_id       TEXT NOT NULL,
    order_id          TEXT NOT NULL,
    instrument        TEXT NOT NULL,   -- *** and four digits
    circuit           TEXT NOT NULL,   -- '' if none is known
    last_operation_ms BIGINT NOT NULL, -- as in the order
    PRIMARY KEY (merchant_id, instrument, last_operation_ms, order_id, circuit)
) WITHOUT ROWID;
CREATE INDEX earlier_card_order ON earlier_card (merchant_id, order_id);

CREATE VIEW earlier_card_now AS SELECT DISTINCT m.merchant_id, m.order_id, o.instrument, COALESCE(o.circuit, '') AS circuit, m.last_operation_ms
    FROM merchant_order m
    JOIN operation n ON n.merchant_id = m.merchant_id AND n.order_id = m.order_id AND n.time_ms = m.last_operation_ms
    JOIN operation o ON o.merchant_id = m.merchant_id AND o.order_id = m.order_id
    WHERE o.instrument LIKE '***____' AND (o.instrument IS NOT n.instrument OR o.circuit IS NOT n.circuit);

CREATE TRIGGER earlier_cards_of_order AFTER UPDATE OF last_operation_ms ON merchant_order
WHEN OLD.last_operation_ms <> NEW.last_operation_ms
BEGIN
    DELETE FROM earlier_card WHERE merchant_id = NEW.merchant_id AND order_id = NEW.order_id;
    INSERT INTO earlier_card (merchant_id, order_id, instrument, circuit, last_operation_ms)
        SELECT v.merchant_id, v.order_id, v.instrument, v.circuit, v.last_operation_ms FROM earlier_card_now v
        WHERE v.merchant_id = NEW.merchant_id AND v.order_id = NEW.order_id;
END;

-- An order with one operation has no earlier card.
CREATE TRIGGER earlier_cards_of_new_operation AFTER INSERT ON operation
WHEN EXISTS (SELECT 1 FROM operation o WHERE o.merchant_id = NEW.merchant_id AND o.order_id = NEW.order_id AND o.time_ms <> NEW.time_ms)
BEGIN
    DELETE FROM earlier_card WHERE merchant_id = NEW.merchant_id AND order_id = NEW.order_id;
    INSERT INTO earlier_card (merchant_id, order_id, instrument, circuit, last_operation_ms)
        SELECT v.merchant_id, v.order_id, v.instrument, v.circuit, v.last_operation_ms FROM earlier_card_now v
        WHERE v.merchant_id = NEW.merchant_id AND v.order_id = NEW.order_id;
END;

CREATE TRIGGER earlier_cards_of_operation AFTER UPDATE OF document ON operation
WHEN OLD.instrument IS NOT NEW.instrument OR OLD.circuit IS NOT NEW.circuit
BEGIN
    DELETE FROM earlier_card WHERE merchant_id = NEW.merchant_id AND order_id = NEW.order_id;
    INSERT INTO earlier_card (merchant_id, order_id, instrument, circuit, last_operation_ms)
        SELECT v.merchant_id, v.order_id, v.instrument, v.circuit, v.last_operation_ms FROM earlier_card_now v
        WHERE v.merchant_id = NEW.merchant_id AND v.order_id = NEW.order_id;
END;

-- The figures of a merchant's day that is over, so that the page of figures does not read its operations again. They are made by the way,
-- and hold as long as the day has no row in changed_day: an operation of it that is added or changed later, as when a result comes late,
-- leaves one (crates/storage/src/day_sums.rs).
CREATE TABLE summed_day (
    merchant_id TEXT NOT NULL,
    day         BIGINT NOT NULL, -- days since 1970-01-01, UTC
    document    TEXT NOT NULL,   -- the counts, as of crates/storage/src/statistics.rs
    PRIMARY KEY (merchant_id, day)
) WITHOUT ROWID;
CREATE TABLE changed_day (
    merchant_id TEXT NOT NULL,
    day         BIGINT NOT NULL
);
CREATE INDEX changed_day_key ON changed_day (merchant_id, day);

CREATE TRIGGER changed_day_of_new_operation AFTER INSERT ON operation
WHEN EXISTS (SELECT 1 FROM summed_day WHERE merchant_id = NEW.merchant_id AND day = NEW.time_ms / 86400000)
BEGIN
    INSERT INTO changed_day (merchant_id, day) VALUES (NEW.merchant_id, NEW.time_ms / 86400000);
END;

CREATE TRIGGER changed_day_of_operation AFTER UPDATE OF operation_type, result, amount_minor, currency, document ON operation
WHEN (OLD.operation_type <> NEW.operation_type OR OLD.result <> NEW.result OR OLD.amount_minor <> NEW.amount_minor
    OR OLD.currency <> NEW.currency OR OLD.issuer_code IS NOT NEW.issuer_code)
    AND EXISTS (SELECT 1 FROM summed_day WHERE merchant_id = NEW.merchant_id AND day = NEW.time_ms / 86400000)
BEGIN
    INSERT INTO changed_day (merchant_id, day) VALUES (NEW.merchant_id, NEW.time_ms / 86400000);
END;
