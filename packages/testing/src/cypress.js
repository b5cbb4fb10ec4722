// @ts-check
/**
 * For tests with Cypress: fills the card form and pays, and finds elements by role and label, in either layout. The form is in a frame of the gateway, which
 * `cy.origin()` does not reach: the configuration needs `chromeWebSecurity: false`. Types are in `types/cypress.d.ts`.
 */

import { CHALLENGE_CODE, TEST_IDS } from './cards.js';
import { bankOf, buttonIn, documentOf, frameOf, hasButton, inputOf, isShown, roleIn, testIdIn } from './find.js';
import { anyOf, textsOf } from './texts.js';

export { testCard } from './cards.js';

/** @typedef {import('./cards.js').Card} Card */
/** @typedef {import('./outcome.js').Outcome} Outcome */
/**
 * What is used of Cypress's chains.
 * @typedef {object} Chain
 * @property {(check: (subject: any) => void) => Chain} should
 * @property {(options: any, work?: (subject: any) => unknown) => Chain} then
 * @property {() => Chain} clear
 * @property {(text: string, options?: object) => Chain} type
 */

const QUIET = { log: false };
/** A payment may take a challenge of the bank. */
const OUTCOME_MS = 60_000;

/** @returns {{ get: (selector: string, options?: object) => Chain, wrap: (subject: unknown, options?: object) => Chain }} */
function commands() {
  const { cy } = /** @type {any} */ (globalThis);
  if (!cy) throw new Error('There is no cy: @payframe/testing/cypress works in tests of Cypress.');
  return cy;
}

/**
 * The card form of a page.
 * @param {{ form?: string, locale?: string, press?: () => unknown }} [options] `form`: selector of the element; `locale`: the form's, if it is not English; `press`: presses the
 *   page's own pay button
 */
export const cardForm = (options) => new CardForm(options);

export class CardForm {
  #form;
  #text;
  #press;
  /** @type {Promise<Outcome> | undefined} */
  #told;
  /** The page of the sandbox's bank. */
  bank = {
    code: () => this.#find((form) => testIdIn(bankOf(form, this.#text), TEST_IDS.bank.code)),
    cancelButton: () => this.#find((form) => testIdIn(bankOf(form, this.#text), TEST_IDS.bank.cancel)),
    /** What is wrong with the code. */
    alert: () => this.#find((form) => roleIn(bankOf(form, this.#text), 'alert')),
    /** Types a code and sends it. */
    answer: (code = CHALLENGE_CODE) => this.bank.code().clear().type(`${code}{enter}`),
  };

  /** @param {{ form?: string, locale?: string, press?: () => unknown }} [options] */
  constructor({ form = 'payment-form', locale = 'en', press } = {}) {
    this.#form = form;
    this.#text = textsOf(locale);
    this.#press = press;
  }

  /** The element itself, once it can be used. */
  element() {
    const hasStates = globalThis.CSS?.supports('selector(:state(ready))');
    return commands().get(this.#form + (hasStates ? ':state(ready)' : '[data-state~="ready"]'), QUIET);
  }

  number() {
    return this.#find((form) => inputOf(form, 'number', this.#text));
  }

  expiry() {
    return this.#find((form) => inputOf(form, 'expiry', this.#text));
  }

  code() {
    return this.#find((form) => inputOf(form, 'code', this.#text));
  }

  name() {
    return this.#find((form) => inputOf(form, 'name', this.#text));
  }

  /** The form's own. */
  payButton() {
    return this.#find((form) => this.#button(form, 'pay_amount', 'hold_amount', 'verify_card'));
  }

  /** Also the button that confirms the cancellation, if the form asks first. */
  cancelButton() {
    return this.#find((form) => this.#button(form, 'cancel_payment'));
  }

  /** What is announced at once: an error, or a refusal. */
  alert() {
    return this.#find((form) => roleIn(documentOf(frameOf(form)), 'alert'));
  }

  /** Types what is given and leaves the rest as it is. @param {Partial<Card>} card */
  fill(card) {
    for (const name of /** @type {const} */ (['number', 'expiry', 'code', 'name'])) {
      const value = card[name];
      if (value !== undefined) this[name]().clear().type(value, { delay: 0, parseSpecialCharSequences: false });
    }
  }

  /** Presses on Pay. `outcome` tells what becomes of it. */
  pay() {
    this.element().then((/** @type {Element[]} */ [form]) => {
      this.#told = new Promise((resolve) => form?.addEventListener('result', (event) => resolve(/** @type {CustomEvent} */ (event).detail), { once: true }));
    });
    if (this.#press) this.#press();
    // A press without a pointer, as by a key: Cypress scales the page, and the form takes no press by pointer on a button that is drawn at another size.
    else this.payButton().then(press);
  }

  /** Presses on Cancel, and again where the form asks first because something was typed. */
  cancel() {
    this.cancelButton().then(press);
    this.element().should(([form]) => {
      const document = documentOf(frameOf(form));
      const question = document.querySelector('[role="alertdialog"]');
      const name = anyOf(this.#text('cancel_payment'));
      if (question && isShown(question)) buttonIn(question, name).click();
      else if (hasButton(document, name)) throw new Error('The form has not taken the press on Cancel.');
    });
  }

  /**
   * The detail of the `result` of the last `pay`. A refusal that allows another try is a result too: it is not `final`. If the page
   * navigates away at a result, check what the next page shows.
   */
  outcome() {
    return commands().wrap(null, QUIET).then({ timeout: OUTCOME_MS }, () => {
      if (!this.#told) throw new Error('Nothing was paid yet: call `pay` first.');
      return this.#told;
    });
  }

  /** @param {Element} form @param {...string} names of texts */
  #button(form, ...names) {
    return buttonIn(documentOf(frameOf(form)), anyOf(...names.map(this.#text)));
  }

  /** Cypress repeats the search until it finds something, or its time is over. @param {(form: Element) => HTMLElement} search */
  #find(search) {
    /** @type {HTMLElement | undefined} */
    let found;
    return this.element()
      .should(([form]) => {
        found = search(form);
      })
      .then(() => commands().wrap(found, QUIET));
  }
}

/** @param {HTMLElement[]} found */
function press([element]) {
  element?.click();
}
