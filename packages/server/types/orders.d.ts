/** Orders: the truth about payments. */
import type { CallOptions, Transport } from './transport.js';
import type { Order, OrderQuery, OrderStatus } from './types.js';
/** @import { CallOptions, Transport } from './transport.js' */
/** @import { Order, OrderQuery, OrderStatus } from './types.js' */
export declare class Orders {
    #private;
    /** @param {Transport} transport */
    constructor(transport: Transport);
    /**
     * An order with its totals and its operations, the newest first. Ask before anything is shipped. An id that
     * no call has named yet is `not_found`.
     *
     * @param {string} orderId @param {CallOptions} [options] @returns {Promise<Order>}
     */
    read(orderId: string, options?: CallOptions): Promise<Order>;
    /**
     * Orders, the newest first. For the next page repeat the call with `toTime` = `lastOperationTime` of the last row.
     *
     * @param {OrderQuery} [query] @param {CallOptions} [options] @returns {Promise<OrderStatus[]>}
     */
    list(query?: OrderQuery, options?: CallOptions): Promise<OrderStatus[]>;
}
