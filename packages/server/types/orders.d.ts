/** Orders: the truth about payments. */
import type { CallOptions, Transport } from './transport.js';
import type { Fulfilment, FulfilmentRequest, Order, OrderQuery, OrderStatus } from './types.js';
/** @import { CallOptions, Transport } from './transport.js' */
/** @import { Fulfilment, FulfilmentRequest, Order, OrderQuery, OrderStatus } from './types.js' */
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
    /**
     * Tells the gateway the state of an order's goods, so that its books can be compared with the shop's. It moves no money. The same state with the
     * same note again changes nothing.
     *
     * @param {string} orderId @param {FulfilmentRequest} request @param {CallOptions} [options] @returns {Promise<Fulfilment>}
     */
    tellFulfilment(orderId: string, request: FulfilmentRequest, options?: CallOptions): Promise<Fulfilment>;
}
