// @ts-check
/**
 * Payframe's separate fields: the element `<payment-field>`, for pages that lay out the form themselves.
 *
 * Each shows one input, in a frame of the gateway. The frame of the `<payment-form layout="fields">` that `for` names runs the widget
 * for all of them: this module listens to the form's events and to no message. It never receives a card digit.
 * Types and documentation for merchants are in `fields.d.ts` and `docs/fields.md`.
 *
 * @import { FieldChangeDetail, PaymentFieldElement } from './fields.js'
 * @import { ChangeDetail, ErrorDetail, PaymentFormElement, ResizeDetail } from './payframe.js'
 */

// On a server these do not exist, and the module does nothing.
const { customElements, document, HTMLElement: Base = class {} } = globalThis;

/** Attributes, which are properties as well. */
const ATTRIBUTES = ['name', 'for', 'placeholder', 'errors', 'label'];
/** The events of the form that the element listens to. */
const EVENTS = ['ready', 'error', 'change', 'focus', 'blur', 'enter', 'resize'];
const STATES = ['ready', 'empty', 'filled', 'complete', 'invalid', 'focused', 'unused'];
const STYLE = ':host{display:block;height:48px}:host([hidden]){display:none}';
/** The frame is in the page's own tree, so the page's rules for frames apply to it; this overrides them. */
const FRAME_STYLE = 'display:block;width:100%;height:100%;max-width:none;margin:0;border:0;padding:0;color-scheme:light';
/** Frameworks may add the form after its fields, so the warning waits. */
const WARN_AFTER_MS = 1000;

/** @type {FieldChangeDetail} */
const UNTOUCHED = { empty: true, complete: false, error: undefined, message: '', unused: false };
/** @type {CSSStyleSheet | undefined} */
let style;
let frames = 0;
/** @type {<K extends keyof HTMLElementTagNameMap>(tag: K, members?: object) => HTMLElementTagNameMap[K]} */
const make = (tag, members) => Object.assign(document.createElement(tag), members);
/** Ids of missing forms that were reported on the console. @type {Set<string>} */
const warned = new Set();

/** Whether the form is live. @param {PaymentFormElement} form */
const isReady = (form) => {
  try {
    return form.matches(':state(ready)');
  } catch {
    // Older engines have no custom states.
    return /\bready\b/.test(form.dataset.state ?? '');
  }
};

/** @typedef {Record<'name' | 'for' | 'placeholder' | 'errors' | 'label', string>} Properties defined from `ATTRIBUTES`, below the class */

/** @implements {Pick<PaymentFieldElement, 'error' | 'form' | 'labels'>} */
class PaymentField extends /** @type {new () => HTMLElement & Properties} */ (Base) {
  static formAssociated = true;
  static observedAttributes = ATTRIBUTES;

  #internals = this.attachInternals();
  #watch = new MutationObserver(() => this.#settle());
  #settling = false;
  #warning = 0;
  /** @type {PaymentFormElement | null} */
  #paymentForm = null;
  /** Removes the listeners from that form. @type {AbortController | undefined} */
  #listening;
  /** The slots that show the frame here, from the inside outwards; the last element is the frame. @type {HTMLElement[]} */
  #parts = [];
  /** The parameters of the frame's address. */
  #asked = '';
  #loaded = false;
  /** Whether the form has failed: with its next frame the fields are loaded again. */
  #stale = false;
  #focused = false;
  #report = UNTOUCHED;

  constructor() {
    super();
    if (!style) (style = new CSSStyleSheet()).replaceSync(STYLE);
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [style];
    root.append(make('slot'));
    // A label that is clicked passes its click on.
    this.addEventListener('click', () => this.focus());
  }

  get error() {
    return this.#report.message;
  }

  get form() {
    return this.#internals.form;
  }

