// @ts-check
/**
 * Notifications of the gateway, verified by the headers of Standard Webhooks 1.0.0. A notification that is verified comes from
 * the gateway, and is not older than the tolerance. It may come more than once: heed each `eventId` once. It does not
 * replace `orders.read()`.
 */

import { fromBase64 } from './base64.js';
import { PayframeError, refusedValue } from './errors.js';

/** @import { Notice, Notification } from './types.js' */

// On one line: the compiler writes a longer one wrongly into the declarations.
/** @typedef {'header_missing' | 'timestamp_malformed' | 'timestamp_too_old' | 'timestamp_too_new' | 'signature_malformed' | 'signature_mismatch' | 'body_malformed'} NotificationFault */

/**
 * @typedef {object} Received
 * @property {Headers | Record<string, string | string[] | undefined>} headers in any letter case
 * @property {string | Uint8Array} body as it arrived, before any JSON parser
 * @property {string | readonly string[]} secrets as the gateway printed them, `whsec_…`: the present one, and while it changes also the next
 * @property {number | undefined} [toleranceSeconds] how far the time of sending may be from now: 300 by default
 * @property {(() => number) | undefined} [now] milliseconds since 1970, for tests
 */

/**
 * @param {Received} received
 * @returns {Promise<Notification | Notice>} the event. What is not about money has no `operation`. Ignore an `eventType` that you do not know.
 * @throws {PayframeError} of kind `notification`, with a {@link NotificationFault} as code. Answer 400 then.
 */
export async function verifyNotification({ headers, body, secrets, toleranceSeconds = 300, now = Date.now }) {
  const keys = [secrets].flat().map(keyBytes);
  if (keys.length === 0) throw refusedValue('secrets', SECRET);
  if (!(toleranceSeconds >= 0 && toleranceSeconds <= 86_400)) throw refusedValue('toleranceSeconds', 'must be a number from 0 to 86400');
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  if (!(bytes instanceof Uint8Array)) throw refusedValue('body', 'must be the raw body: text or a Uint8Array, not what a JSON parser made of it');

  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const given = signatures(header(headers, 'webhook-signature'));
  checkTime(timestamp, now(), toleranceSeconds);
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  if (!(await isSigned(signed, keys, given))) {
    throw refused('signature_mismatch', 'No signature fits. Check the secret, and that the body is as it arrived.');
  }
  return eventIn(bytes, id);
}

/** @param {string} secret */
function keyBytes(secret) {
  const encoded = typeof secret === 'string' ? secret.replace(/^whsec_/, '') : '';
  const bytes = /^[A-Za-z0-9+/]+={0,2}$/.test(encoded) ? fromBase64(encoded) : undefined;
  if (!bytes || bytes.length < 16) throw refusedValue('secrets', SECRET);
  return bytes;
}

const SECRET = 'must be secrets as the gateway printed them: whsec_ and base64';

/** @param {Received['headers']} headers @param {string} name in small letters */
function header(headers, name) {
  if (typeof headers !== 'object' || headers === null) throw refusedValue('headers', 'must be Headers, or an object with the headers as members');
  const value = typeof headers.get === 'function' ? headers.get(name) : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const text = Array.isArray(value) ? value[0] : value;
  if (typeof text !== 'string' || text === '') throw refused('header_missing', `The header ${name} is missing. The terminal may have no notification secret.`);
  return text;
}

/** @param {string} text @param {number} now @param {number} tolerance */
function checkTime(text, now, tolerance) {
  if (!/^\d{1,12}$/.test(text)) throw refused('timestamp_malformed', 'The header webhook-timestamp is not a time in seconds.');
  const age = now / 1000 - Number(text);
  if (age > tolerance) throw refused('timestamp_too_old', `The notification was sent more than ${tolerance} seconds ago.`);
  if (age < -tolerance) throw refused('timestamp_too_new', `The notification is dated more than ${tolerance} seconds ahead. Check the clock.`);
}

/** The signatures of version 1. Others are left out. @param {string} text */
function signatures(text) {
  const found = text.split(' ').filter((part) => /^v1,[A-Za-z0-9+/]{43}=$/.test(part)).map((part) => fromBase64(part.slice(3)) ?? new Uint8Array());
  if (found.length === 0) throw refused('signature_malformed', 'The header webhook-signature has no signature of version 1.');
  return found.slice(0, MOST_SIGNATURES);
}

/** @param {Uint8Array<ArrayBuffer>} signed @param {Uint8Array<ArrayBuffer>[]} keys @param {Uint8Array<ArrayBuffer>[]} given */
async function isSigned(signed, keys, given) {
  let found = false;
  for (const bytes of keys) {
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    for (const signature of given) {
      // The comparison of crypto.subtle takes the same time wherever the signatures differ.
      found = (await crypto.subtle.verify('HMAC', key, signature, signed)) || found;
    }
  }
  return found;
}

/** @param {Uint8Array} bytes @param {string} id of the header @returns {Notification | Notice} */
function eventIn(bytes, id) {
  let event;
  try {
    event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw refused('body_malformed', 'The body is no JSON.');
  }
  const isNamed = event?.eventId === id && typeof event.eventType === 'string';
  const isWhole = event?.operation === undefined || typeof event.operation?.operationId === 'string';
  if (!isNamed || !isWhole) throw refused('body_malformed', 'The body is no notification of the gateway.');
  return event;
}

/** @param {Uint8Array} first @param {Uint8Array} second */
function joined(first, second) {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}

/** @param {NotificationFault} code @param {string} message */
const refused = (code, message) => new PayframeError(message, { kind: 'notification', code });

/** The gateway sends one for each valid secret. */
const MOST_SIGNATURES = 8;
