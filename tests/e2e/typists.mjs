/**
 * Five people who fill in forms in their own ways: with the mouse, with Tab or Enter after every field by habit, by pasting, and
 * with a screen reader. Each goes through the whole form, and pays as they have filled it in.
 */

import assert from 'node:assert/strict';
import { NAMES } from './checkout.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Locator} Locator */
/**
 * The form: its fields in their order, and the button that pays. `apart` where fields have frames of their own.
 * @typedef {{ page: Page, fields: Locator[], pay: Locator, apart: boolean }} Form
 */
/**
 * The speed of a typist. `keys` presses keys; `texts` gives the focused field a text, as assistive technology does: in
 * one input event, or in one for each letter.
 * @typedef {{ keys: (keys: string[]) => Promise<void>, texts: (text: string) => Promise<void> }} Pace
 */
/**
 * @typedef {object} Typist
 * @property {(form: Form, texts: string[], pace: Pace) => Promise<void>} fill gives each field its text
 * @property {(form: Form) => Promise<void>} pay presses the button that pays, or what does the same
 */

/** A hand on the mouse. @param {Form} form */
const clickPay = ({ pay }) => pay.click();

/** @type {Record<string, Typist>} */
export const TYPISTS = {
  'with the mouse': {
    async fill({ fields }, texts, { keys }) {
      for (const [place, field] of fields.entries()) {
        await field.click();
        await keys([...(texts[place] ?? '')]);
      }
    },
    pay: clickPay,
  },
  'with Tab by habit': {
    fill: (form, texts, pace) => byHabit('Tab', form, texts, pace),
    async pay({ page, pay }) {
      const isThere = () => pay.evaluate((button) => document.hasFocus() && document.activeElement === button);
      for (let steps = 0; !(await isThere()); steps++) {
        assert.ok(steps < 4, 'Tab leads to the button');
        await page.keyboard.press('Tab');
      }
      await page.keyboard.press('Enter');
    },
  },
  'with Enter by habit': {
    fill: (form, texts, pace) => byHabit('Enter', form, texts, pace),
    pay: ({ page }) => page.keyboard.press('Enter'),
  },
  'by pasting': {
    async fill({ fields }, texts, { keys }) {
      const last = /** @type {Locator} */ (fields.at(-1));
      for (const [place, field] of fields.entries()) {
        // The clipboard gets its text in the last field, which holds nothing of its own before the end.
        await last.fill(texts[place] ?? '');
        await last.press('ControlOrMeta+a');
        await last.press('ControlOrMeta+x');
        await field.focus();
        await keys(field === last ? ['ControlOrMeta+v'] : ['ControlOrMeta+v', 'Tab']);
      }
    },
    pay: clickPay,
  },
  'with a screen reader': {
    async fill({ page, apart }, texts, pace) {
      const { number, expiry, code, name } = NAMES.en;
      for (const [place, label] of [number, expiry, code, name].entries()) {
        const field = await announced(page, 'textbox', label);
        await field.focus();
        if (apart) await inFocus(field);
        await pace.texts(texts[place] ?? '');
      }
    },
    async pay({ page }) {
      const button = await announced(page, 'button', String(NAMES.en.pay));
      // What a screen reader does with a button: a click without a pointer.
      await button.evaluate((button) => /** @type {HTMLElement} */ (button).click());
    },
  },
};

/**
 * Presses a key after each field. In one frame no key waits for another. Between frames the browser needs some time to move the focus,
 * and what is typed before that gets into the former field, with any form.
 * @param {'Tab' | 'Enter'} key @param {Form} form @param {string[]} texts @param {Pace} pace
 */
async function byHabit(key, { fields, apart }, texts, { keys }) {
  await fields[0]?.focus();
  if (!apart) return keys(texts.flatMap((text, place) => (place ? [key, ...text] : [...text])));
  for (const [place, field] of fields.entries()) {
    if (place) {
      await keys([key]);
      await inFocus(field);
    }
    await keys([...(texts[place] ?? '')]);
  }
}

/** Until a field has the focus. @param {Locator} field */
async function inFocus(field) {
  const input = await field.elementHandle();
  const frame = await input?.ownerFrame();
  await frame?.waitForFunction((input) => document.hasFocus() && document.activeElement === input, input);
}

/**
 * What a screen reader finds by role and name, in any frame: there is exactly one.
 * @param {Page} page @param {'textbox' | 'button'} role @param {string} name
 */
async function announced(page, role, name) {
  const found = page.frames().map((frame) => frame.getByRole(role, { name, exact: true }));
  const counts = await Promise.all(found.map((locator) => locator.count()));
  assert.equal(counts.reduce((sum, count) => sum + count, 0), 1, `one ${role} is called ${name}`);
  return /** @type {Locator} */ (found[counts.indexOf(1)]);
}
