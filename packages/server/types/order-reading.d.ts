/** The gateway's order as a shop reads it: which payments there are, and how much money is held. */
import type { KeeperInput, Reading } from './order-types.js';
import type { Order } from './types.js';
export type ReadableOrder = Pick<Order, 'operations'> & {
    orderStatus: Pick<Order['orderStatus'], 'authorizedAmount' | 'refundedAmount'> & {
        order: {
            currency?: string;
        };
    };
};
/** @import { KeeperInput, OrderPayment, Reading } from './order-types.js' */
/** @import { Order } from './types.js' */
/** @typedef {Pick<Order, 'operations'> & { orderStatus: Pick<Order['orderStatus'], 'authorizedAmount' | 'refundedAmount'> & { order: { currency?: string } } }} ReadableOrder the members that are read */
/**
 * The input that the answer of `orders.read()` is: `READ`, or `READ_UNREADABLE` if the answer can not be understood.
 *
 * @param {number} ticket of the `ASK` that this answers
 * @param {ReadableOrder | undefined} answer `undefined` if the gateway has no such order (`not_found`)
 * @param {string} currency of the shop's order
 * @returns {KeeperInput}
 */
export declare function readInput(ticket: number, answer: ReadableOrder | undefined, currency: string): KeeperInput;
/**
 * What an answer of `orders.read()` says of the money.
 *
 * @param {ReadableOrder} answer
 * @param {string} currency of the shop's order
 * @returns {Reading}
 * @throws {PayframeError} with the code `order_currency`, `order_form`, `order_unknown` or `order_totals`
 */
export declare function readingOf({ orderStatus, operations }: ReadableOrder, currency: string): Reading;
