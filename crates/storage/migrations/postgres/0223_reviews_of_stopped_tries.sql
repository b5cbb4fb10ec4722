-- What the rule that stopped a try counted it by: the hash of a card, of an address and so on, or the id of a terminal.
ALTER TABLE card_try ADD COLUMN rule_subject TEXT;

-- What members decided about stopped tries. Until its end a decision takes the place of the rule's counts, for this subject.
CREATE TABLE card_try_review (
    review_id   TEXT PRIMARY KEY,
    merchant_id TEXT NOT NULL,
    rule        TEXT NOT NULL,
    subject     TEXT NOT NULL,
    -- BUYERS or ATTACK.
    verdict     TEXT NOT NULL,
    reason      TEXT NOT NULL,
    member_id   TEXT NOT NULL,
    -- How many tries the member saw, and the terminal of the newest of them.
    tries       BIGINT NOT NULL,
    terminal_id TEXT NOT NULL,
    at_ms       BIGINT NOT NULL,
    ends_ms     BIGINT NOT NULL
);
CREATE INDEX card_try_review_subject ON card_try_review (merchant_id, subject, ends_ms);
CREATE INDEX card_try_review_time ON card_try_review (merchant_id, at_ms, review_id);
CREATE INDEX card_try_review_end ON card_try_review (ends_ms);
CREATE INDEX card_try_review_in_force ON card_try_review (merchant_id, ends_ms);
