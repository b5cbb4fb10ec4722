/**
 * For merchants' own browser tests, with Playwright: fills the card form and pays, and finds elements by role and label.
 * It needs only the page, in either layout, and of this repository only its own folder: copy the folder to your tests.
 * It uses the elements' documented names and states, and accessible names, but no
 * markup inside the form, so it works with new releases. `docs/testing.md` describes how to use it, and the result of each test card.
 */

import { readFile } from 'node:fs/promises';

// The types are in `payframe.d.mts`, for tests in TypeScript.

/** @typedef {import('playwright-core').Locator} Locator */
/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./payframe.d.mts').Outcome} Outcome */
/** @typedef {{ number: string, expiry: string, code: string, name: string }} Card what a buyer types; the expiry date is `MM/YY` */

const NUMBERS = {
  approved: '4761730000000003',
  /** The bank asks for a code, which is 123456. */
  challenged: '4761730000003007',
  challengeFails: '4761730000003015',
  noFunds: '4761730000001167',
  wrongCode: '4761730000001290',
  riskRefused: '4761730000006000',
  /** Pending, and approved half a minute later. */
  pending: '4761730000008881',
};

/**
 * A test card of the sandbox that is valid for another year: by its result, or by its number.
 * @param {keyof typeof NUMBERS | (string & {})} [which]
 * @returns {Card}
 */
export function testCard(which = 'approved') {
  const number = Object.hasOwn(NUMBERS, which) ? NUMBERS[/** @type {keyof typeof NUMBERS} */ (which)] : which.replaceAll(' ', '');
  if (!/^\d{12,19}$/.test(number)) throw new TypeError(`There is no test card "${which}"; there are ${Object.keys(NUMBERS).join(', ')}, and card numbers.`);
  const year = (new Date().getFullYear() + 1) % 100;
  return { number, expiry: `12/${String(year).padStart(2, '0')}`, code: /^3[47]/.test(number) ? '1234' : '123', name: 'Ada Lovelace' };
}

/** The id of each input, and the key of its label among the form's texts. */
const INPUTS = /** @type {const} */ ({
  number: ['CARD_NUMBER', 'label_card_number'],
  expiry: ['EXPIRATION_DATE', 'label_expiry'],
  code: ['SECURITY_CODE', 'label_security_code'],
  name: ['CARDHOLDER_NAME', 'label_holder_name'],
});

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
    const [language = ''] = locale.split('-');
    const languages = JSON.parse(await readFile(new URL('./texts.json', import.meta.url), 'utf8'));
    if (!Object.hasOwn(languages, language)) throw new RangeError(`The form has no texts in the language "${locale}".`);
    const element = place.locator('payment-form');
    await place.locator('payment-form:state(ready)').waitFor();
    const apart = (await element.getAttribute('layout')) === 'fields';
    if (!payButton && (await element.getAttribute('button')) === 'hidden') throw new TypeError('The form shows no pay button: say which one of the page it is, as `payButton`.');
    return new CardForm(place, apart, languages[language], payButton);
  }

  /**
   * Made by `CardForm.on`.
   * @param {Page | Locator} place
   * @param {boolean} apart whether each field has a frame of its own
   * @param {Record<string, string>} texts
   * @param {Locator} [payButton]
   */
  constructor(place, apart, texts, payButton) {
    /** The element itself. */
    this.element = place.locator('payment-form');
    const frame = this.element.locator('iframe').contentFrame();
    const text = (/** @type {string} */ name) => texts[name] ?? '';
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
    this.payButton = payButton ?? frame.getByRole('button', { name: whatever(text('pay_amount'), text('hold_amount'), text('verify_card')) });
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
    await this.payButton.click();
  }

  /** Presses on Cancel, and again where the form asks first because something was typed. */
  async cancel() {
    await this.cancelButton.click();
    if (await this.#question.isVisible()) await this.cancelButton.click();
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

/** A pattern for any of these texts, with any value in their placeholders. @param {string[]} texts */
function whatever(...texts) {
  const patterns = texts.map((text) => text.split(/\{\w+\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.+'));
  return new RegExp(`^(${patterns.join('|')})$`);
}
