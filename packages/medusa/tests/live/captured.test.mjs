// @ts-check
/** Medusa with a terminal that captures at once: the payment is captured when the order is made. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { APPROVED } from '../../../../tests/e2e/cards.mjs';
import { openPostgres } from '../../../../tests/plugins/postgres.mjs';
import { ShopStage, TERMINALS } from '../../../../tests/plugins/stage.mjs';
import { MedusaShop, STOREFRONT, TOTAL } from '../medusa-shop.mjs';

test('a payment is captured when the order is made, and money goes back', async (t) => {
  const stage = await ShopStage.open('medusa-captured', TERMINALS.captured, STOREFRONT);
  stage.path = '/hooks/payment/payframe_payframe';
  const database = await openPostgres(`${stage.folder}/database.log`);
  const shop = new MedusaShop(process.env.MEDUSA_FOLDER ?? '', database.url, stage);
  t.after(async () => {
    await shop.stop();
    await database.stop();
    await stage.close();
  });
  await shop.create();
  await shop.start();
  await shop.furnish();
  const buyer = await shop.buyer();
  const { payment, leave } = await stage.visit({ ...buyer, key: shop.key }, { pay: 'Pay €40.45' });
  await payment.payWith(APPROVED);
  await payment.status.getByText('PAID', { exact: true }).waitFor();
  const reference = await payment.region.getAttribute('data-reference');
  await leave();
  const order = await shop.orderOf(buyer.cart);
  assert.equal(order.payment_status, 'captured');
  const [captured] = order.payment_collections[0].payments;
  await shop.admin('POST', `payments/${captured.id}/refund`, { amount: 40.45 });
  const { body } = await stage.api.call(`orders/${reference}`);
  assert.deepEqual([Number(body.orderStatus.capturedAmount), Number(body.orderStatus.refundedAmount)], [TOTAL, TOTAL]);
});
