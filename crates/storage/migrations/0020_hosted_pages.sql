-- Hosted payment pages and payment links (contract 8.1.1 to 8.1.4). A link is a page with an address that can be sent on.

CREATE TABLE hosted_page (
    page_id          TEXT PRIMARY KEY, -- of a link: its linkId
    token_hash       TEXT NOT NULL UNIQUE, -- of the token in its address
    kind             TEXT NOT NULL,    -- PAGE, LINK
    merchant_id      TEXT NOT NULL,
    terminal_id      TEXT NOT NULL REFERENCES terminal (terminal_id),
    order_id         TEXT NOT NULL,
    action_type      TEXT NOT NULL,
    capture          TEXT NOT NULL,
    language         TEXT NOT NULL,
    challenge_wish   TEXT NOT NULL,
    service          TEXT,             -- CARDS or a method's code, where the page is for nothing else
    contract_wish    TEXT,             -- what its payment does with a contract: a document
    kept_card_of     TEXT,             -- the contract whose card pays
    methods          TEXT NOT NULL,    -- codes in the order of their buttons, separated by commas
    result_url       TEXT,
    cancel_url       TEXT,
    notification_url TEXT,
    security_token   TEXT NOT NULL,
    trace_id         TEXT NOT NULL,
    currency         TEXT NOT NULL,
    amount_minor     BIGINT NOT NULL,
    standing         TEXT NOT NULL,    -- ACTIVE, PAID, CANCELED, FAILED; that one has expired follows from ends_ms
    refused          INTEGER NOT NULL DEFAULT 0, -- how many tries were refused since it was made or renewed
    paid_by          TEXT,             -- the operation
    sessions         INTEGER NOT NULL DEFAULT 0, -- how many form sessions it had; the last one is the present one
    created_ms       BIGINT NOT NULL,  -- unique for each merchant (1.8)
    ends_ms          BIGINT NOT NULL,  -- the first moment at which it is over
    last_day         TEXT,             -- of a link: YYYY-MM-DD in the terminal's time zone
    last_time        TEXT,             -- of a link: HH:mm with its zone, where it was given
    life_days        INTEGER,          -- of a link: from its making to its first last day
    renewals         INTEGER NOT NULL DEFAULT 0,
    FOREIGN KEY (merchant_id, order_id) REFERENCES merchant_order (merchant_id, order_id)
);
CREATE INDEX hosted_page_order ON hosted_page (merchant_id, order_id, created_ms);
CREATE INDEX hosted_page_list ON hosted_page (merchant_id, kind, created_ms);

-- Links are looked for by it.
ALTER TABLE merchant_order ADD COLUMN customer_id TEXT
    GENERATED ALWAYS AS (json_extract(document, '$.customerId')) VIRTUAL;

-- The page that a session belongs to: then it returns there, and not to the merchant's page.
ALTER TABLE build_session ADD COLUMN hosted_page_id TEXT REFERENCES hosted_page (page_id);
