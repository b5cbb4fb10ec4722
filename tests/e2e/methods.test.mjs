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

  test('a press before the script of the shop runs is not lost', async (t) => {
    /** @type {() => void} */
    let release = () => {};
    const pressed = new Promise((resolve) => (release = () => resolve(undefined)));
    const { page } = await stage.checkout(t, {}, {
      path: '/build3',
      prepare: (page) => page.route('**/build3.js', async (route) => (await pressed, await route.continue())),
    });
    const button = page.getByTitle('Pay by IDEAL').contentFrame().getByRole('button', { name: 'Pay with iDEAL' });
    const answered = page.waitForResponse((response) => response.url().includes('/fe/build/action/'));
    await button.click();
    await (await answered).finished();
    release();
    await page.waitForURL(`${stage.gatewayOrigin}/methods/pay/**`);
  });

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
