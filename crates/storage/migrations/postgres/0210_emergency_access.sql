-- Ways into the back office that the operator opens for one log-in of a member who otherwise logs in at a provider alone. Such a log-in has
-- the number 3 in login_session.provider_factors.
CREATE TABLE emergency_access (
    member_id   TEXT   NOT NULL PRIMARY KEY REFERENCES member (member_id),
    secret_hash TEXT   NOT NULL UNIQUE,
    until_ms    BIGINT NOT NULL
);
