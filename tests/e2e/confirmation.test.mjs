/** The confirmation by the buyer's device that an issuer asks for before its page, in a browser with a virtual device. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { BROWSER, CONFIRMING } from '../chromium.mjs';
import { CONFIRMED } from './cards.mjs';
import { ENROLLING, enrol, pageIn, plugIn } from './device.mjs';
import { servePages } from './page-server.mjs';
import { Stage } from './stage.mjs';
import { violations } from './wcag.mjs';

suite('confirmation', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('confirmation', {}, CONFIRMING, BROWSER);
  });
  after(() => stage.close());

  /**
   * A payment with the card whose issuer asks the buyer's device, which is enrolled.
   * @param {import('node:test').TestContext} t
   * @param {import('./stage.mjs').Opening} [opening]
   */
  const enrolled = async (t, opening = {}) => {
    /** @type {Awaited<ReturnType<typeof plugIn>> | undefined} */
    let device;
    const checkout = await stage.checkout(t, {}, {
      noise: ENROLLING,
      ...opening,
      prepare: async (page) => {
        device = await plugIn(page);
        await enrol(page, `${stage.gatewayOrigin}/threeds/enrolment`);
        assert.deepEqual(await violations(page, stage.gatewayOrigin), []);
        await opening.prepare?.(page);
      },
    });
    assert.ok(device, 'the device is there');
    const payment = checkout.payment();
    return { checkout, payment, device, page: pageIn(payment) };
  };

  test('L18 Issuer asks the device → the buyer confirms with it in place of the issuer\'s page, and is charged once', async (t) => {
    const { checkout, payment, device, page } = await enrolled(t);
    await device.answer('autoAccept');
    await payment.payWith(CONFIRMED);
    await page.device.waitFor();
    assert.equal(await page.heading.textContent(), 'Your bank wants to confirm that it is you');
    assert.deepEqual(await violations(checkout.page, stage.gatewayOrigin), []);
    await page.device.click();
    await payment.ends('Payment complete');
    await payment.recorded('AUTHORIZATION EXECUTED');
    const [operation] = await stage.api.operations(await payment.orderId());
    assert.equal(operation?.additionalData?.threeDS, 'FULL_SECURE');
  });

  test('L19 Buyer stops the confirmation → may try again, or goes to the issuer\'s page in the same attempt', async (t) => {
    const { checkout, payment, device, page } = await enrolled(t);
    await device.answer('autoReject');
    await payment.payWith(CONFIRMED);
    await page.device.click();
    await page.status.filter({ hasText: 'Nothing was confirmed.' }).waitFor();
    assert.ok(await page.device.isEnabled(), 'it can be tried again');
    await page.other.click();
    await payment.issuer.answer('123456');
    await payment.ends('Payment complete');
    await payment.recorded('AUTHORIZATION EXECUTED');
    assert.equal(checkout.requestsTo('build/finalize_payment').length, 1);
  });

  test('L19 Buyer reloads during the confirmation → it is asked for again', async (t) => {
    const { checkout, payment, device, page } = await enrolled(t);
    await device.answer('autoAccept');
    await payment.payWith(CONFIRMED);
    await page.device.waitFor();
    await checkout.page.locator('payment-form').evaluate((form) => /** @type {any} */ (form).reload());
    await payment.live();
    await page.device.click();
    await payment.ends('Payment complete');
    await payment.recorded('AUTHORIZATION EXECUTED');
  });

  test('L20 Browser or page cannot ask the device → the issuer\'s page comes at once', async (t) => {
    let session = '';
    const shop = await servePages(t, () => `<script type="module" src="${stage.gatewayOrigin}/sdk/payframe.js"></script>
      <section aria-label="Payment"><payment-form gateway="${stage.gatewayOrigin}" session="${session}"></payment-form></section>`, { 'permissions-policy': 'payment=()' });
    ({ sessionId: session } = await stage.api.open({ shop, form: { closing: 'FRAME' } }));
    const { checkout } = await enrolled(t, { noise: /pubKeyCredParams|payment/i });
    await checkout.page.goto(shop, { waitUntil: 'commit' });
    const payment = checkout.payment();
    await payment.payWith(CONFIRMED);
    await payment.issuer.answer('123456');
    await payment.ends('Payment complete');
  });

  test('L20 Browser forgets between device check and confirmation that it can → the issuer\'s page comes at once', async (t) => {
    const { payment, page } = await enrolled(t, {
      // The browser takes the feature away from this page alone. A frame's first page may share its window with the empty page before it, where
      // this runs once; so the path is looked at later.
      prepare: (page) =>
        page.addInitScript(() => {
          const { PaymentRequest } = window;
          const forgets = () => location.pathname.startsWith('/threeds/confirmation/');
          Object.defineProperty(window, 'PaymentRequest', { configurable: true, get: () => (forgets() ? undefined : PaymentRequest) });
        }),
    });
    await payment.payWith(CONFIRMED);
    await payment.issuer.answer('123456');
    assert.equal(await page.device.count(), 0);
    await payment.ends('Payment complete');
  });
});
