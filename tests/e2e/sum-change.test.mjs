/** The sum changes while the buyer types, and while a press is on its way: what was typed stays, and nobody is charged a sum that was not shown. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { APPROVED, CHALLENGED } from './cards.mjs';
import { hold, holds, says } from './checkout.mjs';
import { Fields } from './fields.mjs';
import { Stage } from './stage.mjs';

/** The browser's message about a refused call. */
const REFUSED = /400 \(Bad Request\)/;
/** A form that can not be loaded is noticed by trying. */
const NOT_LOADED = /404 \(Not Found\) \(\S+\/form\//;
/** Where nothing was pressed. */
const NOW = 'The amount is now €40.00.';
const CHANGED = 'The amount is now €40.00. Check it and pay again.';

suite('sum change', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('sum-change');
  });
  after(() => stage?.close());

  /** @param {import('./checkout.mjs').Payment} payment @param {string} code of the page's script, which has the form as `form` */
  const script = (payment, code) => payment.region.locator('payment-form').evaluate((form, code) => new Function('form', `return (${code}).then(() => 'done', ({ code }) => code)`)(form), code);

  /** What was charged. @param {import('./checkout.mjs').Payment} payment @param {string[]} expected as `amount currency` */
  const charged = async (payment, ...expected) => {
    const operations = await stage.api.operations(await payment.orderId());
    assert.deepEqual(operations.map(({ operationResult, operationAmount, operationCurrency }) => `${operationResult} ${operationAmount} ${operationCurrency}`), expected);
  };

  /** @param {import('./checkout.mjs').Payment} payment @param {string} name */
  const button = (payment, name) => payment.frame.getByRole('button', { name, exact: true });

  test('K29 the sum changes while the buyer types → the form shows it at once, and keeps what was typed', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.fill(APPROVED);
    await stage.api.change(await payment.session(), { amount: '4000' });
    assert.equal(await script(payment, 'form.refresh()'), 'done');
    await button(payment, 'Pay €40.00').waitFor();
    await says(payment.frame.locator('#promise'), '€40.00');
    const message = payment.frame.locator('#message');
    await says(message, NOW);
    assert.deepEqual([await message.textContent(), await message.getAttribute('class')], [NOW, 'message'], 'news, and no error');
    await says(payment.alert, NOW);
    // The currency, too, and as often as it changes.
    await stage.api.change(await payment.session(), { amount: '5000', currency: 'JPY' });
    await script(payment, 'form.refresh()');
    const pay = button(payment, 'Pay ¥5,000');
    await pay.waitFor();
    await says(payment.frame.locator('#message'), 'The amount is now ¥5,000.');
    for (const [field, value] of /** @type {const} */ ([[payment.number, APPROVED.shown], [payment.expiry, APPROVED.expiry], [payment.code, APPROVED.code], [payment.name, APPROVED.name]])) await holds(field, value);
    await payment.press(pay);
    await payment.ends('Payment complete');
    await charged(payment, 'EXECUTED 5000 JPY');
  });

  test('K29 a delivery that the buyer chooses beside the form changes the sum that the form shows, and only that is paid', async (t) => {
    const checkout = await stage.checkout(t, { delivery: 'choose' }, { noise: /\/delivery\)/ });
    const { page } = checkout;
    const payment = checkout.payment();
    await payment.fill(APPROVED);
    await page.getByRole('radio', { name: 'Tomorrow €4.90' }).check();
    await button(payment, 'Pay €40.35').waitFor();
    await says(page.locator('.total dd'), '€40.35');
    await page.getByRole('radio', { name: 'In three days Free' }).check();
    await button(payment, 'Pay €35.45').waitFor();
    await page.getByRole('radio', { name: 'Tomorrow €4.90' }).check();
    const pay = button(payment, 'Pay €40.35');
    await pay.waitFor();
    await holds(payment.number, APPROVED.shown);
    await payment.press(pay);
    await payment.ends('Payment complete');
    await charged(payment, 'EXECUTED 4035 EUR');
    await says(payment.status, 'Paid.');
    // What is paid is not changed any more.
    await page.getByRole('radio', { name: 'In three days Free' }).click();
    await page.getByText('The delivery cannot be changed now.').waitFor();
    assert.ok(await page.getByRole('radio', { name: 'Tomorrow €4.90' }).isChecked());
    await charged(payment, 'EXECUTED 4035 EUR');
  });

  test('K29 the sum changes and the page says nothing → the press is not for it, and the buyer is asked again', async (t) => {
    const checkout = await stage.checkout(t, {}, { noise: REFUSED });
    const payment = checkout.payment();
    await payment.fill(APPROVED);
    await stage.api.change(await payment.session(), { amount: '4000' });
    await payment.press();
    await says(payment.frame.locator('#message'), CHANGED);
    await holds(payment.code, APPROVED.code);
    await charged(payment);
    await payment.press(button(payment, 'Pay €40.00'));
    await payment.ends('Payment complete');
    await charged(payment, 'EXECUTED 4000 EUR');
  });

  test('K29 the sum changes while a press is on its way → nothing is charged, and the buyer is asked again', async (t) => {
    const checkout = await stage.checkout(t, {}, { noise: REFUSED });
    const payment = checkout.payment();
    await payment.fill(APPROVED);
    const { arrived } = await hold(checkout.page, '**/api/build/finalize_payment');
    await payment.press();
    const closing = await arrived;
    await stage.api.change(await payment.session(), { amount: '4000' });
    assert.equal(await script(payment, 'form.refresh()'), 'done');
    await closing.continue();
    await payment.ends('The amount has changed');
    await charged(payment);
    await payment.press(button(payment, 'Pay €40.00'));
    await payment.ends('Payment complete');
    await charged(payment, 'EXECUTED 4000 EUR');
  });

  test('K29 the sum does not change while the bank asks the buyer', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.payWith(CHALLENGED);
    await payment.issuer.code.waitFor();
    const session = await payment.session();
    const refused = await stage.api.call('build/session', { sessionId: session, amount: '4000' }, undefined, 'PATCH');
    assert.equal(refused.body.errors[0].code, 'GW9003');
    await payment.issuer.answer('123456');
    await payment.ends('Payment complete');
    await charged(payment, 'EXECUTED 3545 EUR');
  });

  test('K29 the page gives a session with another sum → it takes over with what was typed, unless a press is on its way', async (t) => {
    const checkout = await stage.checkout(t, {}, { noise: NOT_LOADED });
    const payment = checkout.payment();
    const lookedUp = checkout.page.waitForResponse('**/api/fe/build/bin');
    await payment.fill(APPROVED);
    // The former session refuses a look-up once the other one is there: `networks.test.mjs`.
    await lookedUp;
    const orderId = await payment.orderId();
    const other = async () => (await stage.api.open({ shop: stage.shopOrigin, orderId, amount: '4000', form: { closing: 'FRAME' } })).sessionId;
    const session = await other();
    assert.equal(await script(payment, `form.update({ session: '${session}' })`), 'done');
    assert.equal(await payment.session(), session);
    await says(payment.frame.locator('#message'), NOW);
    await holds(payment.number, APPROVED.shown);
    await holds(payment.code, APPROVED.code);
    assert.equal(await script(payment, `form.update({ session: 'unknown' })`), 'session_rejected');
    assert.equal(await payment.session(), session, 'the former one stays');
    const { arrived } = await hold(checkout.page, '**/api/build/finalize_payment');
    await payment.press(button(payment, 'Pay €40.00'));
    const closing = await arrived;
    assert.equal(await script(payment, `form.update({ session: 'unknown' })`), 'wrong_state');
    await closing.continue();
    await payment.ends('Payment complete');
    await charged(payment, 'EXECUTED 4000 EUR');
  });

  test('K29 the sum changes with fields in frames of their own', async (t) => {
    const fields = new Fields(await stage.checkout(t, {}, { path: '/fields' }));
    await fields.fill(APPROVED);
    const session = (await fields.form.getAttribute('session')) ?? '';
    await stage.api.change(session, { amount: '4000' });
    await fields.form.evaluate((form) => /** @type {any} */ (form).refresh());
    await says(fields.host.locator('#promise'), '€40.00');
    await fields.holds(APPROVED);
    await fields.press();
    await fields.host.getByRole('heading', { name: 'Payment complete', exact: true }).waitFor();
    const { body } = await stage.api.call(`build/state?sessionId=${session}`);
    assert.equal(body.operation.operationAmount, '4000');
  });
});
