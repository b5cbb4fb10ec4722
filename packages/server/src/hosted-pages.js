// @ts-check
/** The gateway's own payment page, for shops without a page for the form. */

/** @import { CallOptions, Transport } from './transport.js' */
/** @import { HostedPage, HostedPageRequest } from './types.js' */

export class HostedPages {
  #transport;

  /** @param {Transport} transport */
  constructor(transport) {
    this.#transport = transport;
  }

  /** `hostedPage` of the answer is where to send the browser. @param {HostedPageRequest} request @param {CallOptions} [options] @returns {Promise<HostedPage>} */
  create(request, options) {
    return this.#transport.call('POST', '/orders/hpp', { body: request }, options);
  }
}
