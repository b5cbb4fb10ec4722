// @ts-check
/**
 * The package against a gateway that runs in the sandbox, with faults allowed. PAYFRAME_API is the address of its API, PAYFRAME_API_KEY a key, and
 * PAYFRAME_NOTIFICATION_SECRET a secret of the key's terminal.
 */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Payframe, verifyNotification } from '@payframe/server';
import { APPROVED, NO_FUNDS } from '../../../../tests/e2e/cards.mjs';
import { GatewayApi } from '../../../../tests/e2e/gateway-api.mjs';
import { OrderFile } from '../../example/order-file.mjs';
import { Orders } from '../../example/orders.mjs';
import { shop } from '../../example/shop.mjs';
import { kindOf } from '../../src/errors.js';
import { covered } from '../../tools/calls.mjs';
import { enterCard } from '../buyer.mjs';
import { errorOf } from '../stage.mjs';

const { PAYFRAME_API = '', PAYFRAME_API_KEY: apiKey = '', PAYFRAME_NOTIFICATION_SECRET: secret = '' } = process.env;
const gateway = PAYFRAME_API.replace(/\/api$/, '');
assert.ok(gateway && apiKey && secret, 'These tests need a gateway: set PAYFRAME_API, PAYFRAME_API_KEY and PAYFRAME_NOTIFICATION_SECRET');

const live = { timeout: 60_000 };
const client = (/** @type {Partial<import('@payframe/server').Options>} */ options = {}) => new Payframe({ apiKey, gateway, ...options });
const newOrderId = () => randomUUID().replaceAll('-', '').slice(0, 18);

/** A client whose first attempt of each write has a fault. @param {string} fault @param {Partial<import('@payframe/server').Options>} [options] */
function faulty(fault, options) {
  const seen = /** @type {(string | null)[]} */ ([]);
  const keys = new Set();
  /** @type {typeof globalThis.fetch} */
  const fetchOnce = async (url, init) => {
    const headers = new Headers(init?.headers);
    const key = headers.get('idempotency-key');
    if (key && !keys.has(key)) headers.set('x-sandbox-fault', fault);
    keys.add(key);
    const answer = await fetch(url, { ...init, headers });
    seen.push(answer.headers.get('idempotency-replayed'));
    return answer;
  };
  return { payframe: client({ fetch: fetchOnce, timeoutMs: 35_000, ...options, runtime: { after: withoutPauses(options?.timeoutMs ?? 35_000) } }), seen };
}

/**
 * Only the time limit of an attempt is real.
 * @param {number} timeoutMs @returns {import('@payframe/server').Runtime['after']}
 */
const withoutPauses = (timeoutMs) => (delayMs, action) => {
  const timer = setTimeout(action, delayMs === timeoutMs ? delayMs : 0);
  return () => clearTimeout(timer);
};

/** A session whose payment the shop's server closes. @param {string} orderId @param {'PAY' | 'PREAUTH'} [actionType] @param {string} [notificationUrl] */
const openSession = (orderId, actionType = 'PAY', notificationUrl = 'https://shop.example/hook') => client().sessions.create({
  version: '3',
  merchantUrl: 'https://shop.example',
  order: { orderId, amount: '3545', currency: 'EUR' },
  paymentSession: { actionType, amount: '3545', paymentService: 'CARDS', resultUrl: 'https://shop.example/ok', cancelUrl: 'https://shop.example/ko', notificationUrl },
  form: { closing: 'SERVER' },
});

/** Holds the money of an order. @param {string} orderId */
async function authorized(orderId) {
  const { sessionId } = await openSession(orderId, 'PREAUTH');
  await enterCard(gateway, { sessionId, card: APPROVED });
  const { operation } = await client().sessions.finalize(sessionId);
  assert.equal(operation?.operationResult, 'AUTHORIZED');
  return operation.operationId;
}

/** Takes the money of an order. @param {string} orderId */
async function captured(orderId) {
  const { sessionId } = await openSession(orderId);
  await enterCard(gateway, { sessionId, card: APPROVED });
  const { operation } = await client().sessions.finalize(sessionId);
  assert.equal(operation?.operationResult, 'EXECUTED');
  return operation.operationId;
}

/** @param {string} orderId */
async function typesAndAmounts(orderId) {
  const { operations } = await client().orders.read(orderId);
  return operations.map(({ operationType, operationAmount }) => `${operationType} ${operationAmount}`);
}

