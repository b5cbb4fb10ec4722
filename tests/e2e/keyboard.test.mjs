/** Paying without a pointer. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { APPROVED, CHALLENGED, CHALLENGE_FAILS } from './cards.mjs';
import { hasFocus, holds, says } from './checkout.mjs';
import { Stage } from './stage.mjs';

suite('keyboard', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('keyboard');
  });
  after(() => stage.close());

  test('E1 the Tab key goes through the form in the order in which it is read, and out again', async () => {
    const payment = await stage.unpaid();
    const { checkout } = payment;
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

  test('E10 buyer uses the keypad\'s previous and next keys → they walk the fields in order in the single layout', async () => {
    const payment = await stage.unpaid();
    const { checkout } = payment;
    // Those keys follow the order of the inputs in one document, if no input has another `tabindex` or form, or is inert.
    const walked = await checkout.document('/form/').evaluate(() => {
      const form = document.getElementById('card');
      const inputs = /** @type {HTMLInputElement[]} */ ([...document.querySelectorAll('input, select, textarea')]);
      const seen = inputs.filter((input) => input.checkVisibility() && !input.matches(':disabled'));
      return { inputs: seen.map(({ id }) => id), alone: seen.every((input) => input.tabIndex === 0 && input.form === form), inert: seen.some((input) => input.closest('[inert]')) };
    });
    assert.deepEqual(walked, { inputs: ['CARD_NUMBER', 'EXPIRATION_DATE', 'SECURITY_CODE', 'CARDHOLDER_NAME'], alone: true, inert: false });
    const boxes = await Promise.all([payment.number, payment.expiry, payment.code, payment.name].map((input) => input.boundingBox()));
    const places = boxes.map((box) => ({ x: box?.x ?? NaN, y: box?.y ?? NaN }));
    assert.deepEqual(places, places.toSorted((a, b) => a.y - b.y || a.x - b.x), 'which is the order that is seen');
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

  test('E2 Enter in an incomplete form says at each field what is missing, and sends nothing', async () => {
    const payment = await stage.unpaid();
    const { checkout } = payment;
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

  test('D6 the focus goes to the first field that is wrong, not to the first field', async () => {
    const payment = await stage.unpaid();
    await payment.fill({ ...APPROVED, expiry: '1320' });
    await payment.pay.press('Enter');
    await hasFocus(payment.expiry);
    await says(payment.alert, 'The month must be from 01 to 12.');
    await payment.recorded();
  });

  test('G19 challenge or result opens and closes → focus goes to its heading, then back to where it came from', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.payWith(CHALLENGED);
    await payment.issuer.code.waitFor();
    await hasFocus(payment.frame.getByRole('heading', { name: 'Your bank wants to confirm that it is you' }));
    await payment.frame.getByRole('button', { name: 'Back to the card', exact: true }).click();
    await payment.keeps(CHALLENGED);
    // Back to the form, at the field that it has to ask for again.
    await hasFocus(payment.code);
    await payment.payWith(CHALLENGE_FAILS);
    await hasFocus(payment.frame.getByRole('heading', { name: 'Your bank wants to confirm that it is you' }));
    await payment.issuer.answer('123456');
    await payment.keeps(CHALLENGE_FAILS);
    await hasFocus(payment.code);
    await payment.payWith(APPROVED);
    await payment.ends('Payment complete');
    await hasFocus(payment.frame.getByRole('heading', { name: 'Payment complete' }));
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
