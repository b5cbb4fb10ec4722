/** Pages that take the focus in the middle of a card number, and buyers who leave it themselves. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { APPROVED } from './cards.mjs';
import { hasFocus, holds, says } from './checkout.mjs';
import { Fields } from './fields.mjs';
import { Stage } from './stage.mjs';

const WARNING = 'Something on the page moved the cursor while you were typing. Enter your card details in this form only.';

suite('focus taken', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('focus-taken');
  });
  after(() => stage.close());

  /** Puts an input of the page's own into it. @param {import('playwright-core').Page} page */
  async function trap(page) {
    const own = page.locator('#trap');
    await page.evaluate(() => document.body.prepend(Object.assign(document.createElement('input'), { id: 'trap' })));
    return { own, take: () => own.evaluate((input) => input.focus()) };
  }

  /** What the shop hears next. @param {import('playwright-core').Locator} form */
  const nextError = (form) =>
    form.evaluateHandle((form) => ({ error: new Promise((resolve) => form.addEventListener('error', (event) => resolve(/** @type {CustomEvent} */ (event).detail), { once: true })) }));

  /** Waits until the guards are at work: their script has run. @param {import('playwright-core').Frame} frame the driver of the fields */
  const guarded = async (frame) => {
    const script = () => performance.getEntriesByType('resource').find(({ name }) => /\/browser[^/]*\.js$/.test(name))?.name;
    const name = await (await frame.waitForFunction(script)).jsonValue();
    await frame.evaluate((name) => import(String(name)), name);
  };

  /** @param {import('playwright-core').Page} page */
  const counted = (page) => page.waitForRequest((request) => request.url().endsWith('/reports') && String(request.postData()).includes('focus-taken'));

  test('N24 a script that takes the focus in the middle of a number gets none of it; buyer and shop are told, and the payment goes on', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.live();
    await payment.settled();
    await guarded(await payment.document());
    const { page } = checkout;
    const { own, take } = await trap(page);
    const told = await nextError(payment.region.locator('payment-form'));
    const report = counted(page);
    await payment.number.click();
    await page.keyboard.type(APPROVED.number.slice(0, 4));
    await take();
    await hasFocus(payment.number);
    await page.keyboard.type(APPROVED.number.slice(4));
    await holds(payment.number, APPROVED.shown);
    assert.equal(await own.inputValue(), '');
    const { code, message, fatal } = /** @type {any} */ (await told.evaluate(({ error }) => error));
    assert.deepEqual([code, message, fatal], ['focus_taken', 'The page took the focus from a field.', false]);
    await payment.document().then((frame) => frame.getByText(WARNING).first().waitFor());
    // No session, no digit.
    assert.deepEqual(JSON.parse((await report).postData() ?? ''), [{ type: 'focus-taken', body: { documentURL: `${stage.gatewayOrigin}/form/` } }]);
    await payment.fill(APPROVED);
    await payment.pay.click();
    await payment.ends('Payment complete');
  });

  test('N24 the same where each field has a frame of its own', async (t) => {
    const fields = new Fields(await stage.checkout(t, {}, { path: '/fields' }));
    await fields.live();
    await guarded(fields.checkout.document('/form/'));
    const { own, take } = await trap(fields.page);
    const told = await nextError(fields.form);
    await fields.number.click();
    await fields.page.keyboard.type(APPROVED.number.slice(0, 8));
    await take();
    assert.equal(/** @type {any} */ (await told.evaluate(({ error }) => error)).code, 'focus_taken');
    await hasFocus(fields.number);
    await fields.page.keyboard.type(APPROVED.number.slice(8));
    await holds(fields.number, APPROVED.shown);
    assert.equal(await own.inputValue(), '');
    await fields.fill(APPROVED);
    await fields.press();
    await says(fields.status, 'Paid. ');
  });

  test('N24 a buyer who leaves a half-typed number by Tab, or is done with it, is let go', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.live();
    await payment.settled();
    await guarded(await payment.document());
    const { own, take } = await trap(checkout.page);
    await payment.number.click();
    await checkout.page.keyboard.type(APPROVED.number.slice(0, 4));
    await checkout.page.keyboard.press('Tab');
    await hasFocus(payment.expiry);
    await payment.number.click();
    await checkout.page.keyboard.type(APPROVED.number.slice(4));
    await take();
    await checkout.page.keyboard.type('x');
    assert.equal(await own.inputValue(), 'x');
  });
});
