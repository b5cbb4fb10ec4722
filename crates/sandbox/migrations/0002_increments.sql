-- What the issuer will answer where more is to be held beside a charge, where that is no.
CREATE TABLE IF NOT EXISTS increment_plan (
    charge     TEXT PRIMARY KEY,
    iso        TEXT NOT NULL,
    settlement TEXT NOT NULL
);
