-- Which acquirer an operation was sent to, written down before it is asked. Operations of a sandbox's own acquirer have no row.
CREATE TABLE acquirer_choice (
    operation_id TEXT NOT NULL PRIMARY KEY,
    acquirer     TEXT NOT NULL
);
