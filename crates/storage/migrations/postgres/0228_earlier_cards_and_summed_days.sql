-- A search for the last four digits of a card finds the orders in the order of the list, however many have the digits. Most orders are found
-- by their newest operation, whose time is that of the order in the list. The index has the network, too, so that a search for both compares
-- it there and reads no operation of another network.
DROP INDEX operation_instrument;
CREATE INDEX operation_instrument ON operation (merchant_id, instrument, time_ms, circuit) WHERE instrument IS NOT NULL;

-- The cards of an order's earlier operations that are not the card of its newest one: of a buyer who tried another card. Triggers keep them,
-- so they follow in the same transaction, also in a process of an earlier version. Whoever makes merchant_order or operation anew makes its
-- triggers anew.
CREATE TABLE earlier_card (
    merchant_id       TEXT NOT NULL,
    order_id          TEXT NOT NULL,
    instrument        TEXT NOT NULL,   -- *** and four digits
    circuit           TEXT NOT NULL,   -- '' if none is known
    last_operation_ms BIGINT NOT NULL, -- as in the order
    PRIMARY KEY (merchant_id, instrument, last_operation_ms, order_id, circuit)
);
CREATE INDEX earlier_card_order ON earlier_card (merchant_id, order_id);

CREATE FUNCTION put_earlier_cards(merchant TEXT, merchants_order TEXT) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    DELETE FROM earlier_card WHERE merchant_id = merchant AND order_id = merchants_order;
    INSERT INTO earlier_card (merchant_id, order_id, instrument, circuit, last_operation_ms)
        SELECT DISTINCT m.merchant_id, m.order_id, o.instrument, COALESCE(o.circuit, ''), m.last_operation_ms
        FROM merchant_order m
        JOIN operation n ON n.merchant_id = m.merchant_id AND n.order_id = m.order_id AND n.time_ms = m.last_operation_ms
        JOIN operation o ON o.merchant_id = m.merchant_id AND o.order_id = m.order_id
        WHERE m.merchant_id = merchant AND m.order_id = merchants_order AND o.instrument LIKE '***____'
        AND (o.instrument, o.circuit) IS DISTINCT FROM (n.instrument, n.circuit);
END
$$;

CREATE FUNCTION put_earlier_cards_of_order() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    PERFORM put_earlier_cards(NEW.merchant_id, NEW.order_id);
    RETURN NULL;
END
$$;

-- An order with one operation has no earlier card.
CREATE FUNCTION put_earlier_cards_of_operation() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM operation o
               WHERE o.merchant_id = NEW.merchant_id AND o.order_id = NEW.order_id AND o.time_ms <> NEW.time_ms) THEN
        PERFORM put_earlier_cards(NEW.merchant_id, NEW.order_id);
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER earlier_cards_of_order AFTER UPDATE OF last_operation_ms ON merchant_order
FOR EACH ROW WHEN (OLD.last_operation_ms <> NEW.last_operation_ms)
EXECUTE FUNCTION put_earlier_cards_of_order();

CREATE TRIGGER earlier_cards_of_new_operation AFTER INSERT ON operation
FOR EACH ROW EXECUTE FUNCTION put_earlier_cards_of_operation();

CREATE TRIGGER earlier_cards_of_operation AFTER UPDATE OF document ON operation
FOR EACH ROW WHEN (OLD.instrument IS DISTINCT FROM NEW.instrument OR OLD.circuit IS DISTINCT FROM NEW.circuit)
EXECUTE FUNCTION put_earlier_cards_of_operation();

-- The figures of a merchant's day that is over, so that the page of figures does not read its operations again. They are made by the way,
-- and hold as long as the day has no row in changed_day: an operation of it that is added or changed later, as when a result comes late,
-- leaves one (crates/storage/src/day_sums.rs).
CREATE TABLE summed_day (
    merchant_id TEXT NOT NULL,
    day         BIGINT NOT NULL, -- days since 1970-01-01, UTC
    document    TEXT NOT NULL,   -- the counts, as of crates/storage/src/statistics.rs
    PRIMARY KEY (merchant_id, day)
);
-- Nothing in it is unique, so that no payment waits for another one.
CREATE TABLE changed_day (
    merchant_id TEXT NOT NULL,
    day         BIGINT NOT NULL
);
CREATE INDEX changed_day_key ON changed_day (merchant_id, day);

-- Whoever changes operations of a day shares its lock until the commit, and whoever sums the day has it alone: so the sum has what is committed
-- before it, and who comes after it sees that there is a sum. Each statement of the function reads what is committed by then.
CREATE FUNCTION note_changed_day() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(hashtextextended('day ' || NEW.merchant_id || ' ' || NEW.time_ms / 86400000, 0));
    INSERT INTO changed_day (merchant_id, day) SELECT s.merchant_id, s.day FROM summed_day s
        WHERE s.merchant_id = NEW.merchant_id AND s.day = NEW.time_ms / 86400000;
    RETURN NULL;
END
$$;

CREATE TRIGGER changed_day_of_new_operation AFTER INSERT ON operation
FOR EACH ROW EXECUTE FUNCTION note_changed_day();

CREATE TRIGGER changed_day_of_operation AFTER UPDATE OF operation_type, result, amount_minor, currency, document ON operation
FOR EACH ROW WHEN (OLD.operation_type <> NEW.operation_type OR OLD.result <> NEW.result OR OLD.amount_minor <> NEW.amount_minor
    OR OLD.currency <> NEW.currency OR OLD.issuer_code IS DISTINCT FROM NEW.issuer_code)
EXECUTE FUNCTION note_changed_day();
