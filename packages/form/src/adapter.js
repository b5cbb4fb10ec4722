// @ts-check
/**
 * What the packages of frameworks have in common: options become attributes, events become one callback, and calls wait for the
 * gateway's script. Shops use the package of their framework, or the element itself.
 *
 * Mounting twice, as React's StrictMode does it, loads nothing twice and tells nothing twice.
 */

import { PayframeError } from './errors.js';
import { readFormHtml } from './form-html.js';
import { loadFields, loadPayframe } from './load.js';

/** @import { FormOptions, PaymentFormElement, PaymentFormEventMap } from '../types/sdk/payframe.js' */
/** @import { PaymentFieldElement, PaymentFieldEventMap } from '../types/sdk/fields.js' */
/** @import { FieldId } from '../types/sdk/messages.js' */

/**
 * What the components of all frameworks take, besides callbacks for events.
 * @typedef {object} OwnOptions
 * @property {string | undefined} [gateway] origin of the gateway
 * @property {string | undefined} [html] the member `form.html` of the answer to `POST /orders/build`, in place of `gateway` and `session`: a server prints it, and buyers
 *   can type before any script has run
 * @property {boolean | undefined} [disabled] locks the form
 * @property {string | undefined} [nonce] of the page's Content-Security-Policy
 * @property {string | undefined} [release] as in `loadPayframe`
 * @property {string | undefined} [integrity] of `payframe.js`, as in `loadPayframe`
 * @property {string | undefined} [fieldsIntegrity] of `fields.js`, which `layout="fields"` loads too
 * @property {(() => string | Promise<string>) | undefined} [renewSession] gives another session for the same payment
 */

/** @typedef {OwnOptions & { [K in keyof FormOptions]?: FormOptions[K] | undefined }} ComponentOptions */
/** @typedef {{ name: FieldId, for: string, placeholder?: 'on' | 'off' | undefined, errors?: 'outside' | 'inside' | undefined, label?: string | undefined, disabled?: boolean | undefined }} FieldOptions */

/**
 * Hears of an event of the form. There is no event where the script did not load, or where it was missed.
 * @typedef {<K extends keyof PaymentFormEventMap>(type: K, detail: PaymentFormEventMap[K]['detail'], event?: PaymentFormEventMap[K]) => void} Tell
 */

/** Names of the form's events. @type {readonly (keyof PaymentFormEventMap)[]} */
export const FORM_EVENTS = ['ready', 'change', 'focus', 'blur', 'enter', 'resize', 'statechange', 'result', 'expiring', 'error'];
/** Names of a field's events. @type {readonly (keyof PaymentFieldEventMap)[]} */
export const FIELD_EVENTS = ['change', 'focus', 'blur'];

/** Options that are attributes of `<payment-form>`. @type {readonly (keyof FormOptions | 'nonce')[]} */
export const FORM_ATTRIBUTES = ['session', 'layout', 'label', 'loadTimeoutMs', 'theme', 'button', 'cancellation', 'advance', 'challenge', 'locale', 'appearance', 'texts', 'nonce'];
/** Options that are attributes of `<payment-field>`. @type {readonly (Exclude<keyof FieldOptions, 'disabled'>)[]} */
export const FIELD_ATTRIBUTES = ['name', 'for', 'placeholder', 'errors', 'label'];

/**
 * The attributes of `<payment-form>`. The same options give the same text, so that a framework finds nothing to change.
 * @param {ComponentOptions} options @returns {Record<string, string>}
 */
export function formAttributes(options) {
  /** @type {Record<string, string>} */
  const attributes = { ...(options.html && readFormHtml(options.html).attributes) };
  if (options.gateway !== undefined) attributes.gateway = options.gateway;
  for (const name of FORM_ATTRIBUTES) {
    const value = options[name];
    if (value !== undefined) attributes[name] = typeof value === 'object' ? JSON.stringify(value) : String(value);
  }
  if (options.disabled) attributes.disabled = '';
  return attributes;
}

/** The template with the form's frame, for the HTML of a server; empty without `html`. @param {ComponentOptions} options */
export const formContent = ({ html, layout }) => (html && layout !== 'fields' ? readFormHtml(html).content : '');

/** The attributes of `<payment-field>`. @param {FieldOptions} options @returns {Record<string, string>} */
export function fieldAttributes(options) {
  /** @type {Record<string, string>} */
  const attributes = {};
  for (const name of FIELD_ATTRIBUTES) {
    const value = options[name];
    if (value !== undefined) attributes[name] = value;
  }
  if (options.disabled) attributes.disabled = '';
  return attributes;
}

