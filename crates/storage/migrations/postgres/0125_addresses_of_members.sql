-- An e-mail address may belong to a member of each merchant: whoever adds one does not learn whether another merchant has it.
ALTER TABLE member DROP CONSTRAINT member_email_key;
ALTER TABLE member ADD UNIQUE (merchant_id, email);
CREATE INDEX member_email ON member (email);
-- A network is known to a member, not to an address.
DROP TABLE known_network;
CREATE TABLE known_network (
    member_id TEXT   NOT NULL REFERENCES member (member_id),
    network   TEXT   NOT NULL, -- a keyed hash
    seen_ms   BIGINT NOT NULL,
    PRIMARY KEY (member_id, network)
);
