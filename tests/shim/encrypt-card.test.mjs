/** How the frame encrypts the card: only the gateway's key decrypts the message, and its length reveals nothing. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encryptCard } from '../../www/frame/encrypt-card.js';

const { subtle } = globalThis.crypto;
const SESSION = 'm3p0Zl9bJ4xqVw7Ty2RkUe8sHdN1cFgA5oLiXzBvQk0';

/** @param {string} number @param {string} code */
const card = (number, code) => [
  { id: 'PREFERRED_NETWORK', value: 'VISA', chosenBy: 'BUYER' },
  { id: 'CARD_NUMBER', value: number },
  { id: 'EXPIRATION_DATE', value: '1230' },
  { id: 'SECURITY_CODE', value: code },
  { id: 'CARDHOLDER_NAME', value: 'Anna Rossi' },
];
const CARD = card('4761730000000003', '123');

async function gateway() {
  const pair = await subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, false, ['deriveBits']);
  const cardKey = Buffer.from(await subtle.exportKey('raw', pair.publicKey)).toString('base64url');
  return { privateKey: pair.privateKey, boot: { session: SESSION, cardKey } };
}

const size = (/** @type {number} */ bytes) => {
  const field = Buffer.alloc(4);
  field.writeUInt32BE(bytes);
  return field;
};

/** Decrypts by RFC 7516 and RFC 7518 (4.6). @param {string} message @param {CryptoKey} privateKey */
async function open(message, privateKey) {
  const [header = '', encryptedKey, iv = '', content = '', tag = ''] = message.split('.');
  assert.equal(encryptedKey, '');
  const { alg, enc, kid, apv, epk, ...others } = JSON.parse(Buffer.from(header, 'base64url').toString());
  assert.deepEqual([alg, enc, Object.keys(epk), others], ['ECDH-ES', 'A256GCM', ['kty', 'crv', 'x', 'y'], {}]);
  const own = await subtle.importKey('jwk', epk, { name: 'ECDH', namedCurve: 'P-256' }, true, []);
  const agreed = Buffer.from(await subtle.deriveBits({ name: 'ECDH', public: own }, privateKey, 256));
  const party = Buffer.from(apv, 'base64url');
  const info = Buffer.concat([size(1), agreed, size(enc.length), Buffer.from(enc), size(0), size(party.length), party, size(256)]);
  const key = await subtle.importKey('raw', await subtle.digest('SHA-256', info), 'AES-GCM', false, ['decrypt']);
  const sealed = Buffer.concat([Buffer.from(content, 'base64url'), Buffer.from(tag, 'base64url')]);
  const plain = await subtle.decrypt({ name: 'AES-GCM', iv: Buffer.from(iv, 'base64url'), additionalData: Buffer.from(header) }, key, sealed);
  return { kid, party: party.toString('hex'), items: JSON.parse(Buffer.from(plain).toString()) };
}

test('card number and security code are encrypted for this session and this key, and the other items go as they are', async () => {
  const { privateKey, boot } = await gateway();
  const before = structuredClone(CARD);
  const [sealed, ...others] = await encryptCard(CARD, boot);
  assert.deepEqual(CARD, before);
  assert.deepEqual(others, [CARD[0], CARD[2], CARD[4]]);
  assert.equal(sealed?.id, 'ENCRYPTED_CARD');
  const { kid, party, items } = await open(sealed.value, privateKey);
  assert.equal(kid, boot.cardKey.slice(0, 16));
  assert.equal(party, Buffer.from(await subtle.digest('SHA-256', Buffer.from(SESSION))).toString('hex'));
  assert.deepEqual(items, [CARD[1], CARD[3]]);
});

test('no two messages are alike, and their length tells nothing of the card', async () => {
  const { boot } = await gateway();
  const lengths = new Set();
  const messages = new Set();
  for (const items of [CARD, CARD, card('36148900000006', ''), card('374245000000009', '1234'), card('6799990000000000003', '123')]) {
    const [sealed] = await encryptCard(items, boot);
    messages.add(sealed?.value);
    lengths.add(sealed?.value.length);
    assert.ok(sealed && sealed.value.length < 1024, 'the gateway takes values of up to 1024 characters');
  }
  assert.equal(messages.size, 5);
  assert.equal(lengths.size, 1);
});

test('without a usable key nothing comes out', async () => {
  const { boot } = await gateway();
  for (const cardKey of ['', 'BAMC', boot.cardKey.replace(/.$/, ''), `C${boot.cardKey.slice(1)}`, /** @type {any} */ (undefined)]) {
    await assert.rejects(encryptCard(CARD, { session: SESSION, cardKey }));
  }
});
