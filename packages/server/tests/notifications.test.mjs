// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { PayframeError, verifyNotification } from '@payframe/server';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OTHER_SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const SENT = new Date('2030-01-31T10:00:00Z');
const ID = '554ccc00-28fb-4344-a3fa-4bb8d1999bd5';
const EVENT = {
  eventId: ID,
  eventTime: '2030-01-31T09:59:59.000Z',
  eventType: 'PAYMENT',
  securityToken: '2f0e',
  operation: { operationId: '347074400000000001', orderId: 'Fünf' },
};
const BODY = JSON.stringify(EVENT);

/** The headers of the reference library. @param {string[]} secrets */
function signed(secrets = [SECRET], body = BODY, id = ID) {
  const signature = secrets.map((secret) => new Webhook(secret).sign(id, SENT, body)).join(' ');
  return { 'webhook-id': id, 'webhook-timestamp': String(SENT.getTime() / 1000), 'webhook-signature': signature };
}

/** @param {Partial<import('@payframe/server').Received>} [change] */
const verify = (change) => verifyNotification({ headers: signed(), body: BODY, secrets: SECRET, now: () => SENT.getTime(), ...change });

/** @param {Partial<import('@payframe/server').Received>} change @param {string} code @param {string} [kind] */
async function refuses(change, code, kind = 'notification') {
  await assert.rejects(verify(change), (error) => {
    assert.ok(error instanceof PayframeError);
    assert.deepEqual([error.kind, error.code], [kind, code]);
    const shown = inspect(error, { depth: 9, showHidden: true }) + JSON.stringify(error);
    for (const secret of [SECRET.slice(6), signed()['webhook-signature'].slice(3), BODY]) assert.ok(!shown.includes(secret), shown);
    return true;
  });
}

test('what the reference library signs is verified, as text and as bytes', async () => {
  assert.deepEqual(await verify(), EVENT);
  assert.deepEqual(await verify({ body: new TextEncoder().encode(BODY) }), EVENT);
  assert.deepEqual(await verify({ body: Buffer.from(BODY) }), EVENT);
});

test('what is not about money has no operation, and a kind that is not known is verified too', async () => {
  for (const more of [{ eventType: 'TERMINAL_ATTACK', attack: { terminalId: '91000001', state: 'BEGUN' } }, { eventType: 'NEW' }]) {
    const event = { eventId: ID, eventTime: EVENT.eventTime, ...more };
    const body = JSON.stringify(event);
    const { operation, ...read } = await verify({ headers: signed([SECRET], body), body });
    assert.deepEqual([operation, read], [undefined, event]);
  }
});

test('headers are accepted as Headers, and as an object in any letter case', async () => {
  assert.deepEqual(await verify({ headers: new Headers(signed()) }), EVENT);
  const capitals = Object.fromEntries(Object.entries(signed()).map(([name, value]) => [name.toUpperCase(), [value]]));
  assert.deepEqual(await verify({ headers: capitals }), EVENT);
});

test('during a rotation either secret is enough, on both sides', async () => {
  assert.deepEqual(await verify({ secrets: [OTHER_SECRET, SECRET] }), EVENT);
  assert.deepEqual(await verify({ headers: signed([OTHER_SECRET, SECRET]) }), EVENT);
  assert.deepEqual(await verify({ secrets: SECRET.slice(6) }), EVENT);
  await refuses({ secrets: OTHER_SECRET }, 'signature_mismatch');
  await refuses({ secrets: SECRET, headers: signed([OTHER_SECRET]) }, 'signature_mismatch');
});

test('whatever the gateway did not sign is refused, as by the reference library', async () => {
  const other = BODY.replace('347', '348');
  const headersWith = (/** @type {Record<string, string>} */ change) => ({ headers: { ...signed(), ...change } });
  const changes = [{ body: other }, { body: ` ${BODY}` }, { body: '' }, headersWith({ 'webhook-id': 'another' }), headersWith({ 'webhook-timestamp': '1896084001' })];
  for (const change of changes) {
    await refuses(change, 'signature_mismatch');
    const { headers, body } = { headers: signed(), body: BODY, ...change };
    assert.throws(() => new Webhook(SECRET).verify(body, headers));
  }
});

