// @ts-check
/** Sessions of the embedded form: from the first call of a payment to the one that closes it. */

import { segment } from './paths.js';

/** @import { CallOptions, Transport } from './transport.js' */
/** @import { CardData, ChangedSession, Confirmation, Session, SessionChange, SessionRequest, SessionState } from './types.js' */

export class Sessions {
  #transport;

  /** @param {Transport} transport */
  constructor(transport) {
    this.#transport = transport;
  }

  /**
   * Opens a payment: the first call. Keep `securityToken` with the order; give `sessionId` or `form.html` to the page.
   *
   * @param {SessionRequest} request @param {CallOptions} [options] @returns {Promise<Session>}
   */
  create(request, options) {
    return this.#transport.call('POST', '/orders/build', { body: request }, options);
  }

  /**
   * Changes what an open session charges. Members that are left out stay as they are.
   *
   * @param {SessionChange} change @param {CallOptions} [options] @returns {Promise<ChangedSession>}
   */
  change(change, options) {
    return this.#transport.call('PATCH', '/build/session', { body: change }, options);
  }

  /** Where the session stands. @param {string} sessionId @param {CallOptions} [options] @returns {Promise<SessionState>} */
  read(sessionId, options) {
    return this.#transport.call('GET', '/build/state', { query: { sessionId: named(sessionId) } }, options);
  }

  /** What a shop may know about the card that was entered. @param {string} sessionId @param {CallOptions} [options] @returns {Promise<CardData>} */
  readCard(sessionId, options) {
    return this.#transport.call('GET', '/build/cardData', { query: { sessionId: named(sessionId) } }, options);
  }

  /**
   * Charges the card of a session of version 3 whose `form.closing` is `SERVER`. A declined payment is an answer, not an error: see
   * `operation.operationResult`.
   *
   * @param {string} sessionId @param {CallOptions} [options] @returns {Promise<SessionState>}
   */
  finalize(sessionId, options) {
    return this.#transport.call('POST', '/build/finalize_payment', { body: { sessionId: named(sessionId) } }, options);
  }

  /**
   * Fixes the amount of a session of version 2, and charges the card unless `confirm` is `false`.
   *
   * @param {Confirmation} confirmation @param {CallOptions} [options] @returns {Promise<SessionState>}
   */
  confirm(confirmation, options) {
    return this.#transport.call('POST', '/build/confirm_payment', { body: confirmation }, options);
  }

  /** Ends a session. Money that was approved goes back. @param {string} sessionId @param {CallOptions} [options] @returns {Promise<SessionState>} */
  cancel(sessionId, options) {
    return this.#transport.call('POST', '/build/cancel', { body: { sessionId: named(sessionId) } }, options);
  }
}

/** @param {string} sessionId */
function named(sessionId) {
  segment(sessionId, 'sessionId');
  return sessionId;
}
