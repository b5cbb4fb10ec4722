// @ts-check
// Encrypts card number and security code for the gateway before they are sent, so that whatever stands between frame and
// vault (proxies, logs, tracing) never holds a digit. A compact JWE (RFC 7516): ECDH-ES on P-256 with a key pair that is
// thrown away (RFC 7518, 4.6), A256GCM. Bound to the session: elsewhere it opens for nobody. Brought in once the form is live.

/** What is encrypted. The other items are the buyer's name and the like, which the merchant knows as well. */
const SECRET = ['CARD_NUMBER', 'SECURITY_CODE'];
/** Ids of keys are so many of their first characters. */
const ID = 16;
/** Shorter content is filled up: how long it is would tell the card's network. */
const LENGTH = 128;
const ALGORITHM = 'A256GCM';

/** @typedef {{ id: string, value: string }} Item */

/**
 * The items as they are sent: those that are secret are one, and first.
 * @param {Item[]} items
 * @param {{ session: string, cardKey: string }} boot
 * @returns {Promise<Item[]>}
 */
export async function encryptCard(items, { session, cardKey }) {
  const { subtle } = crypto;
  const curve = { name: 'ECDH', namedCurve: 'P-256' };
  const [gateway, own, party] = await Promise.all([
    subtle.importKey('raw', bytes(cardKey), curve, false, []),
    subtle.generateKey(curve, false, ['deriveBits']),
    subtle.digest('SHA-256', utf8(session)),
  ]);
  const { kty, crv, x, y } = await subtle.exportKey('jwk', own.publicKey);
  const header = text(utf8(JSON.stringify({ alg: 'ECDH-ES', enc: ALGORITHM, kid: cardKey.slice(0, ID), apv: text(party), epk: { kty, crv, x, y } })));
  const agreed = await subtle.deriveBits({ name: 'ECDH', public: gateway }, own.privateKey, 256);
  const derived = await subtle.digest('SHA-256', joined([number(1), agreed, ...measured(utf8(ALGORITHM)), ...measured(utf8('')), ...measured(party), number(256)]));
  const key = await subtle.importKey('raw', derived, 'AES-GCM', false, ['encrypt']);
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const secret = items.filter(({ id }) => SECRET.includes(id)).map(({ id, value }) => ({ id, value }));
  const content = utf8(JSON.stringify(secret).padEnd(LENGTH));
  const encrypted = await subtle.encrypt({ name: 'AES-GCM', iv, additionalData: utf8(header) }, key, content);
  const value = [header, '', text(iv), text(encrypted.slice(0, -16)), text(encrypted.slice(-16))].join('.');
  return [{ id: 'ENCRYPTED_CARD', value }, ...items.filter(({ id }) => !SECRET.includes(id))];
}

/** @param {string} text */
const utf8 = (text) => new TextEncoder().encode(text);

/** As base64url without padding. @param {ArrayBuffer | Uint8Array<ArrayBuffer>} content */
const text = (content) => btoa(String.fromCharCode(...new Uint8Array(content))).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');

/** From base64url. @param {string} text */
const bytes = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));

/** 32 bits, the highest first. @param {number} value */
const number = (value) => new Uint8Array([value >>> 24, value >>> 16, value >>> 8, value]);

/** With its length before it. @param {ArrayBuffer | Uint8Array<ArrayBuffer>} part @returns {(ArrayBuffer | Uint8Array<ArrayBuffer>)[]} */
const measured = (part) => [number(part.byteLength), part];

/** @param {(ArrayBuffer | Uint8Array<ArrayBuffer>)[]} parts */
const joined = (parts) => new Uint8Array(parts.flatMap((part) => [...new Uint8Array(part)]));
