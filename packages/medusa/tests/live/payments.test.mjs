// @ts-check
/** Medusa with a terminal that holds money: what buyers and staff do, what gets lost, and what happens twice. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { APPROVED, NO_FUNDS } from '../../../../tests/e2e/cards.mjs';
import { openPostgres } from '../../../../tests/plugins/postgres.mjs';
import { ShopStage, TERMINALS } from '../../../../tests/plugins/stage.mjs';
import { MedusaShop, STOREFRONT, TOTAL } from '../medusa-shop.mjs';

/** @type {ShopStage} */
let stage;
/** @type {MedusaShop} */
let shop;
/** @type {Awaited<ReturnType<typeof openPostgres>>} */
let database;

before(async () => {
  stage = await ShopStage.open('medusa', TERMINALS.held, STOREFRONT);
  stage.path = '/hooks/payment/payframe_payframe';
  database = await openPostgres(`${stage.folder}/database.log`);
  shop = new MedusaShop(process.env.MEDUSA_FOLDER ?? '', database.url, stage);
  await shop.create();
  await shop.start();
  await shop.furnish();
});

after(async () => {
  await shop?.stop();
  await database?.stop();
  await stage?.close();
});

/** @param {{ cart: string, collection: string, token?: string }} buyer @param {string} [pay] */
async function visit(buyer, pay = 'Pay €40.45') {
  const visited = await stage.visit({ ...buyer, key: shop.key }, { pay });
  await visited.payment.live();
  return { ...visited, reference: (await visited.payment.region.getAttribute('data-reference')) ?? '' };
}

/** Pays a cart as a buyer does. */
async function paid() {
  const buyer = await shop.buyer();
  const { payment, leave, reference } = await visit(buyer);
  await payment.payWith(APPROVED);
  await payment.status.getByText('PAID', { exact: true }).waitFor();
  await leave();
  const order = await shop.orderOf(buyer.cart);
  return { ...buyer, reference, order, payment: order.payment_collections[0].payments[0] };
}

/** The sums of an order at the gateway. @param {string} reference */
async function sums(reference) {
  const { status, body } = await stage.api.call(`orders/${reference}`);
  assert.equal(status, 200, JSON.stringify(body));
  const { authorizedAmount, capturedAmount, refundedAmount } = body.orderStatus;
  return { authorized: Number(authorizedAmount), captured: Number(capturedAmount), refunded: Number(refundedAmount) };
}

test('a cart is paid, captured by the staff in two parts, and given back in two', async () => {
  const { reference, order, payment } = await paid();
  assert.deepEqual([order.payment_status, payment.amount], ['authorized', 40.45]);
  assert.deepEqual(await sums(reference), { authorized: TOTAL, captured: 0, refunded: 0 });
  await shop.admin('POST', `payments/${payment.id}/capture`, { amount: 30 });
  assert.deepEqual(await sums(reference), { authorized: TOTAL, captured: 3000, refunded: 0 });
  await shop.admin('POST', `payments/${payment.id}/capture`, { amount: 10.45 });
  assert.deepEqual(await sums(reference), { authorized: TOTAL, captured: TOTAL, refunded: 0 });
  for (const amount of [20, 20.45]) await shop.admin('POST', `payments/${payment.id}/refund`, { amount });
  assert.deepEqual(await sums(reference), { authorized: TOTAL, captured: TOTAL, refunded: TOTAL });
});

test('the staff cancels an order, and the held money is released', async () => {
  const { reference, order } = await paid();
  await shop.admin('POST', `orders/${order.id}/cancel`, {});
  assert.deepEqual(await sums(reference), { authorized: 0, captured: 0, refunded: 0 });
});

test('a refusal can be tried again in the same form, and is no order', async () => {
  const buyer = await shop.buyer();
  const { payment, leave } = await visit(buyer);
  await payment.payWith(NO_FUNDS);
  await payment.alert.waitFor();
  assert.equal(await shop.orderOf(buyer.cart), undefined);
  await payment.fill(APPROVED);
  await payment.press();
  await payment.status.getByText('PAID', { exact: true }).waitFor();
  await leave();
});

