/** The late part of the widget: lost, changed on the way, and requested again. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { APPROVED, NO_FUNDS } from './cards.mjs';
import { hold, holds } from './checkout.mjs';
import { Stage } from './stage.mjs';

const PART = /\/assets\/payment\.[0-9a-f]+\.wasm/;
const TEXTS = /\/assets\/late\.eng\.[0-9a-f]+\.js/;
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

  for (const [title, file, answer] of /** @type {const} */ ([
    ['lost', PART, (/** @type {import('playwright-core').Route} */ route) => route.abort()],
    ['without its texts', TEXTS, (/** @type {import('playwright-core').Route} */ route) => route.abort()],
    ['tampered with', PART, async (/** @type {import('playwright-core').Route} */ route) => {
      const response = await route.fetch();
      const body = await response.body();
      body.writeUInt8(body.readUInt8(body.length - 1) ^ 1, body.length - 1);
      await route.fulfill({ response, body });
    }],
  ])) {
    test(`a part that is ${title} → nothing is sent, buyer and page are told, and the next press asks for it anew`, async (t) => {
      const checkout = await stage.checkout(t, {}, { noise: NOISE, prepare: (page) => page.route(file, answer) });
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
      await checkout.page.unroute(file);
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

  test('J17 a part that is late → a confirm() that waits for it is shown, can be withdrawn, and does not pay once the part is there', async (t) => {
    const { checkout, payment, form, part } = await late(t);
    await payment.fill(APPROVED);
    await form.evaluate((form) => {
      const page = /** @type {any} */ (window);
      page.controller = new AbortController();
      page.ended = /** @type {any} */ (form).confirm({ signal: page.controller.signal }).catch((/** @type {{ code: string }} */ { code }) => code);
    });
    await payment.frame.locator('#pay[aria-disabled=true]').waitFor();
    assert.equal(
      await checkout.page.evaluate(() => {
        const page = /** @type {any} */ (window);
        page.controller.abort();
        return page.ended;
      }),
      'aborted',
    );
    await payment.frame.locator('#pay:not([aria-disabled=true])').waitFor();
    await (await part).continue();
    // The part is there once it has carried out a call.
    await form.evaluate((form) => /** @type {any} */ (form).validate());
    assert.equal(checkout.requestsTo('fe/build/text').length, 0);
    await payment.press();
    await payment.ends('Payment complete');
    await payment.recorded('AUTHORIZATION EXECUTED');
  });

  test('a part that is late → a press that waits for it stays in sight when the buyer leaves a field', async (t) => {
    const { payment, part } = await late(t);
    await payment.fill(APPROVED);
    await payment.name.press('Enter');
    await payment.frame.locator('#pay[aria-disabled=true]').waitFor();
    await payment.name.press('Tab');
    await payment.frame.locator('#pay:focus').waitFor();
    assert.equal(await payment.frame.locator('#pay').getAttribute('aria-disabled'), 'true');
    await (await part).continue();
    await payment.ends('Payment complete');
    await payment.recorded('AUTHORIZATION EXECUTED');
  });

  test("a part that is late → clear() and the theme do not wait for it, and an error of the shop's server does not mark what the buyer has edited since", async (t) => {
    const { payment, form, part } = await late(t);
    await payment.fill(APPROVED);
    await form.evaluate((form) => /** @type {any} */ (form).clear());
    await holds(payment.number, '');
    await payment.fill(APPROVED);
    const ends = form.evaluate(async (form) => {
      const { update, setServerError } = /** @type {any} */ (form);
      const calls = [update.call(form, { theme: 'dark' }), setServerError.call(form, { field: 'EXPIRATION_DATE', code: 'expiry_declined' })];
      return Promise.all(calls.map((call) => call.then(() => 'done', (/** @type {{ code: string }} */ { code }) => code)));
    });
    await payment.frame.locator('html[data-theme=dark]').waitFor();
    await payment.expiry.fill('11 / 39');
    await payment.name.press('Tab');
    await (await part).continue();
    assert.deepEqual(await ends, ['done', 'wrong_state']);
    await holds(payment.expiry, '11 / 39');
    assert.equal(await payment.expiry.getAttribute('aria-invalid'), null);
  });

  test('a form that is loaded again after a refusal, with a part that is late → a press waits for it, and pays once', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.payWith(NO_FUNDS);
    await payment.alert.getByText('Your bank refused this payment').waitFor();
    const { arrived } = await hold(checkout.page, PART);
    await payment.region.locator('payment-form').evaluate((form) => /** @type {any} */ (form).reload());
    await payment.live();
    await payment.fill(APPROVED);
    await payment.press();
    await payment.frame.locator('#pay[aria-disabled=true]').waitFor();
    await (await arrived).continue();
    await payment.ends('Payment complete');
    await payment.recorded('AUTHORIZATION DECLINED', 'AUTHORIZATION EXECUTED');
    assert.equal(checkout.requestsTo('fe/build/text').length, 2);
  });

  /** A payment whose late part is kept back. @param {import('node:test').TestContext} t */
  async function late(t) {
    /** @type {Promise<import('playwright-core').Route> | undefined} */
    let part;
    const checkout = await stage.checkout(t, {}, { prepare: async (page) => void ({ arrived: part } = await hold(page, PART)) });
    const payment = checkout.payment();
    await payment.live();
    return { checkout, payment, form: payment.region.locator('payment-form'), part: /** @type {Promise<import('playwright-core').Route>} */ (part) };
  }
});
