/** What the shop's pages with one frame for each input have in common: the inputs, the outcome, the issuer's page. */

/** @typedef {import('../e2e/cards.mjs').Card} Card */
/** @typedef {import('./stage.mjs').Stage} Stage */
/** @typedef {'CARD_NUMBER' | 'EXPIRATION_DATE' | 'SECURITY_CODE' | 'CARDHOLDER_NAME'} FieldId */

const FORM = "document.querySelector('payment-form')";

export class SeparatePage {
  /** @param {Stage} stage @param {import('./page.mjs').Place} page */
  constructor(stage, page) {
    this.stage = stage;
    this.page = page;
  }

  /** The document of the frame of an input, a button or a device check. @param {string} id */
  frame(id) {
    return this.page.within(`document.querySelector('iframe[src*="id=${id}&"]')`);
  }

  /** @param {FieldId} id */
  input(id) {
    return this.frame(id).control(`#${id}`);
  }

  /** @param {Card} card */
  async fill(card) {
    await this.input('CARD_NUMBER').fill(card.number);
    await this.input('EXPIRATION_DATE').fill(card.expiry.replaceAll(' ', ''));
    await this.input('SECURITY_CODE').fill(card.code);
    await this.input('CARDHOLDER_NAME').fill(card.name);
  }

  /** Waits until the shop shows this code and sentence beside a field. @param {string} note the place of the text @param {string} code @param {RegExp} sentence */
  async noted(note, code, sentence) {
    await this.page.until(`const note = ${note}; return note?.getAttribute('data-code') === arguments[0] && new RegExp(arguments[1]).test(note.textContent)`, code, sentence.source);
  }

  /** @returns {Promise<string>} */
  async orderId() {
    return this.page.run("return document.querySelector('[data-order]').dataset.order");
  }

  /** Waits for the shop's sentence about the whole payment. @param {RegExp} sentence */
  async says(sentence) {
    await this.page.says('.outcome', sentence);
  }

  /** Waits until the session is over. Queries of the merchant's server do not prolong it. @param {string} session */
  async over(session) {
    while ((await this.stage.api.standing(session)) !== 'PS0061') await this.stage.pause();
  }

  /** The issuer's page in place of the shop's: answers it, and comes back to the shop's page of the order. @param {string} heading that stands there */
  async passChallenge(heading) {
    await this.page.testId('acs-otp').fill('123456');
    await this.page.testId('acs-submit').click();
    await this.page.says('h2 .badge', new RegExp(`^${heading}$`));
  }
}

/** The shop's page with fields in a layout of its own. */
export class FieldsPage extends SeparatePage {
  /**
   * @param {Stage} stage @param {import('node:test').TestContext} t
   * @param {{ query?: string, noise?: RegExp }} [opening]
   */
  static async open(stage, t, { query = '', noise } = {}) {
    const page = new FieldsPage(stage, await stage.page(t, `/fields${query}`, { ...(noise && { noise }) }));
    await page.page.until(`return ${FORM}?.matches(':state(ready)')`);
    return page;
  }

  /** The form's frame: messages, challenge, outcome. */
  get form() {
    return this.page.within(`${FORM}.shadowRoot.querySelector('iframe')`);
  }

  get payButton() {
    return this.page.button('Pay €35.45');
  }

  /** @param {Card} card */
  async payWith(card) {
    await this.fill(card);
    await this.payButton.click();
  }

  /** @returns {Promise<string>} */
  async session() {
    return this.page.run(`return ${FORM}.getAttribute('session')`);
  }
}
