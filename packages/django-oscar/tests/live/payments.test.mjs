// @ts-check
/** django-oscar with a terminal that holds money: what buyers and staff do on its pages, what gets lost, and what happens twice. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { APPROVED, CHALLENGED, NO_FUNDS } from '../../../../tests/e2e/cards.mjs';
import { ShopStage, signed, TERMINALS } from '../../../../tests/plugins/stage.mjs';
import { OscarShop, TOTAL } from '../oscar-shop.mjs';

/** @type {ShopStage} */
let stage;
/** @type {OscarShop} */
let shop;

before(async () => {
  stage = await ShopStage.open('django-oscar', TERMINALS.held);
  stage.path = '/payframe/notifications/';
  shop = new OscarShop(process.env.OSCAR_PYTHON ?? '', stage);
  await shop.create();
  await shop.start();
});

after(async () => {
  await shop?.stop();
  await stage?.close();
});

/** @param {import('playwright-core').Page} page */
const thanked = (page) => page.getByText('Your order has been placed').waitFor();

/** Pays as a buyer does, from the basket to "thank you". @param {{ login?: string }} [who] @returns {Promise<string>} the reference */
async function paid(who) {
  const { page, payment, reference, leave } = await shop.buyer(who);
  await payment.payWith(APPROVED);
  await thanked(page);
  await leave();
  return reference;
}

/** The form's button for two shirts. @param {import('../../../../tests/e2e/checkout.mjs').Payment} payment */
const payForTwo = (payment) => payment.frame.getByRole('button', { name: 'Pay €70.90', exact: true });

/** The sums of an order at the gateway. @param {string} reference */
async function sums(reference) {
  const { status, body } = await stage.api.call(`orders/${reference}`);
  assert.equal(status, 200, JSON.stringify(body));
  const { authorizedAmount, capturedAmount, refundedAmount } = body.orderStatus;
  return { authorized: Number(authorizedAmount), captured: Number(capturedAmount), refunded: Number(refundedAmount), goods: body.fulfilment?.state };
}

test('a basket is paid, captured by the staff in two parts, and given back in two; the notification comes twice', async () => {
  stage.relaying = 'double';
  const reference = await paid();
  const { orders, order, sums: placed } = await shop.books(reference);
  assert.deepEqual([orders, order, placed], [1, 'Pending', ['35.45', '0.00', '0.00']]);
  const { page, move, leave } = await shop.staff(reference);
  await move('Capture', '30.00');
  await move('Capture', '5.45');
  assert.deepEqual(await sums(reference), { authorized: TOTAL, captured: TOTAL, refunded: 0, goods: 'FULFILLED' });
  await move('Refund', '20.00');
  await move('Refund', '15.45', { wentBack: true });
  assert.deepEqual(await sums(reference), { authorized: TOTAL, captured: TOTAL, refunded: TOTAL, goods: 'RETURNED' });
  assert.deepEqual((await shop.books(reference)).sums, ['35.45', '35.45', '35.45']);
  await page.goto(`${stage.shop}/payframe/dashboard/differences/`);
  await page.getByText('No differences.').waitFor();
  await leave();
  const again = stage.notifications.find(({ body }) => body.includes(reference));
  assert.ok(again);
  assert.equal(await stage.handOver(again), 204);
  assert.equal((await shop.books(reference)).orders, 1);
  stage.relaying = 'deliver';
});

test('the staff cancels an order: what is held is released, and the stock is free', async () => {
  const { stock: before } = await shop.books(await paid());
  const reference = await paid();
  assert.equal((await shop.books(reference)).stock, before + 1);
  const { page, leave } = await shop.staff(reference);
  await page.getByRole('button', { name: 'Cancel the order' }).click();
  await page.getByText('its money goes back').waitFor();
  await leave();
  const { order, stock } = await shop.becomes(reference, 'is REFUNDED');
  assert.deepEqual([order, stock], ['Cancelled', before]);
  assert.deepEqual(await sums(reference), { authorized: 0, captured: 0, refunded: 0, goods: 'CANCELED' });
});

test('a refusal and a challenge are part of the same form', async () => {
  const { page, payment, reference, leave } = await shop.buyer();
  await payment.payWith(NO_FUNDS);
  await payment.alert.waitFor();
  assert.equal((await shop.books(reference)).orders, 0);
  await payment.fill(CHALLENGED);
  await payment.press();
  await payment.issuer.answer('123456');
  await thanked(page);
  await leave();
});

