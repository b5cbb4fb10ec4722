/** In Firefox and WebKit, too, no page can read digits by measuring how long the form takes to draw them in the page's own fonts. */

import { test } from 'node:test';
import assert from 'node:assert/strict';
import { APPROVED } from '../e2e/cards.mjs';
import { ATTACK, read } from '../font-oracle.mjs';
import { OneFrame } from './one-frame.mjs';
import { inOtherEngines } from './stage.mjs';

/** A guess needs three messages to the form, which obeys ten a second. */
const REST_MS = 450;
const FAMILIES = ['Oracle', 'Arial', '"system-ui"', 'DejaVu Sans'];
/** The places that are guessed in the number and in the security code. */
const SOUGHT = /** @type {[string, number[]][]} */ ([[APPROVED.shown, [7]], [APPROVED.code, [0, 2]]]);

/** The same texts in a plain input, without gaps: WebKit shapes the groups of a number one by one. */
const TWINS = /** @type {[string, number[]][]} */ ([[APPROVED.number, [6]], [APPROVED.code, [0, 2]]]);

/** Searches in the page: `make` makes the victim of `text`. @param {import('./page.mjs').Place} page @param {string} make @param {string} text @param {number[]} places @returns {Promise<import('../font-oracle.mjs').Found[]>} */
async function search(page, make, text, places) {
  const how = make.startsWith('form') ? { restMs: REST_MS, families: FAMILIES } : { tries: 2 };
  await page.driver.switchTo().defaultContent();
  // As one script, because in Firefox each script of WebDriver has globals of its own.
  const script = `
    const [text, places, how, answer] = arguments;
    ${ATTACK}
    const victim = globalThis.oracle.${make};
    globalThis.oracle.search(victim, places, how).then(answer, (problem) => answer(String(problem))).finally(() => victim.end?.());`;
  const found = await page.driver.executeAsyncScript(script, text, places, how);
  assert.ok(Array.isArray(found), String(found));
  return found;
}

inOtherEngines('font oracle', (stage) => {
  test('the permitted twin: in a plain input the attack reads each digit', async (t) => {
    const { page } = await OneFrame.open(stage(), t);
    for (const [text, places] of TWINS) {
      const found = await search(page, 'plain(text)', text, places);
      t.diagnostic(JSON.stringify(found));
      assert.equal(read(found, text), places.length, JSON.stringify(found));
    }
  });

  test('in the form it reads none, of number or security code', async (t) => {
    const payment = await OneFrame.open(stage(), t);
    await payment.form.field('Card number').fill(APPROVED.number);
    await payment.form.field('Expiry date').fill(APPROVED.expiry.replaceAll(' ', ''));
    await payment.form.field('Security code').fill(APPROVED.code);
    let right = 0;
    for (const [text, places] of SOUGHT) {
      const found = await search(payment.page, 'form(text.length)', text, places);
      t.diagnostic(JSON.stringify(found));
      right += read(found, text);
    }
    // By chance, one digit in ten is read, and only if it has a lead.
    assert.ok(right <= 1, `${right} of 3 digits were read`);
  });
});
