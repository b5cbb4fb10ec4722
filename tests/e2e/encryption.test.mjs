/** The card is encrypted before it leaves the frame; if that is not possible, nothing is sent and nothing is charged. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { APPROVED } from './cards.mjs';
import { holds, says } from './checkout.mjs';
import { Fields } from './fields.mjs';
import { Stage } from './stage.mjs';

/** The script that encrypts the card, at its first address. */
const SCRIPT = /\/assets\/browser\.[0-9a-f]+\.js$/;
/** The same script at any address. */
const ANY_SCRIPT = /\/assets\/browser\.[0-9a-f]+\.js/;
const NOISE = /Failed to load resource: net::ERR_FAILED/;
const PATIENT = { timeout: 60_000 };

suite('encryption', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('encryption', { gateway: { PAYFRAME_REQUIRE_ENCRYPTED_CARDS: '1' } });
  });
  after(() => stage.close());

  test('a gateway that takes encrypted cards only is paid by the form', async (t) => {
    const payment = (await stage.checkout(t)).payment();
    await payment.payWith(APPROVED);
    await payment.ends('Payment complete');
    await payment.recorded('AUTHORIZATION EXECUTED');
  });

  test('a gateway that takes encrypted cards only is paid by fields in frames of their own', async (t) => {
    const fields = new Fields(await stage.checkout(t, {}, { path: '/fields' }));
    await fields.fill(APPROVED);
    await fields.press();
    await says(fields.status, 'Paid. ');
  });

  test('the script that encrypts does not come → nothing is sent, buyer and page are told, and the next press asks for it anew', async (t) => {
    const checkout = await stage.checkout(t, {}, { noise: NOISE, prepare: (page) => page.route(ANY_SCRIPT, (route) => route.abort()) });
    const payment = checkout.payment();
    await payment.fill(APPROVED);
    await payment.region.locator('payment-form').evaluate((form) => {
      /** @type {any} */ (form).codes = [];
      form.addEventListener('error', (event) => /** @type {any} */ (form).codes.push(/** @type {any} */ (event).detail.code));
    });
    await payment.press();
    await payment.frame.getByText('There is no connection. Nothing was charged').first().waitFor(PATIENT);
    await holds(payment.number, APPROVED.shown);
    await holds(payment.code, APPROVED.code);
    assert.equal(checkout.requestsTo('fe/build/text').length, 0, 'nothing was sent in clear');
    const codes = await payment.region.locator('payment-form').evaluate((form) => /** @type {any} */ (form).codes);
    assert.deepEqual([...new Set(codes)], ['encryption_unavailable']);
    await checkout.page.unroute(ANY_SCRIPT);
    // Browsers may cache a failed load, so the next try has another address.
    await checkout.page.route(SCRIPT, (route) => route.abort());
    await payment.press();
    await payment.ends('Payment complete');
    assert.equal(checkout.requestsTo('fe/build/text').length, 1);
    await payment.recorded('AUTHORIZATION EXECUTED');
  });
});
