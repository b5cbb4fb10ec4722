/** Refused payments: the buyer learns why, keeps what was typed, and tries again. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { APPROVED, CHALLENGED, CHALLENGE_FAILS, NO_FUNDS, OTHER_NETWORK, WRONG_CODE } from './cards.mjs';
import { hasFocus, says } from './checkout.mjs';
import { computed, contrastOf } from './looks.mjs';
import { Stage } from './stage.mjs';

const NOT_CONFIRMED = 'Your bank did not confirm that it is you. Try again, or use another card.';
const FUNDS = 'Your bank refused this payment for lack of funds or because of a limit. Try another card.';
const SECURITY_CODE = 'Your bank says that the security code is wrong. Enter it again.';

suite('refusal', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('refusal');
  });
  after(() => stage.close());

  test('L14 a failed challenge brings the form back with all but the security code', async (t) => {
    const payment = (await stage.checkout(t)).payment();
    await payment.payWith(CHALLENGE_FAILS);
    await payment.issuer.answer('123456');
    await says(payment.alert, NOT_CONFIRMED);
    await says(payment.frame.getByRole('main'), NOT_CONFIRMED);
    await payment.keeps(CHALLENGE_FAILS);
    await says(payment.status, 'Not paid yet.');
    await payment.recorded('AUTHORIZATION THREEDS_FAILED');
  });

  test('D12 issuer declines → number, expiry and name stay and the security code alone is asked again: a rejected challenge is no charge, and the same card may try again', async (t) => {
    const payment = (await stage.checkout(t)).payment();
    await payment.payWith(CHALLENGED);
    await payment.issuer.reject.click();
    await says(payment.alert, NOT_CONFIRMED);
    await hasFocus(payment.code);
    await payment.keeps(CHALLENGED);
    await payment.recorded('AUTHORIZATION THREEDS_FAILED');

    await payment.code.fill(CHALLENGED.code);
    await payment.press();
    await payment.issuer.answer('123456');
    await payment.ends('Payment complete');
    await payment.recorded('AUTHORIZATION THREEDS_FAILED', 'AUTHORIZATION EXECUTED');
  });

  test('D12 issuer declines → number, expiry and name stay and the security code alone is asked again: nothing that comes late takes the focus from the field that the buyer types in', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.fill(NO_FUNDS);
    const form = checkout.document('/form/');
    // Timers as in a busy browser: those without a delay wait until the test runs them.
    const due = await form.evaluateHandle(() => {
      /** @type {(() => void)[]} */
      const due = [];
      const set = /** @type {(run: () => void, ms?: number) => number} */ (setTimeout).bind(window);
      Object.assign(window, { setTimeout: (/** @type {() => void} */ run, /** @type {number | undefined} */ ms) => (ms ? set(run, ms) : due.push(run)) });
      return due;
    });
    await payment.press();
    await says(payment.alert, FUNDS);
    await hasFocus(payment.number);
    await payment.keeps(NO_FUNDS);
    await payment.code.focus();
    await payment.number.focus();
    await due.evaluate((due) => due.forEach((run) => run()));
    await checkout.page.keyboard.press('ControlOrMeta+a');
    await checkout.page.keyboard.insertText(APPROVED.number);
    await payment.code.fill(APPROVED.code);
    await payment.press();
    await payment.ends('Payment complete');
    await payment.recorded('AUTHORIZATION DECLINED', 'AUTHORIZATION EXECUTED');
  });

  test('D10 server declines for money or issuer reasons → general message says what to do next and no field is marked wrong', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.payWith(NO_FUNDS);
    await says(payment.alert, FUNDS);
    await hasFocus(payment.number);
    await says(payment.frame.getByRole('main'), FUNDS);
    assert.equal(await payment.frame.locator('[aria-invalid=true]').count(), 0);
    await payment.keeps(NO_FUNDS);
    await says(payment.status, 'Not paid yet. You can try again in the form.');
    const [declined] = await payment.recorded('AUTHORIZATION DECLINED');
    assert.equal(declined.additionalData.authorizationStatus, '116');

    await payment.payWith(OTHER_NETWORK);
    await payment.ends('Payment complete');
    await says(payment.frame.getByText('Mastercard •••• 0001'), '');
    await says(payment.status, 'Paid. ');
    const [, good] = await payment.recorded('AUTHORIZATION DECLINED', 'AUTHORIZATION EXECUTED');
    assert.equal(good.paymentCircuit, 'MC');
    const keys = checkout.requestsTo('build/finalize_payment').map((request) => request.headers()['idempotency-key']);
    assert.equal(new Set(keys).size, 2, 'each attempt has a key of its own');
  });

  test('G14 issuer declines → the message is known by its edge and its sign, and its text stands out like any text', async (t) => {
    for (const theme of ['light', 'dark']) {
      const payment = (await stage.checkout(t, { theme })).payment();
      await payment.payWith(NO_FUNDS);
      await says(payment.alert, FUNDS);
      const message = payment.frame.getByRole('main').getByText(FUNDS, { exact: true });
      const [text, ground, edge] = await Promise.all(/** @type {const} */ (['color', 'backgroundColor', 'borderBottomColor']).map((property) => computed(message, property)));
      assert.ok(contrastOf(text ?? '', ground ?? '') >= 7, `${theme}: ${text} on ${ground}`);
      assert.ok(contrastOf(edge ?? '', ground ?? '') >= 3, `${theme}: ${edge} on ${ground}`);
      assert.equal(await message.evaluate((shown) => getComputedStyle(shown, '::before').content), '"!"');
    }
  });

  test('D9 server declines because of code, expiry or number → message and focus at that field, without work by the merchant', async (t) => {
    const payment = (await stage.checkout(t)).payment();
    await payment.payWith(WRONG_CODE);
    await hasFocus(payment.code);
    await payment.keeps(WRONG_CODE);
    assert.equal(await payment.code.getAttribute('aria-invalid'), 'true');
    await says(payment.alert, SECURITY_CODE);
    const note = (await payment.code.getAttribute('aria-describedby')) ?? '';
    await says(payment.frame.locator(`[id="${note}"]`), SECURITY_CODE);
    await payment.recorded('AUTHORIZATION DECLINED');

    await payment.code.press('1');
    await payment.frame.getByRole('textbox', { name: 'Security code' }).and(payment.frame.locator('[aria-invalid]')).waitFor({ state: 'detached' });
  });

  test('D11 server declines for suspected fraud, loss or theft → neutral text that hides the reason', async (t) => {
    const payment = (await stage.checkout(t, { attempts: 5 })).payment();
    for (const number of ['4761730000001027', '4761730000002082', '4761730000002090']) {
      await payment.payWith({ ...NO_FUNDS, number });
      await hasFocus(payment.number);
      await says(payment.alert, 'Your bank refused this payment. Try another card, or ask your bank.');
      assert.doesNotMatch((await payment.frame.getByRole('main').textContent()) ?? '', /fraud|lost|stolen|suspect/i);
      assert.equal(await payment.frame.locator('[aria-invalid=true]').count(), 0);
    }
  });

  test('K6 gateway refuses the data at confirm → each field it names is flagged, and the state stays CARD_DATA_COLLECTION', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.fill(APPROVED);
    const heard = await payment.region.locator('payment-form').evaluateHandle((form) => ({
      back: new Promise((/** @type {(value: void) => void} */ resolve) => form.addEventListener('statechange', (event) => /** @type {CustomEvent} */ (event).detail.state === 'CARD_DATA_COLLECTION' && resolve())),
    }));
    const fieldStatus = [
      { event: 'BUILD_ERROR', id: 'CARD_NUMBER', errorCode: 'HF0004' },
      { event: 'BUILD_ERROR', id: 'EXPIRATION_DATE', errorCode: 'HF0006' },
      { event: 'BUILD_SUCCESS', id: 'SECURITY_CODE' },
      { event: 'BUILD_SUCCESS', id: 'CARDHOLDER_NAME' },
    ];
    await checkout.page.route('**/api/fe/build/text', (route) => route.fulfill({ json: { fieldStatus, workflowState: 'CARD_DATA_COLLECTION' } }), { times: 1 });
    await payment.press();
    await hasFocus(payment.number);
    for (const [field, wrong] of /** @type {const} */ ([[payment.number, 'true'], [payment.expiry, 'true'], [payment.code, null], [payment.name, null]])) {
      assert.equal(await field.getAttribute('aria-invalid'), wrong);
    }
    await heard.evaluate(({ back }) => back);
    await payment.recorded();
    // What the buyer corrects is sent anew.
    await payment.number.fill('');
    await payment.payWith(APPROVED);
    await payment.ends('Payment complete');
    await payment.recorded('AUTHORIZATION EXECUTED');
  });

  test('the last attempt ends the payment', async (t) => {
    const payment = (await stage.checkout(t, { attempts: 1 })).payment();
    await payment.payWith(NO_FUNDS);
    await payment.ends('Payment declined');
    await says(payment.frame.getByText(FUNDS), '');
    assert.equal(await payment.pay.count(), 0, 'there is nothing to press any more');
    await says(payment.status, 'Not paid. ');
    await payment.recorded('AUTHORIZATION DECLINED');
  });

  test('a good card after a decline is charged once, not twice', async (t) => {
    const payment = (await stage.checkout(t, { attempts: 2 })).payment();
    await payment.payWith(NO_FUNDS);
    await says(payment.alert, FUNDS);
    await payment.fill(APPROVED);
    await payment.pay.dblclick();
    await payment.ends('Payment complete');
    await payment.recorded('AUTHORIZATION DECLINED', 'AUTHORIZATION EXECUTED');
  });
});
