-- What the gateway did not read in calls about an order (contract 1.2): for whoever looks at the order's page.
CREATE TABLE order_warning (
    merchant_id TEXT NOT NULL REFERENCES merchant (merchant_id),
    order_id    TEXT NOT NULL,
    code        TEXT NOT NULL, -- GW91…
    description TEXT NOT NULL, -- names members, never what they hold
    first_ms    BIGINT NOT NULL,
    PRIMARY KEY (merchant_id, order_id, code, description)
);
