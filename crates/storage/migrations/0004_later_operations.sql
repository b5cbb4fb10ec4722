-- What is done with a payment's money after the payment (contract 8.2.0): capture, release, refund, undoing.

-- The authorization whose money a later operation moves, and the operation that the call named.
ALTER TABLE operation ADD COLUMN payment_id TEXT REFERENCES operation (operation_id);
ALTER TABLE operation ADD COLUMN target_id TEXT REFERENCES operation (operation_id);
-- As the merchant sent it with a later operation.
ALTER TABLE operation ADD COLUMN description TEXT;
-- ASKING: written down before the acquirer was asked; nobody has been told of it yet. BOOKED: it has answered.
ALTER TABLE operation ADD COLUMN stage TEXT NOT NULL DEFAULT 'BOOKED';
-- Of an authorization that is captured later: when what is still open is released by itself (contract 2.4).
ALTER TABLE operation ADD COLUMN release_ms BIGINT;
UPDATE operation SET release_ms = time_ms + 86400000 *
    (SELECT CASE session.action_type WHEN 'PREAUTH' THEN 27 ELSE 5 END FROM build_session AS session
     WHERE session.session_hash = operation.session_hash
       AND (session.action_type = 'PREAUTH' OR session.capture = 'EXPLICIT'))
    WHERE operation_type = 'AUTHORIZATION';

CREATE INDEX operation_payment ON operation (payment_id) WHERE payment_id IS NOT NULL;
CREATE INDEX operation_release ON operation (release_ms) WHERE result = 'AUTHORIZED';
CREATE INDEX operation_asking ON operation (operation_id) WHERE stage = 'ASKING';

-- Which captures a refund is paid from; of an immediate sale the authorization itself.
CREATE TABLE refund_share (
    refund_id    TEXT NOT NULL REFERENCES operation (operation_id),
    capture_id   TEXT NOT NULL REFERENCES operation (operation_id),
    amount_minor BIGINT NOT NULL,
    PRIMARY KEY (refund_id, capture_id)
);
