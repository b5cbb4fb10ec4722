/** The form in the buyer's language and in the page's colours. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { APPROVED, CHALLENGED, NO_FUNDS } from './cards.mjs';
import { holds, says } from './checkout.mjs';
import { cornerColour } from './pixels.mjs';
import { Stage } from './stage.mjs';

suite('language and theme', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('language-and-theme');
  });
  after(() => stage.close());

  test('I4 an Italian buyer reads Italian from the first field to the end', async (t) => {
    const checkout = await stage.checkout(t, { locale: 'it' });
    const payment = checkout.payment({ locale: 'it' });
    await payment.live();
    assert.equal(await payment.expiry.getAttribute('placeholder'), 'MM / AA');
    await payment.press();
    await says(payment.alert, 'Inserisci il numero della carta.');
    await payment.payWith(NO_FUNDS);
    await says(payment.alert, 'La tua banca');
    await payment.payWith(APPROVED);
    await payment.ends('Pagamento completato');
    await says(payment.frame.getByText('35,45 € pagati a Demo shop.'), '');
    const form = checkout.document('/form/');
    assert.equal(await form.evaluate(() => document.documentElement.lang), 'it');
    const text = await form.evaluate(() => document.body.innerText);
    assert.doesNotMatch(text, /\b(the|your|card|bank|payment)\b/i, 'no English is left');
  });

  test("I4 the sandbox's bank asks an Italian buyer in Italian, though the browser prefers English", async (t) => {
    const checkout = await stage.checkout(t, { locale: 'it' });
    const payment = checkout.payment({ locale: 'it' });
    await payment.payWith(CHALLENGED);
    const bank = payment.issuer.element.contentFrame();
    await bank.getByRole('heading', { name: 'Conferma il pagamento', exact: true }).waitFor();
    await payment.issuer.answer('000000');
    await says(bank.getByRole('alert'), 'Il codice non è corretto. Ti restano 2 tentativi.');
    await bank.getByRole('textbox', { name: 'Codice di conferma' }).waitFor();
    await bank.getByText('35,45\u{a0}€', { exact: true }).waitFor();
    assert.equal(await bank.locator('html').getAttribute('lang'), 'it');
    assert.doesNotMatch(await bank.locator('body').innerText(), /\b(the|your|card|bank|payment|code)\b/i, 'no English is left');
    await payment.issuer.answer('123456');
    await payment.ends('Pagamento completato');
    await payment.recorded('AUTHORIZATION EXECUTED');
  });

  test('G13 right-to-left locale with a screen reader → fields are read in the right order and number groups keep their sequence', async (t) => {
    const checkout = await stage.checkout(t, { locale: 'ar' });
    const payment = checkout.payment({ locale: 'ar' });
    await payment.fill(APPROVED);
    const form = await payment.document();
    assert.deepEqual(await form.evaluate(() => [document.documentElement.lang, document.documentElement.dir]), ['ar', 'rtl']);
    const read = await payment.frame.getByRole('textbox').evaluateAll((inputs) => inputs.map((input) => /** @type {HTMLInputElement} */ (input).labels?.[0]?.textContent));
    assert.deepEqual(read, ['رقم البطاقة', 'تاريخ الانتهاء', 'رمز الأمان', 'الاسم على البطاقة']);
    // Groups stand from left to right, as on the card.
    for (const [input, value] of /** @type {const} */ ([[payment.number, APPROVED.shown], [payment.expiry, APPROVED.expiry], [payment.code, APPROVED.code]])) {
      await holds(input, value);
      assert.equal(await input.evaluate((input) => getComputedStyle(input).direction), 'ltr');
    }
  });

  test('I2 I3 a language that there is not is English, and the amount is written as it is there', async (t) => {
    const checkout = await stage.checkout(t, { locale: 'nl', amount: 123456, currency: 'USD' });
    const payment = checkout.payment({ pay: 'Pay $1,234.56' });
    await payment.payWith(APPROVED);
    await payment.ends('Payment complete');
    const [operation] = await payment.recorded('AUTHORIZATION EXECUTED');
    assert.equal(operation.operationAmount, '123456');
    assert.equal(operation.operationCurrency, 'USD');
  });

  test('I7 a currency without decimals is charged as it is shown', async (t) => {
    const checkout = await stage.checkout(t, { amount: 50, currency: 'JPY' });
    const payment = checkout.payment({ pay: 'Pay ¥50' });
    await payment.payWith(APPROVED);
    await payment.ends('Payment complete');
    const [operation] = await payment.recorded('AUTHORIZATION EXECUTED');
    assert.equal(operation.operationAmount, '50');
  });

  for (const [actionType, amount, promise] of [
    ['PREAUTH', '3545', 'Hold €35.45'],
    ['VERIFY', '0', 'Save card'],
  ]) {
    test(`the button of a session for ${actionType} promises "${promise}"`, async (t) => {
      const checkout = await stage.checkout(t);
      await checkout.payment().live();
      const { sessionId } = await stage.api.open({ shop: stage.shopOrigin, actionType, amount, form: { closing: 'FRAME' } });
      await checkout.page.locator('payment-form').evaluate((form, session) => form.setAttribute('session', session), sessionId);
      const payment = checkout.payment({ pay: promise });
      await payment.pay.waitFor();
      await payment.live();
      await payment.payWith(APPROVED);
      await checkout.document('/form/').locator('#panel h2').filter({ hasText: /./ }).waitFor();
    });
  }

  /** @type {[string, Record<string, string>, 'light' | 'dark', 'light' | 'dark'][]} */
  const dresses = [
    ['theme=dark', { theme: 'dark' }, 'light', 'dark'],
    ['theme=light', { theme: 'light' }, 'dark', 'light'],
    ['theme=auto by day', {}, 'light', 'light'],
    ['theme=auto by night', {}, 'dark', 'dark'],
  ];
  for (const [name, query, system, expected] of dresses) {
    test(`${name} is ${expected}, in the form as on the page`, async (t) => {
      const checkout = await stage.checkout(t, query, { context: { colorScheme: system } });
      const payment = checkout.payment();
      await payment.live();
      const ink = await checkout.document('/form/').evaluate(() => getComputedStyle(document.body).color);
      const paper = await checkout.page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
      assert.equal(brightness(ink) > 128, expected === 'dark', `the form writes in ${ink}`);
      assert.equal(brightness(paper) < 128, expected === 'dark', `the page is ${paper}`);
      const around = await payment.region.evaluate((section) => getComputedStyle(section).backgroundColor);
      assert.equal(await cornerColour(checkout.page, payment.region.getByTitle('Card payment')), around, 'the page shows through the form');
    });
  }

  test('E12 the theme changes in place, and nothing typed is lost', async (t) => {
    const checkout = await stage.checkout(t, { theme: 'light' });
    const payment = checkout.payment();
    await payment.fill(APPROVED);
    await checkout.page.locator('payment-form').evaluate((form) => /** @type {any} */ (form).update({ theme: 'dark' }));
    const form = checkout.document('/form/');
    await form.waitForFunction(() => document.documentElement.dataset.theme === 'dark');
    assert.ok(brightness(await form.evaluate(() => getComputedStyle(document.body).color)) > 128);
    assert.equal(await payment.number.inputValue(), APPROVED.shown);
  });
});

/** @param {string} colour as computed by the browser */
function brightness(colour) {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map(Number);
  return 0.299 * red + 0.587 * green + 0.114 * blue;
}
