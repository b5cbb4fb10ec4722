/** Methods other than cards: a button in a frame, a page of the method, and the way back to the shop. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { Stage } from './stage.mjs';

suite('methods', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('methods');
  });
  after(() => stage.close());

  for (const { press, heading, recorded } of [
    { press: 'apm-approve', heading: 'Paid', recorded: ['EXECUTED'] },
    { press: 'apm-refuse', heading: 'Not paid', recorded: ['DECLINED'] },
    { press: 'apm-cancel', heading: 'Cancelled', recorded: ['CANCELED'] },
  ]) {
    test(`the buyer goes to the method's page and comes back: ${press}`, async (t) => {
      const { page } = await stage.checkout(t, {}, { path: '/build3' });
      const order = await page.locator('[data-order]').getAttribute('data-order');
      await page.getByTitle('Pay by IDEAL').contentFrame().getByRole('button', { name: 'Pay with iDEAL' }).click();
      await page.waitForURL(`${stage.gatewayOrigin}/methods/pay/**`);
      await page.getByTestId(press).click();
      await page.waitForURL((url) => url.origin === stage.shopOrigin && url.searchParams.get('order') === order);
      await page.getByRole('heading', { name: heading, exact: true }).waitFor();
      const operations = await stage.api.operations(order ?? '');
      assert.deepEqual(operations.map(({ operationResult }) => operationResult), recorded);
      assert.ok(operations.every((operation) => operation.paymentCircuit === 'IDEAL'));
    });
  }
});
