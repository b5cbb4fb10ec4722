// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { API_KEY, CID, errorOf, refusal, stage } from './stage.mjs';

const AMOUNT = { amount: '3545', currency: 'EUR' };
const busy = refusal(429, 'GW9002', 'too many requests', { 'retry-after': '3' });
const away = refusal(503, 'GW9013', 'the gateway has no access to its data now', { 'retry-after': '5' });
const running = refusal(409, 'GW9001', 'a request with this idempotency key is still running');
const failure = refusal(500, 'PS0000', 'a failure of ours');
const missing = refusal(400, 'PS0026', 'amount is missing');
const denied = refusal(401, 'GW9020', 'header X-API-KEY must hold a valid API key');
const tooMuch = refusal(400, 'PS0029', 'amount is above what is captured');
const taken = { json: { operationId: '2', operationTime: '2030-01-31T10:00:00.000Z' } };

test('a call that failed on the way is repeated with the same key and the same id', async () => {
  /** @type {import('./stage.mjs').Step[]} */
  const steps = ['lost', 'silent', { status: 502, text: '<html>', headers: {} }, { status: 503 }, { status: 504 }, busy, away, running, failure];
  for (const step of steps) {
    const { payframe, calls } = stage([step, taken]);
    assert.deepEqual(await payframe.operations.refund('1', AMOUNT), taken.json, JSON.stringify(step));
    assert.equal(calls.length, 2);
    for (const header of ['idempotency-key', 'correlation-id', 'x-api-key']) assert.equal(calls[1]?.headers.get(header), calls[0]?.headers.get(header));
    assert.deepEqual(calls[1]?.body, calls[0]?.body);
  }
});

test('a read is repeated too', async () => {
  const { payframe, calls } = stage(['lost', 'silent', { json: { orders: [] } }]);
  assert.deepEqual(await payframe.orders.list(), []);
  assert.equal(calls.length, 3);
});

test('a refusal is not repeated', async () => {
  for (const step of [missing, denied, refusal(409, 'GW9999', 'another conflict'), { status: 404 }, { status: 413 }, { status: 302 }, { text: 'no JSON' }]) {
    const { payframe, calls } = stage([step]);
    const error = await errorOf(payframe.operations.refund('1', AMOUNT));
    assert.equal(calls.length, 1, JSON.stringify(step));
    assert.equal(error.isRetryable, false);
  }
});

test('the pauses grow, up to a limit, and half of each is random', async () => {
  const { payframe, waits } = stage([{ status: 503 }], { maxRetries: 7 });
  await errorOf(payframe.orders.list());
  assert.deepEqual(waits, [250, 500, 1000, 2000, 4000, 4000, 4000]);
  const late = stage([{ status: 503 }], { maxRetries: 1 }, 0.999_999);
  await errorOf(late.payframe.orders.list());
  assert.deepEqual(late.waits, [500]);
});

test('Retry-After is heeded, as seconds and as a date', async () => {
  const rows = { 3: 3250, 'Thu, 31 Jan 2030 10:00:20 GMT': 20_250, 'Thu, 31 Jan 2030 09:00:00 GMT': 250, soon: 250, 60: 60_250 };
  for (const [retryAfter, expected] of Object.entries(rows)) {
    const { payframe, waits } = stage([{ status: 503, headers: { 'retry-after': retryAfter } }, {}]);
    await payframe.orders.read('A1');
    assert.deepEqual(waits, [expected], retryAfter);
  }
});

test('a call does not wait for more than a minute because it is asked to', async () => {
  const { payframe, calls } = stage([{ status: 503, headers: { 'retry-after': '61' } }]);
  const error = await errorOf(payframe.orders.read('A1'));
  assert.deepEqual([calls.length, error.code, error.isRetryable], [1, 'http_503', true]);
});

test('maxRetries is the number of repetitions', async () => {
  for (const maxRetries of [0, 1, 5]) {
    const { payframe, calls } = stage(['lost'], { maxRetries });
    await errorOf(payframe.orders.list());
    assert.equal(calls.length, maxRetries + 1);
  }
});