/** Loads what the form needs. @param {ComponentOptions} options @returns {Promise<unknown>} rejects with a `PayframeError` */
export async function loadScripts(options) {
  const { gateway = '' } = formAttributes(options);
  const { release, integrity, fieldsIntegrity, nonce, layout } = options;
  const scripts = [loadPayframe(gateway, { release, integrity, nonce })];
  return Promise.all(layout === 'fields' ? [...scripts, loadFields(gateway, { release, integrity: fieldsIntegrity, nonce })] : scripts);
}

/**
 * Passes on a form's events while a component is mounted. What has happened before, because the page's own tag loaded the script, is told too.
 * @param {PaymentFormElement} element
 * @param {Tell} tell
 * @returns {() => void} ends it
 */
export function followForm(element, tell) {
  const { signal, abort } = listening();
  for (const type of FORM_EVENTS) {
    element.addEventListener(type, (event) => event.target === element && tell(type, /** @type {CustomEvent} */ (event).detail, /** @type {any} */ (event)), { signal });
  }
  if (!followed.has(element) && isIn(element, 'ready')) queueMicrotask(() => tell('ready', null));
  if (!followed.has(element) && isIn(element, 'failed')) element.whenReady.catch((error) => tell('error', lossOf(error)));
  followed.add(element);
  return abort;
}
/** @param {PaymentFormElement} element @param {string} state */
function isIn(element, state) {
  try {
    return element.matches(`:state(${state})`);
  } catch {
    // Older engines have no custom states.
    return (element.dataset.state ?? '').split(' ').includes(state);
  }
}

/** Elements that have missed nothing: React's StrictMode follows each of them twice. @type {WeakSet<PaymentFormElement>} */
const followed = new WeakSet();

/**
 * Loads the scripts for a component. A failure is told like a fatal error of the form.
 * @param {ComponentOptions} options @param {Tell} tell
 * @returns {() => void} the component does not want to be told any more
 */
export function startForm(options, tell) {
  const { signal, abort } = listening();
  loadScripts(options).catch((error) => signal.aborted || tell('error', lossOf(error)));
  return abort;
}

/** @param {PayframeError} error */
const lossOf = ({ code, message }) => ({ code, message, fatal: true });

/**
 * @param {PaymentFieldElement} element
 * @param {<K extends keyof PaymentFieldEventMap>(type: K, detail: PaymentFieldEventMap[K]['detail'], event: PaymentFieldEventMap[K]) => void} tell
 * @returns {() => void} ends it
 */
export function followField(element, tell) {
  const { signal, abort } = listening();
  for (const type of FIELD_EVENTS) {
    element.addEventListener(type, (event) => event.target === element && tell(type, /** @type {CustomEvent} */ (event).detail, /** @type {any} */ (event)), { signal });
  }
  return abort;
}

function listening() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

/**
 * The calls of `<payment-form>`, as a component gives them to its page. Each waits for the gateway's script, and loads it again if that has failed.
 * @typedef {object} FormHandle
 * @property {PaymentFormElement | null} element the element itself; `null` while the component is not mounted
 * @property {PaymentFormElement['confirm']} confirm
 * @property {PaymentFormElement['cancel']} cancel
 * @property {PaymentFormElement['clear']} clear
 * @property {PaymentFormElement['focus']} focus
 * @property {PaymentFormElement['validate']} validate
 * @property {PaymentFormElement['setServerError']} setServerError
 * @property {PaymentFormElement['update']} update
 * @property {PaymentFormElement['refresh']} refresh
 * @property {() => Promise<void>} reload loads the form again, and the script, if that has failed
 * @property {() => Promise<void>} whenReady resolves once the form can be used
 */

/** @param {() => PaymentFormElement | null | undefined} current @param {() => ComponentOptions} options @returns {FormHandle} */
export function formHandle(current, options) {
  const loaded = async () => {
    if (!current()) throw new PayframeError('unmounted', 'The component is not mounted.');
    await loadScripts(options());
    const element = current();
    if (!element) throw new PayframeError('unmounted', 'The component is not mounted any more.');
    return element;
  };
  return {
    get element() {
      return current() ?? null;
    },
    confirm: async (given) => (await loaded()).confirm(given),
    cancel: async () => (await loaded()).cancel(),
    clear: async () => (await loaded()).clear(),
    focus: async (field) => (await loaded()).focus(field),
    validate: async () => (await loaded()).validate(),
    setServerError: async (error) => (await loaded()).setServerError(error),
    update: async (changes) => (await loaded()).update(changes),
    refresh: async () => (await loaded()).refresh(),
    reload: async () => (await loaded()).reload(),
    whenReady: async () => (await loaded()).whenReady,
  };
}

