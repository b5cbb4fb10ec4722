// @ts-check
/** The options of a client, checked. Messages name the option and what it accepts, and never hold the API key. */

import { refusedValue } from './errors.js';

/**
 * @typedef {object} Options
 * @property {string} apiKey of the merchant, as the gateway printed it. It stays on the server.
 * @property {string} gateway origin of the gateway, such as `https://gateway.example`
 * @property {typeof globalThis.fetch | undefined} [fetch] used in place of the global one, for instance to go through a proxy
 * @property {number | undefined} [timeoutMs] how long one attempt may take: 1 to 600000, 35000 by default, because the gateway answers within 30 seconds
 * @property {number | undefined} [maxRetries] how often a call is repeated: 0 to 10, 2 by default
 * @property {Partial<Runtime> | undefined} [runtime] time and randomness, for tests
 */

/**
 * Time and randomness.
 *
 * @typedef {object} Runtime
 * @property {() => number} now milliseconds since 1970
 * @property {(delayMs: number, action: () => void) => () => void} after does `action` later; what it answers calls that off
 * @property {() => number} random from 0 up to, but not including, 1
 * @property {() => string} uuid
 */

/** @typedef {{ base: string, apiKey: string, fetch: typeof globalThis.fetch, timeoutMs: number, maxRetries: number, runtime: Runtime }} Settings */

/** @param {Options} options @returns {Settings} */
export function settingsOf(options) {
  if (typeof options !== 'object' || options === null) throw refusedValue('options', 'must be an object with apiKey and gateway');
  const { apiKey, gateway, fetch = globalThis.fetch, timeoutMs = 35_000, maxRetries = 2, runtime = {} } = options;
  if (typeof apiKey !== 'string' || !/^[\w-]+$/.test(apiKey)) {
    throw refusedValue('apiKey', 'must be an API key as the gateway printed it: letters, digits, - and _');
  }
  if (typeof fetch !== 'function') throw refusedValue('fetch', 'must be a function like the global fetch');
  wholeNumber('timeoutMs', timeoutMs, 1, 600_000);
  wholeNumber('maxRetries', maxRetries, 0, 10);
  return { base: `${originOf(gateway)}/api`, apiKey, fetch, timeoutMs, maxRetries, runtime: { ...system, ...runtime } };
}

/** @param {string} name @param {number} value @param {number} smallest @param {number} largest */
function wholeNumber(name, value, smallest, largest) {
  if (Number.isInteger(value) && value >= smallest && value <= largest) return;
  throw refusedValue(name, `must be a whole number from ${smallest} to ${largest}`);
}

/** @param {string} gateway */
function originOf(gateway) {
  const url = typeof gateway === 'string' && URL.canParse(gateway) ? new URL(gateway) : undefined;
  const isOrigin = url && ['http:', 'https:'].includes(url.protocol) && [url.origin, `${url.origin}/`].includes(url.href);
  if (!isOrigin) throw refusedValue('gateway', 'must be an origin without a path, such as https://gateway.example');
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw refusedValue('gateway', 'must be https: over http the API key could be read on the way. Only loopback addresses may be http');
  }
  return url.origin;
}

/** @param {string} host as the URL parser writes it */
const isLoopback = (host) => host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d+){3}$/.test(host);

/** @type {Runtime} */
const system = {
  now: () => Date.now(),
  after: (delayMs, action) => {
    const timer = setTimeout(action, delayMs);
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
  uuid: () => crypto.randomUUID(),
};
