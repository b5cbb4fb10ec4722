// @ts-check
/** The order book of the example shop, with a gateway whose answers are the test's. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { money, PayframeError } from '@payframe/server';
import { OrderBook } from '../example/order-book.mjs';
import { refusal, stage } from './stage.mjs';

const sale = (/** @type {string} */ operationId) => ({ operationId, operationType: 'AUTHORIZATION', operationResult: 'EXECUTED', operationAmount: '3545' });
const [FIRST, SECOND] = [sale('347074400000000001'), sale('347074400000000002')];

/** An answer about the order. @param {string} authorizedAmount @param {string} refundedAmount @param {object[]} operations newest first @returns {import('./stage.mjs').Step} */
const order = (authorizedAmount, refundedAmount, operations) => ({ json: { orderStatus: { order: { currency: 'EUR' }, authorizedAmount, refundedAmount }, operations } });

/** @param {import('./stage.mjs').Step[]} steps */
function book(steps) {
  const { payframe, calls } = stage(steps, { maxRetries: 0 });
  const reported = /** @type {any[]} */ ([]);
  const orders = new OrderBook(payframe, (problem) => reported.push(problem));
  return { orders, row: orders.place('A1', money(3545, 'EUR'), 60_000), calls, reported };
}

test('a second charge is given back with one key, also when the first try fails', async () => {
  const both = order('7090', '0', [SECOND, FIRST]);
  const { orders, row, calls, reported } = book([both, { json: { state: 'FULFILLED' } }, { status: 503 }, { json: { operationId: '1' } }, order('7090', '3545', [SECOND, FIRST])]);
  await orders.happens(row, { type: 'NOTIFICATION' });
  assert.deepEqual([row.order.status, row.shipped, row.outbox.length], ['PAID', 1, 1]);
  assert.deepEqual(reported.map(({ status }) => status), [503]);
  await orders.happens(row, { type: 'RETURN_PAGE' });
  const told = calls.filter(({ verb }) => verb === 'PUT');
  assert.deepEqual(told.map(({ url, body }) => [url.split('/api')[1], body]), [['/orders/A1/fulfilment', { state: 'FULFILLED' }]]);
  const refunds = calls.filter(({ verb }) => verb === 'POST');
  assert.equal(refunds.length, 2);
  for (const { url, body, headers } of refunds) {
    assert.match(url, /\/operations\/347074400000000002\/refunds$/);
    assert.deepEqual([body, headers.get('idempotency-key')], [{ amount: '3545', currency: 'EUR' }, 'give back 347074400000000002']);
  }
  assert.deepEqual([row.order.status, row.shipped, row.outbox], ['PAID', 1, []]);
});

test('an order that is paid when a further attempt is built is read at once', async () => {
  const { orders, row } = book([order('3545', '0', [FIRST])]);
  const refused = new PayframeError('an approved payment', { kind: 'caller', code: 'GW9006' });
  await assert.rejects(orders.pay(row, () => Promise.reject(refused)), { code: 'GW9006' });
  assert.deepEqual([row.order.status, row.shipped, row.order.open], ['PAID', 1, []]);
});

test('a gateway that does not answer is asked again later, and a person is called when it can not be understood', async () => {
  const { orders, row, reported } = book(['lost', { json: { orderStatus: {} } }, refusal(404, 'PS0000', 'none')]);
  await orders.happens(row, { type: 'FEED' });
  assert.deepEqual([row.order.status, row.order.asked, reported.length], ['UNPAID', 2, 1]);
  await orders.happens(row, { type: 'FEED' });
  assert.deepEqual([row.order.statusDetail, reported[1]], ['UNREADABLE', 'Order A1 needs a person: UNREADABLE']);
  clearTimeout(row.question);
});
