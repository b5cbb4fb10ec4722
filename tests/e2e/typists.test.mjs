/**
 * Five people who fill in forms in their own ways, with every network and in both layouts: none loses a digit, a field or a
 * payment.
 */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { APPROVED_OF_EVERY_NETWORK, EVERY_LENGTH, EVERY_NETWORK, HOLDER } from './cards.mjs';
import { hasFocus } from './checkout.mjs';
import { Fields } from './fields.mjs';
import { Stage } from './stage.mjs';
import { TYPISTS } from './typists.mjs';

/** Whether every typist types and pays with everything, which takes long; otherwise each takes a share (`CONTRIBUTING.md`). */
const ALL = process.env.PAYFRAME_TYPISTS === 'all';
const EXPIRY = '1230';
const LAYOUTS = /** @type {const} */ ([['one frame', '/'], ['fields in frames of their own', '/fields']]);

/** All of a list, or the share of one of several who divide it. @template T @param {readonly T[]} all @param {number} nth @param {number} several */
const shared = (all, nth, several) => (ALL ? all : all.filter((_, place) => place % several === nth));

suite('typists', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('typists');
  });
  after(() => stage.close());

  /**
   * The form, and a typist who fills it with a card. The fields then contain what was typed.
   * @param {import('node:test').TestContext} t @param {'/' | '/fields'} path @param {import('./typists.mjs').Typist} typist
   */
  async function filling(t, path, typist) {
    // No buyer types thirty numbers: the gateway refuses so many look-ups of ranges, and nothing waits for them.
    const checkout = await stage.checkout(t, {}, { path, noise: /429 .*\/fe\/build\/bin/ });
    const payment = path === '/' ? checkout.payment() : new Fields(checkout);
    await payment.live();
    const { page } = checkout;
    const fields = [payment.number, payment.expiry, payment.code, payment.name];
    const form = { page, fields, pay: payment.pay, apart: path === '/fields' };
    const { keyboard } = page;
    const picture = () => checkout.document('/form/').evaluate(() => new Promise((resolve) => Reflect.get(globalThis, 'payframeAfterPaint')(resolve)));
    /** One after another, with a look at what became of each. @param {(one: string) => Promise<void>} act @param {Iterable<string>} all */
    const oneByOne = async (act, all) => {
      for (const one of all) {
        await act(one);
        await picture();
      }
    };
    const press = (/** @type {string} */ key) => keyboard.press(key);
    const insert = (/** @type {string} */ text) => keyboard.insertText(text);
    /** @type {Record<'quick' | 'slow', import('./typists.mjs').Pace>} */
    const paces = {
      quick: { keys: async (keys) => void (await Promise.all(keys.map(press))), texts: insert },
      slow: { keys: (keys) => oneByOne(press, keys), texts: (text) => oneByOne(insert, text) },
    };
    /** @param {'quick' | 'slow'} pace @param {string} number @param {string} code */
    const fill = async (pace, number, code) => {
      await page.locator('payment-form').evaluate((form) => /** @type {any} */ (form).clear());
      await typist.fill(form, [number, EXPIRY, code, HOLDER], paces[pace]);
      await picture();
      const [shown = '', ...others] = await Promise.all(fields.map((field) => field.inputValue()));
      assert.deepEqual([shown.replaceAll(' ', ''), ...others], [number, '12 / 30', code, HOLDER], `${pace}, a number of ${number.length} digits from ${number.slice(0, 2)}`);
      assert.equal(checkout.requestsTo('fe/build/text').length, 0, 'nothing was sent');
      assert.equal(checkout.requestsTo('build/cancel').length, 0, 'nothing was given up');
    };
    return { checkout, form, fill };
  }

  for (const [nth, [layout, path]] of LAYOUTS.entries()) {
    for (const [place, [name, typist]] of Object.entries(TYPISTS).entries()) {
      test(`E16 who types ${name} loses no digit and no field, quick or slow, in ${layout}`, async (t) => {
        const { fill } = await filling(t, path, typist);
        const several = Object.keys(TYPISTS).length;
        for (const [number, code] of ALL ? EVERY_LENGTH : shared(EVERY_NETWORK, place, several)) await fill('quick', number, code);
        for (const [number, code] of shared(EVERY_LENGTH, place, several)) await fill('slow', number, code);
      });

      const mine = nth * Object.keys(TYPISTS).length + place;
      for (const { number, code, network } of shared(APPROVED_OF_EVERY_NETWORK, mine, LAYOUTS.length * Object.keys(TYPISTS).length)) {
        test(`E16 who types ${name} pays once, with ${network} of ${number.length} digits, in ${layout}`, async (t) => {
          const { checkout, form, fill } = await filling(t, path, typist);
          await fill('quick', number, code);
          await typist.pay(form);
          await form.page.getByText(/^Paid\. /).waitFor();
          assert.equal(checkout.requestsTo('build/finalize_payment').length, 1);
          const orderId = (await form.page.getByRole('link', { name: /^Order / }).textContent())?.replace('Order ', '') ?? '';
          const operations = await stage.api.operations(orderId);
          // Any other number is refused (`docs/testing.md`).
          assert.deepEqual(
            operations.map(({ operationType, operationResult, paymentCircuit, paymentInstrumentInfo }) => [operationType, operationResult, paymentCircuit, paymentInstrumentInfo]),
            [['AUTHORIZATION', 'EXECUTED', network, `***${number.slice(-4)}`]],
          );
        });
      }
    }
  }

  test('E15 what is typed at a button does not press it, and who goes there does', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.live();
    await payment.number.fill('5413330000000001');
    for (const button of [payment.pay, payment.cancel]) {
      await button.focus();
      for (const key of 'Ada Lovelace ') await checkout.page.keyboard.press(key);
      await checkout.page.keyboard.press('Enter');
      await payment.caughtUp();
      assert.equal(await payment.frame.getByRole('alertdialog').count(), 0);
      assert.equal(await payment.frame.locator('[aria-invalid=true]').count(), 0);
    }
    await payment.number.focus();
    await payment.cancel.focus();
    await checkout.page.keyboard.press(' ');
    await payment.frame.getByRole('alertdialog').waitFor();
  });

  test('E14 one Tab or tap after a move of the form belongs to it, the next one does not', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.live();
    const { keyboard } = checkout.page;
    await payment.number.pressSequentially('5413330000000001');
    await hasFocus(payment.expiry);
    await keyboard.press('Tab');
    await hasFocus(payment.expiry);
    await keyboard.press('Tab');
    await hasFocus(payment.code);
    await keyboard.press('Shift+Tab');
    await hasFocus(payment.expiry);
    await keyboard.type(EXPIRY);
    await hasFocus(payment.code);
    await payment.code.click();
    await keyboard.press('Tab');
    await hasFocus(payment.name);
  });

  test('K30 Cancel asks once something was typed: Escape and the way back keep everything, the other gives up', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.live();
    await payment.number.fill('5413330000000001');
    const question = payment.frame.getByRole('alertdialog', { name: /^Do you want to cancel the payment\?/ });
    const back = payment.frame.getByRole('button', { name: 'Continue paying' });
    await payment.press(payment.cancel);
    await hasFocus(back);
    assert.equal(await payment.pay.count(), 0, 'one question at a time');
    await checkout.page.keyboard.press('Escape');
    await hasFocus(payment.cancel);
    await payment.press(payment.cancel);
    await question.waitFor();
    await payment.press(back);
    await question.waitFor({ state: 'hidden' });
    assert.equal((await payment.number.inputValue()).replaceAll(' ', ''), '5413330000000001');
    await payment.giveUp();
    await payment.ends('Payment cancelled');
    await payment.recorded('CANCEL CANCELED');
  });

  test('K30 a form in which nothing was typed is cancelled at once, and one that the page cancels asks nothing', async (t) => {
    const checkout = await stage.checkout(t, { forms: 2 });
    const [first, second] = [checkout.payment({ number: 1 }), checkout.payment({ number: 2 })];
    await first.live();
    await first.press(first.cancel);
    await first.ends('Payment cancelled');
    await second.live();
    await second.number.fill('5413330000000001');
    await second.region.locator('payment-form').evaluate((form) => /** @type {any} */ (form).cancel());
    await second.ends('Payment cancelled');
  });
});
