// @ts-check
/** The fake `<payment-form>`: attributes, properties and methods, as in `payframe.d.ts`; what it does is in `machine.js`. */

import { PayframeError } from './error.js';
import { Machine } from './machine.js';
import { changesInPlace, defineOptions, OPTIONS, RELOADING, upgradeProperties } from './options.js';

/** @import { FieldId, FormOptions, PaymentFormElement } from '@payframe/form' */
/** @import { Settings } from './machine.js' */

/** @typedef {Required<FormOptions> & { gateway: string, appearance: string, texts: string }} Properties defined from `OPTIONS` */

/** The forms of each class. @type {WeakMap<object, Machine>} */
const machines = new WeakMap();

/** The form of a fake element. @param {PaymentFormElement} element @returns {Machine} */
export function machineOf(element) {
  const machine = machines.get(element);
  if (!machine) throw new TypeError('This <payment-form> is not a fake one: call installFake() before the page makes it.');
  return machine;
}

/** The class of the element, for one window. @param {Window & typeof globalThis} window @param {Settings} settings @returns {CustomElementConstructor} */
export function formClass(window, settings) {
  const names = Object.keys(OPTIONS);

  /** @implements {PaymentFormElement} */
  class FakePaymentForm extends /** @type {new () => HTMLElement & Properties} */ (window.HTMLElement) {
    // HTML has attributes in small letters only; calls of a script may give others.
    static observedAttributes = [...new Set(names.flatMap((name) => [name, name.toLowerCase()]))];

    /** @type {PaymentFormElement['renewSession']} */
    renewSession;
    #machine = new Machine(settings, {
      element: /** @type {PaymentFormElement} */ (/** @type {unknown} */ (this)),
      isDisabled: () => this.hasAttribute('disabled') || this.closest('fieldset[disabled]') !== null,
      replaceSession: (session) => {
        this.#replaced = session;
        this.session = session;
      },
    });
    /** The session that has taken over in place. @type {string | undefined} */
    #replaced;
    /** Set by `destroy()`. @type {PayframeError | undefined} */
    #destroyed;
    #settling = false;
    #lost = false;
    #onReset = (/** @type {Event} */ { target }) => {
      if (/** @type {Node | null} */ (target)?.contains(this)) this.clear();
    };

    constructor() {
      super();
      machines.set(this, this.#machine);
      this.addEventListener('click', ({ target }) => {
        if (target === this) this.focus();
      });
    }

    connectedCallback() {
      upgradeProperties(this, names);
      this.ownerDocument.addEventListener('reset', this.#onReset);
      this.reload();
    }

    disconnectedCallback() {
      this.ownerDocument.removeEventListener('reset', this.#onReset);
      this.#lost ||= this.#machine.stage === 'ready';
      this.#settle();
    }

    /** @param {string} name @param {string | null} before @param {string | null} value */
    attributeChangedCallback(name, before, value) {
      if (before !== value && RELOADING.includes(name) && value !== this.#replaced) this.reload();
    }

    get whenReady() {
      return this.#call(() => this.#machine.whenReady());
    }

    /** @param {Element | string} target */
    mount(target) {
      const parent = typeof target === 'string' ? this.ownerDocument.querySelector(target) : target;
      if (!parent) throw new PayframeError('mount_target', `${target}`);
      parent.append(this);
      return /** @type {PaymentFormElement} */ (/** @type {unknown} */ (this));
    }

    unmount() {
      this.remove();
    }

    destroy() {
      this.remove();
      this.#destroyed = new PayframeError('destroyed');
      this.#machine.refuse(this.#destroyed);
    }

    reload() {
      if (!this.isConnected) return;
      if (this.#machine.stage) this.#machine.close(new PayframeError('data_lost'));
      this.#settle();
    }

    /** @param {{ signal?: AbortSignal }} [options] */
    confirm(options) {
      return this.#call(() => this.#machine.confirm(options));
    }

    cancel() {
      return this.#call(() => this.#machine.cancel());
    }

    /** @override @param {FieldId | FocusOptions} [field] */
    focus(field) {
      return this.#call(() => this.#machine.focus(typeof field === 'string' ? field : undefined));
    }

    clear() {
      return this.#call(() => this.#machine.clear());
    }

    validate() {
      return this.#call(() => this.#machine.validate());
    }

    /** @param {{ field?: FieldId, code: string }} error */
    setServerError(error) {
      return this.#call(() => this.#machine.showServerError(error));
    }

    /** @param {Parameters<PaymentFormElement['update']>[0]} options */
    update(options) {
      return this.#call(async () => {
        const { session, changes } = changesInPlace(options);
        if (this.#destroyed) throw this.#destroyed;
        Object.assign(this, changes);
        if (this.#machine.stage) await this.#machine.whenReady();
        if (session === undefined || session === this.session) return;
        if (this.#machine.stage) await this.#machine.takeOver(session);
        else this.session = session;
      });
    }

    refresh() {
      return this.#call(() => this.#machine.whenReady());
    }

    /** A rejection that the page does not handle is no error of the page. @template T @param {() => Promise<T>} work @returns {Promise<T>} */
    #call(work) {
      const answer = Promise.resolve().then(work);
      answer.catch(() => {});
      return answer;
    }

    /** Follows the document after the current task: a removal and an insertion in one task are one load. */
    #settle() {
      if (this.#settling) return;
      this.#settling = true;
      Promise.resolve().then(() => {
        this.#settling = false;
        const lost = this.#lost;
        this.#lost = false;
        if (this.#destroyed || !this.isConnected) {
          this.#machine.close(new PayframeError('unmounted'));
          this.#machine.refuse(this.#destroyed ?? new PayframeError('unmounted'));
          return;
        }
        if (lost) {
          const { code, message } = new PayframeError('data_lost');
          this.#machine.close(new PayframeError('data_lost'));
          this.#machine.emit('error', { code, message, fatal: false });
        }
        if (!this.#machine.stage) this.#machine.load();
      });
    }
  }

  defineOptions(FakePaymentForm.prototype);
  return FakePaymentForm;
}