/** @param {import('./stage.mjs').Step[]} steps @param {number} [maxRetries] */
const refundError = (steps, maxRetries = steps.length - 1) => errorOf(stage(steps, { maxRetries }).payframe.operations.refund('1', AMOUNT, { idempotencyKey: 'k' }));

test('a write without an answer says that its outcome is not known, and with which key to repeat it', async () => {
  for (const [steps, code] of /** @type {[import('./stage.mjs').Step[], string][]} */ ([
    [['lost'], 'unreachable'],
    [['silent'], 'timeout'],
    [[{ status: 502 }], 'http_502'],
    [[running], 'GW9001'],
    [[failure], 'PS0000'],
    [[away], 'GW9013'],
    [[{ text: '<html>' }], 'unreadable_answer'],
    [[{ status: 307 }], 'unreadable_answer'],
    // What came first may have been carried out, and what came last says nothing of it.
    [['lost', busy], 'GW9002'],
    [['silent', denied], 'GW9020'],
    [['lost', { status: 403, headers: {} }], 'http_403'],
  ])) {
    const error = await refundError(steps);
    assert.deepEqual([error.code, error.outcomeUnknown, error.idempotencyKey], [code, true, 'k'], JSON.stringify(steps));
    assert.match(error.message, /not known: repeat it with the same idempotency key/);
  }
});

test('a write that was refused has an outcome: nothing happened', async () => {
  /** @type {import('./stage.mjs').Step[][]} */
  const rows = [
    [tooMuch],
    [busy],
    [denied],
    [refusal(500, 'GW9005', 'a fault')],
    // The gateway looks the key up first, so this refusal is of the first attempt too.
    ['lost', tooMuch],
    ['silent', { status: 404, headers: { cid: CID } }],
  ];
  for (const steps of rows) {
    const error = await refundError(steps);
    assert.equal(error.outcomeUnknown, false, JSON.stringify(steps));
  }
});

test('a read never has an unknown outcome', async () => {
  const error = await errorOf(stage(['lost']).payframe.orders.read('A1'));
  assert.deepEqual([error.kind, error.outcomeUnknown, error.isRetryable, error.idempotencyKey], ['network', false, true, undefined]);
});

test('a signal ends the wait for an answer, and there is no further attempt', async () => {
  const controller = new AbortController();
  const hanging = stage([], { fetch: (_, init) => new Promise((_, reject) => {
    init?.signal?.addEventListener('abort', () => reject(new Error(API_KEY)));
    controller.abort();
  }) });
  const error = await errorOf(hanging.payframe.operations.refund('1', AMOUNT, { signal: controller.signal }));
  assert.deepEqual([error.code, error.kind, error.outcomeUnknown, error.isRetryable], ['aborted', 'caller', true, false]);
});

test('a signal ends a pause too', async () => {
  const controller = new AbortController();
  const fired = /** @type {number[]} */ ([]);
  const { payframe, calls } = stage(['lost'], { runtime: { after: (delayMs) => {
    if (delayMs < 35_000) queueMicrotask(() => controller.abort());
    return () => fired.push(delayMs);
  } } });
  const error = await errorOf(payframe.orders.list({}, { signal: controller.signal }));
  assert.deepEqual([error.code, calls.length], ['aborted', 1]);
  assert.equal(fired.filter((delayMs) => delayMs < 35_000).length, 1);
});

test('a signal that comes between an attempt and its pause ends the call', async () => {
  const controller = new AbortController();
  const { payframe, calls } = stage(['lost'], { runtime: { after: () => () => {}, random: () => {
    controller.abort();
    return 0;
  } } });
  const error = await errorOf(payframe.orders.list({}, { signal: controller.signal }));
  assert.deepEqual([error.code, calls.length], ['aborted', 1]);
});

test('a call whose signal was aborted before is not sent', async () => {
  const { payframe, calls } = stage([{}]);
  const error = await errorOf(payframe.operations.refund('1', AMOUNT, { signal: AbortSignal.abort() }));
  assert.deepEqual([error.code, error.outcomeUnknown, calls.length], ['aborted', false, 0]);
});
