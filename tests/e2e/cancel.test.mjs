/** A payment that the buyer gives up is recorded, reported to the shop, and never charged. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { APPROVED, CHALLENGED } from './cards.mjs';
import { recordEvents, hold, result, says } from './checkout.mjs';
import { Stage } from './stage.mjs';

suite('cancel', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('cancel');
  });
  after(() => stage.close());

  test('before paying, nothing is charged and no card is sent', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.fill(APPROVED);
    await payment.giveUp();
    await payment.ends('Payment cancelled');
    await says(payment.status, 'Cancelled. ');
    await payment.recorded('CANCEL CANCELED');
    assert.equal(checkout.requestsTo('fe/build/text').length, 0);
    assert.equal(await payment.pay.count(), 0);
    await stage.notified(await payment.orderId());
  });

  test('a page may have the link to itself: the form shows its sum and no link, and the page cancels', async (t) => {
    const payment = (await stage.checkout(t)).payment();
    await payment.live();
    await payment.settled();
    const form = payment.region.locator('payment-form');
    const sum = payment.frame.getByText('You pay €35.45 to');
    const height = async () => (await payment.element.boundingBox())?.height ?? 0;
    const whole = await height();
    await form.evaluate((element) => element.setAttribute('cancellation', 'hidden'));
    await payment.cancel.waitFor({ state: 'hidden' });
    await payment.settled();
    // So much less is reserved for a form that loads without the link.
    assert.equal(whole - (await height()), 48);
    assert.ok(await sum.isVisible());
    await form.evaluate((element) => /** @type {import('../../www/sdk/payframe.js').PaymentFormElement} */ (element).reload());
    await payment.live();
    assert.ok((await payment.cancel.isHidden()) && (await sum.isVisible()));
    await form.evaluate((element) => /** @type {import('../../www/sdk/payframe.js').PaymentFormElement} */ (element).cancel());
    await payment.ends('Payment cancelled');
    await payment.recorded('CANCEL CANCELED');
  });

  test('L6 buyer cancels the challenge → the attempt ends once, as cancelled, and the form is editable with its data', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.live();
    const { told } = await result(payment);
    await payment.payWith(CHALLENGED);
    await payment.issuer.code.waitFor();
    await payment.frame.getByRole('button', { name: 'Back to the card', exact: true }).click();
    await payment.keeps(CHALLENGED);
    const { outcome, cause, final } = await told;
    assert.deepEqual({ outcome, cause, final }, { outcome: 'cancelled', cause: 'challenge_cancelled', final: false });
    assert.equal(await payment.issuer.element.count(), 0, 'the issuer\'s page is gone');
    await payment.recorded('AUTHORIZATION THREEDS_FAILED');
    await payment.payWith(APPROVED);
    await payment.ends('Payment complete');
    await payment.recorded('AUTHORIZATION THREEDS_FAILED', 'AUTHORIZATION EXECUTED');
  });

  test('by the issuer\'s own button it is a refusal, and the form is back', async (t) => {
    const payment = (await stage.checkout(t)).payment();
    await payment.payWith(CHALLENGED);
    await payment.issuer.cancel.click();
    await payment.keeps(CHALLENGED);
    await payment.recorded('AUTHORIZATION THREEDS_FAILED');
  });

  test('K13 buyer gives the payment up, also during a running confirm → server is asked, its answer wins, one outcome, card data wiped', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.live();
    const outcomes = await recordEvents(payment, 'result', 'outcome');
    const closing = await hold(checkout.page, '**/api/build/cancel');
    const charge = await hold(checkout.page, '**/api/build/finalize_payment');
    await payment.payWith(APPROVED);
    const finalize = await charge.arrived;
    await payment.giveUp();
    const cancel = await closing.arrived;
    // The charge reaches the gateway first; the cancellation comes too late and must not hide it.
    await finalize.fulfill({ response: await finalize.fetch() });
    await cancel.continue();
    await payment.ends('Payment complete');
    await says(payment.status, 'Paid. ');
    await payment.recorded('AUTHORIZATION EXECUTED');
    assert.deepEqual(await outcomes(), ['approved']);
    const left = await (await payment.document()).evaluate(() => [...document.querySelectorAll('input')].map(({ type, value }) => (type === 'radio' ? '' : value)).join(''));
    assert.equal(left, '', 'nothing is left in the fields');
  });
});