test('a payment: session, other sum, card, close, order, capture, refund', live, async () => {
  const payframe = client();
  const orderId = newOrderId();
  const { sessionId, securityToken, form } = await openSession(orderId, 'PREAUTH');
  assert.match(form?.html ?? '', /^<payment-form /);
  assert.match(securityToken, /^[0-9a-f]{32}$/);
  assert.equal((await payframe.sessions.change({ sessionId, amount: '3000' })).orderAmount, '3000');
  await enterCard(gateway, { sessionId, card: APPROVED });
  assert.equal((await payframe.sessions.read(sessionId)).state, 'READY_FOR_PAYMENT');
  assert.equal((await payframe.sessions.readCard(sessionId)).lastFourDigits, APPROVED.number.slice(-4));
  const { operation } = await payframe.sessions.finalize(sessionId);
  assert.ok(operation);

  const captured = await payframe.operations.capture(operation.operationId, { amount: '2000', currency: 'EUR' });
  assert.equal((await payframe.operations.read(captured.operationId)).operationType, 'CAPTURE');
  const refund = { amount: '500', currency: 'EUR', description: 'one item came back' };
  const idempotencyKey = `refund of ${orderId}`;
  const first = await payframe.operations.refund(captured.operationId, refund, { idempotencyKey });
  assert.equal((await payframe.operations.refund(captured.operationId, refund, { idempotencyKey })).operationId, first.operationId);
  const changed = await errorOf(payframe.operations.refund(captured.operationId, { ...refund, amount: '501' }, { idempotencyKey }));
  assert.deepEqual([changed.code, changed.member, changed.outcomeUnknown], ['PS0025', 'Idempotency-Key', false]);

  const { orderStatus } = await payframe.orders.read(orderId);
  assert.deepEqual([orderStatus.authorizedAmount, orderStatus.capturedAmount, orderStatus.refundedAmount], ['3000', '2000', '500']);
  assert.deepEqual(await typesAndAmounts(orderId), ['REFUND 500', 'CAPTURE 2000', 'AUTHORIZATION 3000']);
  assert.ok((await payframe.orders.list({ orderId })).length === 1);
  assert.ok((await payframe.operations.list({ operationType: 'REFUND' })).some(({ operationId }) => operationId === first.operationId));
});

test('a declined payment is an answer, and a session can be given up', live, async () => {
  const payframe = client();
  const { sessionId } = await openSession(newOrderId());
  await enterCard(gateway, { sessionId, card: NO_FUNDS });
  assert.equal((await payframe.sessions.finalize(sessionId)).operation?.operationResult, 'DECLINED');
  const other = await openSession(newOrderId());
  assert.equal((await payframe.sessions.cancel(other.sessionId)).operation?.operationResult, 'CANCELED');
});

test('a void releases what is held, and never touches captured money', live, async () => {
  const payframe = client();
  const orderId = newOrderId();
  const operationId = await authorized(orderId);
  await payframe.operations.capture(operationId, { amount: '1000' });
  const { operationId: voided } = await payframe.operations.void(operationId);
  assert.equal((await payframe.operations.read(voided)).operationType, 'VOID');
  assert.deepEqual(await typesAndAmounts(orderId), ['VOID 2545', 'CAPTURE 1000', 'AUTHORIZATION 3545']);
  assert.equal((await errorOf(payframe.operations.void(operationId))).code, 'nothing_to_void');

  const another = await authorized(newOrderId());
  await payframe.operations.capture(another, { amount: '2000' });
  assert.equal((await errorOf(payframe.operations.void(another))).code, 'void_ambiguous');
});

test('a capture is cancelled on its day', live, async () => {
  const orderId = newOrderId();
  const { operationId } = await client().operations.capture(await authorized(orderId), { amount: '3545' });
  await client().operations.cancel(operationId, { description: 'ordered twice' });
  assert.equal((await client().orders.read(orderId)).orderStatus.capturedAmount, '0');
});

test('a capture whose answer is lost on the way is made once', live, async () => {
  /** What each answer says of being a replay. @type {[fault: string, options: {}, replayed: (string | null)[]][]} */
  const rows = [['timeout', { timeoutMs: 2000 }, ['true']], ['drop', {}, [null]], ['500', {}, [null, null]]];
  for (const [fault, options, expected] of rows) {
    const { payframe, seen } = faulty(fault, options);
    const orderId = newOrderId();
    const { operationId } = await payframe.operations.capture(await authorized(orderId), { amount: '3545' });
    assert.deepEqual(await typesAndAmounts(orderId), ['CAPTURE 3545', 'AUTHORIZATION 3545']);
    assert.equal((await client().orders.read(orderId)).operations[0]?.operationId, operationId);
    assert.deepEqual(seen, expected, fault);
  }
});

