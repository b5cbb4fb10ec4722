// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { PayframeError } from '@payframe/server';
import { API_KEY, CID, errorOf, refusal, stage } from './stage.mjs';

/** @param {import('./stage.mjs').Step} step */
const errorWith = (step) => errorOf(stage([step], { maxRetries: 0 }).payframe.sessions.finalize('a-secret-session'));

test('a refusal keeps code, status, sentence, member and the ids for the operator', async () => {
  const error = await errorWith(refusal(400, 'PS0026', 'order.amount is missing'));
  assert.ok(error instanceof PayframeError && error instanceof Error);
  assert.deepEqual(JSON.parse(JSON.stringify(error)), {
    name: 'PayframeError', message: 'PS0026: order.amount is missing', kind: 'caller', code: 'PS0026', status: 400, member: 'order.amount',
    requestId: CID, correlationId: 'id-1', idempotencyKey: 'id-2', isRetryable: false, outcomeUnknown: false,
  });
  assert.match(String(error.stack), /^PayframeError: PS0026/);
});

test('the member is read from the sentence', async () => {
  for (const [code, description, member] of /** @type {const} */ ([
    ['PS0026', 'order.installments[0].date is missing', 'order.installments[0].date'],
    ['PS0036', 'order.amount must be 1 to 12 digits, in the minor unit', 'order.amount'],
    ['PS0007', 'paymentSession.amount is above order.amount', 'paymentSession.amount'],
    ['PS0041', 'script in order.description', 'order.description'],
    ['PS0026', 'delivery holds a card number: card data is taken by the form only', 'delivery'],
    ['PS0025', 'header Idempotency-Key was used for another request', 'Idempotency-Key'],
    ['PS0035', 'the body must be JSON', undefined],
    ['PS0026', 'the body must be an object', undefined],
    ['GW9003', 'the session is in READY_FOR_PAYMENT, which does not allow this call', undefined],
    ['PS0061', 'build session expired', undefined],
  ])) {
    assert.equal((await errorWith(refusal(400, code, description))).member, member, description);
  }
});

test('a long sentence is cut', async () => {
  assert.ok((await errorWith(refusal(400, 'PS0026', 'x'.repeat(9000)))).message.length < 600);
});

test('the kind says whose fault it is', async () => {
  for (const [step, kind, code] of /** @type {[import('./stage.mjs').Step, string, string][]} */ ([
    [refusal(400, 'PS0026', 'x is missing'), 'caller', 'PS0026'],
    [refusal(400, 'PS0061', 'build session expired'), 'buyer', 'PS0061'],
    [refusal(400, 'PS0004', 'the card could not be verified'), 'issuer', 'PS0004'],
    [refusal(400, 'GW9009', 'the terminal has no acquirer'), 'operator', 'GW9009'],
    [refusal(400, 'GW9010', 'buyers of the terminal can not be authenticated'), 'operator', 'GW9010'],
    [refusal(500, 'PS0000', 'a failure of ours'), 'gateway', 'PS0000'],
    [refusal(503, 'GW9013', 'the gateway has no access to its data now'), 'gateway', 'GW9013'],
    [{ status: 503, text: '', headers: {} }, 'gateway', 'http_503'],
    [{ status: 404, text: '' }, 'caller', 'not_found'],
    [{ status: 404, text: '', headers: {} }, 'caller', 'http_404'],
    [{ text: '[' }, 'gateway', 'unreadable_answer'],
    [{ text: 'null' }, 'gateway', 'unreadable_answer'],
    ['lost', 'network', 'unreachable'],
    ['silent', 'network', 'timeout'],
  ])) {
    const error = await errorWith(step);
    assert.deepEqual([error.kind, error.code], [kind, code]);
  }
});

test('no error shows the API key, the session, the body or what a proxy wrote', async () => {
  const page = `<html>${API_KEY} a-secret-session`;
  /** @type {import('./stage.mjs').Step[]} */
  const steps = [
    'lost',
    'silent',
    { text: page },
    { status: 502, text: page },
    { status: 302, text: page, headers: { location: `https://x.example/${API_KEY}` } },
    { status: 400, json: { errors: page } },
    { status: 400, json: { errors: [{ code: page, description: page }] } },
    refusal(401, 'GW9020', `no such key: ${API_KEY}`),
  ];
  for (const step of steps) {
    const error = await errorWith(step);
    for (const text of [inspect(error, { depth: 9, showHidden: true }), JSON.stringify(error), String(error), String(error.stack)]) {
      assert.ok(!text.includes(API_KEY) && !text.includes('a-secret-session') && !text.includes('<html>'), text);
    }
  }
});
