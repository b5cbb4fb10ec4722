-- Wallets (contract 8.1.11): which a terminal takes, codes separated by commas, and which one paid.

ALTER TABLE terminal ADD COLUMN wallets TEXT NOT NULL DEFAULT '';

-- The sandbox's terminals that were put in place before there were wallets. Newer ones bring theirs along.
UPDATE terminal SET wallets = 'GOOGLEPAY,APPLEPAY'
    WHERE terminal_id IN ('91000001', '91000002', '91000003', '91000005', '91000006', '91000008', '92000001');

ALTER TABLE build_session ADD COLUMN wallet TEXT;
