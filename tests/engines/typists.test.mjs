/**
 * The five typists of `tests/e2e/typists.mjs` in the other engines, by WebDriver: with the mouse, with Tab or Enter by habit, by pasting, and
 * with a screen reader; in one frame and with fields in frames of their own, quick and slow. Each pays in the end.
 */

import { test } from 'node:test';
import assert from 'node:assert/strict';
import { Key } from 'selenium-webdriver';
import { APPROVED_OF_EVERY_NETWORK, EVERY_NETWORK, HOLDER } from '../e2e/cards.mjs';
import { NAMES } from '../e2e/checkout.mjs';
import { ENGINES } from './engine.mjs';
import { OneFrame, SEEN_MS } from './one-frame.mjs';
import { FieldsPage } from './separate.mjs';
import { inEngines } from './stage.mjs';

/** @typedef {import('./page.mjs').Place} Place */
/** @typedef {import('./page.mjs').Control} Control */
/** One field: the document that it is in, and itself. @typedef {{ id: string, name: string, place: Place, input: Control }} Field */
/** @typedef {{ page: Place, owner: Place, fields: Field[], pay: Control, apart: boolean }} Form */
/**
 * The speed of a typist: `keys` presses keys in a document; `texts` gives a field a text, as assistive technology does.
 * @typedef {{ keys: (place: Place, ...keys: string[]) => Promise<void>, texts: (field: Field, text: string) => Promise<void> }} Pace
 */

/** Whether every typist types a number of each network at both speeds; otherwise one number, and the one with which they pay (`CONTRIBUTING.md`). */
const ALL = process.env.PAYFRAME_TYPISTS === 'all';
/** In Chromium, `tests/e2e/typists.test.mjs` types the share of a full run. */
const TYPED_IN = ENGINES.filter((engine) => ALL || engine !== 'chromium');
const EXPIRY = '1230';
/** Cards whose numbers have the longest length of their network. */
const PAID = APPROVED_OF_EVERY_NETWORK.filter(({ network, number }) => number.length === 19 || network === 'MC' || network === 'AMEX');
/** Time between two keys of a slow typist. */
const SLOW_MS = 30;

const IDS = /** @type {const} */ (['CARD_NUMBER', 'EXPIRATION_DATE', 'SECURITY_CODE', 'CARDHOLDER_NAME']);
const { number, expiry, code, name } = NAMES.en;
const LABELS = [number, expiry, code, name];
const FOCUSED = 'return document.hasFocus() && document.activeElement.id === arguments[0]';

/** @type {Record<'quick' | 'slow', Pace>} */
const PACES = {
  quick: {
    keys: (place, ...keys) => place.type(...keys),
    texts: (field, text) => insert(field, [text]),
  },
  slow: {
    keys: (place, ...keys) => place.typeSlowly(SLOW_MS, ...keys),
    texts: (field, text) => insert(field, [...text]),
  },
};

/** A script that gives the accessible name of a field. */
const NAME = "return (arguments[0].labels[0]?.textContent ?? arguments[0].getAttribute('aria-label')).trim()";
/** As a screen reader that types: a text at the focus, in one input event. */
const INSERT = "arguments[0].focus(); return document.execCommand('insertText', false, arguments[1])";
/** As a screen reader that sets the value: with one event, independent of the focus. */
const SET = "arguments[0].value += arguments[1]; arguments[0].dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: arguments[1] }))";

/** Gives a field texts without keys, in one input event each. @param {Field} field @param {string[]} texts */
async function insert({ name, input }, texts) {
  assert.equal(await input.run(NAME), name);
  // WebKit gives the focus to a frame of another site only by a click.
  for (const text of texts) if (!(await input.run(INSERT, text))) await input.run(SET, text);
}

