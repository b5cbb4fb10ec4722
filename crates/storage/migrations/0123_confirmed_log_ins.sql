-- When the member last gave the password or a code in this log-in.
ALTER TABLE login_session ADD COLUMN confirmed_ms BIGINT NOT NULL DEFAULT 0;
-- Refunds above this amount, in the smallest unit of their currency, ask members of the back office for it again.
ALTER TABLE merchant ADD COLUMN confirmed_refund BIGINT NOT NULL DEFAULT 100000;
