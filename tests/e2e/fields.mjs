/** The shop's page with a frame for each field, as tests use it. */

import { holds } from './checkout.mjs';

/** The fields, in the order in which the page has them. */
export const IDS = ['CARD_NUMBER', 'EXPIRATION_DATE', 'SECURITY_CODE', 'CARDHOLDER_NAME'];

/** The shop's page with separate fields. */
export class Fields {
  /** @param {import('./checkout.mjs').Checkout} checkout */
  constructor(checkout) {
    this.checkout = checkout;
    this.page = checkout.page;
    this.form = this.page.locator('payment-form');
    this.host = this.form.locator('iframe').contentFrame();
    const input = (/** @type {string} */ id) => this.frame(id).locator(`#${id}`);
    this.number = input('CARD_NUMBER');
    this.expiry = input('EXPIRATION_DATE');
    this.code = input('SECURITY_CODE');
    this.name = input('CARDHOLDER_NAME');
    this.cancel = this.host.getByRole('button', { name: 'Cancel payment' });
    this.pay = this.page.getByRole('button', { name: 'Pay €35.45' });
    this.status = this.page.getByRole('status');
  }

  /** The frame of a field. @param {string} id */
  frame(id) {
    return this.page.locator(`iframe[src*="id=${id}&"]`).contentFrame();
  }

  /** Until every field and the form are live. */
  async live() {
    await this.page.locator('payment-form:state(ready)').waitFor();
    await this.page.waitForFunction((count) => document.querySelectorAll('payment-field[data-state~=ready]').length === count, IDS.length - 1);
    await this.page.locator('security-code payment-field[data-state~=ready]').waitFor();
  }

  /** What was sent as card data last, by id. @returns {any} */
  sent() {
    const body = this.checkout.requestsTo('fe/build/text').at(-1)?.postDataJSON();
    return Object.fromEntries(body.map((/** @type {{ id: string }} */ item) => [item.id, item]));
  }

  /** @param {import('./cards.mjs').Card} card */
  async fill(card) {
    await this.live();
    await this.number.fill(card.number);
    await this.expiry.fill(card.expiry.replaceAll(' ', ''));
    await this.code.fill(card.code);
    await this.name.fill(card.name);
  }

  /** Presses the shop's button, once the effects of the last key are shown: a message that is removed moves the button. */
  async press() {
    await this.checkout.document('/form/').evaluate(() => new Promise((resolve) => Reflect.get(globalThis, 'payframeAfterPaint')(resolve)));
    await this.pay.click();
  }

  /** @param {import('./cards.mjs').Card} card */
  async holds(card) {
    await holds(this.number, card.shown);
    await holds(this.expiry, card.expiry);
    await holds(this.code, card.code);
    await holds(this.name, card.name);
  }
}
