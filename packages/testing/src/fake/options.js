// @ts-check
/** The options of a form, which are attributes and properties of the element, and their checks. */

import { PayframeError } from './error.js';

/** @import { FormOptions } from '@payframe/form' */

/** @typedef {{ accepts: (value: unknown) => boolean, fallback: string | number }} Option */

const isText = (/** @type {unknown} */ value) => typeof value === 'string';
const isJson = (/** @type {unknown} */ value) => Object(value) === value || isText(value);
const isWhole = (/** @type {unknown} */ value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 2e9;
const oneOf = (/** @type {string[]} */ ...words) => ({ accepts: (/** @type {any} */ value) => words.includes(value), fallback: words[0] ?? '' });
const text = { accepts: isText, fallback: '' };
const json = { accepts: isJson, fallback: '' };

/** @type {Readonly<Record<keyof FormOptions | 'gateway', Option>>} */
export const OPTIONS = {
  gateway: text,
  session: text,
  layout: oneOf('form', 'fields'),
  label: { accepts: isText, fallback: 'Card payment' },
  loadTimeoutMs: { accepts: isWhole, fallback: 20000 },
  theme: oneOf('auto', 'light', 'dark'),
  button: oneOf('auto', 'hidden'),
  cancellation: oneOf('auto', 'hidden'),
  advance: oneOf('auto', 'off'),
  challenge: oneOf('auto', 'redirect'),
  locale: text,
  appearance: json,
  texts: json,
};

/** A change of one of these loads the form again. */
export const RELOADING = ['gateway', 'session', 'layout'];
/** `update()` refuses these. */
const FIXED = ['gateway', 'layout', 'label', 'loadTimeoutMs'];

/** Unknown names that were warned of. @type {Set<string>} */
const warned = new Set();

/** The known options that are set. Throws for a wrong value, warns once of an unknown name. @param {object} options */
export function checkedOptions(options) {
  /** @type {Record<string, unknown>} */
  const known = {};
  for (const [name, value] of Object.entries(options)) {
    const option = Object.hasOwn(OPTIONS, name) ? OPTIONS[/** @type {keyof typeof OPTIONS} */ (name)] : undefined;
    if (option && value !== undefined) {
      if (!option.accepts(value)) throw new PayframeError('bad_option', `${name}: ${value}`);
      known[name] = value;
    } else if (!option && !warned.has(name)) {
      warned.add(name);
      console.warn(`payframe: no option "${name}".`);
    }
  }
  return known;
}

/** Those options that change in place, and `session`. @param {object} options */
export function changesInPlace(options) {
  const { session, ...changes } = checkedOptions(options);
  for (const name of Object.keys(changes)) if (FIXED.includes(name)) throw new PayframeError('option_fixed', name);
  return { session: /** @type {string | undefined} */ (session), changes };
}

/** Gives a class the properties of the options. @param {object} prototype */
export function defineOptions(prototype) {
  for (const [name, { accepts, fallback }] of Object.entries(OPTIONS)) {
    Object.defineProperty(prototype, name, {
      configurable: true,
      enumerable: true,
      /** @this {Element} */
      get() {
        const value = this.getAttribute(name);
        const given = typeof fallback === 'number' && value !== null ? Number(value) : value;
        return given !== '' && accepts(given) ? given : fallback;
      },
      /** @this {Element} @param {unknown} value */
      set(value) {
        if (value == null) this.removeAttribute(name);
        else this.setAttribute(name, Object(value) === value ? JSON.stringify(value) : String(value));
      },
    });
  }
}

/** Properties that were set before the element was upgraded hide the accessors. @param {HTMLElement} element @param {string[]} names */
export function upgradeProperties(element, names) {
  /** @type {any} */
  const self = element;
  for (const name of names) {
    if (!Object.hasOwn(self, name)) continue;
    const value = self[name];
    delete self[name];
    self[name] = value;
  }
}

/** The gateway's origin, or an error: the rule is that of the gateway's script. @param {string} gateway */
export function originOf(gateway) {
  try {
    const { href, origin } = new URL(gateway);
    if (href === `${origin}/` && /^(https|http:\/\/((.*\.)?localhost|127[.\d]+|\[::1])[:/])/.test(href)) return origin;
  } catch {
    // Handled below.
  }
  throw new PayframeError('bad_gateway_url', gateway);
}
