/** The page that waits while an issuer asks the buyer apart from the browser: a decoupled authentication. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { IN_APP } from './cards.mjs';
import { Stage } from './stage.mjs';
import { violations } from './wcag.mjs';

/** The page in the issuer's place. @param {import('./checkout.mjs').Payment} payment */
const pageIn = (payment) => {
  const page = payment.frame.getByTitle('Page of your bank').contentFrame();
  return { heading: page.getByRole('heading'), text: page.getByRole('main'), status: page.getByRole('status') };
};

/**
 * Holds what the page asks the gateway, so that it can be looked at.
 * @param {import('playwright-core').Page} page
 * @returns {Promise<() => void>} lets the questions go
 */
const holdQuestions = async (page) => {
  let release = () => {};
  const released = new Promise((/** @type {(value: undefined) => void} */ resolve) => (release = () => resolve(undefined)));
  await page.route(/\/threeds\/waiting\//, async (route) => {
    if (route.request().resourceType() === 'fetch') await released;
    await route.fallback();
  });
  return release;
};

suite('decoupled', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('decoupled');
  });
  after(() => stage.close());

  test('L21 Issuer asks in its app → the page says so, and the form goes on by itself', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    const page = pageIn(payment);
    const release = await holdQuestions(checkout.page);
    await payment.payWith(IN_APP);
    await page.status.filter({ hasText: 'Checking with your bank…' }).waitFor();
    assert.equal(await page.heading.textContent(), 'Your bank wants to confirm that it is you');
    const text = await page.text.innerText();
    assert.match(text, /Confirm this payment with your bank, for example in its app\. This page goes on by itself\./);
    assert.match(text, /Sandbox bank: our app confirms this payment by itself/);
    assert.deepEqual(await violations(checkout.page, stage.gatewayOrigin), []);
    release();
    await payment.ends('Payment complete');
    await payment.recorded('AUTHORIZATION EXECUTED');
    const [operation] = await stage.api.operations(await payment.orderId());
    assert.equal(operation?.additionalData?.threeDS, 'FULL_SECURE');
    assert.equal(checkout.requestsTo('build/finalize_payment').length, 1);
  });

  test('L22 Buyer leaves while the issuer asks → nothing is charged, and the card can be changed', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    const release = await holdQuestions(checkout.page);
    await payment.payWith(IN_APP);
    await pageIn(payment).status.waitFor();
    await payment.frame.getByRole('button', { name: 'Back to the card' }).click();
    await payment.frame.getByLabel('Card number').waitFor();
    await payment.recorded('AUTHORIZATION THREEDS_FAILED');
    release();
  });
});
