// @ts-check
/** Vendure with a terminal that captures at once: the order is settled when it is paid. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { APPROVED } from '../../../../tests/e2e/cards.mjs';
import { openPostgres } from '../../../../tests/plugins/postgres.mjs';
import { ShopStage, TERMINALS } from '../../../../tests/plugins/stage.mjs';
import { STOREFRONT, TOTAL, VendureShop } from '../vendure-shop.mjs';

test('an order is settled when it is paid, and money goes back', async (t) => {
  const stage = await ShopStage.open('vendure-captured', TERMINALS.captured, STOREFRONT);
  const database = await openPostgres(`${stage.folder}/database.log`);
  const shop = new VendureShop(process.env.VENDURE_FOLDER ?? '', database.url, stage);
  t.after(async () => {
    await shop.stop();
    await database.stop();
    await stage.close();
  });
  await shop.start();
  await shop.furnish();
  const { token, code } = await shop.buyer();
  const { payment, leave } = await stage.visit({ token }, { pay: 'Pay €40.45' });
  await payment.payWith(APPROVED);
  await payment.status.getByText('PAID', { exact: true }).waitFor();
  await leave();
  const { payments: [settled] } = await shop.becomes(code, 'PaymentSettled');
  assert.deepEqual([settled?.state, settled?.amount], ['Settled', TOTAL]);
  const { refundOrder } = await shop.admin('mutation($input: RefundOrderInput!) { refundOrder(input: $input) { ... on Refund { state total } ... on ErrorResult { message } } }', {
    input: { paymentId: settled?.id, amount: TOTAL, reason: 'returned', shipping: 0, adjustment: 0 },
  });
  assert.deepEqual(refundOrder, { state: 'Settled', total: TOTAL });
  const { body } = await stage.api.call(`orders/${code}`);
  assert.equal(Number(body.orderStatus.refundedAmount), TOTAL);
});
