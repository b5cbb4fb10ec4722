/**
 * What the fields do with keys, as seen in a real browser; the rules themselves are tested without one.
 *
 * This file is longer than most, because its rows of docs/behaviours.md share one gateway and one browser.
 */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { AMEX, APPROVED, CHALLENGED, HOLDER } from './cards.mjs';
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

  test('A1 buyer types a number of any known brand → gaps stand where that brand prints them, and only digits are sent', async (t) => {
    const payment = (await stage.checkout(t, {}, { prepare: (page) => page.addInitScript(noteWhatIsEncrypted) })).payment();
    await payment.live();
    for (const [digits, shown, brand] of [
      ['4761730000000003', '4761 7300 0000 0003', 'Visa'],
      ['5413330000000001', '5413 3300 0000 0001', 'Mastercard'],
      ['374245000000009', '3742 450000 00009', 'American Express'],
    ]) {
      await payment.number.fill('');
      await payment.caughtUp();
      assert.equal(await payment.frame.getByRole('img').count(), 0, 'no picture without a number');
      await payment.number.pressSequentially(String(digits));
      await holds(payment.number, String(shown));
      await payment.frame.getByRole('img', { name: brand }).waitFor();
    }
    await payment.payWith(APPROVED);
    await payment.ends('Payment complete');
    const [body] = payment.checkout.requestsTo('fe/build/text').map((request) => request.postDataJSON());
    const encrypted = await (await payment.document()).evaluate(() => /** @type {any} */ (window).encrypted);
    assert.deepEqual(JSON.parse(encrypted), [{ id: 'CARD_NUMBER', value: APPROVED.number }, { id: 'SECURITY_CODE', value: APPROVED.code }]);
    assert.equal(body.find((/** @type {{ id: string }} */ item) => item.id === 'CARDHOLDER_NAME').value, HOLDER);
  });

  /** An empty form, and functions that press keys in it. */
  async function typist() {
    const payment = await stage.unpaid();
    const { checkout } = payment;
    /** @param {Locator} field @param {string} before @param {string} keys @param {string} expected */
    const check = async (field, before, keys, expected) => {
      await write(field, before);
      for (const key of keys.split(' ')) await checkout.page.keyboard.press(key);
      assert.equal(await read(field), expected, `${before} ${keys}`);
    };
    return { checkout, payment, check };
  }

  test('A2 buyer inserts a digit in mid-number → it lands at the caret, which ends right behind it, across a gap as well', async () => {
    const { payment, check } = await typist();
    await check(payment.number, '4761|', '7', '4761 7|');
    await check(payment.number, '47|61 73', '3', '473|6 173');
    await check(payment.number, '4761| 73', '9', '4761 9|73');
    await check(payment.number, '476|1 73', '9 9', '4769 9|173');
  });

  test('A3 buyer presses Backspace just after a gap or Delete just before it → the digit beyond the gap goes, never the gap alone', async () => {
    const { payment, check } = await typist();
    await check(payment.number, '4761 7|', 'Backspace', '4761|');
    await check(payment.number, '4761 |73', 'Backspace', '476|7 3');
    await check(payment.number, '4761| 73', 'Delete', '4761| 3');
  });

  test('A4 buyer selects part of the number and types → the selection is replaced and the rest regrouped', async () => {
    const { payment, check } = await typist();
    await check(payment.number, '4761 [73]00', 'Backspace', '4761 |00');
    await check(payment.number, '4[761 7]300', '2', '42|30 0');
    await check(payment.number, '[4761 7300]', '5', '5|');
  });

  test('A6 buyer pastes or drops text that holds letters → its digits are taken; text without digits changes nothing', async () => {
    const { checkout, payment } = await typist();
    await payment.name.fill('No. 4761x7300 0000');
    await payment.name.selectText();
    await payment.name.dragTo(payment.number, { sourcePosition: { x: 40, y: 24 } });
    await holds(payment.number, '4761 7300 0000');
    await write(payment.number, '47[61] 7300');
    await payment.name.fill('none');
    await payment.name.selectText();
    await payment.name.press('ControlOrMeta+c');
    await payment.number.evaluate((input) => /** @type {HTMLInputElement} */ (input).setSelectionRange(2, 4));
    await payment.number.focus();
    await checkout.page.keyboard.press('ControlOrMeta+v');
    assert.equal(await read(payment.number), '47[61] 7300');
  });

  test('A7 buyer pastes more digits than any brand allows → none is cut off unseen, and the field says the number is too long', async () => {
    const { payment } = await typist();
    await payment.number.fill(`${APPROVED.number}00001`);
    await holds(payment.number, '4761 7300 0000 0003 00001');
    await says(payment.frame.locator('[id="CARD_NUMBER-note"]'), 'This card number is too long.');
    await payment.number.press('End');
    for (let digit = 0; digit < 5; digit++) await payment.number.press('Backspace');
    await payment.frame.locator('[aria-invalid=true]').waitFor({ state: 'detached' });
  });

  test('A8 buyer types behind a full field → ignored without a message; in front of a full number → kept and said', async () => {
    const { payment, check } = await typist();
    await check(payment.expiry, '12 / 28|', '9', '12 / 28|');
    await check(payment.number, '3742 450000 00009|', '9', '3742 450000 00009|');
    await payment.caughtUp();
    assert.equal(await payment.frame.locator('[aria-invalid=true]').count(), 0);
    await check(payment.number, '3742 |450000 00009', '9', '3742 9|45000 000009');
    await says(payment.frame.locator('[id="CARD_NUMBER-note"]'), 'This card number is too long.');
  });

  test('A9 composing keyboard enters digits → each appears once, in order and grouped', async () => {
    const { payment } = await typist();
    const keyboard = await composer(payment);
    await payment.number.focus();
    for (const text of ['4', '47', '476', '4761', '47617', '476173']) await keyboard.compose(text);
    await payment.frame.getByRole('img', { name: 'Visa' }).waitFor();
    await keyboard.commit('476173');
    await holds(payment.number, '4761 73');
    for (const digit of '0000') {
      await keyboard.compose(digit);
      await keyboard.commit(digit);
    }
    await holds(payment.number, '4761 7300 00');
    assert.equal(await read(payment.number), '4761 7300 00|');
    await payment.number.evaluate((input) => /** @type {HTMLInputElement} */ (input).setSelectionRange(2, 2));
    await keyboard.compose('9');
    await keyboard.commit('9');
    assert.equal(await read(payment.number), '479|6 1730 000');
  });

  test('A10 composing keyboard deletes backwards or swaps in a suggestion → value and caret match those of a hardware keyboard', async () => {
    const { payment } = await typist();
    const keyboard = await composer(payment);
    await write(payment.number, '4761|');
    for (const text of ['7', '73', '7', '79']) await keyboard.compose(text);
    await keyboard.commit('79');
    assert.equal(await read(payment.number), '4761 79|');
    await keyboard.compose('5');
    await keyboard.compose('');
    await payment.number.blur();
    await holds(payment.number, '4761 79');
    await write(payment.number, '|');
    await keyboard.compose('476173');
    await keyboard.commit('4761730000000003');
    assert.equal(await read(payment.number), '4761 7300 0000 0003|');
    await write(payment.number, '47|61');
    await keyboard.compose('ab');
    await keyboard.commit('ab');
    assert.equal(await read(payment.number), '47|61');
  });

  test('A11 buyer undoes and redoes → earlier values come back step by step, grouped, with the caret at the change', async () => {
    const { payment, check } = await typist();
    await check(payment.number, '4761 7|', 'Control+z', '4761|');
    await check(payment.number, '4761 7|', 'Control+z Control+z', '476|');
    await check(payment.number, '4761 7|', 'Control+z Control+Shift+Z', '4761 7|');
    await check(payment.number, '4761 7|', 'Control+z Control+z Control+y Control+y Control+y', '4761 7|');
    await check(payment.number, '4761 |73', '9 Control+z', '4761 |73');
    await check(payment.number, '47[61 7]3', '9 Control+z', '47[61 7]3');
    await check(payment.expiry, '12 / 3|', 'Control+z Control+z', '1|');
  });

  test('A13 brand becomes another one while typing → digits regroup and the caret stays behind the same digit', async () => {
    const { payment, check } = await typist();
    await check(payment.number, '|7424 5000 0000 9', '3', '3|742 450000 0009');
    await check(payment.number, '3|742 450000 0009', 'Backspace', '|7424 5000 0000 9');
  });

  test('A14 buyer presses a letter or symbol in a digits-only field → value, caret and selection stay as they were, without a message', async () => {
    const { payment, check } = await typist();
    for (const [field, before, keys] of /** @type {const} */ ([
      [payment.number, '4761 7|3', 'x'],
      [payment.number, '47[61 7]3', 'x -'],
      [payment.expiry, '[12] / 3', 'x'],
      [payment.code, '1[2]', 'a'],
      [payment.code, '12|', '.'],
    ])) {
      await check(field, before, keys, before);
      await payment.caughtUp();
      assert.equal(await field.getAttribute('aria-invalid'), null);
      await field.fill('');
    }
  });

  test('A15 buyer types very fast or holds a key → no digit is lost, doubled or swapped', async () => {
    const { checkout, payment } = await typist();
    await payment.number.focus();
    await Promise.all([...APPROVED.number].map((digit) => checkout.page.keyboard.press(digit)));
    await holds(payment.number, APPROVED.shown);
    await payment.number.fill('');
    await payment.number.focus();
    for (let repeat = 0; repeat < 12; repeat++) await checkout.page.keyboard.down('4');
    await checkout.page.keyboard.up('4');
    await holds(payment.number, '4444 4444 4444');
    for (let repeat = 0; repeat < 12; repeat++) await checkout.page.keyboard.down('Backspace');
    await checkout.page.keyboard.up('Backspace');
    await holds(payment.number, '');
  });

  test('C1 buyer types the expiry → leading zero and separator come by themselves where there is no doubt', async () => {
    const { payment, check } = await typist();
    await check(payment.expiry, '|', '1 2', '12 / |');
    await check(payment.expiry, '|', '5', '05 / |');
    await check(payment.expiry, '|', '1 / 3', '01 / 3|');
  });

  test('C2 buyer deletes backwards through the separator → digits go and the separator never holds the caret', async () => {
    const { payment, check } = await typist();
    await check(payment.expiry, '12 / 3|', 'Backspace', '12 / |');
    await check(payment.expiry, '12 / |', 'Backspace', '1|');
  });

  test('C4 buyer enters a month that does not exist → flagged after leaving the field and never altered unasked', async () => {
    const { payment } = await typist();
    await payment.expiry.pressSequentially('0029');
    await holds(payment.expiry, '00 / 29');
    await payment.caughtUp();
    assert.equal(await payment.frame.locator('[aria-invalid=true]').count(), 0);
    await payment.expiry.blur();
    await says(payment.alert, 'The month must be from 01 to 12.');
    await holds(payment.expiry, '00 / 29');
  });

  test('C6 year beyond the allowed horizon → flagged as unlikely with a text of its own', async () => {
    const { payment } = await typist();
    await payment.expiry.fill('12/89');
    await payment.expiry.blur();
    await says(payment.alert, 'Check the year: it is unusually far ahead.');
  });

  test('C7 device clock is wrong by years → the gateway\'s date decides and a good card is not refused', async (t) => {
    const checkout = await stage.checkout(t, {}, { prepare: (page) => page.clock.setFixedTime(new Date('2061-05-05T12:00:00Z')) });
    const payment = checkout.payment();
    await payment.payWith(APPROVED);
    await payment.ends('Payment complete');
  });

  test('C10 buyer types a card number into the name → refused with a message that does not repeat the digits', async () => {
    const { payment } = await typist();
    await payment.name.fill(APPROVED.number);
    await payment.name.blur();
    await says(payment.alert, 'This looks like a card number. Enter the name on the card.');
    assert.doesNotMatch((await payment.alert.textContent()) ?? '', /\d/);
  });

  test('A5 buyer pastes a number with spaces, dashes, dots or line breaks → same value and caret as if the digits had been typed', async (t) => {
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
      assert.equal(await read(payment.number), '4761 7300 0000 0003|');
    }
  });

  test('D2 buyer leaves a field with wrong content → exactly one message, at that field, gone with the keystroke that makes it right', async () => {
    const { checkout, payment } = await typist();
    /** @param {Locator} field @param {string} wrong @param {string} message @param {string} right */
    const check = async (field, wrong, message, right) => {
      const note = payment.frame.locator(`[id="${await field.getAttribute('aria-describedby')}"]`);
      await field.pressSequentially(wrong);
      await payment.caughtUp();
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

  test('D3 buyer leaves an untouched empty field → no error before the first submit', async () => {
    const { payment } = await typist();
    for (const field of [payment.number, payment.expiry, payment.code, payment.name]) await field.focus();
    await payment.cancel.focus();
    assert.equal(await payment.frame.locator('[aria-invalid=true]').count(), 0);
    assert.equal(await payment.alert.textContent(), '');
  });

  test('E3 number reaches its certain full length by typing at its end → focus moves on once, and Backspace takes it back', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.live();
    await payment.number.pressSequentially(AMEX.number);
    await hasFocus(payment.expiry);
    await checkout.page.keyboard.type(AMEX.expiry.replaceAll(/\D/g, ''));
    await hasFocus(payment.code);
    await payment.caughtUp();
    assert.equal(await payment.code.getAttribute('placeholder'), '1234');
    await checkout.page.keyboard.press('Backspace');
    await hasFocus(payment.expiry);
    await holds(payment.expiry, AMEX.expiry);
    await payment.code.fill(AMEX.code);
    await payment.name.fill(AMEX.name);
    await payment.press();
    await payment.ends('Payment complete');
    const [operation] = await payment.recorded('AUTHORIZATION EXECUTED');
    assert.equal(operation.paymentCircuit, 'AMEX');
  });

  test('E4 merchant switches auto-advance off → focus never moves by itself', async () => {
    const { payment } = await typist();
    /** @param {'auto' | 'off'} advance */
    const update = (advance) => payment.region.locator('payment-form').evaluate((form, advance) => /** @type {any} */ (form).update({ advance }), advance);
    await update('off');
    for (const [field, text, shown] of /** @type {const} */ ([[payment.number, AMEX.number, AMEX.shown], [payment.expiry, AMEX.expiry.replaceAll(/\D/g, ''), AMEX.expiry], [payment.code, AMEX.code, AMEX.code]])) {
      await field.pressSequentially(text);
      await holds(field, shown);
      await hasFocus(field);
    }
    await update('auto');
    await payment.number.press('End');
    await payment.number.press('Backspace');
    await payment.number.press(AMEX.number.slice(-1));
    await hasFocus(payment.expiry);
  });

  test('C11 merchant supplies a known name or e-mail → prefilled, editable and not flagged', async (t) => {
    const payment = (await stage.checkout(t)).payment();
    await payment.live();
    const { sessionId } = await stage.api.open({ shop: stage.shopOrigin, form: { closing: 'FRAME' }, customerInfo: { cardHolderName: 'Zoë Müller-Weiß' } });
    await payment.region.locator('payment-form').evaluate((form, session) => form.setAttribute('session', session), sessionId);
    await holds(payment.name, 'Zoë Müller-Weiß');
    await payment.live();
    assert.equal(await payment.frame.locator('[aria-invalid=true]').count(), 0);
    await payment.name.press('End');
    await payment.name.pressSequentially(' O’Neill');
    await payment.number.fill(APPROVED.number);
    await payment.expiry.fill(APPROVED.expiry);
    await payment.code.fill(APPROVED.code);
    await payment.press();
    await payment.ends('Payment complete');
    const [body] = payment.checkout.requestsTo('fe/build/text').map((request) => request.postDataJSON());
    assert.equal(body.find((/** @type {{ id: string }} */ item) => item.id === 'CARDHOLDER_NAME').value, 'Zoë Müller-Weiß O’Neill', 'C9: sent unchanged');
  });

  test('D1 buyer types in a field not left yet → no error shows, however wrong the content', async () => {
    const { payment } = await typist();
    for (const [field, wrong] of /** @type {const} */ ([[payment.number, '9000000000000001'], [payment.expiry, '0020'], [payment.code, '1'], [payment.name, '12345678']])) {
      await field.pressSequentially(wrong);
      await payment.caughtUp();
      assert.equal(await payment.frame.locator('[aria-invalid=true]').count(), 0, wrong);
      await field.fill('');
    }
  });

  test('D4 buyer corrects a flagged field → the message goes with the keystroke that makes it right', async () => {
    const { payment } = await typist();
    const note = payment.frame.locator('[id="EXPIRATION_DATE-note"]');
    await payment.expiry.fill('12/2');
    await payment.expiry.blur();
    await says(note, 'Enter month and year');
    await payment.expiry.press('End');
    await payment.expiry.press(APPROVED.expiry.at(-1) ?? '');
    await payment.frame.locator('[aria-invalid=true]').waitFor({ state: 'detached' });
    assert.equal(await note.textContent(), '');
  });

  test('D5 buyer keeps typing in a flagged, still wrong field → message stays steady and is not announced again', async () => {
    const { payment } = await typist();
    await payment.number.fill('4761730000000004');
    await payment.number.blur();
    await says(payment.alert, 'typing mistake');
    const announced = await payment.alert.evaluateHandle((region) => {
      const heard = { count: 0 };
      new MutationObserver((changes) => (heard.count += changes.length)).observe(region, { childList: true, characterData: true, subtree: true });
      return heard;
    });
    await payment.number.press('End');
    for (const key of ['Backspace', 'Backspace', '9', '9']) {
      await payment.number.press(key);
      await says(payment.frame.locator('[id="CARD_NUMBER-note"]'), 'typing mistake');
    }
    assert.equal(await announced.evaluate(({ count }) => count), 0);
  });

  test('D6 buyer submits with several faults → every faulty field is flagged and the first gets the focus', async () => {
    const { checkout, payment } = await typist();
    await payment.number.fill(APPROVED.number);
    await payment.expiry.fill('12/20');
    await payment.code.fill('12');
    await payment.press();
    await hasFocus(payment.expiry);
    assert.equal(await payment.frame.locator('[aria-invalid=true]').count(), 3, 'the name is missing too');
    assert.equal(checkout.requestsTo('fe/build/text').length, 0);
  });

  test('D8 buyer presses Pay on an incomplete form → the button was enabled, and what is missing is explained', async () => {
    const { payment } = await typist();
    assert.ok(await payment.pay.isEnabled());
    await payment.press();
    for (const text of ['Enter your card number.', 'Enter the expiry date.', 'Enter the security code.', 'Enter the name on the card.']) {
      await payment.frame.locator('.note').getByText(text).waitFor();
    }
  });

  test('B5 number too short, and number with a wrong check digit → two different messages', async () => {
    const { payment } = await typist();
    await payment.number.fill('47617300');
    await payment.number.blur();
    await says(payment.alert, 'This card number is too short.');
    await payment.number.fill('4761730000000004');
    await payment.number.blur();
    await says(payment.alert, 'there is a typing mistake in it');
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
      await payment.press();
      await says(payment.alert, 'Enter your card number.');
      await fits('errors');
      // The last error is removed after the paint of the last key, and the button moves up: the press goes to its new place.
      await payment.fill(CHALLENGED);
      await fits('corrected');
      await payment.press();
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
  // A full field has moved the focus on.
  await field.focus();
  await field.evaluate((input, [start, end]) => /** @type {HTMLInputElement} */ (input).setSelectionRange(start ?? 0, end ?? 0), [start, end]);
}

/** Text with caret or selection of a field. @param {Locator} field */
const read = (field) =>
  field.evaluate((element) => {
    const { value, selectionStart, selectionEnd } = /** @type {HTMLInputElement} */ (element);
    const [start, end] = [selectionStart ?? 0, selectionEnd ?? 0];
    return start === end ? `${value.slice(0, start)}|${value.slice(start)}` : `${value.slice(0, start)}[${value.slice(start, end)}]${value.slice(end)}`;
  });

/** A keyboard that composes: it delivers text, and no key codes. @param {import('./checkout.mjs').Payment} payment */
async function composer(payment) {
  const { page } = payment.checkout;
  const frame = await payment.document();
  const line = await page.context().newCDPSession(frame).catch(() => page.context().newCDPSession(page));
  return {
    /** @param {string} text what is composed now */
    compose: (text) => line.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length }),
    /** @param {string} text what the composition ends with */
    commit: (text) => line.send('Input.insertText', { text }),
  };
}

/** Runs first in every document: records the text before its encryption, because the request can not be read. */
function noteWhatIsEncrypted() {
  const { encrypt } = SubtleCrypto.prototype;
  SubtleCrypto.prototype.encrypt = function (algorithm, key, content) {
    /** @type {any} */ (window).encrypted = new TextDecoder().decode(content);
    return encrypt.call(this, algorithm, key, content);
  };
}
