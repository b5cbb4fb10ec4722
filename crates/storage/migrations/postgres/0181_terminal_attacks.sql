-- Terminals at which somebody tries out cards (docs/card-testing.md). A row is there as long as its merchant was told that the attack began,
-- and not that it ended. Whoever writes or deletes it tells the merchant in the same transaction.
CREATE TABLE terminal_attack (
    terminal_id TEXT PRIMARY KEY REFERENCES terminal (terminal_id),
    merchant_id TEXT NOT NULL REFERENCES merchant (merchant_id),
    since_ms    BIGINT NOT NULL,
    met_ms      BIGINT NOT NULL, -- when the rule TERMINAL was last found to be met
    check_ms    BIGINT NOT NULL  -- when it is looked at next
);
CREATE INDEX terminal_attack_check ON terminal_attack (check_ms);

-- The tries that rules stopped, newest first, for the merchant's staff.
CREATE INDEX card_try_stopped ON card_try (merchant_id, at_ms, operation_id) WHERE rule IS NOT NULL;
