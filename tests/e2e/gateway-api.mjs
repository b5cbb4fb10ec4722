/**
 * The gateway as a merchant's server sees it: with the key, and never through a browser. What a test claims about money it
 * asks here.
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

  /** @param {string} path below /api @param {object} [body] makes it a POST @param {string} [key] of another terminal */
  async call(path, body, key = this.#key) {
    const headers = { 'x-api-key': key, 'correlation-id': randomUUID(), 'content-type': 'application/json' };
    const answer = await fetch(`${this.#origin}/api/${path}`, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) });
    return { status: answer.status, body: /** @type {any} */ (await answer.json()) };
  }

  /** The operations of an order, oldest first. @param {string} orderId @returns {Promise<any[]>} */
  async operations(orderId) {
    const { status, body } = await this.call(`orders/${encodeURIComponent(orderId)}`);
    assert.equal(status, 200, `order ${orderId}: ${JSON.stringify(body)}`);
    return body.operations;
  }

  /** Where a session stands, or the code of its refusal. Does not prolong the session. @param {string} session */
  async standing(session) {
    const { status, body } = await this.call(`build/state?sessionId=${encodeURIComponent(session)}`);
    return status === 200 ? body.state : body.errors[0].code;
  }

  /**
   * A session of its own for a page of the shop: what `POST /orders/build` answers.
   * @param {{ shop: string, version?: string, actionType?: string, amount?: string, paymentService?: string, form?: object, key?: string, customerInfo?: object }} wanted
   */
  async open({ shop, version = '3', actionType = 'PAY', amount = '3545', paymentService = 'CARDS', form, key, customerInfo }) {
    const { status, body } = await this.call('orders/build', {
      version,
      merchantUrl: shop,
      order: { orderId: randomUUID().replaceAll('-', '').slice(0, 18), amount, currency: 'EUR', description: 'one thing', ...(customerInfo && { customerInfo }) },
      paymentSession: {
        actionType,
        amount,
        language: 'eng',
        recurrence: { action: 'NO_RECURRING' },
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
}
