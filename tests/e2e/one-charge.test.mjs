/** One press, one charge: also after double presses, and after crashes of the gateway. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { APPROVED, CHALLENGED, NO_FUNDS } from './cards.mjs';
import { hold, says } from './checkout.mjs';
import { Stage } from './stage.mjs';

/** The browser's messages while the gateway is not running. */
const AWAY = /Failed to load resource: net::ERR_/;
/** The same if the gateway stopped after the form had its answer, and before the shop's server had asked for the order. */
const AWAY_FROM_SHOP = new RegExp(`${AWAY.source}|502 \\(Bad Gateway\\) \\(\\S+/orders/`);

suite('one charge', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('one-charge');
  });
  after(() => stage.close());

  test('M7 a double click charges once', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.fill(APPROVED);
    await payment.pay.dblclick();
    await payment.ends('Payment complete');
    await payment.recorded('AUTHORIZATION EXECUTED');
    assert.equal(checkout.requestsTo('fe/build/text').length, 1);
    assert.equal(checkout.requestsTo('build/finalize_payment').length, 1);
  });

  test('M7 a click and the Enter key charge once', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.live();
    const form = await payment.document();
    await form.evaluate(() => addEventListener('keydown', ({ key, target }) => (document.documentElement.dataset.heard = `${key} ${/** @type {Element} */ (target).id}`)));
    const card = await hold(checkout.page, '**/api/fe/build/text');
    await payment.fill(APPROVED);
    await payment.press();
    const sent = await card.arrived;
    await checkout.page.keyboard.press('Enter');
    assert.equal(await form.evaluate(() => document.documentElement.dataset.heard), 'Enter pay', 'the key arrives at the button');
    await sent.continue();
    await payment.ends('Payment complete');
    await payment.recorded('AUTHORIZATION EXECUTED');
    assert.equal(checkout.requestsTo('fe/build/text').length, 1);
    assert.equal(checkout.requestsTo('build/finalize_payment').length, 1);
  });

  test('M7 a press while the charge runs is no second charge', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.live();
    const charge = await hold(checkout.page, '**/api/build/finalize_payment');
    await payment.payWith(APPROVED);
    const finalize = await charge.arrived;
    const busy = payment.frame.getByRole('button', { name: 'Paying…' });
    assert.equal(await busy.getAttribute('aria-disabled'), 'true');
    await busy.press('Enter');
    await payment.name.press('Enter');
    await finalize.continue();
    await payment.ends('Payment complete');
    await payment.recorded('AUTHORIZATION EXECUTED');
    assert.equal(checkout.requestsTo('build/finalize_payment').length, 1);
  });

  test('M4 a gateway that dies before the charge reaches it charges once when it is back', async (t) => {
    const checkout = await stage.checkout(t, {}, { noise: AWAY });
    const payment = checkout.payment();
    await payment.live();
    const charge = await hold(checkout.page, '**/api/build/finalize_payment');
    await payment.payWith(APPROVED);
    const finalize = await charge.arrived;
    await stage.gateway.kill();
    await finalize.abort('connectionrefused');
    await stage.gateway.start();
    await payment.ends('Payment complete');
    await says(payment.status, 'Paid. ');
    await payment.recorded('AUTHORIZATION EXECUTED');
  });

  test('M5 an answer that dies with the gateway is learnt, not charged again', async (t) => {
    const checkout = await stage.checkout(t, {}, { noise: AWAY });
    const payment = checkout.payment();
    await payment.live();
    const charge = await hold(checkout.page, '**/api/build/finalize_payment');
    await payment.payWith(APPROVED);
    const finalize = await charge.arrived;
    const lost = await (await finalize.fetch()).json();
    await stage.gateway.kill();
    await finalize.abort('connectionreset');
    await stage.gateway.start();
    await payment.ends('Payment complete');
    await says(payment.status, 'Paid. ');
    const [operation] = await payment.recorded('AUTHORIZATION EXECUTED');
    assert.equal(operation.operationId, lost.operation.operationId);
    const keys = checkout.requestsTo('build/finalize_payment').map((request) => request.headers()['idempotency-key']);
    // How often it is repeated depends on how long the gateway takes to start.
    assert.ok(keys.length >= 2, 'it is repeated');
    assert.equal(new Set(keys).size, 1, 'each repetition has the same key');
  });

  test('a refusal that dies with the gateway is shown as a refusal', async (t) => {
    const checkout = await stage.checkout(t, {}, { noise: AWAY });
    const payment = checkout.payment();
    await payment.live();
    const charge = await hold(checkout.page, '**/api/build/finalize_payment');
    await payment.payWith(NO_FUNDS);
    const finalize = await charge.arrived;
    await finalize.fetch();
    await stage.gateway.kill();
    await finalize.abort('connectionreset');
    await stage.gateway.start();
    await says(payment.alert, 'lack of funds');
    await payment.keeps(NO_FUNDS);
    await payment.recorded('AUTHORIZATION DECLINED');
  });

  for (const round of [1, 2, 3]) {
    test(`a gateway killed while it charges has charged once when it is back, round ${round}`, async (t) => {
      const checkout = await stage.checkout(t, {}, { noise: AWAY_FROM_SHOP });
      const payment = checkout.payment();
      await payment.live();
      const charge = await hold(checkout.page, '**/api/build/finalize_payment');
      await payment.payWith(APPROVED);
      const finalize = await charge.arrived;
      const asked = checkout.page.waitForResponse((response) => /\/orders\/[^/]+\.json$/.test(new URL(response.url()).pathname));
      await finalize.continue();
      // The moment of the crash within the call is not known before. Afterwards it is: either the form has its answer, or not.
      await stage.gateway.kill();
      const answer = await finalize.request().response();
      const heard = answer !== null && (await answer.finished()) === null;
      // Then the shop has asked at once, perhaps while the gateway was not running.
      if (heard) await asked;
      await stage.gateway.start();
      await payment.ends('Payment complete');
      const shop = await asked;
      assert.ok(heard || shop.ok(), 'a form that heard of its payment from the new gateway has the shop ask that one');
      await says(payment.status, shop.ok() ? 'Paid. ' : 'does not answer');
      await payment.recorded('AUTHORIZATION EXECUTED');
      const keys = checkout.requestsTo('build/finalize_payment').map((request) => request.headers()['idempotency-key']);
      assert.equal(keys.length > 1, !heard, 'a charge is asked for again where its answer was lost, and only there');
      assert.equal(new Set(keys).size, 1, 'with the same key');
    });
  }

  test('a gateway that dies with the card data loses no payment', async (t) => {
    const checkout = await stage.checkout(t, {}, { noise: AWAY });
    const payment = checkout.payment();
    await payment.live();
    const sending = await hold(checkout.page, '**/api/fe/build/text');
    await payment.payWith(APPROVED);
    const text = await sending.arrived;
    await text.fetch();
    await stage.gateway.kill();
    await text.abort('connectionreset');
    await stage.gateway.start();
    await payment.ends('Payment complete');
    await payment.recorded('AUTHORIZATION EXECUTED');
  });

  test('a challenge survives the gateway\'s death', async (t) => {
    const checkout = await stage.checkout(t, {}, { noise: AWAY });
    const payment = checkout.payment();
    await payment.payWith(CHALLENGED);
    await payment.issuer.code.waitFor();
    await stage.gateway.kill();
    await stage.gateway.start();
    await payment.issuer.answer('123456');
    await payment.ends('Payment complete');
    await payment.recorded('AUTHORIZATION EXECUTED');
  });
});
