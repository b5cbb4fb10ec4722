// @ts-check
/** The fake `<payment-field>`, as in `fields.d.ts`: it follows the fake form that `for` names. */

import { machineOf } from './form-element.js';
import { upgradeProperties } from './options.js';

/** @import { ChangeDetail, FieldChangeDetail, FieldDetail, PaymentFieldElement, PaymentFormElement } from '@payframe/form' */

const ATTRIBUTES = ['name', 'for', 'placeholder', 'errors', 'label'];
const STATES = ['ready', 'empty', 'filled', 'complete', 'invalid', 'focused', 'unused'];
/** @type {FieldChangeDetail} */
const UNTOUCHED = { empty: true, complete: false, error: undefined, message: '', unused: false };

/** @typedef {Pick<PaymentFieldElement, 'name' | 'for' | 'placeholder' | 'errors' | 'label'>} Properties defined from `ATTRIBUTES` */

/** The class of the element, for one window. @param {Window & typeof globalThis} window @returns {CustomElementConstructor} */
export function fieldClass(window) {
  /** @implements {PaymentFieldElement} */
  class FakePaymentField extends /** @type {new () => HTMLElement & Properties} */ (window.HTMLElement) {
    static observedAttributes = ATTRIBUTES;

    /** @type {PaymentFormElement | null} */
    #paymentForm = null;
    #report = UNTOUCHED;
    #focused = false;
    #watch = new window.MutationObserver(() => this.#settle());
    #onFormEvent = (/** @type {Event} */ event) => this.#hear(/** @type {CustomEvent} */ (event));

    constructor() {
      super();
      this.addEventListener('click', () => this.focus());
    }

    get error() {
      return this.#report.message;
    }

    get form() {
      return this.closest('form');
    }

    get labels() {
      const root = /** @type {Document | ShadowRoot} */ (this.getRootNode());
      return /** @type {NodeListOf<HTMLLabelElement>} */ (root.querySelectorAll(`label[for="${this.id}"]`));
    }

    connectedCallback() {
      upgradeProperties(this, ATTRIBUTES);
      this.#settle();
    }

    disconnectedCallback() {
      this.#watch.disconnect();
      this.#follow(null);
    }

    attributeChangedCallback() {
      if (this.isConnected) this.#settle();
    }

    /** @override */
    focus() {
      if (this.#paymentForm && this.name) this.#paymentForm.focus(this.name);
    }

    #settle() {
      const root = /** @type {Document | ShadowRoot} */ (this.getRootNode());
      const wanted = `payment-form[layout="fields"][id="${this.for}"]`;
      const form = /** @type {PaymentFormElement | null} */ (root.querySelector(wanted) ?? this.ownerDocument.querySelector(wanted));
      // The page may add the form after its fields, or another one in its place.
      this.#watch.disconnect();
      this.#watch.observe(this.ownerDocument, { subtree: true, childList: true, attributes: true, attributeFilter: ['id', 'layout'] });
      this.#follow(form);
    }

    /** @param {PaymentFormElement | null} form */
    #follow(form) {
      if (form !== this.#paymentForm) {
        for (const type of ['ready', 'error', 'change', 'focus', 'blur', 'enter']) {
          this.#paymentForm?.removeEventListener(type, this.#onFormEvent);
          form?.addEventListener(type, this.#onFormEvent);
        }
        this.#paymentForm = form;
        this.#report = UNTOUCHED;
        this.#focused = false;
      }
      this.#showStates();
    }

    /** @param {CustomEvent} event of the form */
    #hear({ type, detail }) {
      const { field, fields } = /** @type {Partial<FieldDetail & ChangeDetail>} */ (detail ?? {});
      const isMine = field === this.name;
      let news = isMine && (type === 'focus' || type === 'blur');
      if (news || type === 'ready') this.#focused = type === 'focus';
      if (type === 'ready') this.#report = UNTOUCHED;
      const found = fields?.find(({ id }) => id === this.name);
      if (fields) {
        // A field that the form does not list is not asked for.
        const { empty, complete, error, message = '' } = found ?? { ...UNTOUCHED, empty: this.#report.empty };
        const report = { empty, complete, error, message, unused: !found };
        news = JSON.stringify(report) !== JSON.stringify(this.#report);
        this.#report = report;
      }
      this.#showStates();
      if (isMine && type === 'enter') this.#submit();
      if (news) this.dispatchEvent(new window.CustomEvent(type, { detail: fields ? { ...this.#report } : null }));
    }

    /** As Enter in an input of the page. */
    #submit() {
      const { form } = this;
      const button = /** @type {HTMLElement | null} */ (form?.querySelector('button:not([type]), button[type=submit], input[type=submit]'));
      if (button) button.click();
      else form?.requestSubmit();
    }

    #showStates() {
      const { empty, complete, error, unused } = this.#report;
      const isLive = this.#paymentForm !== null && machineOf(this.#paymentForm).stage === 'ready';
      const names = [isLive && 'ready', empty ? 'empty' : 'filled', complete && 'complete', error && 'invalid', this.#focused && 'focused', unused && 'unused'].filter(Boolean);
      this.dataset.state = names.join(' ');
      for (const name of STATES) this.classList.toggle(`is-${name}`, names.includes(name));
    }
  }

  for (const name of ATTRIBUTES) {
    Object.defineProperty(FakePaymentField.prototype, name, {
      configurable: true,
      enumerable: true,
      /** @this {Element} */
      get() {
        return this.getAttribute(name) ?? '';
      },
      /** @this {Element} @param {unknown} value */
      set(value) {
        if (value == null) this.removeAttribute(name);
        else this.setAttribute(name, String(value));
      },
    });
  }
  return FakePaymentField;
}
