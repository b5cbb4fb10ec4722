/** Paying without a pointer. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { APPROVED, CHALLENGED } from './cards.mjs';
import { hasFocus, holds, says } from './checkout.mjs';
import { Stage } from './stage.mjs';

suite('keyboard', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('keyboard');
  });
  after(() => stage.close());

  test('E1 the Tab key goes through the form in the order in which it is read, and out again', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.live();
    await payment.region.getByRole('link', { name: /^Order / }).focus();
    const stations = [payment.number, payment.expiry, payment.code, payment.name, payment.pay, payment.cancel];
    for (const station of stations) {
      await checkout.page.keyboard.press('Tab');
      await hasFocus(station);
    }
    for (const station of stations.reverse().slice(1)) {
      await checkout.page.keyboard.press('Shift+Tab');
      await hasFocus(station);
    }
    await payment.cancel.focus();
    await checkout.page.keyboard.press('Tab');
    await hasFocus(checkout.page.getByRole('link', { name: /^One frame/ }));
    await payment.recorded();
  });

  test('E2 Enter in a field pays', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    const { keyboard } = checkout.page;
    await payment.live();
    await payment.number.focus();
    await keyboard.type(APPROVED.number);
    await keyboard.press('Tab');
    await keyboard.type(APPROVED.expiry.replaceAll(/\D/g, ''));
    await keyboard.type(APPROVED.code);
    await keyboard.type(APPROVED.name);
    await holds(payment.name, APPROVED.name);
    await keyboard.press('Enter');
    await payment.ends('Payment complete');
    await hasFocus(payment.frame.getByRole('heading', { name: 'Payment complete' }));
    await payment.recorded('AUTHORIZATION EXECUTED');
  });

  test('E2 Enter in an incomplete form says at each field what is missing, and sends nothing', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.live();
    await payment.name.focus();
    await checkout.page.keyboard.press('Enter');
    await hasFocus(payment.number);
    await says(payment.alert, 'Enter your card number.');
    /** @type {[import('playwright-core').Locator, string][]} */
    const messages = [
      [payment.number, 'Enter your card number.'],
      [payment.expiry, 'Enter the expiry date.'],
      [payment.code, 'Enter the security code.'],
      [payment.name, 'Enter the name on the card.'],
    ];
    for (const [field, message] of messages) {
      assert.equal(await field.getAttribute('aria-invalid'), 'true');
      await says(payment.frame.locator(`[id="${await field.getAttribute('aria-describedby')}"]`), message);
    }
    assert.equal(checkout.requestsTo('fe/build/text').length, 0);
    await payment.recorded();
  });

  test('D6 the focus goes to the first field that is wrong, not to the first field', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.fill({ ...APPROVED, expiry: '1320' });
    await payment.pay.press('Enter');
    await hasFocus(payment.expiry);
    await says(payment.alert, 'The month must be from 01 to 12.');
    await payment.recorded();
  });

  test('a challenge is reached, answered and left by keyboard', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.fill(CHALLENGED);
    await payment.name.press('Enter');
    await payment.issuer.code.waitFor();
    await hasFocus(payment.frame.getByRole('heading', { name: 'Your bank wants to confirm that it is you' }));
    await checkout.page.keyboard.press('Tab');
    await hasFocus(payment.issuer.code);
    await checkout.page.keyboard.type('123456');
    await checkout.page.keyboard.press('Enter');
    await payment.ends('Payment complete');
    await payment.recorded('AUTHORIZATION EXECUTED');
  });
});