test('a notification alone is enough, and a lost one is not missed', async () => {
  for (const relaying of /** @type {const} */ (['deliver', 'lose'])) {
    stage.relaying = relaying;
    const buyer = await shop.buyer();
    const { page, payment, leave } = await visit(buyer);
    await payment.fill(APPROVED);
    const placed = shop.placed();
    // The page can not tell the shop.
    await page.route('**/store/**', (route) => route.abort());
    await payment.press();
    await placed;
    assert.equal((await shop.orderOf(buyer.cart)).payment_status, 'authorized');
    await leave();
  }
  stage.relaying = 'deliver';
});

test('a notification that comes twice at once, and again later, makes one order', async () => {
  stage.relaying = 'double';
  const { cart, reference } = await paid();
  stage.relaying = 'deliver';
  const held = stage.notifications.filter(({ body }) => body.includes(reference));
  assert.ok(held[0]);
  assert.equal(await stage.handOver(held[0]), 200);
  assert.equal((await shop.orders()).filter((order) => order.cart?.id === cart).length, 1);
  assert.deepEqual(await sums(reference), { authorized: TOTAL, captured: 0, refunded: 0 });
});

test('what is paid for a cart that has changed goes back, and the cart is paid once', async () => {
  const buyer = await shop.buyer();
  const first = await visit(buyer);
  await first.payment.fill(APPROVED);
  // Medusa removes the payment session of the former sum, and its form is closed at the gateway.
  await shop.addOne(buyer.cart);
  await first.payment.press();
  await first.payment.frame.getByRole('heading').waitFor();
  await first.leave();
  const second = await visit(buyer, 'Pay €75.90');
  await second.payment.payWith(APPROVED);
  await second.payment.status.getByText('PAID', { exact: true }).waitFor();
  await second.leave();
  const { authorized, refunded } = await sums(first.reference);
  assert.equal(authorized - refunded, 0);
  assert.deepEqual(await sums(second.reference), { authorized: 7590, captured: 0, refunded: 0 });
});

test('two tabs: the second one has the form, and the cart is paid once', async () => {
  const buyer = await shop.buyer();
  const first = await visit(buyer);
  await first.payment.fill(APPROVED);
  const second = await visit(buyer);
  await first.payment.press();
  await first.payment.frame.getByRole('heading').waitFor();
  await second.payment.payWith(APPROVED);
  await second.payment.status.getByText('PAID', { exact: true }).waitFor();
  const { authorized, refunded } = await sums(first.reference);
  assert.equal(authorized - refunded, 0);
  assert.deepEqual(await sums(second.reference), { authorized: TOTAL, captured: 0, refunded: 0 });
  assert.equal((await shop.orders()).filter((order) => order.cart?.id === buyer.cart).length, 1);
  await first.leave();
  await second.leave();
});

test('the shop dies while the buyer pays, and makes the order when it is back', async () => {
  stage.relaying = 'lose';
  const buyer = await shop.buyer();
  const { payment, leave } = await visit(buyer);
  await payment.fill(APPROVED);
  await shop.kill();
  await payment.press();
  await payment.ends('Payment complete');
  await leave();
  await shop.start();
  // It is placed as soon as the shop is up, so that lines before count.
  await shop.placed(0);
  stage.relaying = 'deliver';
  assert.equal((await shop.orderOf(buyer.cart)).payment_status, 'authorized');
});

test('a cart that nobody has paid can not be completed', async () => {
  const buyer = await shop.buyer();
  const { leave } = await visit(buyer);
  await assert.rejects(shop.store('POST', `carts/${buyer.cart}/complete`, {}), /was not authorized/);
  assert.equal(await shop.orderOf(buyer.cart), undefined);
  await leave();
});

test('a customer with an account saves a card and pays with it; a guest with the same address sees none', async () => {
  const token = await shop.register('ada@example.com');
  const first = await visit({ ...(await shop.buyer(token)), token });
  await first.payment.fill(APPROVED);
  await first.payment.frame.getByRole('checkbox').check();
  await first.payment.press();
  await first.payment.status.getByText('PAID', { exact: true }).waitFor();
  await first.leave();

  const again = await visit({ ...(await shop.buyer(token)), token });
  await again.payment.frame.getByRole('radio', { name: /0003/ }).waitFor();
  await again.payment.code.fill(APPROVED.code);
  await again.payment.press();
  await again.payment.status.getByText('PAID', { exact: true }).waitFor();
  await again.leave();

  const guest = await visit(await shop.buyer());
  assert.equal(await guest.payment.frame.getByRole('radio').count(), 0);
  await guest.leave();
});
