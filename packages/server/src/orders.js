// @ts-check
/** Orders: the truth about payments. */

import { segment } from './paths.js';

/** @import { CallOptions, Transport } from './transport.js' */
/** @import { Fulfilment, FulfilmentRequest, Order, OrderQuery, OrderStatus } from './types.js' */

export class Orders {
  #transport;

  /** @param {Transport} transport */
  constructor(transport) {
    this.#transport = transport;
  }

  /**
   * An order with its totals and its operations, the newest first. Ask before anything is shipped. An id that
   * no call has named yet is `not_found`.
   *
   * @param {string} orderId @param {CallOptions} [options] @returns {Promise<Order>}
   */
  read(orderId, options) {
    return this.#transport.call('GET', `/orders/${segment(orderId, 'orderId')}`, {}, options);
  }

  /**
   * Orders, the newest first. For the next page repeat the call with `toTime` = `lastOperationTime` of the last row.
   *
   * @param {OrderQuery} [query] @param {CallOptions} [options] @returns {Promise<OrderStatus[]>}
   */
  async list(query, options) {
    return (await this.#transport.call('GET', '/orders', { query }, options)).orders;
  }

  /**
   * Tells the gateway the state of an order's goods, so that its books can be compared with the shop's. It moves no money. The same state with the
   * same note again changes nothing.
   *
   * @param {string} orderId @param {FulfilmentRequest} request @param {CallOptions} [options] @returns {Promise<Fulfilment>}
   */
  tellFulfilment(orderId, request, options) {
    return this.#transport.call('PUT', `/orders/${segment(orderId, 'orderId')}/fulfilment`, { body: request }, options);
  }
}