test('a capture without any answer tells the key, and the key tells the outcome', live, async () => {
  const { payframe } = faulty('timeout', { maxRetries: 0, timeoutMs: 2000 });
  const orderId = newOrderId();
  const authorization = await authorized(orderId);
  const error = await errorOf(payframe.operations.capture(authorization, { amount: '3545' }));
  assert.deepEqual([error.code, error.kind, error.outcomeUnknown, error.isRetryable], ['timeout', 'network', true, true]);
  const { operationId } = await client().operations.capture(authorization, { amount: '3545' }, { idempotencyKey: error.idempotencyKey });
  assert.equal((await client().orders.read(orderId)).operations[0]?.operationId, operationId);
  assert.deepEqual(await typesAndAmounts(orderId), ['CAPTURE 3545', 'AUTHORIZATION 3545']);
});

test('refusals name the member, the fault and the id of the call', live, async () => {
  const payframe = client();
  const missing = await errorOf(payframe.sessions.create(/** @type {any} */ ({ merchantUrl: 'https://shop.example', order: { orderId: 'A1' }, paymentSession: {} })));
  assert.deepEqual([missing.kind, missing.code, missing.status, missing.member], ['caller', 'PS0026', 400, 'order.amount']);
  assert.match(missing.requestId ?? '', /^[0-9a-f-]{36}$/);
  const unknown = await errorOf(payframe.orders.read('no-such-order'));
  assert.deepEqual([unknown.code, unknown.status, unknown.kind], ['not_found', 404, 'caller']);
  const denied = await errorOf(client({ apiKey: 'no-such-key' }).orders.list());
  assert.deepEqual([denied.code, denied.status, denied.member], ['GW9020', 401, 'X-API-KEY']);
});

test('links and hosted pages', live, async () => {
  const payframe = client();
  const paymentSession = { amount: '12000', language: 'eng', resultUrl: 'https://shop.example/ok', cancelUrl: 'https://shop.example/ko' };
  const expirationDate = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
  const orderId = newOrderId();
  const { paymentLink } = await payframe.links.create({ order: { orderId, amount: '12000', currency: 'EUR' }, paymentSession, expirationDate });
  assert.equal((await payframe.links.read(paymentLink.linkId)).paymentLink.status, 'ACTIVE');
  assert.deepEqual((await payframe.links.list({ orderId })).map(({ linkId }) => linkId), [paymentLink.linkId]);
  assert.equal((await payframe.links.renew(paymentLink.linkId)).renewals, 1);
  assert.equal((await payframe.links.cancel(paymentLink.linkId)).status, 'CANCELED');
  const { hostedPage } = await payframe.hostedPages.create({ order: { orderId: newOrderId(), amount: '12000', currency: 'EUR' }, paymentSession });
  assert.ok(hostedPage.startsWith(`${gateway}/pay/`));
});

test('a dispute: opened, answered with a file and a text, decided, and told of in the feed', live, async () => {
  const { disputes, testDisputes, events, operations, orders } = client();
  const orderId = newOrderId();
  const operationId = await captured(orderId);
  const { nextCursor } = await events.list({ after: 'latest' });
  const opened = await testDisputes.open({ operationId, category: 'FRAUD', reasonCode: '10.4' });
  const { disputeId } = opened;
  assert.deepEqual([opened.state, opened.kind, opened.amount, opened.reasonCode], ['NEEDS_RESPONSE', 'CHARGEBACK', '3545', '10.4']);
  assert.deepEqual((await disputes.list({ orderId })).disputes.map((dispute) => dispute.disputeId), [disputeId]);
  assert.equal((await errorOf(operations.refund(operationId, { amount: '3545' }))).code, 'GW9014');
  assert.equal((await orders.read(orderId)).disputedAmount, '3545');

  const content = new TextEncoder().encode('%PDF-1.7 a delivery note');
  const idempotencyKey = `file of ${orderId}`;
  const file = await disputes.addFile(disputeId, { name: 'delivery note.pdf', content }, { idempotencyKey });
  assert.equal((await disputes.addFile(disputeId, { name: 'delivery note.pdf', content }, { idempotencyKey })).fileId, file.fileId);
  assert.deepEqual([file.mediaType, file.size], ['application/pdf', content.length]);
  assert.deepEqual(await disputes.readFile(file.fileId), { file, content });
  const other = await disputes.addFile(disputeId, { name: 'twice.pdf', content });
  await disputes.removeFile(other.fileId);
  assert.equal((await errorOf(disputes.readFile(other.fileId))).code, 'not_found');
  const text = await errorOf(disputes.addFile(disputeId, { name: 'note.txt', content: content.subarray(5) }));
  assert.deepEqual([text.code, text.member], ['PS0026', 'content']);

  const answered = await disputes.submitEvidence(disputeId, { delivery: 'handed over at the counter' });
  assert.deepEqual([answered.state, answered.evidence?.delivery, answered.files], ['UNDER_REVIEW', 'handed over at the counter', [file]]);
  assert.equal((await errorOf(disputes.accept(disputeId))).code, 'GW9003');
  assert.equal((await testDisputes.decide(disputeId, 'WON')).state, 'WON');
  assert.equal((await disputes.read(disputeId)).state, 'WON');
  const told = [];
  for await (const event of events.since(nextCursor)) if (event.eventType === 'DISPUTE' && event.dispute.disputeId === disputeId) told.push(event.dispute.state);
  assert.deepEqual(told, ['NEEDS_RESPONSE', 'UNDER_REVIEW', 'WON']);
});

