/** The meaning of an answer of the gateway for an order. Only this file decides what is paid. */
import type { Reading } from './order-types.js';
import type { Working } from './order-working.js';
export type Evaluation = {
    /**
     * whether a payment covers the whole amount and is kept
     */
    isCovered: boolean;
    /**
     * payments to refund, each with the amount to refund
     */
    extra: {
        operation: string;
        amount: number;
    }[];
    /**
     * the held money besides these
     */
    kept: number;
    isUndecided: boolean;
    wasReturned: boolean;
};
/** @import { KeptOrder, OrderPayment, Reading } from './order-types.js' */
/** @import { Working } from './order-working.js' */
/**
 * @typedef {object} Evaluation
 * @property {boolean} isCovered whether a payment covers the whole amount and is kept
 * @property {{ operation: string, amount: number }[]} extra payments to refund, each with the amount to refund
 * @property {number} kept the held money besides these
 * @property {boolean} isUndecided
 * @property {boolean} wasReturned
 */
/** Evaluates the answer to the newest question. @param {Working} working @param {Reading} reading */
export declare function applyReading(working: Working, reading: Reading): void;
