-- The networks from which members logged in: somebody who guesses elsewhere does not lock the member out there. Both are keyed hashes.
CREATE TABLE known_network (
    account TEXT   NOT NULL,
    network TEXT   NOT NULL,
    seen_ms BIGINT NOT NULL,
    PRIMARY KEY (account, network)
);
