// @ts-check
/** What the kit for Cypress says where it can not work. Whole payments with it are in `tests/e2e/cypress.test.mjs`. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cardForm } from '@payframe/testing/cypress';
import { happyDom } from './windows.mjs';

/** Carries it out with commands that try once. @param {Document} document @param {() => void} work */
function withCommands(document, work) {
  /** @param {any} subject @returns {any} */
  const chain = (subject) => ({
    should: (/** @type {(subject: any) => void} */ check) => (check(subject), chain(subject)),
    then: (/** @type {(subject: any) => any} */ next) => next(subject) ?? chain(subject),
  });
  const cy = { get: (/** @type {string} */ selector) => chain([...document.querySelectorAll(selector)]), wrap: (/** @type {unknown} */ subject) => chain([subject]) };
  Reflect.set(globalThis, 'cy', cy);
  try {
    work();
  } finally {
    Reflect.deleteProperty(globalThis, 'cy');
  }
}

/** @param {unknown} chain @param {(found: any) => void} look */
const found = (chain, look) => /** @type {any} */ (chain).then(look);

test('outside of Cypress, and in an unknown language, it says so', () => {
  assert.throws(() => cardForm().number(), /There is no cy/);
  assert.throws(() => cardForm({ locale: 'tlh' }), /no texts in the language "tlh"/);
});

test('a frame that can not be read is explained; what is not there is named', async () => {
  const open = await happyDom();
  const { document } = open();
  // Neither library loads frames: the document of another window stands in for the frame's.
  const { document: inside } = open();
  inside.body.innerHTML = '<label for="a">Security code</label><input id="a"><button hidden>Pay €1.00</button><button>Pay\n €35.45 </button><div role="alert"></div>';
  document.body.innerHTML = '<payment-form data-state="ready"></payment-form>';
  const root = document.querySelector('payment-form')?.attachShadow({ mode: 'open' });
  withCommands(document, () => {
    assert.throws(() => cardForm().number(), /The form shows no frame/);
    const frame = document.createElement('iframe');
    root?.append(frame);
    Object.defineProperty(frame, 'contentDocument', { value: null, configurable: true });
    assert.throws(() => cardForm().code(), /chromeWebSecurity: false/);
    Object.defineProperty(frame, 'contentDocument', { value: inside });
    assert.throws(() => cardForm().number(), /no such input; there are: Security code\./);
    found(cardForm().code(), ([input]) => assert.equal(input.id, 'a'));
    found(cardForm().payButton(), ([button]) => assert.equal(button.textContent, 'Pay\n €35.45 '));
    assert.throws(() => cardForm().bank.code(), /no page of the bank/);
  });
});
