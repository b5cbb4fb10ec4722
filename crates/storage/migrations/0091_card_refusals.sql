-- Refusals of issuers, by card, to limit how often one card is tried. The card is a keyed hash that is made for one merchant. Rows are
-- deleted once they no longer count.
CREATE TABLE card_refusal (
    card_id TEXT NOT NULL,
    at_ms   BIGINT NOT NULL
);
CREATE INDEX card_refusal_card ON card_refusal (card_id, at_ms);
CREATE INDEX card_refusal_time ON card_refusal (at_ms);
