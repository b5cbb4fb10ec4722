/** Payments that the merchant's server closes: the form itself stops at READY_FOR_PAYMENT. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { APPROVED, CHALLENGED, NO_FUNDS } from './cards.mjs';
import { hold, says } from './checkout.mjs';
import { Stage } from './stage.mjs';

suite('merchant closes', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('merchant-closes');
  });
  after(() => stage.close());

  test('K5 the form waits at ready, and may not charge by itself', async (t) => {
    const checkout = await stage.checkout(t, { mode: 'merchant' }, { noise: /400 \(Bad Request\)/ });
    const payment = checkout.payment();
    await payment.live();
    const finalizing = await hold(checkout.page, '**/finalize');
    await payment.payWith(APPROVED);
    const finalize = await finalizing.arrived;
    await payment.frame.getByRole('button', { name: 'Waiting for the shop…' }).waitFor();
    assert.equal(await stage.api.standing(await payment.session()), 'READY_FOR_PAYMENT');
    assert.equal(checkout.requestsTo('build/finalize_payment').length, 0);

    const answer = await checkout.document('/form/').evaluate(finalizeFromFrame, { session: await payment.session(), key: randomUUID(), correlation: randomUUID() });
    assert.equal(answer.status, 400);
    assert.equal(answer.body.errors[0].code, 'GW9003');
    await payment.recorded();

    await finalize.continue();
    await payment.ends('Payment complete');
    await says(payment.status, 'Paid. ');
    await payment.recorded('AUTHORIZATION EXECUTED');
  });

  test('K4 the form may charge by itself where the merchant\'s server allowed it', async (t) => {
    const checkout = await stage.checkout(t, { mode: 'managed' });
    const payment = checkout.payment();
    await payment.live();
    const charge = await hold(checkout.page, '**/api/build/finalize_payment');
    await payment.payWith(APPROVED);
    const finalize = await charge.arrived;
    const answer = await checkout.document('/form/').evaluate(finalizeFromFrame, { session: await payment.session(), key: randomUUID(), correlation: randomUUID() });
    assert.equal(answer.status, 200);
    await finalize.continue();
    await payment.ends('Payment complete');
    await payment.recorded('AUTHORIZATION EXECUTED');
  });

  test('a challenge is passed in the form after the server has closed', async (t) => {
    const checkout = await stage.checkout(t, { mode: 'merchant' }, TOO_LATE);
    const payment = checkout.payment();
    await payment.payWith(CHALLENGED);
    await payment.issuer.code.waitFor();
    await payment.recorded();
    await payment.issuer.answer('123456');
    await payment.ends('Payment complete');
    await says(payment.status, 'Paid. ');
    await payment.recorded('AUTHORIZATION EXECUTED');
    assert.equal(checkout.requestsTo('build/finalize_payment').length, 0, 'no browser closed the payment');
  });

  test('a decline comes back to the form, and the next card is closed by the server again', async (t) => {
    const checkout = await stage.checkout(t, { mode: 'merchant' }, TOO_LATE);
    const payment = checkout.payment();
    await payment.payWith(NO_FUNDS);
    await says(payment.alert, 'lack of funds');
    await payment.keeps(NO_FUNDS);
    await payment.payWith(APPROVED);
    await payment.ends('Payment complete');
    await says(payment.status, 'Paid. ');
    await payment.recorded('AUTHORIZATION DECLINED', 'AUTHORIZATION EXECUTED');
  });
});

/**
 * Page and form learn at the same time that the payment is ready. If a refusal is quicker than the form, there is no card to be read,
 * and the browser reports this on its console.
 */
const TOO_LATE = { noise: /status of 400 .*\/api\/build\/cardData/ };

/** What a buyer who knows the session could do by hand. @param {{ session: string, key: string, correlation: string }} call */
async function finalizeFromFrame({ session, key, correlation }) {
  const answer = await fetch('/api/build/finalize_payment', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'correlation-id': correlation, 'idempotency-key': key, session },
    body: JSON.stringify({ sessionId: session }),
  });
  return { status: answer.status, body: await answer.json() };
}
