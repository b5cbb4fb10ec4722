// @ts-check
/** What staff does with the money of an order: once, also when an answer is lost, and also when somebody else has done it. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PaidOrders } from '@payframe/server/paid-orders';
import { BookGateway } from './book-gateway.mjs';

/** An order that is paid. @param {'AUTHORIZED' | 'EXECUTED'} operationResult */
async function paid(operationResult) {
  const gateway = new BookGateway();
  const { sessionId } = await gateway.payframe.sessions.create({
    merchantUrl: 'https://shop.example', order: { orderId: 'A1', amount: '3545', currency: 'EUR' },
    paymentSession: { amount: '3545', paymentService: 'CARDS', resultUrl: 'https://shop.example/', cancelUrl: 'https://shop.example/' },
  });
  const operation = gateway.approve(sessionId, operationResult);
  const orders = new PaidOrders(gateway.payframe);
  const call = (/** @type {string} */ key, amount = 3545) => ({ orderId: 'A1', operation, amount, currency: 'EUR', key });
  const made = (/** @type {string} */ type) => gateway.operations.filter(({ operationType }) => operationType === type).map(({ amount }) => amount);
  return { gateway, orders, operation, call, made };
}

test('the payment of an order is the first that covers it', async () => {
  const held = await paid('AUTHORIZED');
  assert.deepEqual(await held.orders.paidBy('A1', 3545, 'EUR'), { operation: held.operation, isCaptured: false });
  assert.equal(await held.orders.paidBy('A1', 3546, 'EUR'), undefined);
  await assert.rejects(held.orders.paidBy('A1', 3545, 'USD'), { code: 'order_currency' });
  const captured = await paid('EXECUTED');
  assert.deepEqual(await captured.orders.paidBy('A1', 3545, 'EUR'), { operation: captured.operation, isCaptured: true });
});

test('a capture whose answer was lost is made once', async () => {
  const { gateway, orders, call, made } = await paid('AUTHORIZED');
  gateway.lost = 1;
  await assert.rejects(orders.capture(call('capture 1')), { outcomeUnknown: true });
  await orders.capture(call('capture 1'));
  assert.deepEqual(made('CAPTURE'), [3545]);
});

test('a capture that the back office has made is no failure; one that can not be is', async () => {
  const { orders, call, made } = await paid('AUTHORIZED');
  await orders.capture(call('by the back office'));
  await orders.capture(call('by the shop'));
  assert.deepEqual(made('CAPTURE'), [3545]);
  await assert.rejects(orders.capture(call('too much', 9999)), { kind: 'caller' });
});

test('refunds in parts are different calls, and a repeated one is the same', async () => {
  const { gateway, orders, call, made } = await paid('EXECUTED');
  assert.equal((await orders.refund(call('refund 0 1000', 1000))).result, 'EXECUTED');
  gateway.lost = 1;
  await assert.rejects(orders.refund(call('refund 1 1000', 1000)), { outcomeUnknown: true });
  await orders.refund(call('refund 1 1000', 1000));
  assert.deepEqual(made('REFUND'), [1000, 1000]);
  await assert.rejects(orders.refund(call('refund 2 2000', 2000)), { kind: 'caller' });
});

test('held money is released, and nothing more happens if it is not held any more', async () => {
  const { orders, call, made, gateway } = await paid('AUTHORIZED');
  await orders.release(call('release'));
  await orders.release(call('again'));
  assert.deepEqual([made('VOID'), gateway.held('A1')], [[3545], 0]);
});

test('a refund that the gateway would take for a release is refused', async () => {
  const { orders, call, made } = await paid('AUTHORIZED');
  await orders.capture(call('a part', 2000));
  await assert.rejects(orders.refund(call('refund', 1545)), { code: 'refund_ambiguous' });
  assert.deepEqual(made('VOID'), []);
});

test('a later capture is not taken for done because of an earlier one', async () => {
  const { orders, call, made } = await paid('AUTHORIZED');
  await orders.capture(call('first', 2000));
  await assert.rejects(orders.capture({ ...call('second', 1900), total: 3900 }), { kind: 'caller' });
  assert.deepEqual(made('CAPTURE'), [2000]);
});
