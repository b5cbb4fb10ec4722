/** Pictures of what takes a gateway: the page of the sandbox's bank, and a press on a button that was just scrolled into view. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { APPROVED, CHALLENGED } from '../e2e/cards.mjs';
import { hold, recordEvents, says } from '../e2e/checkout.mjs';
import { servePages } from '../e2e/page-server.mjs';
import { Stage } from '../e2e/stage.mjs';
import { FLAGS } from '../chromium.mjs';
import { looksAsItDid } from './pictures.mjs';
import { DRAWING, PHONE, fontEnvironment } from './stage.mjs';

/** @type {import('playwright-core').BrowserContextOptions} */
const CONTEXT = { viewport: PHONE, reducedMotion: 'reduce', colorScheme: 'light' };

suite('pictures of payments', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    // The browser inherits it.
    Object.assign(process.env, fontEnvironment('payments'));
    stage = await Stage.open('gallery-payments', {}, [...FLAGS, ...DRAWING]);
  });
  after(() => stage.close());

  test("the sandbox's bank speaks the buyer's language, from right to left in Arabic", async (t) => {
    const checkout = await stage.checkout(t, { locale: 'ar' }, { context: CONTEXT });
    const payment = checkout.payment({ locale: 'ar' });
    await payment.payWith(CHALLENGED);
    await payment.issuer.code.waitFor();
    const page = payment.issuer.element.contentFrame();
    await says(page.getByRole('heading'), 'تأكيد الدفع');
    assert.equal(await page.locator('html[lang="ar"][dir="rtl"]').count(), 1);
    // The policy of the shop's page forbids to read pictures there.
    await looksAsItDid(await checkout.page.context().newPage(), 'phone-light-bank-ar', await payment.issuer.element.screenshot({ animations: 'disabled', caret: 'hide' }));
    await payment.issuer.answer('123456');
  });

  test('a press on a button that was just scrolled into view on a phone is at work, and nothing says that the button is covered', async (t) => {
    let session = '';
    const shop = await servePages(t, () => `<meta name="viewport" content="width=device-width"><script type="module" src="${stage.gatewayOrigin}/sdk/payframe.js"></script><body style="margin:0;height:2400px">
      <section aria-label="Payment" style="position:absolute;left:0;top:900px;width:360px"><payment-form gateway="${stage.gatewayOrigin}" session="${session}"></payment-form></section>`);
    ({ sessionId: session } = await stage.api.open({ shop, form: { closing: 'FRAME' } }));
    const checkout = await stage.checkout(t, {}, { context: CONTEXT });
    const { page } = checkout;
    await page.goto(shop);
    const payment = checkout.payment();
    await payment.fill({ ...APPROVED, expiry: '12 / 34' });
    await payment.settled();
    await page.evaluate(() => scrollTo(0, 0));
    const refusals = await recordEvents(payment, 'error', 'message');
    const card = await hold(page, '**/api/fe/build/text');
    await payment.pay.click();
    const request = await card.arrived;
    await says(payment.frame.getByRole('status'), 'Sending securely…');
    await looksAsItDid(page, 'phone-light-scrolled', await payment.region.screenshot({ animations: 'disabled', caret: 'hide' }));
    assert.deepEqual(await refusals(), []);
    await request.continue();
    await payment.ends('Payment complete');
  });
});
