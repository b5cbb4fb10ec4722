// @ts-check
/** Payment links: an address at which a customer pays. */

import { segment } from './paths.js';

/** @import { CallOptions, Transport } from './transport.js' */
/** @import { CreatedLink, LinkDetails, LinkQuery, LinkRequest, PaymentLink } from './types.js' */

export class PaymentLinks {
  #transport;

  /** @param {Transport} transport */
  constructor(transport) {
    this.#transport = transport;
  }

  /** `paymentLink.link` of the answer is the address to send. @param {LinkRequest} request @param {CallOptions} [options] @returns {Promise<CreatedLink>} */
  create(request, options) {
    return this.#transport.call('POST', '/v2/orders/paybylink', { body: request }, options);
  }

  /** @param {string} linkId @param {CallOptions} [options] @returns {Promise<LinkDetails>} */
  read(linkId, options) {
    return this.#transport.call('GET', `/orders/paybylink/${segment(linkId, 'linkId')}`, {}, options);
  }

  /**
   * Links, the newest first. For the next page repeat the call with `toTime` = `creationTime` of the last row.
   *
   * @param {LinkQuery} [query] @param {CallOptions} [options] @returns {Promise<PaymentLink[]>}
   */
  async list(query, options) {
    return (await this.#transport.call('GET', '/orders/paybylink', { query }, options)).paymentLinks;
  }

  /** Makes an expired or failed link valid again, or prolongs an unpaid one. @param {string} linkId @param {CallOptions} [options] @returns {Promise<PaymentLink>} */
  async renew(linkId, options) {
    return (await this.#transport.call('POST', `/orders/paybylink/${segment(linkId, 'linkId')}/renewals`, {}, options)).paymentLink;
  }

  /** Gives up a link that is not paid. To do it again is no error. @param {string} linkId @param {CallOptions} [options] @returns {Promise<PaymentLink>} */
  async cancel(linkId, options) {
    return (await this.#transport.call('POST', `/paybylink/${segment(linkId, 'linkId')}/cancels`, {}, options)).paymentLink;
  }
}
