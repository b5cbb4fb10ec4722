// @ts-check
// Encrypts card number and security code for the gateway before they are sent, so that systems between frame and
// vault (proxies, logs, tracing) never have a digit in clear. A compact JWE (RFC 7516): ECDH-ES on P-256 with an ephemeral key pair
// (RFC 7518, 4.6), A256GCM. Bound to the session: for another session it can not be decrypted. Loaded once the form is live.

/** The items that are encrypted. Others, such as the buyer's name, are known to the merchant too. */
const SECRET = ['CARD_NUMBER', 'SECURITY_CODE'];
/** The id of a key has this number of its first characters. */
const ID = 16;
/** Shorter content is padded to this length, because its length would reveal the card's network. */
const LENGTH = 128;
const ALGORITHM = 'A256GCM';

/** @typedef {{ id: string, value: string }} Item */

/**
 * The items as they are sent: the secret ones become one encrypted item, the first one.
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

/** 32 bits, big-endian. @param {number} value */
const number = (value) => new Uint8Array([value >>> 24, value >>> 16, value >>> 8, value]);

/** A part with its length in front. @param {ArrayBuffer | Uint8Array<ArrayBuffer>} part @returns {(ArrayBuffer | Uint8Array<ArrayBuffer>)[]} */
const measured = (part) => [number(part.byteLength), part];

/** @param {(ArrayBuffer | Uint8Array<ArrayBuffer>)[]} parts */
const joined = (parts) => new Uint8Array(parts.flatMap((part) => [...new Uint8Array(part)]));
