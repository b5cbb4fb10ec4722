// @ts-check
/**
 * Loads the gateway's scripts into the page, each once for each origin.
 *
 * The scripts come from the gateway itself, never from this package: script and form agree with each other, and the gateway can be
 * updated without a change of the shop. On a server every call rejects with `no_browser`, and nothing happens.
 */

import { PayframeError } from './errors.js';

/** @import { Payframe } from '../types/sdk/payframe.js' */

/**
 * @typedef {object} ScriptOptions The first call for an origin decides; later calls get what it has loaded.
 * @property {string | undefined} [integrity] `sha384-…` of the script, from `GET /build/integrity`: the browser refuses any other content. Name the `release` too, because
 *   the script without a release changes with each update of the gateway
 * @property {string | undefined} [release] such as `0.1.0-6450449e`, from the addresses of `GET /build/integrity`. Default: the gateway's current one
 * @property {string | undefined} [nonce] of the page's Content-Security-Policy
 */

/** What was loaded, or is on its way, by origin and file. A failure is not kept. @type {Map<string, Promise<any>>} */
const loads = new Map();
/** The number of failed loads, by address. @type {Map<string, number>} */
const failures = new Map();

/**
 * Loads `payframe.js` and gives its API for this gateway. With it `<payment-form>` is defined.
 * @param {string} gateway origin of the gateway, such as `https://gateway.example` @param {ScriptOptions} [options]
 * @returns {Promise<Payframe>} rejects with a `PayframeError`
 */
export async function loadPayframe(gateway, options = {}) {
  const module = await load(gateway, 'payframe.js', options);
  return module.loadPayframe(originOf(gateway));
}

/** Loads `fields.js`, which defines `<payment-field>`. @param {string} gateway @param {ScriptOptions} [options] @returns {Promise<void>} rejects with a `PayframeError` */
export async function loadFields(gateway, options = {}) {
  await load(gateway, 'fields.js', options);
}

/** @param {string} gateway @param {'payframe.js' | 'fields.js'} file @param {ScriptOptions} options */
async function load(gateway, file, options) {
  const origin = originOf(gateway);
  if (!globalThis.document?.head) throw new PayframeError('no_browser', 'The form can only be loaded in a browser.');
  const key = `${origin} ${file}`;
  const known = loads.get(key);
  if (known) return known;
  const address = addressOf(origin, file, options);
  // A test has put fake elements in the place of the gateway's: installFake() of `@payframe/testing`.
  const fake = /** @type {any} */ (document)[Symbol.for('payframe.fake')];
  if (fake) return fake;
  const loading = importScript(file, address, options);
  loads.set(key, loading);
  loading.catch(() => loads.delete(key));
  return loading;
}

/** @param {string} file @param {string} href @param {ScriptOptions} options */
async function importScript(file, href, { integrity, nonce }) {
  const tries = failures.get(href) ?? 0;
  // Browsers may keep a failed module. A fragment makes another address of the same file.
  const address = tries ? `${href}#${tries}` : href;
  try {
    // `import()` takes neither a hash nor a nonce, so a script element loads the module first. The import gets that one: each address has one module.
    if (integrity || nonce) await runModule(address, integrity, nonce);
    const module = await import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ address);
    if (file === 'payframe.js' && typeof module.loadPayframe !== 'function') throw new Error('the answer is another script');
    return module;
  } catch (cause) {
    failures.set(href, tries + 1);
    throw new PayframeError('script_blocked', `The script ${href} did not load${integrity ? ', or is not the one of the given integrity' : ''}.`, cause);
  }
}

/** @param {string} address @param {string} [integrity] @param {string} [nonce] @returns {Promise<void>} */
function runModule(address, integrity, nonce) {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.type = 'module';
    script.crossOrigin = 'anonymous';
    if (integrity) script.integrity = integrity;
    if (nonce) script.nonce = nonce;
    script.onload = () => resolve();
    script.onerror = () => {
      script.remove();
      reject(new Error('the browser refused the script'));
    };
    script.src = trusted(address);
    document.head.append(script);
  });
}

/** Pages that require Trusted Types take the address of a script only from a policy. @type {(address: string) => any} */
const trusted = (address) => {
  const { trustedTypes } = /** @type {{ trustedTypes?: { createPolicy: (name: string, rules: object) => { createScriptURL: (address: string) => unknown } } }} */ (globalThis);
  policy ??= trustedTypes?.createPolicy('payframe', { createScriptURL: (/** @type {string} */ given) => given });
  return policy?.createScriptURL(address) ?? address;
};
/** @type {{ createScriptURL: (address: string) => unknown } | undefined} */
let policy;

/** @param {string} origin @param {string} file @param {ScriptOptions} options */
function addressOf(origin, file, { integrity, release }) {
  // Browsers ignore an integrity that they do not understand, and would load any content.
  if (integrity !== undefined && !INTEGRITY.test(integrity)) throw new PayframeError('bad_option', 'The integrity is not one or more of sha256-…, sha384-…, sha512-….');
  if (release !== undefined && !RELEASE.test(release)) throw new PayframeError('bad_option', 'The release is not one of GET /build/integrity.');
  return `${origin}/sdk/${release ? `${release}/` : ''}${file}`;
}

const HASH = 'sha(?:256-[A-Za-z\\d+/]{43}=|384-[A-Za-z\\d+/]{64}|512-[A-Za-z\\d+/]{86}==)';
const INTEGRITY = new RegExp(`^${HASH}(?: ${HASH})*$`);
const RELEASE = /^\w[\w.+-]*$/;

/** The gateway's origin, or an error: the rule is that of the gateway's script. @param {string} gateway */
export function originOf(gateway) {
  try {
    const { href, origin } = new URL(gateway);
    // Without TLS, only this machine is accepted.
    if (href === `${origin}/` && /^(https|http:\/\/((.*\.)?localhost|127[.\d]+|\[::1])[:/])/.test(href)) return origin;
  } catch {
    // Handled below.
  }
  throw new PayframeError('bad_gateway_url', `The gateway is no origin: ${gateway}.`);
}
