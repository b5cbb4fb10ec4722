/** A session that ends before the buyer pays: readable, and without a charge. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { APPROVED } from './cards.mjs';
import { says } from './checkout.mjs';
import { Stage } from './stage.mjs';

// A frame that did not load can not say why, so the shim asks whether the gateway answers at all.
// The part that counts the session's time is not loaded, so that the press finds the end; `session.test.mjs` has the other cases.
const OVER = /400 \(Bad Request\)|410 \(Gone\)|404 \(Not Found\) \(\S+\/form\/\)|PayframeError|frame_blocked|holds no form/;

/** The part of the widget that counts the time, and takes presses as well. */
const LATE_PART = '**/assets/payment.*';

suite('session end', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('session-end', { gateway: { PAYFRAME_IDLE_SECONDS: '6' } });
  });
  after(() => stage.close());

  /** Asks the gateway until the session is over; queries of the merchant's server do not prolong it. @param {string} session */
  const over = async (session) => {
    while ((await stage.api.standing(session)) !== 'PS0061') await pause(100);
  };

  test('paying after the end says so, and charges nothing', async (t) => {
    const late = held();
    const checkout = await stage.checkout(t, {}, { noise: OVER, prepare: late.hold });
    const payment = checkout.payment();
    await payment.fill(APPROVED);
    await over(await payment.session());
    await payment.press();
    late.release();
    await payment.ends('This payment has timed out');
    await says(payment.frame.getByText('Nothing was charged. Go back to the shop and start again.'), '');
    await says(payment.status, /\S/);
    assert.equal(await payment.pay.count(), 0, 'there is nothing to press any more');
    await payment.recorded();
  });

  test('cancelling after the end says so', async (t) => {
    const late = held();
    const checkout = await stage.checkout(t, {}, { noise: OVER, prepare: late.hold });
    const payment = checkout.payment();
    await payment.live();
    await over(await payment.session());
    await payment.cancel.click();
    late.release();
    await payment.ends('This payment has timed out');
    await payment.recorded();
  });

  test('a form that is loaded after the end is refused, and the page says so', async (t) => {
    const checkout = await stage.checkout(t, {}, { noise: OVER, prepare: held().hold });
    const payment = checkout.payment();
    await payment.live();
    await over(await payment.session());
    await checkout.page.locator('payment-form').evaluate((form) => /** @type {any} */ (form).reload());
    await says(payment.status, '(frame_blocked)');
    await payment.region.getByRole('alert').filter({ hasText: 'could not start' }).waitFor();
    await payment.recorded();
  });
});

/** Keeps the late part away until it is released. */
function held() {
  let release = () => {};
  const released = new Promise((resolve) => (release = () => resolve(undefined)));
  /** @param {import('playwright-core').Page} page */
  const hold = (page) =>
    page.route(LATE_PART, async (route) => {
      await released;
      await route.continue();
    });
  return { hold, release };
}
