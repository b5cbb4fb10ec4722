// @ts-check
/** The buyer's bank of a sandbox, for tests: it disputes payments, and decides. A gateway in production has no such calls, so they are `not_found` there. */

import { segment } from './paths.js';

/** @import { CallOptions, Transport } from './transport.js' */
/** @import { Dispute, DisputeResult, SandboxDisputeRequest } from './types.js' */

export class SandboxDisputes {
  #transport;

  /** @param {Transport} transport */
  constructor(transport) {
    this.#transport = transport;
  }

  /**
   * Opens a dispute of a captured payment: a chargeback of all that can be disputed, unless the request says otherwise.
   *
   * @param {SandboxDisputeRequest} request @param {CallOptions} [options] @returns {Promise<Dispute>}
   */
  open(request, options) {
    return this.#transport.call('POST', '/test/disputes', { body: request }, options);
  }

  /**
   * Decides for the merchant (`WON`) or for the buyer (`LOST`), or takes the dispute to a later stage, such as `PRE_ARBITRATION`.
   *
   * @param {string} disputeId @param {DisputeResult} result @param {CallOptions} [options] @returns {Promise<Dispute>}
   */
  decide(disputeId, result, options) {
    return this.#transport.call('POST', `/test/disputes/${segment(disputeId, 'disputeId')}/result`, { body: { result } }, options);
  }
}
