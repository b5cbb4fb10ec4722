// @ts-check
/** django-oscar with a terminal that captures at once: the payment is captured when the order is placed. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { APPROVED } from '../../../../tests/e2e/cards.mjs';
import { ShopStage, TERMINALS } from '../../../../tests/plugins/stage.mjs';
import { OscarShop, TOTAL } from '../oscar-shop.mjs';

test('a payment is captured when the order is placed, and a cancelled order is given back', async (t) => {
  const stage = await ShopStage.open('django-oscar-captured', TERMINALS.captured);
  stage.path = '/payframe/notifications/';
  const shop = new OscarShop(process.env.OSCAR_PYTHON ?? '', stage);
  t.after(async () => {
    await shop.stop();
    await stage.close();
  });
  await shop.create();
  await shop.start();
  const { page, payment, reference, leave } = await shop.buyer();
  await payment.payWith(APPROVED);
  await page.getByText('Your order has been placed').waitFor();
  await leave();
  assert.deepEqual((await shop.books(reference)).sums, ['35.45', '35.45', '0.00']);
  const staff = await shop.staff(reference);
  await staff.page.getByRole('button', { name: 'Cancel the order' }).click();
  await staff.page.getByText('its money goes back').waitFor();
  await staff.leave();
  const { body } = await stage.api.call(`orders/${reference}`);
  assert.deepEqual([Number(body.orderStatus.capturedAmount), Number(body.orderStatus.refundedAmount)], [TOTAL, TOTAL]);
  assert.equal((await shop.manage('payframe_differences')).at(-1), '0 differences');
});