test('signatures of other versions and malformed ones do not count', async () => {
  const good = signed()['webhook-signature'];
  for (const signature of [good.replace('v1,', 'v1a,'), good.replace('v1,', 'v2,'), good.slice(0, -1), good.slice(3), 'v1,', 'v1', ',', ' ']) {
    await refuses({ headers: { ...signed(), 'webhook-signature': signature } }, 'signature_malformed');
  }
  const flipped = good.replace(/^v1,(.)/, (_, first) => `v1,${first === 'A' ? 'B' : 'A'}`);
  await refuses({ headers: { ...signed(), 'webhook-signature': flipped } }, 'signature_mismatch');
  assert.deepEqual(await verify({ headers: { ...signed(), 'webhook-signature': `v2,x ${flipped} ${good}` } }), EVENT);
});

test('a notification from another time is refused, on either side', async () => {
  const at = (/** @type {number} */ seconds) => ({ now: () => SENT.getTime() + seconds * 1000 });
  for (const seconds of [-300, 0, 300]) assert.deepEqual(await verify(at(seconds)), EVENT);
  await refuses(at(301), 'timestamp_too_old');
  await refuses(at(-301), 'timestamp_too_new');
  assert.deepEqual(await verify({ ...at(3600), toleranceSeconds: 3600 }), EVENT);
  await refuses({ ...at(1), toleranceSeconds: 0 }, 'timestamp_too_old');
  for (const timestamp of ['-1', '1.5', '2030-01-31', '1e9', '0x10', ' 1']) await refuses({ headers: { ...signed(), 'webhook-timestamp': timestamp } }, 'timestamp_malformed');
});

test('a missing header is named', async () => {
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
    await refuses({ headers: { ...signed(), [name]: undefined } }, 'header_missing');
    await assert.rejects(verify({ headers: { ...signed(), [name]: '' } }), { message: new RegExp(`The header ${name} is missing`) });
  }
});

test('a body that is signed but is no notification is refused', async () => {
  for (const body of ['', '[]', 'null', '{', '{"eventId":"x"}', JSON.stringify({ ...EVENT, eventId: 'another' }), JSON.stringify({ ...EVENT, operation: null })]) {
    await refuses({ body, headers: signed([SECRET], body) }, 'body_malformed');
  }
});

test('a body that is no UTF-8 is refused', async () => {
  const body = Uint8Array.from(BODY, (letter) => letter.charCodeAt(0) & 0xff); // "ü" as one byte
  const key = await crypto.subtle.importKey('raw', Buffer.from(SECRET.slice(6), 'base64'), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const headers = signed();
  const signature = await crypto.subtle.sign('HMAC', key, Buffer.concat([Buffer.from(`${ID}.${headers['webhook-timestamp']}.`), body]));
  await refuses({ body, headers: { ...headers, 'webhook-signature': `v1,${Buffer.from(signature).toString('base64')}` } }, 'body_malformed');
});

test('wrong arguments are the fault of the caller', async () => {
  for (const secrets of [[], '', 'whsec_', 'whsec_%', ['short'], undefined]) await refuses({ secrets: /** @type {any} */ (secrets) }, 'bad_value', 'caller');
  for (const body of [EVENT, undefined, 7]) await refuses({ body: /** @type {any} */ (body) }, 'bad_value', 'caller');
  for (const toleranceSeconds of [-1, Number.NaN, Infinity]) await refuses({ toleranceSeconds }, 'bad_value', 'caller');
  await refuses({ headers: /** @type {any} */ (undefined) }, 'bad_value', 'caller');
});