test('a dispute is accepted, and all disputes are read page by page', live, async () => {
  const { disputes, testDisputes } = client();
  const orderId = newOrderId();
  const operationId = await captured(orderId);
  const opened = [];
  for (const amount of ['1000', '2000', '545']) opened.unshift((await testDisputes.open({ operationId, amount })).disputeId);
  const [disputeId = ''] = opened;
  assert.equal((await disputes.accept(disputeId)).state, 'ACCEPTED');
  const read = [];
  for await (const dispute of disputes.all({ orderId, limit: 1 })) read.push(dispute.disputeId);
  assert.deepEqual(read, opened);
  assert.equal((await errorOf(testDisputes.open({ operationId, amount: '1' }))).code, 'PS0029');
});

test('settlements: none is imported', live, async () => {
  const { settlements } = client();
  assert.deepEqual((await settlements.list({ limit: 10 })).settlements, []);
  for await (const settlement of settlements.all()) assert.fail(settlement.settlementId);
  const unknown = await errorOf(settlements.read('347074400000000000'));
  assert.deepEqual([unknown.code, unknown.status], ['not_found', 404]);
  assert.equal((await errorOf(settlements.list({ after: 'x' }))).member, 'after');
});

test('any other call of the API', live, async () => {
  const answer = /** @type {any} */ (await client().call('GET', '/payment_methods'));
  assert.ok(answer.paymentMethods.length > 0);
});

test('a notification of the gateway is verified, and refused once it was changed', live, async () => {
  const server = createServer().listen(0, 'localhost');
  await once(server, 'listening');
  try {
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
    const arrival = once(server, 'request');
    const orderId = await new GatewayApi(gateway, apiKey).tried({ shop: `http://localhost:${port}`, card: APPROVED });
    const [request, response] = await arrival;
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    response.writeHead(204).end();
    const received = { headers: request.headers, body: Buffer.concat(chunks), secrets: [secret] };
    const event = await verifyNotification(received);
    assert.deepEqual([event.eventType, event.operation?.orderId, event.operation?.operationResult], ['PAYMENT', orderId, 'EXECUTED']);
    const changed = Buffer.from(String(received.body).replace('EXECUTED', 'DECLINED'));
    assert.equal((await errorOf(verifyNotification({ ...received, body: changed }))).code, 'signature_mismatch');
  } finally {
    server.close();
  }
});

/**
 * The example shop while it serves.
 *
 * @param {(at: { origin: string, listener: import('node:http').Server, reported: any[], closed: Set<string>, orders: Orders, file: OrderFile }) => Promise<void>} use
 * `closed`: paths that answer 503; the listener tells each path that was answered, with the status
 */
