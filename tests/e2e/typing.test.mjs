/** What the fields do with keys, as seen in a real browser; the rules themselves are tested without one. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { AMEX, APPROVED, CHALLENGED } from './cards.mjs';
import { hasFocus, holds, says } from './checkout.mjs';
import { Stage } from './stage.mjs';

/** @typedef {import('playwright-core').Locator} Locator */

suite('typing', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('typing');
  });
  after(() => stage.close());

  test('numbers are grouped as on the card, and the network has its picture', async (t) => {
    const payment = (await stage.checkout(t)).payment();
    await payment.live();
    for (const [digits, shown, brand] of [
      ['4761730000000003', '4761 7300 0000 0003', 'Visa'],
      ['5413330000000001', '5413 3300 0000 0001', 'Mastercard'],
      ['374245000000009', '3742 450000 00009', 'American Express'],
    ]) {
      await payment.number.fill('');
      assert.equal(await payment.frame.getByRole('img').count(), 0, 'no picture without a number');
      await payment.number.pressSequentially(String(digits));
      await holds(payment.number, String(shown));
      await payment.frame.getByRole('img', { name: brand }).waitFor();
    }
  });

  test('the caret stays where the buyer works', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.live();
    /** @param {Locator} field @param {string} before @param {string} keys @param {string} expected */
    const check = async (field, before, keys, expected) => {
      await write(field, before);
      for (const key of keys.split(' ')) await checkout.page.keyboard.press(key);
      assert.equal(await read(field), expected, `${before} ${keys}`);
    };
    await check(payment.number, '4761|', '7', '4761 7|');
    await check(payment.number, '4761 7|', 'Backspace', '4761|');
    await check(payment.number, '47|61 73', '3', '473|6 173');
    await check(payment.number, '4761 |73', 'Backspace', '476|7 3');
    await check(payment.number, '4761| 73', 'Delete', '4761| 3');
    await check(payment.number, '4761 7|3', 'x', '4761 7|3');
    await check(payment.number, '4761 [73]00', 'Backspace', '4761 |00');
    await check(payment.expiry, '|', '1 2', '12 / |');
    await check(payment.expiry, '|', '5', '05 / |');
    await check(payment.expiry, '12 / 3|', 'Backspace', '12 / |');
    await check(payment.expiry, '12 / |', 'Backspace', '1|');
    await check(payment.code, '12|', 'a', '12|');
  });

  test('a pasted number is cleaned and grouped', async (t) => {
    const checkout = await stage.checkout(t, {}, { context: { permissions: ['clipboard-read', 'clipboard-write'] } });
    const payment = checkout.payment();
    await payment.live();
    for (const pasted of ['4761-7300-0000-0003', ' 4761730000000003\n', '4761 7300 0000 0003']) {
      await checkout.page.bringToFront();
      await payment.region.getByRole('link', { name: /^Order / }).focus();
      await checkout.page.evaluate((text) => navigator.clipboard.writeText(text), pasted);
      await payment.number.fill('');
      await payment.number.press('ControlOrMeta+v');
      await holds(payment.number, '4761 7300 0000 0003');
    }
  });

  test('an error is said when the field is left, and goes as soon as it is corrected', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.live();
    /** @param {Locator} field @param {string} wrong @param {string} message @param {string} right */
    const check = async (field, wrong, message, right) => {
      const note = payment.frame.locator(`[id="${await field.getAttribute('aria-describedby')}"]`);
      await field.pressSequentially(wrong);
      assert.equal(await note.textContent(), '', 'nobody is interrupted while typing');
      await field.blur();
      await says(note, message);
      await says(payment.alert, message);
      assert.equal(await field.getAttribute('aria-invalid'), 'true');
      await field.fill(right);
      await payment.frame.locator('[aria-invalid=true]').waitFor({ state: 'detached' });
      assert.equal(await note.textContent(), '');
    };
    await check(payment.number, '4761730000000004', 'Check the card number: there is a typing mistake in it.', APPROVED.number);
    await check(payment.expiry, '1220', 'This card has expired.', APPROVED.expiry);
    await check(payment.code, '12', 'The security code has 3 digits.', APPROVED.code);
    await check(payment.name, '4761730000000003', 'This looks like a card number. Enter the name on the card.', APPROVED.name);
    await payment.number.focus();
    await payment.number.blur();
    assert.equal(checkout.requestsTo('fe/build/text').length, 0);
  });

  test('an empty field that is left is not wrong yet', async (t) => {
    const payment = (await stage.checkout(t)).payment();
    await payment.live();
    for (const field of [payment.number, payment.expiry, payment.code, payment.name]) await field.focus();
    await payment.cancel.focus();
    assert.equal(await payment.frame.locator('[aria-invalid=true]').count(), 0);
    assert.equal(await payment.alert.textContent(), '');
  });

  test('a full field hands the focus on, and Backspace takes it back', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.live();
    await payment.number.pressSequentially(AMEX.number);
    await hasFocus(payment.expiry);
    await checkout.page.keyboard.type(AMEX.expiry.replaceAll(/\D/g, ''));
    await hasFocus(payment.code);
    assert.equal(await payment.code.getAttribute('placeholder'), '1234');
    await checkout.page.keyboard.press('Backspace');
    await hasFocus(payment.expiry);
    await holds(payment.expiry, AMEX.expiry);
    await payment.code.fill(AMEX.code);
    await payment.name.fill(AMEX.name);
    await payment.pay.click();
    await payment.ends('Payment complete');
    const [operation] = await payment.recorded('AUTHORIZATION EXECUTED');
    assert.equal(operation.paymentCircuit, 'AMEX');
  });

  for (const width of [360, 320]) {
    test(`nothing is cut off or scrolls sideways at ${width} px`, async (t) => {
      const checkout = await stage.checkout(t, {}, { context: { viewport: { width, height: 740 } } });
      const payment = checkout.payment();
      /** @param {string} state */
      const fits = async (state) => {
        await payment.settled();
        const documents = [checkout.page.mainFrame(), checkout.document('/form/')];
        for (const frame of [...documents, ...checkout.page.frames().filter((frame) => frame.url().includes('/threeds/challenge/'))]) {
          const [wanted, given] = await frame.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
          assert.ok(Number(wanted) <= Number(given), `${state}: ${frame.url()} wants ${wanted} of ${given} px`);
        }
      };
      await payment.live();
      await fits('empty');
      await payment.pay.click();
      await says(payment.alert, 'Enter your card number.');
      await fits('errors');
      await payment.payWith(CHALLENGED);
      await payment.issuer.code.waitFor();
      await fits('challenge');
      const lowest = await payment.issuer.confirm.evaluate((button) => innerHeight - button.getBoundingClientRect().bottom);
      assert.ok(lowest >= 0, `the issuer's button is ${-lowest} px below what is seen`);
      await payment.issuer.answer('123456');
      await payment.ends('Payment complete');
      await fits('approved');
    });
  }
});

/** Puts text, caret and selection into a field: `41|1`, `4[11]1`. @param {Locator} field @param {string} marked */
async function write(field, marked) {
  const text = marked.replaceAll(/[|[\]]/g, '');
  const start = marked.search(/[|[]/);
  const end = marked.includes(']') ? marked.indexOf(']') - 1 : start;
  await field.fill('');
  if (text) await field.pressSequentially(text.replaceAll(/\D/g, ''));
  assert.equal(await field.inputValue(), text, 'the field can hold this text');
  await field.evaluate((input, [start, end]) => /** @type {HTMLInputElement} */ (input).setSelectionRange(start ?? 0, end ?? 0), [start, end]);
}

/** Text and caret of a field. @param {Locator} field */
const read = (field) =>
  field.evaluate((element) => {
    const { value, selectionStart } = /** @type {HTMLInputElement} */ (element);
    return `${value.slice(0, selectionStart ?? 0)}|${value.slice(selectionStart ?? 0)}`;
  });
