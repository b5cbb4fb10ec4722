/**
 * Five people who fill in forms in their own ways, with every network and in both layouts: none loses a digit, a field or a
 * payment.
 */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { APPROVED, EVERY_LENGTH, EVERY_NETWORK, HOLDER } from './cards.mjs';
import { hasFocus } from './checkout.mjs';
import { Fields, IDS } from './fields.mjs';
import { Stage } from './stage.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Locator} Locator */
/** @typedef {{ number: Locator, expiry: Locator, code: Locator, name: Locator, page: Page, apart: boolean }} Form */

const EXPIRY = '1230';

/** The fields in the order in which they are filled, with what belongs in each. @param {string} number @param {string} code */
const texts = (number, code) => [number, EXPIRY, code, HOLDER];

/**
 * How somebody goes through the form. `keys` presses keys, quickly or slowly.
 * @type {Record<string, (form: Form, texts: string[], keys: (keys: string[]) => Promise<void>) => Promise<void>>}
 */
const TYPISTS = {
  async 'with the mouse'(form, texts, keys) {
    for (const [place, text] of texts.entries()) {
      await [form.number, form.expiry, form.code, form.name][place]?.click();
      await keys([...text]);
    }
  },
  'with Tab by habit': (form, texts, keys) => byHabit('Tab', form, texts, keys),
  'with Enter by habit': (form, texts, keys) => byHabit('Enter', form, texts, keys),
  async 'by pasting'(form, texts, keys) {
    const fields = [form.number, form.expiry, form.code, form.name];
    for (const [place, text] of texts.entries()) {
      const last = /** @type {Locator} */ (fields.at(-1));
      await last.fill(text);
      await last.press('ControlOrMeta+a');
      await last.press('ControlOrMeta+x');
      const field = /** @type {Locator} */ (fields[place]);
      await field.focus();
      await keys(place === 3 ? ['ControlOrMeta+v'] : ['ControlOrMeta+v', 'Tab']);
    }
  },
  async 'with a screen reader'(form, texts, keys) {
    await form.number.focus();
    for (const [place, text] of texts.entries()) {
      // Goes on until the field is announced that comes next.
      for (let steps = 0; (await focused(form.page)) !== IDS[place]; steps++) {
        assert.ok(steps < 2, `Tab does not lead to ${IDS[place]}`);
        await keys(['Tab']);
      }
      await keys([...text]);
    }
  },
};

/**
 * Presses a key after each field. In one frame no key waits for another. From frame to frame the browser moves the focus in its
 * own time, and what is typed before it is there goes elsewhere, with any form.
 * @param {'Tab' | 'Enter'} key @param {Form} form @param {string[]} texts @param {(keys: string[]) => Promise<void>} keys
 */
async function byHabit(key, form, texts, keys) {
  await form.number.focus();
  if (!form.apart) return keys(texts.flatMap((text, place) => (place ? [key, ...text] : [...text])));
  for (const [place, text] of texts.entries()) {
    if (place) {
      await keys([key]);
      await inFocus(form, place);
    }
    await keys([...text]);
  }
}

/** Until a field has the focus. @param {Form} form @param {number} place */
async function inFocus(form, place) {
  const input = await [form.number, form.expiry, form.code, form.name][place]?.elementHandle();
  const frame = await input?.ownerFrame();
  await frame?.waitForFunction((input) => document.hasFocus() && document.activeElement === input, input);
}

/** The id of what has the focus, in whichever frame. @param {Page} page */
async function focused(page) {
  for (const frame of page.frames().reverse()) {
    const id = await frame.evaluate(() => document.hasFocus() && document.activeElement?.tagName === 'INPUT' && document.activeElement.id);
    if (id) return id;
  }
  return '';
}

/** Goes on by Tab to the button, and presses it. @param {Page} page @param {Locator} button */
async function payByKeys(page, button) {
  const isThere = () => button.evaluate((button) => document.hasFocus() && document.activeElement === button);
  for (let steps = 0; !(await isThere()); steps++) {
    assert.ok(steps < 4, 'Tab leads to the button');
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
}

suite('typists', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('typists');
  });
  after(() => stage.close());

  for (const [layout, path] of /** @type {const} */ ([['one frame', '/'], ['fields in frames of their own', '/fields']])) {
    for (const [name, fill] of Object.entries(TYPISTS)) {
      test(`E16 who types ${name} loses nothing, quick or slow, in ${layout}`, async (t) => {
        // Nobody types thirty numbers: the look-up of ranges is withheld from who asks so often, and nothing waits for it.
        const checkout = await stage.checkout(t, {}, { path, noise: /429 .*\/fe\/build\/bin/ });
        const payment = path === '/' ? checkout.payment() : new Fields(checkout);
        await payment.live();
        const { page } = checkout;
        const picture = () => checkout.document('/form/').evaluate(() => new Promise((resolve) => Reflect.get(globalThis, 'payframeAfterPicture')(resolve)));
        const { keyboard } = page;
        const paces = {
          quick: async (/** @type {string[]} */ keys) => void (await Promise.all(keys.map((key) => keyboard.press(key)))),
          async slow(/** @type {string[]} */ keys) {
            for (const key of keys) {
              await keyboard.press(key);
              await picture();
            }
          },
        };
        for (const [pace, keys] of Object.entries(paces)) {
          for (const [number = '', code = ''] of pace === 'quick' ? EVERY_LENGTH : EVERY_NETWORK) {
            await page.locator('payment-form').evaluate((form) => /** @type {any} */ (form).clear());
            await fill({ ...payment, page, apart: path === '/fields' }, texts(number, code), keys);
            await picture();
            const [shown = '', expiry, typedCode, holder] = await Promise.all([payment.number, payment.expiry, payment.code, payment.name].map((field) => field.inputValue()));
            assert.deepEqual([shown.replaceAll(' ', ''), expiry, typedCode, holder], [number, '12 / 30', code, HOLDER], `${pace}, a number of ${number.length} digits from ${number.slice(0, 2)}`);
          }
        }
        assert.equal(checkout.requestsTo('fe/build/text').length, 0, 'nothing was sent');
        assert.equal(checkout.requestsTo('build/cancel').length, 0, 'nothing was given up');
        // And pays in the same way.
        await page.locator('payment-form').evaluate((form) => /** @type {any} */ (form).clear());
        await fill({ ...payment, page, apart: path === '/fields' }, texts(APPROVED.number, APPROVED.code), paces.quick);
        await picture();
        if (name === 'with Enter by habit') await page.keyboard.press('Enter');
        else if (name.startsWith('with Tab') || name.startsWith('with a screen')) await payByKeys(page, payment.pay);
        else await payment.press(payment.pay);
        await page.getByText(/^Paid\. /).waitFor();
        assert.equal(checkout.requestsTo('build/finalize_payment').length, 1);
      });
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

  test('K20 Cancel asks once something was typed: Escape and the way back keep everything, the other gives up', async (t) => {
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

  test('K20 a form in which nothing was typed is cancelled at once, and one that the page cancels asks nothing', async (t) => {
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
