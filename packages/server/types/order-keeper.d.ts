/**
 * A shop's order that always agrees with the gateway about its money: `crates/order-keeper` of the project in JavaScript, held to the same
 * vectors. It is pure: it has no clock, does no I/O and knows no database. `docs/order-keeper.md` says how to store the order, and what to
 * do for each output.
 */
export { readInput, readingOf } from './order-reading.js';
export type OrderState = import('./order-types.js').OrderState;
export type Intent = import('./order-types.js').Intent;
export type Goods = import('./order-types.js').Goods;
export type Cause = import('./order-types.js').Cause;
export type PaymentUnavailable = import('./order-types.js').PaymentUnavailable;
export type KeptOrder = import('./order-types.js').KeptOrder;
export type OrderPayment = import('./order-types.js').OrderPayment;
export type Reading = import('./order-types.js').Reading;
export type KeeperInput = import('./order-types.js').KeeperInput;
export type KeeperOutput = import('./order-types.js').KeeperOutput;
export type Stepped = import('./order-types.js').Stepped;
/** @typedef {import('./order-types.js').OrderState} OrderState */
/** @typedef {import('./order-types.js').Intent} Intent */
/** @typedef {import('./order-types.js').Goods} Goods */
/** @typedef {import('./order-types.js').Cause} Cause */
/** @typedef {import('./order-types.js').PaymentUnavailable} PaymentUnavailable */
/** @typedef {import('./order-types.js').KeptOrder} KeptOrder */
/** @typedef {import('./order-types.js').OrderPayment} OrderPayment */
/** @typedef {import('./order-types.js').Reading} Reading */
/** @typedef {import('./order-types.js').KeeperInput} KeeperInput */
/** @typedef {import('./order-types.js').KeeperOutput} KeeperOutput */
/** @typedef {import('./order-types.js').Stepped} Stepped */
/**
 * A new order of which nothing is paid. Its stock is reserved.
 *
 * @param {number} due what it costs, in the minor unit: above 0, at most 12 digits
 * @returns {KeptOrder}
 */
export declare function newOrder(due: number): KeptOrder;
/**
 * The order after an input, and what to carry out. The given order is not changed.
 *
 * @param {KeptOrder} order as it was stored
 * @param {KeeperInput} input
 * @returns {Stepped}
 * @throws {PayframeError} of kind `caller` if `order` is none that this module made, or if there is no such input
 */
export declare function step(order: KeptOrder, input: KeeperInput): Stepped;
