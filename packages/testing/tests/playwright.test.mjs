// @ts-check
/** What the Playwright kit looks for, in a page that notes it. Whole payments with it are in `tests/e2e/kit.test.mjs`. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CardForm, testCard } from '@payframe/testing/playwright';
import * as cards from '@payframe/testing/cards';

/** A page with a form, of which it notes what is looked for. @param {string[]} looked @param {Record<string, string>} [attributes] */
function fakePage(looked, attributes = {}) {
  /** @type {any} */
  const locator = {
    waitFor: () => Promise.resolve(),
    getAttribute: (/** @type {string} */ name) => Promise.resolve(attributes[name] ?? null),
    locator: (/** @type {string} */ selector) => {
      looked.push(selector);
      return locator;
    },
    contentFrame: () => locator,
    getByTitle: () => locator,
    getByTestId: () => locator,
    getByRole: (/** @type {string} */ role, /** @type {{ name?: string | RegExp }} */ { name } = {}) => {
      looked.push(`${role} ${name ?? ''}`);
      return locator;
    },
  };
  return locator;
}

test('inputs and buttons are found by their names in the form\'s language', async () => {
  /** @type {string[]} */
  const looked = [];
  await CardForm.on(fakePage(looked), { locale: 'de-AT' });
  assert.ok(looked.includes('textbox Kartennummer'), looked.join(', '));
  assert.ok(looked.includes('button /^(.+ bezahlen|.+ reservieren|Karte speichern)$/'), looked.join(', '));
  await assert.rejects(CardForm.on(fakePage([]), { locale: 'tlh' }), /no texts in the language "tlh"/);
});

test('separate fields are found by their frames', async () => {
  /** @type {string[]} */
  const looked = [];
  await CardForm.on(fakePage(looked, { layout: 'fields' }));
  for (const id of ['CARD_NUMBER', 'EXPIRATION_DATE', 'SECURITY_CODE', 'CARDHOLDER_NAME']) assert.ok(looked.includes(`iframe[src*="id=${id}&"]`), id);
});

test('the page\'s own button has to be named, and an outcome follows a payment', async () => {
  await assert.rejects(CardForm.on(fakePage([], { button: 'hidden' })), /say which one of the page it is, as `payButton`/);
  const form = await CardForm.on(fakePage([]));
  await assert.rejects(form.outcome(), /Nothing was paid yet/);
  assert.equal(testCard, cards.testCard);
});
