// @ts-check
/**
 * For browser tests with Playwright: fills the card form and pays, and finds elements by role and label, in either layout.
 * It uses the elements' documented names and states, and accessible names, but no markup inside the form, so it works with new releases.
 */

import { INPUTS } from './find.js';
import { press } from './press.js';
import { anyOf, textsOf } from './texts.js';

export { testCard } from './cards.js';

/** @typedef {import('playwright-core').Locator} Locator */
/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./cards.js').Card} Card */
/** @typedef {import('./outcome.js').Outcome} Outcome */

/** A card form on a page. */
export class CardForm {
  /** @type {import('playwright-core').JSHandle<{ result: Promise<Outcome> }> | undefined} */
  #told;
  /** The question before a payment is given up. @type {Locator} */
  #question;

  /**
   * Finds the form and waits until it can be used.
   * @param {Page | Locator} place the page, or the part of it that holds the form, where there are several
   * @param {object} [options]
   * @param {string} [options.locale] the language that the form speaks, as its `locale` has it
   * @param {Locator} [options.payButton] the page's own, where the form shows none
   */
  static async on(place, { locale = 'en', payButton } = {}) {
    const texts = textsOf(locale);
    const element = place.locator('payment-form');
    await place.locator('payment-form:state(ready)').waitFor();
    const apart = (await element.getAttribute('layout')) === 'fields';
    if (!payButton && (await element.getAttribute('button')) === 'hidden') throw new TypeError('The form shows no pay button: say which one of the page it is, as `payButton`.');
    return new CardForm(place, apart, texts, payButton);
  }

  /**
   * Made by `CardForm.on`.
   * @private
   * @param {Page | Locator} place
   * @param {boolean} apart whether each field has a frame of its own
   * @param {(name: string) => string} text the form's, by name
   * @param {Locator} [payButton]
   */
  constructor(place, apart, text, payButton) {
    /** The element itself. */
    this.element = place.locator('payment-form');
    const frame = this.element.locator('iframe').contentFrame();
    const input = (/** @type {keyof typeof INPUTS} */ name) => {
      const [id, label] = INPUTS[name];
      // With separate fields, the labels belong to the page; and a frame is not always inside of its element, but may be slotted into it.
      if (apart) return place.locator(`iframe[src*="id=${id}&"]`).contentFrame().getByRole('textbox');
      return frame.getByRole('textbox', { name: text(label), exact: true });
    };
    this.number = input('number');
    this.expiry = input('expiry');
    this.code = input('code');
    this.name = input('name');
    this.payButton = payButton ?? frame.getByRole('button', { name: anyOf(text('pay_amount'), text('hold_amount'), text('verify_card')) });
    this.#question = frame.getByRole('alertdialog');
    /** Also the button that confirms the cancellation, if the form asks first. */
    this.cancelButton = frame.getByRole('button', { name: text('cancel_payment'), exact: true });
    /** What is announced at once: an error, or a refusal. */
    this.alert = frame.getByRole('alert');
    const bank = frame.getByTitle(text('challenge_frame'), { exact: true }).contentFrame();
    /** The page of the sandbox's bank. */
    this.bank = {
      code: bank.getByTestId('acs-otp'),
      cancelButton: bank.getByTestId('acs-cancel'),
      /** What is wrong with the code. */
      alert: bank.getByRole('alert'),
      /** Types a code and sends it; the right one is 123456. */
      async answer(code = '123456') {
        await this.code.fill(code);
        await this.code.press('Enter');
      },
    };
  }

  /** Types what is given and leaves the rest as it is. @param {Partial<Card>} card */
  async fill(card) {
    for (const name of /** @type {const} */ (['number', 'expiry', 'code', 'name'])) {
      const value = card[name];
      if (value !== undefined) await this[name].fill(value);
    }
  }

  /** Presses on Pay. `outcome` tells what becomes of it. */
  async pay() {
    this.#told = await this.element.evaluateHandle((form) => ({
      result: new Promise((resolve) => form.addEventListener('result', (event) => resolve(/** @type {CustomEvent} */ (event).detail), { once: true })),
    }));
    await press(this.payButton);
  }

  /** Presses on Cancel, and again where the form asks first because something was typed. */
  async cancel() {
    await press(this.cancelButton);
    if (await this.#question.isVisible()) await press(this.cancelButton);
  }

  /**
   * The detail of the `result` of the last `pay`. A refusal that allows another try is a result too: it is not `final`. If the page
   * navigates away at a result, check what the next page shows.
   * @returns {Promise<Outcome>}
   */
  async outcome() {
    if (!this.#told) throw new Error('Nothing was paid yet: call `pay` first.');
    return this.#told.evaluate(({ result }) => result);
  }
}
