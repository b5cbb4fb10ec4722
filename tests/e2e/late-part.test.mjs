/** The late part of the widget: lost, changed on the way, and requested again. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { APPROVED } from './cards.mjs';
import { holds } from './checkout.mjs';
import { Stage } from './stage.mjs';

const PART = /\/assets\/payment\.[0-9a-f]+\.wasm/;
const NOISE = /Failed to load resource|SRI's integrity checks failed|Failed to find a valid digest in the 'integrity' attribute/;
const PATIENT = { timeout: 60_000 };

suite('late part', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('late-part');
  });
  after(() => stage.close());

  test('it comes by itself once the form is live, before anything is pressed', async (t) => {
    /** @type {string[]} */
    const asked = [];
    const checkout = await stage.checkout(t, {}, { prepare: async (page) => page.on('request', (request) => void asked.push(request.url())) });
    const payment = checkout.payment();
    await payment.fill(APPROVED);
    while (!asked.some((url) => PART.test(url))) await checkout.page.waitForRequest(PART).catch(() => {});
    await payment.press();
    await payment.ends('Payment complete');
    assert.equal(asked.filter((url) => PART.test(url)).length, 1, 'once');
  });

  for (const [title, answer] of /** @type {const} */ ([
    ['lost', (/** @type {import('playwright-core').Route} */ route) => route.abort()],
    ['tampered with', async (/** @type {import('playwright-core').Route} */ route) => {
      const response = await route.fetch();
      const body = await response.body();
      body.writeUInt8(body.readUInt8(body.length - 1) ^ 1, body.length - 1);
      await route.fulfill({ response, body });
    }],
  ])) {
    test(`a part that is ${title} → nothing is sent, buyer and page are told, and the next press asks for it anew`, async (t) => {
      const checkout = await stage.checkout(t, {}, { noise: NOISE, prepare: (page) => page.route(PART, answer) });
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
      assert.equal(checkout.requestsTo('fe/build/text').length, 0);
      const codes = await payment.region.locator('payment-form').evaluate((form) => /** @type {any} */ (form).codes);
      assert.deepEqual([...new Set(codes)], ['script_blocked']);
      await checkout.page.unroute(PART);
      await payment.press();
      await payment.ends('Payment complete');
      assert.equal(checkout.requestsTo('fe/build/text').length, 1);
      await payment.recorded('AUTHORIZATION EXECUTED');
    });
  }

  test("a part that is lost → the page's calls move the focus, and a confirm() is refused and does not pay once the part is there", async (t) => {
    const checkout = await stage.checkout(t, {}, { noise: NOISE, prepare: (page) => page.route(PART, (route) => route.abort()) });
    const payment = checkout.payment();
    await payment.fill(APPROVED);
    const form = payment.region.locator('payment-form');
    /** @param {string} call */
    const ended = (call) => form.evaluate((form, call) => /** @type {any} */ (form)[call]().then(() => 'done', (/** @type {{ code: string }} */ { code }) => code), call);
    assert.equal(await ended('focus'), 'done');
    assert.equal(await ended('confirm'), 'script_blocked');
    await payment.frame.getByText('There is no connection. Nothing was charged').first().waitFor(PATIENT);
    await checkout.page.unroute(PART);
    // The part is there once it has carried out a call.
    assert.equal(await ended('validate'), 'done');
    assert.equal(checkout.requestsTo('fe/build/text').length, 0);
    assert.equal(await ended('confirm'), 'done');
    await payment.recorded('AUTHORIZATION EXECUTED');
  });
});