  get labels() {
    return /** @type {NodeListOf<HTMLLabelElement>} */ (this.#internals.labels);
  }

  connectedCallback() {
    // Properties that were set before the upgrade hide the accessors.
    /** @type {any} */
    const self = this;
    for (const name of ATTRIBUTES) {
      if (!Object.hasOwn(self, name)) continue;
      const value = self[name];
      delete self[name];
      self[name] = value;
    }
    this.#settle();
  }

  disconnectedCallback() {
    this.#settle();
  }

  /** With this callback, `moveBefore` keeps the frame. */
  connectedMoveCallback() {
    this.#settle();
  }

  attributeChangedCallback() {
    if (this.isConnected) this.#settle();
  }

  /** @param {boolean} disabled by itself or by a fieldset */
  formDisabledCallback(disabled) {
    const frame = this.#parts.at(-1);
    if (frame) frame.inert = disabled;
  }

  /** The frame's own script puts the focus into its input. @override */
  focus() {
    this.#parts.at(-1)?.focus();
  }

  /** Follows the document after the current task: several changes in one task make one frame. */
  #settle() {
    if (this.#settling) return;
    this.#settling = true;
    queueMicrotask(() => {
      this.#settling = false;
      this.#watch.disconnect();
      const form = this.isConnected ? this.#findForm() : null;
      this.#listenTo(form);
      if (form) this.#showFrame(form);
      // A form that was removed may come back; what was typed stays here.
      else if (!this.isConnected) this.#clear();
      this.#updateStates();
    });
  }

  /** @returns {PaymentFormElement | null} */
  #findForm() {
    const wanted = `payment-form[layout=fields][id="${CSS.escape(this.for)}"]`;
    const roots = [/** @type {Document | ShadowRoot} */ (this.getRootNode()), document];
    for (const root of roots) {
      const form = /** @type {PaymentFormElement | null} */ (root.querySelector(wanted));
      if (form) return form;
    }
    for (const root of roots) this.#watch.observe(root, { subtree: true, childList: true, attributeFilter: ['id', 'layout'] });
    this.#warning ||= setTimeout(() => {
      if (!this.isConnected || this.#paymentForm || warned.has(this.for)) return;
      warned.add(this.for);
      console.warn(`payframe: ${this.name} waits for <payment-form id="${this.for}" layout="fields">, which is not in the page.`);
    }, WARN_AFTER_MS);
    return null;
  }

  /** @param {PaymentFormElement | null} form */
  #listenTo(form) {
    if (form === this.#paymentForm) return;
    this.#listening?.abort();
    const { signal } = (this.#listening = new AbortController());
    this.#paymentForm = form;
    for (const type of EVENTS) {
      form?.addEventListener(type, (event) => event.target === form && this.#onFormEvent(/** @type {CustomEvent} */ (event)), { signal });
    }
  }

  /** Shows a frame for the form's session: the address of the form's frame has all parameters that the gateway needs. @param {PaymentFormElement} form */
  #showFrame(form) {
    const { shadowRoot } = form;
    if (!shadowRoot) return void customElements.whenDefined('payment-form').then(() => this.#settle());
    this.#watch.observe(shadowRoot, { childList: true });

    // Frames in shadow trees are not in `parent.frames`, where the form's frame looks for its fields. So the frame is
    // in the document, and slots show it here: one slot in each shadow tree between.
    /** @type {Element[]} */
    const places = [this];
    for (let root = this.getRootNode(); root instanceof ShadowRoot; root = root.host.getRootNode()) places.push(root.host);
    for (const place of places) this.#watch.observe(place, { childList: true });

    const source = shadowRoot.querySelector('iframe')?.src;
    // While the form is loading again, what was typed stays.
    if (!source || !this.name) return;
    const { origin, searchParams: given } = new URL(source);
    const query = new URLSearchParams({
      id: this.name,
      lang: given.get('lang') ?? '',
      sessionid: given.get('sessionid') ?? '',
      placeholder: this.placeholder === 'off' ? 'N' : 'Y',
      errors: this.errors === 'inside' ? 'inside' : 'outside',
      driver: 'form',
    });
    const label = this.#label();
    if (label) query.set('label', label);
    const asked = `${origin}/fields/?${query}`;
    const inPlace = this.#parts.length === places.length && this.#parts.every((part, i) => part.parentNode === places[i]);
    if (asked === this.#asked && inPlace && !this.#stale) return;

    this.#clear();
    this.#asked = asked;
    this.#stale = false;
    const frame = make('iframe', {
      // Theme and appearance are not compared: the form's frame changes them in place.
      src: `${asked}&theme=${given.get('theme')}${given.get('dressed') ? '&dressed=1' : ''}`,
      title: label || this.name.toLowerCase().replaceAll('_', ' '),
      allow: 'autofill; shared-autofill',
      referrerPolicy: 'strict-origin',
      inert: this.matches(':disabled'),
      onload: () => {
        this.#loaded = true;
        this.#updateStates();
      },
    });
    frame.style.cssText = FRAME_STYLE;
    const name = `payframe-${++frames}`;
    this.#parts = places.map((place, i) => {
      const part = i === places.length - 1 ? frame : make('slot', { name });
      // The innermost one is in the element's own slot, which is the default slot.
      if (i) part.slot = name;
      return place.appendChild(part);
    });
  }

  /** Removes the frame and its state. */
  #clear() {
    for (const part of this.#parts.splice(0)) part.remove();
    if (this.#asked) this.style.height = '';
    this.#asked = '';
    this.#loaded = this.#focused = false;
    this.#report = UNTOUCHED;
  }

  /** The page's label of this field. */
  #label() {
    const labels = Array.from(this.labels, (label) => label.textContent);
    return (this.label || labels.join(' ')).replace(/\s+/g, ' ').trim();
  }

  /** @param {CustomEvent} event of the form */
  #onFormEvent({ type, detail }) {
    const { fatal, field, fields, height } = /** @type {Partial<ErrorDetail & ChangeDetail & ResizeDetail>} */ (detail ?? {});
    this.#stale ||= !!fatal;
    const mine = field === this.name;
    if (mine && type === 'enter') this.#submit();
    if (mine && type === 'resize' && this.errors === 'inside') this.style.height = `${height}px`;
    let news = mine && (type === 'focus' || type === 'blur');
    // A form that was loaded again will report the next focus; the blur of the former one is lost.
    if (news || type === 'ready') this.#focused = type === 'focus';
    const found = fields?.find(({ id }) => id === this.name);
    if (fields) {
      // A field that the form does not list is not asked for: a saved card needs only the security code.
      const { empty, complete, error, message = '' } = found ?? { ...UNTOUCHED, empty: this.#report.empty };
      const report = { empty, complete, error, message, unused: !found };
      news = JSON.stringify(report) !== JSON.stringify(this.#report);
      this.#report = report;
    }
    this.#updateStates();
    if (news) this.dispatchEvent(new CustomEvent(type, { detail: fields && { ...this.#report } }));
  }

  /** As Enter in an input of the page: presses the form's first submit button, unless it is disabled. */
  #submit() {
    const { form } = this.#internals;
    const button = Array.from(form?.elements ?? []).find((element) => 'type' in element && element.type === 'submit');
    if (button) /** @type {HTMLElement} */ (button).click();
    else form?.requestSubmit();
  }

  #updateStates() {
    const { empty, complete, error, unused } = this.#report;
    const live = this.#loaded && !!this.#paymentForm && isReady(this.#paymentForm);
    const names = /** @type {string[]} */ ([live && 'ready', empty ? 'empty' : 'filled', complete && 'complete', error && 'invalid', this.#focused && 'focused', unused && 'unused'].filter(Boolean));
    this.dataset.state = names.join(' ');
    for (const name of STATES) this.classList.toggle(`is-${name}`, names.includes(name));
    const { states } = this.#internals;
    try {
      states?.clear();
      for (const name of names) states?.add(name);
    } catch {
      // Chromium before 125 accepts only names with two dashes; the attribute has the state there.
    }
  }
}

for (const name of ATTRIBUTES) {
  Object.defineProperty(PaymentField.prototype, name, {
    get() {
      return this.getAttribute(name) ?? '';
    },
    set(value) {
      if (value == null) this.removeAttribute(name);
      else this.setAttribute(name, value);
    },
  });
}

// Another copy of this module may have defined the element.
if (!customElements?.get('payment-field')) customElements?.define('payment-field', PaymentField);
// Makes this file a module for the type checker.
export {};
