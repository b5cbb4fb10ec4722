// @ts-check
/** Orders: the truth about payments. */

import { segment } from './paths.js';

/** @import { CallOptions, Transport } from './transport.js' */
/** @import { Order, OrderQuery, OrderStatus } from './types.js' */

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
}