/** @type {Record<string, { fill: (form: Form, texts: string[], pace: Pace) => Promise<void>, pay: (form: Form) => Promise<void> }>} */
const TYPISTS = {
  'with the mouse': {
    async fill({ fields }, texts, { keys }) {
      for (const [nth, { place, input }] of fields.entries()) {
        await input.click();
        await keys(place, texts[nth] ?? '');
      }
    },
    pay: ({ pay }) => pay.click(SEEN_MS),
  },
  'with Tab by habit': {
    fill: (form, texts, pace) => byHabit(Key.TAB, form, texts, pace),
    async pay({ page, owner, fields, apart }) {
      await fields[3]?.place.type(Key.TAB);
      if (!apart) {
        await owner.until(FOCUSED, 'pay');
        return owner.type(Key.ENTER);
      }
      // Cancel, which is in the form's frame, and then the shop's own button.
      await owner.until(FOCUSED, 'cancel');
      await owner.type(Key.TAB);
      await page.until("return document.activeElement.matches('button.pay')");
      await page.type(Key.ENTER);
    },
  },
  'with Enter by habit': {
    fill: (form, texts, pace) => byHabit(Key.ENTER, form, texts, pace),
    pay: async ({ fields }) => fields[3]?.place.type(Key.ENTER),
  },
  'by pasting': {
    async fill({ fields }, texts, { keys }) {
      const last = /** @type {Field} */ (fields[3]);
      for (const [nth, field] of fields.entries()) {
        // The clipboard gets its text in the last field, which holds nothing of its own before the end.
        await last.input.fill(texts[nth] ?? '');
        await last.input.press(Key.chord(Key.CONTROL, 'a'));
        await last.input.press(Key.chord(Key.CONTROL, 'x'));
        await last.input.comesToHold('');
        await field.input.click();
        await field.input.press(Key.chord(Key.CONTROL, 'v'));
        if (field !== last) await keys(field.place, Key.TAB);
      }
    },
    pay: ({ pay }) => pay.click(SEEN_MS),
  },
  'with a screen reader': {
    async fill({ fields }, texts, pace) {
      for (const [nth, field] of fields.entries()) await pace.texts(field, texts[nth] ?? '');
    },
    async pay({ page, pay, apart }) {
      // What a screen reader does with a button: a click without a pointer. The shop's button needs a gesture too, which scripts can not make.
      if (!apart) return pay.run('arguments[0].click()');
      await pay.run('arguments[0].focus()');
      await page.type(Key.ENTER);
    },
  },
};

/**
 * Presses a key after each field. WebDriver sends keys to a given document, independent of the focus. Between frames
 * the key is pressed once the form has moved the focus by itself, which it does after numbers that can not become longer.
 * @param {string} key @param {Form} form @param {string[]} texts @param {Pace} pace
 */
async function byHabit(key, { fields, apart }, texts, { keys }) {
  await fields[0]?.input.click();
  if (!apart) return keys(/** @type {Field} */ (fields[0]).place, ...texts.flatMap((text, nth) => (nth ? [key, text] : [text])));
  for (const [nth, { id, place }] of fields.entries()) {
    if (nth) await place.until(FOCUSED, id);
    await keys(place, ...(nth ? [key] : []), texts[nth] ?? '');
  }
}

/** The form of a page. @type {[string, (stage: import('./stage.mjs').Stage, t: import('node:test').TestContext) => Promise<Form & { orderId: () => Promise<string> }>][]} */
const LAYOUTS = [
  ['one frame', async (stage, t) => {
    const payment = await OneFrame.open(stage, t);
    const { page, form } = payment;
    const fields = LABELS.map((name, nth) => ({ id: IDS[nth] ?? '', name, place: form, input: form.field(name) }));
    return { page, owner: form, fields, pay: form.button('Pay €35.45'), apart: false, orderId: () => payment.orderId() };
  }],
  ['fields in frames of their own', async (stage, t) => {
    const payment = await FieldsPage.open(stage, t);
    await payment.frame('CARD_NUMBER').until('return Boolean(window.payframe?.drivenBy)');
    const fields = IDS.map((id, nth) => ({ id, name: LABELS[nth] ?? '', place: payment.frame(id), input: payment.input(id) }));
    return { page: payment.page, owner: payment.form, fields, pay: payment.payButton, apart: true, orderId: () => payment.orderId() };
  }],
];

inEngines(TYPED_IN, 'typists', (stage) => {
  for (const [nth, [layout, open]] of LAYOUTS.entries()) {
    for (const [place, [name, typist]] of Object.entries(TYPISTS).entries()) {
      const turn = nth * Object.keys(TYPISTS).length + place;
      test(`E16 who types ${name} loses no digit, no field and no payment, quick or slow, in ${layout}`, async (t) => {
        const form = await open(stage(), t);
        const fill = async (/** @type {'quick' | 'slow'} */ pace, /** @type {string} */ number, /** @type {string} */ code) => {
          await form.page.run("return document.querySelector('payment-form').clear().then(() => true)");
          await typist.fill(form, [number, EXPIRY, code, HOLDER], PACES[pace]);
          for (const [place, text] of [number, '12 / 30', code, HOLDER].entries()) {
            await form.fields[place]?.input.comesToHold(text, place === 0 ? / /g : undefined, `${pace}, a number of ${number.length} digits from ${number.slice(0, 2)}`);
          }
        };
        const { network, number, code } = /** @type {typeof PAID[number]} */ (PAID[turn % PAID.length]);
        for (const [number, code] of ALL ? EVERY_NETWORK : EVERY_NETWORK.slice(turn % EVERY_NETWORK.length).slice(0, 1)) await fill('quick', number, code);
        for (const [number, code] of ALL ? EVERY_NETWORK : []) await fill('slow', number, code);
        await fill('slow', number, code);
        await typist.pay(form);
        await form.page.says('.outcome', /^Paid\. /);
        const [operation] = await stage().recorded(await form.orderId(), 'AUTHORIZATION EXECUTED');
        // Any other number is refused.
        assert.deepEqual([operation.paymentCircuit, operation.paymentInstrumentInfo], [network, `***${number.slice(-4)}`]);
      });
    }
  }
});