test('a notification alone is enough, and a lost one is not missed', async () => {
  for (const relaying of /** @type {const} */ (['deliver', 'lose'])) {
    stage.relaying = relaying;
    // What comes by the notification is not done by the feed.
    if (relaying === 'deliver') await shop.unfollow();
    const { page, payment, reference, leave } = await shop.buyer();
    await payment.fill(APPROVED);
    // The page can not tell the shop.
    await page.route('**/payframe/return/**', (route) => route.abort());
    await payment.press();
    assert.equal((await shop.becomes(reference, 'the order is placed')).orders, 1);
    await leave();
    if (relaying === 'deliver') await shop.follow();
  }
  stage.relaying = 'deliver';
});

test('a notification is verified, and one of an unknown order is to come again', async () => {
  const [held] = stage.notifications;
  assert.ok(held);
  assert.equal(await stage.handOver({ ...held, body: Buffer.concat([held.body, Buffer.from(' ')]) }), 400);
  assert.equal(await stage.handOver({ headers: { 'content-type': 'application/json' }, body: held.body }), 400);
  const event = JSON.parse(held.body.toString());
  event.operation.orderId = 'NOBODY';
  assert.equal(await stage.handOver(signed(stage.secret, event)), 404);
});

test('what is paid for a basket that has changed goes back, and the basket is paid once', async () => {
  const { page, payment, reference, leave } = await shop.buyer();
  await payment.fill(APPROVED);
  const tab = await page.context().newPage();
  await shop.add(tab);
  await payment.press();
  await page.waitForURL('**/basket/');
  const { orders } = await shop.becomes(reference, 'is REFUNDED');
  assert.equal(orders, 0);
  assert.equal((await sums(reference)).authorized, 0);
  await shop.pay(page);
  await payment.fill(APPROVED);
  await payment.press(payForTwo(payment));
  await thanked(page);
  assert.equal((await sums(`${reference}-2`)).authorized, 2 * TOTAL);
  await leave();
});

test('the sum changes in the checkout: the open session gets the new one', async () => {
  const { page, payment, reference, leave } = await shop.buyer();
  const session = await payment.session();
  await shop.add(page);
  await shop.pay(page);
  await payment.fill(APPROVED);
  assert.equal(await payment.session(), session);
  await payment.press(payForTwo(payment));
  await thanked(page);
  assert.equal((await sums(reference)).authorized, 2 * TOTAL);
  await leave();
});

test('a payment that the staff cancels before it is made can not be made', async () => {
  const { page, payment, reference, leave } = await shop.buyer();
  const staff = await shop.staff(reference);
  await staff.page.getByRole('button', { name: 'Cancel the order' }).click();
  await staff.page.getByText('its money goes back').waitFor();
  await staff.leave();
  await payment.payWith(APPROVED);
  await page.getByText('You have not paid.').waitFor();
  assert.equal((await shop.books(reference)).orders, 0);
  assert.equal((await sums(reference)).authorized, 0);
  await leave();
});

test('the shop dies while the buyer pays, and makes the order when it is back', async () => {
  stage.relaying = 'lose';
  const { payment, reference, leave } = await shop.buyer();
  await payment.fill(APPROVED);
  await shop.kill();
  await payment.press();
  await payment.ends('Payment complete').catch(() => {});
  await leave();
  await shop.start();
  assert.equal((await shop.becomes(reference, 'the order is placed')).orders, 1);
  stage.relaying = 'deliver';
});

test('a customer with an account saves a card and pays with it; a guest with the same address sees none', async () => {
  const login = 'ada@example.com';
  const first = await shop.buyer({ login });
  await first.payment.fill(APPROVED);
  await first.payment.frame.getByRole('checkbox').check();
  await first.payment.press();
  await thanked(first.page);
  await first.leave();

  const again = await shop.buyer({ login });
  await again.payment.frame.getByRole('radio', { name: /0003/ }).waitFor();
  await again.payment.code.fill(APPROVED.code);
  await again.payment.press();
  await thanked(again.page);
  await again.leave();

  const guest = await shop.buyer();
  assert.equal(await guest.payment.frame.getByRole('radio').count(), 0);
  await guest.leave();
});

test('at the end both books agree', async () => {
  assert.equal((await shop.manage('payframe_differences')).at(-1), '0 differences');
  assert.deepEqual(JSON.parse(await stage.command('reconcile', '--json')), []);
});
