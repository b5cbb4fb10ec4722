/** Page object: the hosted payment page and the page of a payment link. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { NAMES, Payment } from './checkout.mjs';

/** The names for a check of the card, in Italian, the default language of pages. */
const ITALIAN = { ...NAMES.it, pay: 'Salva la carta' };
/** Terms of a merchant, with content that must be removed. */
const TERMS = '<h1>Quiet</h1><p>After ten.</p><script>parent.document.title = "read"</script><img src="https://evil.example/x.png">';

/** @typedef {{ resultUrl?: string, cancelUrl?: string, language?: string, paymentService?: string }} Wanted of the payment; an empty service is every one */
/** @typedef {import('./stage.mjs').Stage} Stage */

export class HostedPage {
  /** @param {import('./checkout.mjs').Checkout} checkout @param {string} address @param {string} orderId @param {import('./checkout.mjs').Names} [names] */
  constructor(checkout, address, orderId, names = NAMES.en) {
    this.checkout = checkout;
    this.page = checkout.page;
    this.address = address;
    this.orderId = orderId;
    this.payment = new Payment(checkout, this.page.getByRole('main'), names);
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
    const { status, body } = await stage.api.call('v2/orders/paybylink', { ...request, expirationDate: inDays(2) });
    assert.equal(status, 200, JSON.stringify(body));
    const checkout = await stage.checkout(t, {}, { ...opening, path: body.paymentLink.link });
    return new HostedPage(checkout, body.paymentLink.link, request.order.orderId);
  }

  /**
   * Makes a reservation that is guaranteed with a card, as a hotel's server does, and opens its link in a browser.
   * @param {Stage} stage
   * @param {import('node:test').TestContext} t
   * @param {import('./stage.mjs').Opening} [opening]
   */
  static async openReservation(stage, t, opening = {}) {
    /** @param {string} path @param {object} request */
    const ask = async (path, request) => {
      const { status, body } = await stage.api.call(path, request);
      assert.equal(status, 200, JSON.stringify(body));
      return body;
    };
    const text = Buffer.from(TERMS).toString('base64');
    const [structureId, reservationId] = [randomUUID(), randomUUID().slice(0, 18)];
    await ask('structures', { structureId, structureName: 'Hotel Miramare' });
    const { termsAndConditionsId } = await ask('terms_and_conditions', {
      name: 'House rules',
      termsAndConditions: [{ language: 'ita', checkMarkLabel: 'Accetto il regolamento', linkLabel: 'Regolamento', text }],
    });
    await ask('structure_conditions', {
      structureId,
      reservationType: 'GUARANTEED_NOSHOW',
      name: 'Late arrivals',
      termsAndConditions: [{
        language: 'eng',
        checkMarkLabelStructureCondition: 'I accept the conditions of the stay', linkLabelStructureCondition: 'Conditions of the stay', textStructureCondition: text,
        checkMarkLabelCancellationCondition: 'I accept the conditions of cancellation', linkLabelCancellationCondition: 'Conditions of cancellation', textCancellationCondition: text,
      }],
    });
    await ask('reservations', {
      reservationId, structureId, reservationType: 'GUARANTEED_NOSHOW', amount: '30000', currency: 'EUR',
      checkInDate: inDays(2), checkOutDate: inDays(5), termsAndConditionsIds: [termsAndConditionsId],
    });
    const { paymentLink } = await ask(`reservations/${reservationId}/paybylink`, {});
    const checkout = await stage.checkout(t, {}, { ...opening, path: paymentLink.link });
    return new HostedPage(checkout, paymentLink.link, reservationId, ITALIAN);
  }

  /** What the guests of the reservation accepted. @returns {Promise<any[]>} */
  async accepted() {
    const { body } = await this.checkout.stage.api.call(`reservations/${this.orderId}`);
    return body.acceptances;
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

/** A day from now on, as the gateway reads it. @param {number} days */
function inDays(days) {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}
