// @ts-check
/** The plug-in in WordPress itself, paid in Chromium. WooCommerce is the small one of the tests: its checkouts and its admin are not here. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { APPROVED } from '../../../../tests/e2e/cards.mjs';
import { ShopStage, signed, TERMINALS } from '../../../../tests/plugins/stage.mjs';
import { Site, wordpress } from './site.mjs';

const TOTAL = 3545;
/** @type {ShopStage} */
let stage;
/** @type {Site} */
let site;

before(async () => {
  stage = await ShopStage.open('woocommerce', TERMINALS.held);
  stage.path = '/wp-json/payframe/v1/notifications';
  site = new Site(await wordpress(), stage);
  await site.open({ enabled: 'yes', gateway: stage.gatewayOrigin, api_key: stage.key, secrets: stage.secret, capture: 'EXPLICIT', reference_prefix: 'w' });
});

after(async () => {
  await site?.close();
  await stage?.close();
});

/** A buyer at the page with the form. */
async function buyer() {
  const { order, redirect } = await site.ask({ what: 'place' });
  const opened = await stage.open({ pay: 'Pay €35.45' });
  await opened.page.goto(redirect);
  await opened.payment.live();
  return { ...opened, order, reference: `w${order}`, redirect };
}

async function paid() {
  const { page, payment, leave, order, reference } = await buyer();
  await payment.payWith(APPROVED);
  await page.getByRole('heading', { name: 'Order received' }).waitFor();
  await leave();
  return { order, reference };
}

/** @param {number} order */
const books = (order) => site.ask({ what: 'books', order });

/** The sums of an order at the gateway. @param {string} reference */
async function sums(reference) {
  const { body } = await stage.api.call(`orders/${reference}`);
  const { authorizedAmount, capturedAmount, refundedAmount } = body.orderStatus;
  return { authorized: Number(authorizedAmount), captured: Number(capturedAmount), refunded: Number(refundedAmount), goods: body.fulfilment?.state };
}

test('WordPress activates the plug-in, and the table is as dbDelta wants it', () => {
  const { wordpress: version, ...rest } = site.installed;
  assert.match(version, /^[6-9]\./);
  assert.deepEqual(rest, { refused: null, changes: [], problem: '' });
});

test('a buyer pays on the page of the order; the notification comes twice', async () => {
  stage.relaying = 'double';
  const { order, reference } = await paid();
  const { status, transitions } = await books(order);
  assert.deepEqual([status, transitions], ['processing', [`${order} pending processing`]]);
  const { authorized, captured } = await sums(reference);
  assert.deepEqual([authorized, captured], [TOTAL, 0]);
  stage.relaying = 'deliver';
});

test('the staff completes the order, which captures once, and refunds in parts', async () => {
  const { order, reference } = await paid();
  await site.ask({ what: 'completed', order });
  await site.ask({ what: 'completed', order });
  assert.equal((await sums(reference)).captured, TOTAL);
  assert.deepEqual(await site.ask({ what: 'refund', order, amount: '10.00' }), { made: true });
  assert.deepEqual(await site.ask({ what: 'refund', order, amount: '25.45' }), { made: true });
  assert.deepEqual(await sums(reference), { authorized: TOTAL, captured: TOTAL, refunded: TOTAL, goods: 'FULFILLED' });
  const { status, refunds } = await books(order);
  assert.deepEqual([status, refunds], ['refunded', ['25.45', '10.00']]);
});

test('a cancelled order releases its money', async () => {
  const { order, reference } = await paid();
  await site.ask({ what: 'cancelled', order });
  assert.deepEqual(await sums(reference), { authorized: 0, captured: 0, refunded: 0, goods: 'CANCELED' });
});

test('the notification and the buyer are lost: the cron of WordPress finds the payment', async () => {
  stage.relaying = 'lose';
  const { page, payment, leave, order, reference } = await buyer();
  await page.route('**/wc-api/**', (route) => route.abort());
  await payment.payWith(APPROVED);
  for (let tries = 0; (await books(order)).status === 'pending' && tries < 90; tries++) {
    await site.cron();
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  assert.equal((await books(order)).status, 'processing');
  await leave();
  stage.relaying = 'deliver';
});

test('"Hold stock" leaves an order alone whose money is held, and closes the form of another one', async () => {
  stage.relaying = 'lose';
  const first = await buyer();
  await first.page.route('**/wc-api/**', (route) => route.abort());
  const told = stage.notifications.length;
  await first.payment.payWith(APPROVED);
  for (let tries = 0; stage.notifications.length === told && tries < 300; tries++) await new Promise((resolve) => setTimeout(resolve, 100));
  const second = await buyer();
  assert.deepEqual(await site.ask({ what: 'hold-stock', order: first.order }), { may: false });
  assert.equal((await books(first.order)).status, 'processing');
  assert.deepEqual(await site.ask({ what: 'hold-stock', order: second.order }), { may: false });
  assert.equal((await books(second.order)).status, 'cancelled');
  await second.payment.payWith(APPROVED);
  await second.page.waitForURL((url) => !url.pathname.startsWith('/checkout/order-pay'));
  assert.equal((await sums(second.reference)).authorized, 0);
  await first.leave();
  await second.leave();
  stage.relaying = 'deliver';
});

test('a notification is verified, and one of an unknown order is to come again', async () => {
  const [held] = stage.notifications;
  assert.ok(held);
  assert.equal(await stage.handOver({ ...held, body: Buffer.concat([held.body, Buffer.from(' ')]) }), 400);
  const event = JSON.parse(held.body.toString());
  event.operation.orderId = 'NOBODY';
  assert.equal(await stage.handOver(signed(stage.secret, event)), 404);
});

test('what is known of money stays when WordPress deletes the plug-in, unless the shop wants it gone', async () => {
  assert.deepEqual(await site.ask({ what: 'delete', data: 'no' }), { table: true, settings: false, planned: false });
  assert.deepEqual(await site.ask({ what: 'delete', data: 'yes' }), { table: false, settings: false, planned: false });
});
