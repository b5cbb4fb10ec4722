/**
 * The gateway as a merchant's server uses it: with the API key, and never through a browser. Tests use it to check
 * what happened to the money.
 */

import { randomUUID } from 'node:crypto';
import assert from 'node:assert/strict';

export class GatewayApi {
  #origin;
  #key;

  /** @param {string} origin @param {string} key */
  constructor(origin, key) {
    this.#origin = origin;
    this.#key = key;
  }

  /** @param {string} path below /api @param {object} [body] makes it a POST, or what `verb` says @param {string} [key] of another terminal */
  async call(path, body, key = this.#key, verb = 'POST') {
    const headers = { 'x-api-key': key, 'correlation-id': randomUUID(), 'content-type': 'application/json' };
    const answer = await fetch(`${this.#origin}/api/${path}`, { headers, ...(body && { method: verb, body: JSON.stringify(body) }) });
    return { status: answer.status, body: /** @type {any} */ (await answer.json()) };
  }

  /** The operations of an order, oldest first. @param {string} orderId @returns {Promise<any[]>} */
  async operations(orderId) {
    const { status, body } = await this.call(`orders/${encodeURIComponent(orderId)}`);
    assert.equal(status, 200, `order ${orderId}: ${JSON.stringify(body)}`);
    return body.operations.reverse();
  }

  /** The state of a session, or the code of its refusal. Does not prolong the session. @param {string} session @param {string} [key] */
  async standing(session, key) {
    const { status, body } = await this.call(`build/state?sessionId=${encodeURIComponent(session)}`, undefined, key);
    return status === 200 ? body.state : body.errors[0].code;
  }

  /** Changes the sum of a session. @param {string} sessionId @param {{ amount?: string, currency?: string }} change */
  async change(sessionId, change) {
    const { status, body } = await this.call('build/session', { sessionId, ...change }, undefined, 'PATCH');
    assert.equal(status, 200, JSON.stringify(body));
  }

  /**
   * A session of its own for a page of the shop: what `POST /orders/build` answers.
   * @param {{ shop: string, version?: string, actionType?: string, amount?: string, paymentService?: string, form?: object, key?: string, customerInfo?: object, customerId?: string, recurrence?: object, orderId?: string, ancestorOrigins?: string[] }} wanted
   */
  async open({ shop, orderId = newOrderId(), version = '3', actionType = 'PAY', amount = '3545', paymentService = 'CARDS', form, key, customerInfo, customerId, ancestorOrigins, recurrence = { action: 'NO_RECURRING' } }) {
    const { status, body } = await this.call('orders/build', {
      version,
      merchantUrl: shop,
      ...(ancestorOrigins && { ancestorOrigins }),
      order: { orderId, amount, currency: 'EUR', description: 'one thing', ...(customerInfo && { customerInfo }), ...(customerId && { customerId }) },
      paymentSession: {
        actionType,
        amount,
        language: 'eng',
        recurrence,
        exemptions: 'NO_PREFERENCE',
        ...(paymentService && { paymentService }),
        resultUrl: `${shop}/`,
        cancelUrl: `${shop}/`,
        notificationUrl: `${shop}/notifications`,
      },
      ...(form && { form }),
    }, key);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  }

  /**
   * Saves a card of a customer, as a payment in another form would.
   * @param {{ shop: string, customerId: string, contractId: string, card: import('./cards.mjs').Card }} wanted
   */
  async keep({ shop, customerId, contractId, card }) {
    const recurrence = { action: 'CONTRACT_CREATION', contractId, contractType: 'CIT' };
    const { sessionId } = await this.open({ shop, customerId, recurrence });
    const body = await this.#pay(sessionId, card);
    assert.equal(body.operation?.additionalData?.contractId, contractId, JSON.stringify(body));
  }

  /** Tries to pay an order of its own, whose id is answered. @param {{ shop: string, card: import('./cards.mjs').Card }} wanted */
  async tried({ shop, card }) {
    const orderId = newOrderId();
    const { sessionId } = await this.open({ shop, orderId });
    await this.#pay(sessionId, card);
    return orderId;
  }

  /** @param {string} sessionId @param {import('./cards.mjs').Card} card */
  async #pay(sessionId, card) {
    const values = { CARD_NUMBER: card.number, EXPIRATION_DATE: card.expiry.replaceAll(/\D/g, ''), SECURITY_CODE: card.code, CARDHOLDER_NAME: card.name };
    await this.#asFrame(sessionId, 'fe/build/text', Object.entries(values).map(([id, value]) => ({ id, value })));
    // There is no device to check.
    await this.#asFrame(sessionId, 'fe/build/skip_gdi', {});
    const { body } = await this.call('build/finalize_payment', { sessionId });
    return body;
  }

  /** @param {string} session @param {string} path @param {object} body */
  async #asFrame(session, path, body) {
    const headers = { session, 'correlation-id': randomUUID(), 'idempotency-key': randomUUID(), 'content-type': 'application/json' };
    const answer = await fetch(`${this.#origin}/api/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    assert.equal(answer.status, 200, `${path}: ${await answer.text()}`);
  }
}

/** An id that no order has. */
export const newOrderId = () => randomUUID().replaceAll('-', '').slice(0, 18);