async function inShop(use) {
  const listener = createServer().listen(0, 'localhost');
  await once(listener, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (listener.address());
  const origin = `http://localhost:${port}`;
  const reported = /** @type {any[]} */ ([]);
  const closed = /** @type {Set<string>} */ (new Set());
  const folder = mkdtempSync(join(tmpdir(), 'payframe-shop-'));
  const file = new OrderFile(join(folder, 'orders.jsonl'));
  const report = (/** @type {unknown} */ problem) => reported.push(problem);
  const payframe = client();
  const orders = new Orders({ payframe, file, report });
  const server = shop({ payframe, gateway, secrets: [secret], origin, orders, report });
  listener.on('request', (request, response) => {
    response.once('finish', () => listener.emit(`${request.method} ${request.url}`, response.statusCode));
    if (closed.has(request.url ?? '')) response.writeHead(503).end();
    else server.emit('request', request, response);
  });
  try {
    await use({ origin, listener, reported, closed, orders, file });
  } finally {
    listener.close();
    file.close();
    rmSync(folder, { recursive: true });
  }
}

/** @param {string} address @returns {Promise<{ orderId: string, sessionId: string }>} */
async function openPage(address) {
  const page = await (await fetch(address)).text();
  const [, orderId = '', sessionId = ''] = /data-order="(\w+)".* session="([\w-]+)"/.exec(page) ?? assert.fail(page);
  return { orderId, sessionId };
}

/** @param {string} address */
const textOf = async (address) => (await fetch(address)).text();

/** Status and parcels of an order. @param {OrderFile} file @param {string} orderId */
const kept = (file, orderId) => [file.value('order', orderId)?.order.status, file.entries('parcel').filter(([, id]) => id === orderId).length];

test('the example shop: its page, a payment, the notification, the result', live, () => inShop(async ({ origin, listener, reported, file }) => {
  const { orderId, sessionId } = await openPage(origin);
  assert.equal(await textOf(`${origin}/result?order=${orderId}`), 'PAYING');
  const notified = once(/** @type {import('node:events').EventEmitter} */ (listener), 'POST /notifications');
  await enterCard(gateway, { sessionId, card: APPROVED, shownSum: '3545 EUR' });
  assert.deepEqual(await notified, [204]);
  assert.deepEqual(kept(file, orderId), ['PAID', 1]);
  assert.equal(await textOf(`${origin}/result?order=${orderId}`), 'PAID');
  assert.deepEqual(kept(file, orderId), ['PAID', 1]);
  assert.deepEqual(file.value('order', orderId).order.open, []);
  assert.equal(await textOf(`${origin}/pay?order=${orderId}`), 'ALREADY_PAID');
  for (const page of ['result', 'pay']) assert.equal((await fetch(`${origin}/${page}?order=unknown`)).status, 404);
  assert.equal((await fetch(`${origin}/notifications`, { method: 'POST', body: '{}' })).status, 400);
  assert.deepEqual(reported.map(({ code }) => code), ['header_missing']);
}));

test('the example shop: an order that the buyer cancels is given up, and its form takes no money', live, () => inShop(async ({ origin, reported, file }) => {
  const { orderId, sessionId } = await openPage(origin);
  const cancelled = await fetch(`${origin}/cancel?order=${orderId}`, { method: 'POST' });
  assert.equal(await cancelled.text(), 'GIVEN_UP');
  await assert.rejects(enterCard(gateway, { sessionId, card: APPROVED, shownSum: '3545 EUR' }));
  assert.equal(await textOf(`${origin}/pay?order=${orderId}`), 'NOT_FOR_SALE');
  assert.deepEqual([kept(file, orderId), file.value('freed', orderId), reported], [['GIVEN_UP', 0], true, []]);
}));

test('the example shop: a second tab shows the same form, and the order is fulfilled once though the notification is lost', live, () => inShop(async ({ origin, reported, closed, orders, file }) => {
  closed.add('/notifications');
  const first = await openPage(origin);
  const { orderId, sessionId } = first;
  assert.deepEqual(await openPage(`${origin}/pay?order=${orderId}`), first);
  await enterCard(gateway, { sessionId, card: APPROVED, shownSum: '3545 EUR' });
  assert.deepEqual(kept(file, orderId), ['PAYING', 0]);
  for (let visit = 0; visit < 2; visit += 1) assert.equal(await textOf(`${origin}/result?order=${orderId}`), 'PAID');
  assert.equal(await orders.cancelled(orderId), 'PAID');
  assert.deepEqual(await typesAndAmounts(orderId), ['AUTHORIZATION 3545']);
  assert.deepEqual([kept(file, orderId), file.value('order', orderId).order.open, reported], [['PAID', 1], [], []]);
}));

test('the types and the kinds of errors are those of this gateway', live, async () => {
  const document = await (await fetch(`${PAYFRAME_API}/openapi.json`)).json();
  const known = JSON.parse(readFileSync(new URL('../../types/openapi.json', import.meta.url), 'utf8'));
  assert.deepEqual(covered(document), known, 'The API has changed: run tools/types.mjs with PAYFRAME_API');
  const rows = [...document.info.description.matchAll(/^\| `(\w+)` \| (\d{3})[^|]*\| [^|]+ \| ([^|]+) \|/gm)];
  assert.ok(rows.length > 40);
  for (const [, code, status, fault] of rows) assert.equal(kindOf(code, Number(status)), KINDS[fault], code);
});

/** What the document says of whose fault a code is. @type {Record<string, string>} */
const KINDS = { 'who calls': 'caller', 'the buyer': 'buyer', 'issuer, network or method': 'issuer', 'the gateway': 'gateway', "the gateway's operator": 'operator' };
