/** Calls of the page's script to a live form: changed texts, faults, errors of the server. What was typed stays. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { APPROVED } from './cards.mjs';
import { says } from './checkout.mjs';
import { Stage } from './stage.mjs';

suite('element', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('element');
  });
  after(() => stage.close());

  /** Calls a method of the form in the page. @param {import('playwright-core').Page} page @param {string} name @param {unknown} [given] */
  const call = (page, name, given) =>
    page.evaluate(([name, given]) => /** @type {any} */ (document.querySelector('payment-form'))[name](given).then((/** @type {any} */ value) => value ?? null, (/** @type {any} */ error) => error.code), /** @type {const} */ ([name, given]));

  test('I5 the language changes in the middle of typing: all words are other ones, the entry stays, and the payment goes through', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.live();
    await payment.fill(APPROVED);
    const before = await payment.number.inputValue();
    assert.equal(await call(checkout.page, 'update', { locale: 'it' }), null);
    const form = checkout.document('/form/');
    const text = () => form.evaluate(() => document.body.innerText);
    assert.match(await text(), /Numero/);
    assert.doesNotMatch(await text(), /\b(the|your|card|pay|cancel)\b/i);
    assert.deepEqual(await form.evaluate(() => [document.documentElement.lang, /** @type {HTMLInputElement} */ (document.getElementById('CARD_NUMBER')).value]), ['it', before]);
    await checkout.payment({ locale: 'it' }).press();
    await checkout.payment({ locale: 'it' }).ends('Pagamento completato');
  });

  test('I8 the merchant words a label anew, and the button stays ours', async (t) => {
    const checkout = await stage.checkout(t);
    await checkout.payment().live();
    await call(checkout.page, 'update', { texts: { pay_amount: 'Continue for free {amount}', label_holder_name: 'Full <b>name</b>' } });
    await checkout.document('/form/').getByLabel('Full <b>name</b>').waitFor();
    await checkout.payment({ pay: 'Pay €35.45' }).pay.waitFor();
  });

  test('D14 a validation shows all faults and answers with a code for each field', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.live();
    assert.deepEqual(await call(checkout.page, 'validate'), [
      { field: 'CARD_NUMBER', code: 'card_number_empty' },
      { field: 'EXPIRATION_DATE', code: 'expiry_empty' },
      { field: 'SECURITY_CODE', code: 'security_code_empty' },
      { field: 'CARDHOLDER_NAME', code: 'holder_name_empty' },
    ]);
    await says(payment.alert, 'Enter your card number.');
  });

  test("D13 the server's error stands at its field until the next edit, and an unknown code gives a general text", async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.live();
    await payment.fill(APPROVED);
    assert.equal(await call(checkout.page, 'setServerError', { field: 'EXPIRATION_DATE', code: 'expiry_declined' }), null);
    await says(payment.frame.locator('#EXPIRATION_DATE-note'), 'Your bank says that this date is wrong');
    assert.equal(await call(checkout.page, 'setServerError', { code: 'stolen_by_aliens' }), null);
    await says(payment.frame.locator('#message'), 'This payment cannot be accepted.');
    await payment.expiry.fill('0530');
    await payment.frame.locator('#message').waitFor({ state: 'hidden' });
    await payment.press();
    await payment.ends('Payment complete');
  });
});
