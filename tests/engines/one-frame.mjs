/** The shop's checkout page with the form in one frame. */

/** @typedef {import('../e2e/cards.mjs').Card} Card */

/** More than the half second in which a button that pays has to be seen. */
export const SEEN_MS = 600;
const ELEMENT = "document.querySelector('payment-form')";

export class OneFrame {
  /** @param {import('./stage.mjs').Stage} stage @param {import('node:test').TestContext} t @param {string} [query] */
  static async open(stage, t, query = '') {
    const page = await stage.page(t, `/${query}`);
    await page.until(`return ${ELEMENT}?.matches(':state(ready)')`);
    return new OneFrame(page);
  }

  /** @param {import('./page.mjs').Place} page */
  constructor(page) {
    this.page = page;
    this.form = page.within(`${ELEMENT}.shadowRoot.querySelector('iframe')`);
  }

  /** @param {Card} card */
  async fill(card) {
    await this.form.field('Card number').fill(card.number);
    await this.form.field('Expiry date').fill(card.expiry.replaceAll(' ', ''));
    await this.form.field('Security code').fill(card.code);
    await this.form.field('Name on card').fill(card.name);
  }

  /** @param {Card} card */
  async payWith(card) {
    await this.fill(card);
    await this.form.button('Pay €35.45').click(SEEN_MS);
  }

  /** @param {string} code */
  async answerChallenge(code) {
    const issuer = this.form.titled('Page of your bank');
    await issuer.testId('acs-otp').fill(code);
    await issuer.testId('acs-submit').click();
  }

  /** @param {string} heading of the form @param {RegExp} sentence of the shop */
  async ends(heading, sentence) {
    await this.form.says('#title', new RegExp(`^${heading}$`));
    await this.page.says('.outcome', sentence);
  }

  /** @returns {Promise<string>} */
  async orderId() {
    return this.page.run("return document.querySelector('[data-order]').dataset.order");
  }
}
