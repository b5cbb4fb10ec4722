// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFileSync } from 'node:fs';
import { API_KEY, GATEWAY, stage } from './stage.mjs';

const document = JSON.parse(readFileSync(new URL('../types/openapi.json', import.meta.url), 'utf8'));

/** @typedef {[call: (payframe: import('@payframe/server').Payframe) => Promise<unknown>, verb: string, path: string, body: object | null]} Row */

const body = /** @type {any} */ ({ order: { orderId: 'A1' } });
const amount = { amount: '3545', currency: 'EUR' };

/** @type {Row[]} */
const ROWS = [
  [({ sessions }) => sessions.create(body), 'POST', '/orders/build', body],
  [({ sessions }) => sessions.change({ sessionId: 's', amount: '1' }), 'PATCH', '/build/session', { sessionId: 's', amount: '1' }],
  [({ sessions }) => sessions.read('s+1'), 'GET', '/build/state?sessionId=s%2B1', null],
  [({ sessions }) => sessions.readCard('s'), 'GET', '/build/cardData?sessionId=s', null],
  [({ sessions }) => sessions.finalize('s'), 'POST', '/build/finalize_payment', { sessionId: 's' }],
  [({ sessions }) => sessions.confirm({ sessionId: 's', amount: '1' }), 'POST', '/build/confirm_payment', { sessionId: 's', amount: '1' }],
  [({ sessions }) => sessions.cancel('s'), 'POST', '/build/cancel', { sessionId: 's' }],
  [({ orders }) => orders.read('A#1?'), 'GET', '/orders/A%231%3F', null],
  [({ orders }) => orders.list({ maxRecords: 10, orderState: 'CAPTURED' }), 'GET', '/orders?maxRecords=10&orderState=CAPTURED', null],
  [({ orders }) => orders.tellFulfilment('A#1', { state: 'FULFILLED', note: 'by hand' }), 'PUT', '/orders/A%231/fulfilment', { state: 'FULFILLED', note: 'by hand' }],
  [({ operations }) => operations.read('1'), 'GET', '/operations/1', null],
  [({ operations }) => operations.list(), 'GET', '/operations', null],
  [({ operations }) => operations.actions('1'), 'GET', '/operations/1/actions', null],
  [({ operations }) => operations.capture('1', amount), 'POST', '/operations/1/captures', amount],
  [({ operations }) => operations.refund('1', amount), 'POST', '/operations/1/refunds', amount],
  [({ operations }) => operations.cancel('1'), 'POST', '/operations/1/cancels', {}],
  [({ links }) => links.create(body), 'POST', '/v2/orders/paybylink', body],
  [({ links }) => links.read('l'), 'GET', '/orders/paybylink/l', null],
  [({ links }) => links.list({ status: 'ACTIVE' }), 'GET', '/orders/paybylink?status=ACTIVE', null],
  [({ links }) => links.renew('l'), 'POST', '/orders/paybylink/l/renewals', null],
  [({ links }) => links.cancel('l'), 'POST', '/paybylink/l/cancels', null],
  [({ hostedPages }) => hostedPages.create(body), 'POST', '/orders/hpp', body],
  [({ events }) => events.list({ after: '42-554ccc00', limit: 10 }), 'GET', '/events?after=42-554ccc00&limit=10', null],
  [({ disputes }) => disputes.list({ state: 'NEEDS_RESPONSE', limit: 10 }), 'GET', '/disputes?state=NEEDS_RESPONSE&limit=10', null],
  [({ disputes }) => disputes.read('d/1'), 'GET', '/disputes/d%2F1', null],
  [({ disputes }) => disputes.addFile('d', { name: 'a.pdf', content: new TextEncoder().encode('%PDF-') }), 'POST', '/disputes/d/files', { name: 'a.pdf', content: 'JVBERi0=' }],
  [({ disputes }) => disputes.readFile('f'), 'GET', '/disputes/files/f', null],
  [({ disputes }) => disputes.removeFile('f'), 'POST', '/disputes/files/f/removal', null],
  [({ disputes }) => disputes.submitEvidence('d', { delivery: 'by hand' }), 'POST', '/disputes/d/evidence', { delivery: 'by hand' }],
  [({ disputes }) => disputes.accept('d'), 'POST', '/disputes/d/acceptance', null],
  [({ settlements }) => settlements.list({ limit: 10 }), 'GET', '/settlements?limit=10', null],
  [({ settlements }) => settlements.read('1', { after: '101' }), 'GET', '/settlements/1?after=101', null],
  [({ testClock }) => testClock.read(), 'GET', '/test/clock', null],
  [({ testClock }) => testClock.advanceTo(new Date('2026-12-31T10:00:00Z')), 'POST', '/test/clock/advance', { to: '2026-12-31T10:00:00.000Z' }],
  [({ testDisputes }) => testDisputes.open({ operationId: '1', kind: 'INQUIRY' }), 'POST', '/test/disputes', { operationId: '1', kind: 'INQUIRY' }],
  [({ testDisputes }) => testDisputes.decide('d', 'WON'), 'POST', '/test/disputes/d/result', { result: 'WON' }],
  [(payframe) => payframe.call('POST', '/orders/mit', { body }), 'POST', '/orders/mit', body],
];

