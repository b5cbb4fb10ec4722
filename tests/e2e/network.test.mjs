/** Bad networks: what the buyer is told, what is sent again and what never is, and that only the gateway's answer is the outcome. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { APPROVED, OTHER_NETWORK } from './cards.mjs';
import { recordEvents, hold, holds, result, says } from './checkout.mjs';
import { Stage } from './stage.mjs';

/** What the browser says of answers that a test spoils. */
const SPOILT = /Failed to load resource: (net::ERR_|the server responded with a status of (429|500|503))/;
const TEXT = '**/api/fe/build/text';
const CLOSE = '**/api/build/finalize_payment';
const PENDING = { ...APPROVED, number: '4761730000008881', shown: '4761 7300 0000 8881' };
/** Longer than all tries of a call together, on a machine that is busy. */
const PATIENT = { timeout: 120_000 };

// Most of the time is spent waiting between the tries of a call.
suite('bad networks', { concurrency: 2 }, () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('network');
  });
  after(() => stage.close());

  test('M1 device is offline at submit → told at once, nothing sent, data kept, Pay works when back', async (t) => {
    const checkout = await stage.checkout(t, {}, { noise: SPOILT });
    const payment = checkout.payment();
    await payment.fill(APPROVED);
    const form = await payment.document();
    await checkout.page.context().setOffline(true);
    await form.waitForFunction(() => !navigator.onLine);
    await payment.press();
    await says(payment.alert, 'There is no connection. Nothing was charged');
    await holds(payment.number, APPROVED.shown);
    await holds(payment.code, APPROVED.code);
    assert.equal(checkout.requestsTo('fe/build/text').length, 0);
    await checkout.page.context().setOffline(false);
    await form.waitForFunction(() => navigator.onLine);
    await payment.press();
    await payment.ends('Payment complete');
    await payment.recorded('AUTHORIZATION EXECUTED');
  });

  test('M2 answer is slow → wait shown after a moment, explained after longer, with Cancel while that is still safe', async (t) => {
    const checkout = await stage.checkout(t, {}, { noise: SPOILT });
    const payment = checkout.payment();
    await payment.live();
    const sending = await hold(checkout.page, TEXT);
    await payment.payWith(APPROVED);
    const text = await sending.arrived;
    await payment.frame.getByRole('button', { name: 'Sending securely…' }).waitFor();
    await payment.frame.getByText('This takes longer than usual.').first().waitFor({ timeout: 60_000 });
    await payment.giveUp();
    await payment.ends('Payment cancelled');
    await text.abort();
    await payment.recorded('CANCEL CANCELED');
  });

  test('M3 gateway answers with a server error at submit → its state is read first, and a retry is offered only if nothing was charged', async (t) => {
    const checkout = await stage.checkout(t, {}, { noise: SPOILT });
    const payment = checkout.payment();
    await payment.fill(APPROVED);
    await checkout.page.route(TEXT, (route) => route.fulfill({ status: 500, contentType: 'application/json', body: '{}' }));
    const asked = checkout.page.waitForRequest((request) => request.url().includes('/api/build/state'), PATIENT);
    await payment.press();
    await asked;
    await says(payment.alert, 'Nothing was charged. Try again.');
    await holds(payment.number, APPROVED.shown);
    await payment.recorded();
    await checkout.page.unroute(TEXT);
    await payment.press();
    await payment.ends('Payment complete');
    await payment.recorded('AUTHORIZATION EXECUTED');
  });

  test('M4 buyer tries again after a fault → same attempt, same idempotency key made in the frame; a changed card gets a new key', async (t) => {
    const checkout = await stage.checkout(t, {}, { noise: SPOILT });
    const payment = checkout.payment();
    await payment.fill(APPROVED);
    const keys = () => checkout.requestsTo('fe/build/text').map((request) => request.headers()['idempotency-key']);
    await checkout.page.route(TEXT, (route) => route.abort('connectionreset'));
    await payment.press();
    await payment.frame.getByText('There is no connection. Nothing was charged').first().waitFor(PATIENT);
    const first = keys();
    assert.ok(first.length > 1, 'it was tried more than once');
    assert.equal(new Set(first).size, 1);
    await checkout.page.unroute(TEXT);
    const held = await hold(checkout.page, TEXT);
    await payment.press();
    const again = await held.arrived;
    assert.equal(again.request().headers()['idempotency-key'], first[0], 'the same card has the same key');
    await checkout.page.route(TEXT, (route) => route.abort('connectionreset'));
    await again.abort('connectionreset');
    await payment.frame.getByText('There is no connection. Nothing was charged').first().waitFor(PATIENT);
    await payment.pay.waitFor(PATIENT);
    await checkout.page.unroute(TEXT);
    await payment.fill(OTHER_NETWORK);
    const other = checkout.page.waitForRequest((request) => request.url().endsWith('/api/fe/build/text'));
    await payment.press();
    assert.notEqual((await other).headers()['idempotency-key'], first[0], 'another card has another');
    await payment.ends('Payment complete');
    await payment.recorded('AUTHORIZATION EXECUTED');
  });

  test('M5 answer is lost after the charge → outcome "unknown", buyer told not to pay again, then polled to the true result', async (t) => {
    const checkout = await stage.checkout(t, {}, { noise: SPOILT });
    const payment = checkout.payment();
    await payment.live();
    const { told } = await result(payment);
    const closing = await hold(checkout.page, CLOSE);
    await payment.payWith(APPROVED);
    const finalize = await closing.arrived;
    await finalize.fetch();
    // From here on no answer arrives.
    await checkout.page.route('**/api/**', (route) => route.abort('connectionreset'));
    await finalize.abort('connectionreset');
    await payment.frame.getByRole('heading', { name: 'We do not know yet', exact: true }).waitFor(PATIENT);
    await says(payment.frame.getByText('Do not pay again').first(), '');
    assert.equal((await told).outcome, 'unknown');
    assert.equal(await payment.pay.count(), 0, 'nothing invites to pay twice');
    await checkout.page.unroute('**/api/**');
    await payment.frame.getByRole('heading', { name: 'Payment complete', exact: true }).waitFor(PATIENT);
    await payment.recorded('AUTHORIZATION EXECUTED');
  });

  for (const [how, wake] of /** @type {const} */ ([
    ['from the back-forward cache', () => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))],
    ['from sleep', () => document.dispatchEvent(new Event('visibilitychange'))],
  ])) {
    test(`L11 page comes back from the back-forward cache or from sleep → server is read and the form shows where things stand: ${how}`, async (t) => {
      const [checkout, other] = [await stage.checkout(t), await stage.checkout(t)];
      const [payment, second] = [checkout.payment(), other.payment()];
      await payment.fill(APPROVED);
      const form = await payment.document();
      // The listener for the return is there once the adopted style sheets are.
      await form.waitForFunction(() => document.adoptedStyleSheets.length > 0);
      await second.live();
      await second.region.locator('payment-form').evaluate((form, session) => form.setAttribute('session', session), await payment.session());
      await second.payWith(OTHER_NETWORK);
      await second.ends('Payment complete');
      await form.evaluate(wake);
      await payment.ends('Payment complete');
      await says(payment.frame.getByText('Mastercard •••• 0001'), '');
      await payment.recorded('AUTHORIZATION EXECUTED');
      assert.equal(checkout.requestsTo('fe/build/text').length, 0, 'nothing was sent a second time');
    });
  }

  test('M8 same session open in two tabs → one charge, and the other tab shows its outcome', async (t) => {
    const [checkout, other] = [await stage.checkout(t), await stage.checkout(t, {}, { noise: /400 \(Bad Request\)/ })];
    const [payment, second] = [checkout.payment(), other.payment()];
    await payment.fill(APPROVED);
    await second.live();
    await second.region.locator('payment-form').evaluate((form, session) => form.setAttribute('session', session), await payment.session());
    await second.fill(OTHER_NETWORK);
    await payment.press();
    await payment.ends('Payment complete');
    await second.press();
    await second.ends('Payment complete');
    await says(second.frame.getByText('Visa •••• 0003'), '');
    await payment.recorded('AUTHORIZATION EXECUTED');
    assert.equal(other.requestsTo('build/finalize_payment').length, 0);
  });

  test('M12 storage and third-party cookies are off → whole payment works', async (t) => {
    const checkout = await stage.checkout(t, {}, {
      prepare: (page) => page.addInitScript(() => {
        const refuse = { get() { throw new DOMException('refused', 'SecurityError'); }, configurable: true };
        for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches', 'cookieStore']) Object.defineProperty(window, name, refuse);
        Object.defineProperty(Document.prototype, 'cookie', { ...refuse, set() { throw new DOMException('refused', 'SecurityError'); } });
      }),
    });
    const payment = checkout.payment();
    await payment.payWith(APPROVED);
    await payment.ends('Payment complete');
    assert.deepEqual(await checkout.page.context().cookies(), []);
    await payment.recorded('AUTHORIZATION EXECUTED');
  });

  for (const [what, answer] of /** @type {const} */ ([['too many requests', { status: 429, headers: { 'retry-after': '1' }, contentType: 'application/json', body: '{}' }], ['a portal', { status: 200, contentType: 'text/html', body: '<h1>Welcome</h1>' }]])) {
    test(`M13 gateway says too many requests, or a portal answers in its place → waits as told or treats it as a network fault, data kept: ${what}`, async (t) => {
      const checkout = await stage.checkout(t, {}, { noise: SPOILT });
      const payment = checkout.payment();
      await payment.fill(APPROVED);
      await checkout.page.route(TEXT, (route) => route.fulfill(answer), { times: 1 });
      await payment.press();
      await payment.ends('Payment complete');
      const keys = checkout.requestsTo('fe/build/text').map((request) => request.headers()['idempotency-key']);
      assert.deepEqual([keys.length, new Set(keys).size], [2, 1]);
      await payment.recorded('AUTHORIZATION EXECUTED');
    });
  }

  test('K9 state message comes twice, late, out of order or is not known → the form never steps back and reads the server\'s state', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.live();
    const states = await recordEvents(payment, 'statechange', 'state');
    const closing = await hold(checkout.page, CLOSE);
    await payment.payWith(APPROVED);
    const finalize = await closing.arrived;
    const form = await payment.document();
    // A message inside the frame is only a hint, and during the charge it is ignored.
    await form.evaluate(() => {
      for (const state of ['PAYMENT_COMPLETE', 'PAYMENT_COMPLETE', 'CARD_DATA_COLLECTION', 'SOMETHING_NEW']) dispatchEvent(new MessageEvent('message', { data: { type: 'challenge-returned', state }, origin: location.origin }));
    });
    await finalize.continue();
    await payment.ends('Payment complete');
    assert.deepEqual(await states(), ['PROCESSING', 'FINALIZING', 'PAYMENT_COMPLETE']);
    await payment.recorded('AUTHORIZATION EXECUTED');
  });

  test('K10 browser hears PAYMENT_COMPLETE → result is read from the server before anything is called a success', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.live();
    // The form shows success; the page asks the shop's server, which knows the outcome.
    const asking = await hold(checkout.page, '**/orders/*.json');
    await payment.payWith(APPROVED);
    const question = await asking.arrived;
    assert.doesNotMatch((await payment.status.textContent()) ?? '', /Paid/);
    await question.continue();
    await says(payment.status, 'Paid. ');
  });

  test('K12 result is pending → buyer is told it is in progress and is offered no second payment', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.live();
    const { told } = await result(payment);
    await payment.payWith(PENDING);
    await payment.ends('Payment in progress');
    assert.equal((await told).outcome, 'pending');
    assert.equal(await payment.pay.count(), 0);
    await payment.recorded('AUTHORIZATION PENDING');
  });
});
