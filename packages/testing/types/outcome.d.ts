/** The detail of the form's event `result`, for tests that do not have the types of `@payframe/form`. */
export type Cause = 'challenge_cancelled' | 'challenge_timeout' | 'acs_unreachable' | 'blocked_by_policy' | 'challenge_replaced' | 'notification_mismatch';
export type Outcome = {
    outcome: 'approved' | 'pending' | 'declined' | 'cancelled' | 'failed' | 'reversed' | 'unknown';
    /**
     * the merchant's order
     */
    orderId: string;
    /**
     * absent where no operation is known
     */
    operationId?: string;
    /**
     * if more is known than the refusal; newer forms may send others
     */
    cause?: Cause | (string & {});
    /**
     * `false`: refused, but the buyer may try again in this form
     */
    final: boolean;
    /**
     * where the session has `cardSummary` `BIN_LAST4`
     */
    bin?: string;
    /**
     * where the session has a `cardSummary`
     */
    last4?: string;
};
/** @typedef {'challenge_cancelled' | 'challenge_timeout' | 'acs_unreachable' | 'blocked_by_policy' | 'challenge_replaced' | 'notification_mismatch'} Cause */
/**
 * The result of a payment, as far as the browser knows.
 * @typedef {object} Outcome
 * @property {'approved' | 'pending' | 'declined' | 'cancelled' | 'failed' | 'reversed' | 'unknown'} outcome
 * @property {string} orderId the merchant's order
 * @property {string} [operationId] absent where no operation is known
 * @property {Cause | (string & {})} [cause] if more is known than the refusal; newer forms may send others
 * @property {boolean} final `false`: refused, but the buyer may try again in this form
 * @property {string} [bin] where the session has `cardSummary` `BIN_LAST4`
 * @property {string} [last4] where the session has a `cardSummary`
 */
export {};
