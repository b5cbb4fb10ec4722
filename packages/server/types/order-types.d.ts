/** The types of the order keeper: the stored order, what happens to it, and what is to be carried out. There is nothing here but types. */
export type OrderPayment = {
    operation: string;
    outcome: 'UNDECIDED' | 'APPROVED' | 'RETURNED';
    amount: number;
};
export type Reading = {
    held: number;
    payments: OrderPayment[];
};
export type OrderState = 'UNPAID' | 'PAYING' | 'PAID' | 'PARTLY_PAID' | 'REFUNDED' | 'GIVEN_UP' | 'NEEDS_PERSON';
export type Intent = 'SELL' | 'GIVE_UP' | 'GIVE_BACK';
export type Goods = 'RESERVED' | 'FULFILLED' | 'RELEASED';
export type Cause = 'UNDECIDED' | 'NOT_GIVEN_BACK' | 'TOO_MUCH' | 'TOO_LITTLE' | 'PAID_AFTER_RELEASE' | 'FULFILLED_UNPAID' | 'UNREADABLE';
export type PaymentUnavailable = 'ALREADY_PAID' | 'NOT_FOR_SALE' | 'UNDECIDED' | 'NEEDS_PERSON' | 'TOO_MANY_ATTEMPTS';
export type KeptOrder = {
    /**
     * what it costs, in the minor unit
     */
    due: number;
    status: OrderState;
    /**
     * whose turn it is in `PAYING`, why in `NEEDS_PERSON`
     */
    statusDetail: 'BUYER' | 'ISSUER' | Cause | null;
    intent: Intent;
    goods: Goods;
    /**
     * attempts that are not known to be over, by number
     */
    open: {
        number: number;
        isClosing: boolean;
    }[];
    /**
     * so far
     */
    attempts: number;
    /**
     * payments for which `GIVE_BACK` was an output
     */
    returning: string[];
    /**
     * the ticket of the open request
     */
    asked: number | null;
    /**
     * so far
     */
    tickets: number;
    /**
     * answers in a row without a result
     */
    reads: number;
    /**
     * why a person was called last
     */
    called: Cause | null;
};
export type KeeperInput = {
    type: 'ATTEMPT_WANTED' | 'RETURN_PAGE' | 'NOTIFICATION' | 'FEED' | 'TIME_OUT' | 'STAFF_CANCEL' | 'STAFF_LOOK_AGAIN';
} | {
    type: 'ATTEMPT_OPENED' | 'ATTEMPT_CLOSED';
    number: number;
} | {
    type: 'READ';
    ticket: number;
    reading: Reading;
} | {
    type: 'READ_FAILED' | 'READ_UNREADABLE';
    ticket: number;
};
export type KeeperOutput = {
    type: 'OPEN_ATTEMPT' | 'SHOW_FORM' | 'CLOSE_ATTEMPT';
    number: number;
} | {
    type: 'REFUSE_ATTEMPT';
    why: PaymentUnavailable;
} | {
    type: 'FULFIL' | 'RELEASE_STOCK';
} | {
    type: 'ASK';
    ticket: number;
    seconds: number;
} | {
    type: 'GIVE_BACK';
    operation: string;
    amount: number;
} | {
    type: 'CALL_PERSON';
    why: Cause;
};
export type Stepped = {
    order: KeptOrder;
    outputs: KeeperOutput[];
};
/**
 * A payment that has money (`APPROVED`), may get it (`UNDECIDED`), or had it (`RETURNED`).
 *
 * @typedef {{ operation: string, outcome: 'UNDECIDED' | 'APPROVED' | 'RETURNED', amount: number }} OrderPayment `amount`: the requested one
 */
/** @typedef {{ held: number, payments: OrderPayment[] }} Reading `held`: approved minus released and refunded; payments oldest first */
/** @typedef {'UNPAID' | 'PAYING' | 'PAID' | 'PARTLY_PAID' | 'REFUNDED' | 'GIVEN_UP' | 'NEEDS_PERSON'} OrderState */
/** @typedef {'SELL' | 'GIVE_UP' | 'GIVE_BACK'} Intent */
/** @typedef {'RESERVED' | 'FULFILLED' | 'RELEASED'} Goods */
/** @typedef {'UNDECIDED' | 'NOT_GIVEN_BACK' | 'TOO_MUCH' | 'TOO_LITTLE' | 'PAID_AFTER_RELEASE' | 'FULFILLED_UNPAID' | 'UNREADABLE'} Cause */
/** @typedef {'ALREADY_PAID' | 'NOT_FOR_SALE' | 'UNDECIDED' | 'NEEDS_PERSON' | 'TOO_MANY_ATTEMPTS'} PaymentUnavailable */
/**
 * An order, to be stored as it is: as JSON or as columns.
 *
 * @typedef {object} KeptOrder
 * @property {number} due what it costs, in the minor unit
 * @property {OrderState} status
 * @property {'BUYER' | 'ISSUER' | Cause | null} statusDetail whose turn it is in `PAYING`, why in `NEEDS_PERSON`
 * @property {Intent} intent
 * @property {Goods} goods
 * @property {{ number: number, isClosing: boolean }[]} open attempts that are not known to be over, by number
 * @property {number} attempts so far
 * @property {string[]} returning payments for which `GIVE_BACK` was an output
 * @property {number | null} asked the ticket of the open request
 * @property {number} tickets so far
 * @property {number} reads answers in a row without a result
 * @property {Cause | null} called why a person was called last
 */
/**
 * What happens to an order.
 *
 * @typedef {{ type: 'ATTEMPT_WANTED' | 'RETURN_PAGE' | 'NOTIFICATION' | 'FEED' | 'TIME_OUT' | 'STAFF_CANCEL' | 'STAFF_LOOK_AGAIN' }
 *   | { type: 'ATTEMPT_OPENED' | 'ATTEMPT_CLOSED', number: number }
 *   | { type: 'READ', ticket: number, reading: Reading }
 *   | { type: 'READ_FAILED' | 'READ_UNREADABLE', ticket: number }} KeeperInput
 */
/**
 * What to carry out. Each may be carried out twice, with the key that `docs/order-keeper.md` names.
 *
 * @typedef {{ type: 'OPEN_ATTEMPT' | 'SHOW_FORM' | 'CLOSE_ATTEMPT', number: number }
 *   | { type: 'REFUSE_ATTEMPT', why: PaymentUnavailable }
 *   | { type: 'FULFIL' | 'RELEASE_STOCK' }
 *   | { type: 'ASK', ticket: number, seconds: number }
 *   | { type: 'GIVE_BACK', operation: string, amount: number }
 *   | { type: 'CALL_PERSON', why: Cause }} KeeperOutput
 */
/** @typedef {{ order: KeptOrder, outputs: KeeperOutput[] }} Stepped store both in one transaction */
export {};
