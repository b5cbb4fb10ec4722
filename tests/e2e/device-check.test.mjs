/** The device check that stays silent: the payment goes on without it, and the gateway is told so. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { APPROVED, DEVICE_CHECK_FAILS } from './cards.mjs';
import { hold, says } from './checkout.mjs';
import { Stage } from './stage.mjs';

suite('device check', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('device-check');
  });
  after(() => stage.close());

  test('L2 device check stays silent for 10 seconds → the flow goes on with the check marked as not done', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.payWith(DEVICE_CHECK_FAILS);
    await checkout.page.waitForRequest((request) => request.url().endsWith('/api/fe/build/skip_gdi'), { timeout: 60_000 });
    await payment.ends('Payment complete');
    await says(payment.status, 'Paid. ');
    const [operation] = await payment.recorded('AUTHORIZATION EXECUTED');
    assert.equal(operation.additionalData.deviceCheck, 'NOT_DONE');
    assert.equal(operation.additionalData.threeDS, 'NOT_SECURE');
    assert.equal(checkout.requestsTo('build/finalize_payment').length, 1);
  });

  test('L1 device check runs → invisible, unreachable by Tab or reader, with no layout shift', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.fill(APPROVED);
    const places = () => Promise.all([payment.number, payment.expiry, payment.code, payment.name].map((field) => field.boundingBox()));
    const before = await places();
    // While the question whether it is done has no answer, it runs.
    const asking = await hold(checkout.page, '**/api/fe/build/check_gdi_result*');
    await payment.press();
    const question = await asking.arrived;
    const form = await payment.document();
    const check = await form.evaluate(() => {
      const frame = document.querySelector('iframe');
      const style = frame && getComputedStyle(frame);
      return frame && { tab: frame.tabIndex, named: !!frame.title, hidden: !!frame.closest('[aria-hidden=true]'), seen: style?.visibility, place: getComputedStyle(/** @type {Element} */ (frame.parentElement)).position };
    });
    assert.deepEqual(check, { tab: -1, named: false, hidden: true, seen: 'hidden', place: 'absolute' });
    assert.deepEqual(await places(), before, 'nothing moved');
    await question.continue();
    await payment.ends('Payment complete');
    const [operation] = await payment.recorded('AUTHORIZATION EXECUTED');
    assert.equal(operation.additionalData.deviceCheck, undefined);
  });
});
