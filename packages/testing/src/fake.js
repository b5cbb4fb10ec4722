// @ts-check
/**
 * A fake of `<payment-form>` and `<payment-field>` for tests of a page in jsdom or happy-dom, where no frame of a gateway can run.
 *
 * It has the attributes, properties, methods, events and errors of the real elements. A test says what a payment comes to, and what the buyer does.
 * It checks no card and asks no gateway: at least one test of a shop pays at a sandbox, in a browser.
 */

import { Buyer } from './fake/buyer.js';
import { PayframeError } from './fake/error.js';
import { fieldClass } from './fake/field-element.js';
import { formClass, machineOf } from './fake/form-element.js';
import { checkedOptions, originOf } from './fake/options.js';

/** @import { FieldId, FormOptions, Payframe, PayframeErrorCode, PaymentFormElement, PaymentFormEventMap } from '@payframe/form' */
/** @import { Settings } from './fake/machine.js' */

export { Buyer, PayframeError };
/** @typedef {import('./fake/entry.js').Entered} Entered */
/** @typedef {import('./fake/outcomes.js').Plan} Plan */
/** @typedef {import('./fake/outcomes.js').ResultPlan} ResultPlan */
/** @typedef {import('./fake/outcomes.js').ErrorPlan} ErrorPlan */

/** `@payframe/form` looks here for a fake before it loads a script of the gateway. */
const FAKE = Symbol.for('payframe.fake');

const DEFAULTS = {
  outcome: /** @type {Plan} */ ('approved'),
  load: /** @type {'ready' | PayframeErrorCode} */ ('ready'),
  fields: /** @type {readonly FieldId[]} */ (['CARD_NUMBER', 'EXPIRATION_DATE', 'SECURITY_CODE', 'CARDHOLDER_NAME']),
  networks: /** @type {readonly string[]} */ (['VISA', 'MC', 'AMEX', 'DINERS', 'DISCOVER', 'JCB', 'UNIONPAY', 'MAESTRO']),
  brand: 'VISA',
  orderId: 'ORDER-1',
};

/** The fake elements of one window, and what tests decide about them. @implements {Settings} */
export class Fake {
  #document;
  #operations = 0;

  /**
   * What payments come to: an outcome, or a list of outcomes for one payment after the other, of which the last stays. While a promise is pending, the form is at work.
   * @type {Plan | Promise<Plan> | (Plan | Promise<Plan>)[]}
   */
  outcome = DEFAULTS.outcome;
  /** How forms load: `ready`, or the code of a fatal error. While a promise is pending, they are loading. @type {'ready' | PayframeErrorCode | Promise<'ready' | PayframeErrorCode>} */
  load = DEFAULTS.load;
  /** What `confirm()` rejects with before anything is sent, such as `offline` or `press_needed`. @type {PayframeErrorCode | undefined} */
  refusal = undefined;
  /** What `update({ session })` rejects with, such as `session_rejected`. @type {PayframeErrorCode | undefined} */
  sessionRefusal = undefined;
  /** The fields of forms that load from now on. */
  fields = DEFAULTS.fields;
  /** The networks of the session. */
  networks = DEFAULTS.networks;
  /** The network of the card that is entered. */
  brand = DEFAULTS.brand;
  /** The order in `result`. */
  orderId = DEFAULTS.orderId;

  /** Made by `installFake`. @param {Document} document */
  constructor(document) {
    this.#document = document;
  }

  /** What the next payment comes to. */
  nextOutcome() {
    const { outcome } = this;
    if (!Array.isArray(outcome)) return outcome;
    const [next = DEFAULTS.outcome, ...others] = outcome;
    if (others.length > 0) this.outcome = others;
    return next;
  }

  /** Eighteen digits, another one for each payment. */
  nextOperationId() {
    return String(++this.#operations).padStart(18, '0');
  }

  /** Everything as it was at first: for the end of each test. */
  reset() {
    Object.assign(this, DEFAULTS, { refusal: undefined, sessionRefusal: undefined });
    this.#operations = 0;
  }

  /** The form in the page, or the one of several that a selector names. @param {string} [selector] @returns {PaymentFormElement} */
  form(selector = 'payment-form') {
    const [form, ...others] = this.#document.querySelectorAll(selector);
    if (!form) throw new Error(`There is no ${selector} in the page.`);
    if (others.length > 0) throw new Error(`There are ${others.length + 1} of ${selector} in the page: name one of them by a selector.`);
    return /** @type {PaymentFormElement} */ (form);
  }

  /** Who uses the form. @param {PaymentFormElement} [form] the one in the page */
  buyer(form = this.form()) {
    return new Buyer(form);
  }

  /** The session ends: another one of `renewSession` takes over, or the page hears of the end. @param {PaymentFormElement} [form] @returns {Promise<void>} */
  async expire(form = this.form()) {
    await machineOf(form).expire();
  }

  /** The form breaks after it was live. @param {PayframeErrorCode} code such as `frame_crashed` @param {PaymentFormElement} [form] */
  break(code, form = this.form()) {
    machineOf(form).fail(new PayframeError(code));
  }

  /**
   * Dispatches any other event of the form, such as `expiring`, or an `error` that is not fatal.
   * @template {keyof PaymentFormEventMap} K @param {K} type @param {PaymentFormEventMap[K]['detail']} detail @param {PaymentFormElement} [form]
   */
  emit(type, detail, form = this.form()) {
    machineOf(form).emit(type, detail);
  }

  /** In place of `loadPayframe` of the gateway's script. @param {string} gateway @returns {Payframe} */
  loadPayframe(gateway) {
    const origin = originOf(gateway);
    return {
      form: (/** @type {FormOptions} */ options = {}) => Object.assign(this.#document.createElement('payment-form'), { ...checkedOptions(options), gateway: origin }),
    };
  }
}

/**
 * Defines the fake elements in a window. Another call for the same window gives the same fake.
 * @param {object} [window] one of jsdom or happy-dom; the global one unless it is given
 * @returns {Fake}
 */
export function installFake(window = globalThis) {
  const given = /** @type {Window & typeof globalThis} */ (window);
  const { document, customElements } = given;
  if (!document || !customElements) throw new PayframeError('no_browser', 'there is no document: run the test with jsdom or happy-dom');
  const place = /** @type {{ [FAKE]?: Fake }} */ (/** @type {unknown} */ (document));
  const known = place[FAKE];
  if (known) return known;
  if (customElements.get('payment-form')) throw new Error('The page has defined <payment-form> already: install the fake first.');
  const fake = new Fake(document);
  customElements.define('payment-form', formClass(given, fake));
  customElements.define('payment-field', fieldClass(given));
  Object.defineProperty(document, FAKE, { value: fake });
  return fake;
}
