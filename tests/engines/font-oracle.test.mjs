/** A page that reads digits by how long the form takes to draw them in the page's own fonts: in no engine it can. */

import { test } from 'node:test';
import assert from 'node:assert/strict';
import { APPROVED } from '../e2e/cards.mjs';
import { ATTACK, read } from '../font-oracle.mjs';
import { OneFrame } from './one-frame.mjs';
import { inEveryEngine } from './stage.mjs';

/** A guess is three messages to the form, which hears ten a second. */
const REST_MS = 450;
const FAMILIES = ['Oracle', 'Arial', '"system-ui"', 'DejaVu Sans'];
/** Of the number, and of the security code. */
const SOUGHT = /** @type {[string, number[]][]} */ ([[APPROVED.shown, [7]], [APPROVED.code, [0, 2]]]);

/** Without gaps: WebKit shapes the groups of a number one by one. */
const TWINS = /** @type {[string, number[]][]} */ ([[APPROVED.number, [6]], [APPROVED.code, [0, 2]]]);

/** Searches in the page: `make` makes the victim of `text`. @param {import('./page.mjs').Place} page @param {string} make @param {string} text @param {number[]} places @returns {Promise<import('../font-oracle.mjs').Found[]>} */
async function search(page, make, text, places) {
  const how = make.startsWith('form') ? { restMs: REST_MS, families: FAMILIES } : { tries: 2 };
  await page.driver.switchTo().defaultContent();
  // As one script: in Firefox each has globals of its own.
  const script = `
    const [text, places, how, answer] = arguments;
    ${ATTACK}
    const victim = globalThis.oracle.${make};
    globalThis.oracle.search(victim, places, how).then(answer, (problem) => answer(String(problem))).finally(() => victim.end?.());`;
  const found = await page.driver.executeAsyncScript(script, text, places, how);
  assert.ok(Array.isArray(found), String(found));
  return found;
}

inEveryEngine('font oracle', (stage) => {
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
    // By chance alone, and then only with a lead, one digit in ten is read.
    assert.ok(right <= 1, `${right} of 3 digits were read`);
  });
});
