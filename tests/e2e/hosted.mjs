/** Page object: the hosted payment page and the page of a payment link. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Payment } from './checkout.mjs';

const NAMES = { number: 'Card number', expiry: 'Expiry date', code: 'Security code', name: 'Name on card', pay: 'Pay €35.45', cancel: 'Cancel payment', issuer: 'Page of your bank' };

/** @typedef {{ resultUrl?: string, cancelUrl?: string, language?: string, paymentService?: string }} Wanted of the payment; an empty service is every one */
/** @typedef {import('./stage.mjs').Stage} Stage */

export class HostedPage {
  /** @param {import('./checkout.mjs').Checkout} checkout @param {string} address @param {string} orderId */
  constructor(checkout, address, orderId) {
    this.checkout = checkout;
    this.page = checkout.page;
    this.address = address;
    this.orderId = orderId;
    this.payment = new Payment(checkout, this.page.getByRole('main'), NAMES);
    /** Back to the shop without paying. */
    this.back = this.page.locator('form[action$="/cancel"]').getByRole('button');
  }

  /**
   * Makes a page as a shop's server does, and opens it in a browser.
   * @param {Stage} stage
   * @param {import('node:test').TestContext} t
   * @param {Wanted} [wanted]
   * @param {import('./stage.mjs').Opening} [opening]
   */
  static async open(stage, t, wanted = {}, opening = {}) {
    const request = asked(stage, wanted);
    Object.assign(request.paymentSession, { resultUrl: `${stage.shopOrigin}/notifications`, cancelUrl: `${stage.shopOrigin}/notifications` }, wanted);
    if (!request.paymentSession.paymentService) delete request.paymentSession.paymentService;
    const { status, body } = await stage.api.call('orders/hpp', request);
    assert.equal(status, 200, JSON.stringify(body));
    const checkout = await stage.checkout(t, {}, { ...opening, path: body.hostedPage });
    return new HostedPage(checkout, body.hostedPage, request.order.orderId);
  }

  /**
   * Makes a link that names no address of the shop, and opens it in a browser.
   * @param {Stage} stage
   * @param {import('node:test').TestContext} t
   * @param {import('./stage.mjs').Opening} [opening]
   */
  static async openLink(stage, t, opening = {}) {
    const request = asked(stage, {});
    const tomorrow = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
    const { status, body } = await stage.api.call('v2/orders/paybylink', { ...request, expirationDate: tomorrow });
    assert.equal(status, 200, JSON.stringify(body));
    const checkout = await stage.checkout(t, {}, { ...opening, path: body.paymentLink.link });
    return new HostedPage(checkout, body.paymentLink.link, request.order.orderId);
  }

  /** Asks the gateway what it has recorded, as `TYPE RESULT`, oldest first, and that this is all. @param {string[]} expected */
  async recorded(...expected) {
    const operations = await this.checkout.stage.api.operations(this.orderId);
    assert.deepEqual(operations.map(({ operationType, operationResult }) => `${operationType} ${operationResult}`), expected);
    return operations;
  }
}

/** @param {Stage} stage @param {Wanted} wanted */
function asked(stage, { language = 'eng', paymentService = 'CARDS' }) {
  return {
    order: {
      orderId: randomUUID().replaceAll('-', '').slice(0, 18),
      amount: '3545',
      currency: 'EUR',
      description: 'Two shirts and a very long-winded description of how they look, feel and are to be washed',
      customerInfo: { billingAddress: { country: 'ITA' } },
      transactionSummary: [{ language: 'eng', summaryList: [{ label: 'Size', value: 'L' }, { label: 'Delivery', value: 'Monday to Wednesday' }] }],
    },
    paymentSession: /** @type {Record<string, string>} */ ({ actionType: 'PAY', amount: '3545', language, paymentService, notificationUrl: `${stage.shopOrigin}/notifications` }),
  };
}