/** An answer for every call: it has the members that methods look for. */
const ANSWER = { json: { content: '' } };

test('each method makes the call that the document has', async () => {
  const covered = new Set();
  for (const [call, verb, path, sent] of ROWS) {
    const { payframe, calls } = stage([ANSWER]);
    await call(payframe);
    assert.deepEqual(calls.map((made) => [made.verb, made.url, made.body]), [[verb, `${GATEWAY}/api${path}`, sent]]);
    const template = Object.keys(document.paths).find((known) => new RegExp(`^${known.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(String(path.split('?')[0])));
    if (template && document.paths[template][verb.toLowerCase()]) covered.add(`${verb} ${template}`);
    else assert.equal(path, '/orders/mit', path);
  }
  const documented = Object.entries(document.paths).flatMap(([path, verbs]) => Object.keys(/** @type {object} */ (verbs)).map((verb) => `${verb.toUpperCase()} ${path}`));
  assert.deepEqual([...covered].sort(), documented.sort());
});

test('every call carries the key, an id and the version of the API, and follows no redirect; only writes carry an idempotency key', async () => {
  for (const [call, verb, path] of ROWS) {
    const { payframe, calls } = stage([ANSWER]);
    await call(payframe);
    const [{ headers, redirect } = assert.fail()] = calls;
    assert.equal(headers.get('x-api-key'), API_KEY);
    assert.match(headers.get('correlation-id') ?? '', /^id-/);
    assert.equal(headers.get('payframe-version'), '2026-11-27');
    assert.equal(headers.has('idempotency-key'), verb !== 'GET', path);
    assert.equal(redirect, 'manual');
  }
});

test('a given idempotency key is sent as it is; without one each call has its own', async () => {
  const { payframe, calls } = stage([{}]);
  await payframe.operations.refund('1', amount, { idempotencyKey: 'refund of 1' });
  await payframe.operations.refund('1', amount);
  await payframe.operations.refund('1', amount);
  const keys = calls.map(({ headers }) => headers.get('idempotency-key'));
  assert.equal(keys[0], 'refund of 1');
  assert.equal(new Set(keys).size, 3);
});

test('an idempotency key that the gateway would refuse is refused here', async () => {
  const { payframe, calls } = stage([{}]);
  for (const idempotencyKey of ['', 'x'.repeat(64), 'é', 'a\nb']) {
    await assert.rejects(payframe.sessions.cancel('s', { idempotencyKey }), { member: 'idempotencyKey' });
  }
  assert.equal(calls.length, 0);
});

test('a refund of an order that was seen carries its version', async () => {
  const { payframe, calls } = stage([{}]);
  await payframe.operations.refund('1', amount, { orderVersion: '5f2b8c1e' });
  await payframe.operations.capture('1', amount);
  assert.deepEqual(calls.map(({ headers }) => headers.get('if-match')), ['"5f2b8c1e"', null]);
  for (const orderVersion of ['', 'a"b', 'a b', 'a\nb', 7]) {
    await assert.rejects(payframe.operations.refund('1', amount, { orderVersion: /** @type {any} */ (orderVersion) }), { member: 'orderVersion' });
  }
  assert.equal(calls.length, 2);
});

test('the default idempotency key is a random UUID', async () => {
  const { payframe, calls } = stage([{}], { runtime: {} });
  await payframe.sessions.cancel('s');
  assert.match(calls[0]?.headers.get('idempotency-key') ?? '', /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('an id can not change the path of a call', async () => {
  const { payframe, calls } = stage([{}]);
  for (const id of ['', '.', '..', undefined]) {
    assert.throws(() => payframe.orders.read(/** @type {any} */ (id)), { member: 'orderId' });
  }
  for (const path of ['orders', '/orders?x=1', '/orders/../..', '/%2e%2E/office', '/a\\b', '//../x', '/x#y']) {
    assert.throws(() => payframe.call('GET', path), { member: 'path' }, path);
  }
  await payframe.orders.read('a/../b');
  assert.deepEqual(calls.map(({ url }) => url), [`${GATEWAY}/api/orders/a%2F..%2Fb`]);
});

test('a list answers its rows', async () => {
  const { payframe } = stage([{ json: { orders: [1], operations: [2], paymentLinks: [3], actions: [4] } }]);
  assert.deepEqual([await payframe.orders.list(), await payframe.operations.list(), await payframe.links.list(), await payframe.operations.actions('1')], [[1], [2], [3], [4]]);
});

/** @param {object[]} actions */
const held = (actions) => stage([{ json: { operationId: '1' } }, { json: { actions } }, { json: { operationId: '2' } }]);

test('a void releases exactly what is held', async () => {
  const { payframe, calls } = held([{ actionType: 'REFUND', maxAmount: '1000', currency: 'EUR' }, { actionType: 'VOID', maxAmount: '2545', currency: 'EUR' }]);
  assert.deepEqual(await payframe.operations.void('1', { description: 'sold out' }, { idempotencyKey: 'k' }), { operationId: '2' });
  assert.deepEqual(calls[2]?.body, { amount: '2545', currency: 'EUR', description: 'sold out' });
  assert.equal(calls[2]?.headers.get('idempotency-key'), 'k');
});

test('a void that the gateway would take for a refund is not sent', async () => {
  const ambiguous = held([{ actionType: 'CAPTURE', maxAmount: '1545', currency: 'EUR' }, { actionType: 'REFUND', maxAmount: '2000', currency: 'EUR' }]);
  await assert.rejects(ambiguous.payframe.operations.void('1'), { code: 'void_ambiguous' });
  const captured = held([{ actionType: 'REFUND', maxAmount: '2000', currency: 'EUR' }]);
  await assert.rejects(captured.payframe.operations.void('1'), { code: 'nothing_to_void' });
  assert.deepEqual([ambiguous, captured].map(({ calls }) => calls.filter(({ verb }) => verb !== 'GET').length), [0, 0]);
});

test('events are read page by page until there is none', async () => {
  for (const [cursor, first] of /** @type {[string | undefined, string][]} */ ([[undefined, ''], ['1-a', '?after=1-a']])) {
    const { payframe, calls } = stage([
      { json: { events: [{ cursor: '2-b' }, { cursor: '3-c' }], nextCursor: '3-c', hasMore: true } },
      { json: { events: [{ cursor: '4-d' }], nextCursor: '4-d', hasMore: false } },
    ]);
    const read = [];
    for await (const event of payframe.events.since(cursor)) read.push(event.cursor);
    assert.deepEqual(read, ['2-b', '3-c', '4-d']);
    assert.deepEqual(calls.map((made) => made.url), [`${GATEWAY}/api/events${first}`, `${GATEWAY}/api/events?after=3-c`]);
  }
});
