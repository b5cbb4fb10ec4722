/** Stored orders: which are possible. */
import type { KeptOrder } from './order-types.js';
/** @import { Cause, KeptOrder } from './order-types.js' */
/**
 * A copy of an order, if this package can have made it.
 *
 * @param {KeptOrder} order
 * @returns {KeptOrder}
 */
export declare function checkedOrder(order: KeptOrder): KeptOrder;
