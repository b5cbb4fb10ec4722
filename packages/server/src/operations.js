// @ts-check
/** What is done with the money of a payment afterwards: capture, refund, void, cancel. */

import { PayframeError } from './errors.js';
import { segment } from './paths.js';

/** @import { CallOptions, Transport } from './transport.js' */
/** @import { AllowedAction, CaptureRequest, Operation, OperationQuery, RefundRequest, Taken } from './types.js' */

export class Operations {
  #transport;

  /** @param {Transport} transport */
  constructor(transport) {
    this.#transport = transport;
  }

  /** @param {string} operationId @param {CallOptions} [options] @returns {Promise<Operation>} */
  read(operationId, options) {
    return this.#transport.call('GET', `/operations/${segment(operationId, 'operationId')}`, {}, options);
  }

  /**
   * Operations, the newest first. For the next page repeat the call with `toTime` = `operationTime` of the last row.
   *
   * @param {OperationQuery} [query] @param {CallOptions} [options] @returns {Promise<Operation[]>}
   */
  async list(query, options) {
    return (await this.#transport.call('GET', '/operations', { query }, options)).operations;
  }

  /** What may be done with an operation now. @param {string} operationId @param {CallOptions} [options] @returns {Promise<AllowedAction[]>} */
  async actions(operationId, options) {
    const path = `/operations/${segment(operationId, 'operationId')}/actions`;
    return (await this.#transport.call('GET', path, {}, options)).actions;
  }

  /**
   * Captures money that an authorization holds, all of it or a part.
   *
   * @param {string} operationId of the authorization @param {CaptureRequest} request @param {CallOptions} [options] @returns {Promise<Taken>}
   */
  capture(operationId, request, options) {
    return this.#transport.call('POST', `/operations/${segment(operationId, 'operationId')}/captures`, { body: request }, options);
  }

  /**
   * Gives captured money back, all of it or a part.
   *
   * @param {string} operationId of the authorization or the capture @param {RefundRequest} request @param {CallOptions} [options]
   * @returns {Promise<Taken>}
   */
  refund(operationId, request, options) {
    return this.#transport.call('POST', `/operations/${segment(operationId, 'operationId')}/refunds`, { body: request }, options);
  }

  /**
   * Releases what an authorization still holds. The gateway has no call of its own for this: it takes a refund of exactly the held
   * amount for a release, but for a refund if that much or more is captured. Such a void is refused here (`void_ambiguous`).
   *
   * To repeat a void whose outcome is not known, call this again: `nothing_to_void` says that nothing is held any more.
   *
   * Captures made at the same time can change what the gateway takes the amount for. Make them one after the other, and read the
   * operation that this answers: its `operationType` is `VOID`.
   *
   * @param {string} operationId of the authorization @param {{ description?: string | undefined }} [request] @param {CallOptions} [options]
   * @returns {Promise<Taken>}
   */
  async void(operationId, { description } = {}, options = {}) {
    const { signal } = options;
    const operation = await this.read(operationId, { signal });
    const actions = await this.actions(operationId, { signal });
    const held = actions.find(({ actionType }) => actionType === 'VOID');
    // What is held can be captured: then the gateway offers no release because it would refund captured money.
    const isHeld = actions.some(({ actionType }) => actionType === 'CAPTURE');
    if (!held && isHeld) throw refusedVoid('void_ambiguous', 'The gateway would refund captured money, because no more is held than captured. The rest ends by itself.');
    if (!held) throw refusedVoid('nothing_to_void', `Operation ${operation.operationId} holds nothing that can be released.`);
    const request = { amount: held.maxAmount, currency: held.currency, ...(description !== undefined && { description }) };
    return this.refund(operationId, request, options);
  }

  /**
   * Cancels a capture on the day on which it was made.
   *
   * @param {string} operationId of the capture @param {{ description?: string | undefined }} [request] @param {CallOptions} [options] @returns {Promise<Taken>}
   */
  cancel(operationId, request = {}, options) {
    return this.#transport.call('POST', `/operations/${segment(operationId, 'operationId')}/cancels`, { body: request }, options);
  }
}

/** @param {string} code @param {string} message */
const refusedVoid = (code, message) => new PayframeError(message, { kind: 'caller', code });
