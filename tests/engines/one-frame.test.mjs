/** The form in one frame, in every engine: a whole payment, one with a challenge, and a refusal that leaves another try. */

import { test } from 'node:test';
import assert from 'node:assert/strict';
import { Key } from 'selenium-webdriver';
import { APPROVED, CHALLENGED, EVERY_NETWORK, HOLDER, NO_FUNDS, OTHER_NETWORK } from '../e2e/cards.mjs';
import { OneFrame } from './one-frame.mjs';
import { inEveryEngine } from './stage.mjs';

inEveryEngine('one frame', (stage) => {
  test('a card is charged once', async (t) => {
    const payment = await OneFrame.open(stage(), t);
    await payment.payWith(APPROVED);
    await payment.ends('Payment complete', /^Paid\. /);
    await stage().recorded(await payment.orderId(), 'AUTHORIZATION EXECUTED');
  });

  for (const [name, key] of /** @type {const} */ ([['moves on with the mouse', ''], ['presses Tab after each field', Key.TAB], ['presses Enter after each field', Key.ENTER]])) {
    test(`E16 who ${name} loses nothing, quick or slow, also where the form has moved on by itself, with every network`, async (t) => {
      const { form, page } = await OneFrame.open(stage(), t);
      const paces = {
        quick: (/** @type {string[]} */ ...keys) => form.type(...keys),
        async slow(/** @type {string[]} */ ...keys) {
          for (const one of keys.flatMap((text) => [...text])) await form.type(one);
        },
      };
      for (const [pace, press] of Object.entries(paces)) {
        for (const [number, code] of EVERY_NETWORK) {
          await page.run("return document.querySelector('payment-form').clear().then(() => true)");
          await form.field('Card number').click();
          if (key) await press(number, key, '1230', key, code, key, HOLDER);
          else {
            await press(number);
            for (const [label = '', text = ''] of [['Expiry date', '1230'], ['Security code', code], ['Name on card', HOLDER]]) {
              await form.field(label).click();
              await press(text);
            }
          }
          const expected = [number, '12 / 30', code, HOLDER].join();
          const values = "['CARD_NUMBER', 'EXPIRATION_DATE', 'SECURITY_CODE', 'CARDHOLDER_NAME'].map((id) => document.getElementById(id).value)";
          const found = `${values}.map((value, place) => (place ? value : value.replaceAll(' ', ''))).join()`;
          await form.until(`return ${found} === arguments[0]`, expected).catch(async () => assert.equal(await form.run(`return ${found}`), expected, `${pace}, a number from ${number.slice(0, 2)}`));
        }
      }
    });
  }

  test('E15 what is typed at Cancel does not press it, and a blank alone does', async (t) => {
    const { form } = await OneFrame.open(stage(), t);
    await form.field('Card number').fill(OTHER_NETWORK.number);
    await form.field('Name on card').click();
    // From the name over Pay.
    await form.type(Key.TAB, Key.TAB, `${HOLDER} ${HOLDER}`);
    await form.until("return document.activeElement.id === 'cancel' && document.getElementById('question').hidden");
    await form.field('Name on card').click();
    await form.type(Key.TAB, Key.TAB, ' ');
    await form.until("return !document.getElementById('question').hidden && document.activeElement.id === 'keep'");
  });

  test('a challenge is passed inside the form', async (t) => {
    const payment = await OneFrame.open(stage(), t);
    await payment.payWith(CHALLENGED);
    await payment.answerChallenge('123456');
    await payment.ends('Payment complete', /^Paid\. /);
    await stage().recorded(await payment.orderId(), 'AUTHORIZATION EXECUTED');
  });

  test('a refused card leaves another try', async (t) => {
    const payment = await OneFrame.open(stage(), t);
    await payment.payWith(NO_FUNDS);
    await payment.form.says('#message', /lack of funds/);
    await payment.payWith(APPROVED);
    await payment.ends('Payment complete', /^Paid\. /);
    await stage().recorded(await payment.orderId(), 'AUTHORIZATION DECLINED', 'AUTHORIZATION EXECUTED');
  });
});
