/** The fake elements of `packages/testing` do what the real form does: the same events in the same order, the same answers to the same calls. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { installFake } from '../../packages/testing/src/fake.js';
import { CardForm, testCard } from '../../packages/testing/src/playwright.js';
import { jsdom } from '../../packages/testing/tests/windows.mjs';
import { Stage } from './stage.mjs';

/** @typedef {import('@payframe/form').PaymentFormElement} PaymentFormElement */
/** @typedef {import('../../packages/testing/src/fake.js').Plan} Plan */
/** @typedef {{ type: string, detail: any, states: string }} Told */

const EVENTS = /** @type {const} */ (['ready', 'change', 'focus', 'blur', 'enter', 'statechange', 'result', 'expiring', 'error']);

const openWindow = await jsdom();

/** A fake form that is live, and what it tells. */
async function openFake() {
  const window = openWindow();
  const fake = installFake(window);
  window.document.body.innerHTML = '<payment-form gateway="https://gateway.example" session="s"></payment-form>';
  const form = fake.form();
  /** @type {Told[]} */
  const told = [];
  for (const type of EVENTS) form.addEventListener(type, (event) => told.push({ type, detail: /** @type {CustomEvent} */ (event).detail, states: form.dataset.state ?? '' }));
  await form.whenReady;
  return { fake, form, told };
}

/** Notes what the form of a page tells, from its first event. @param {import('playwright-core').Page} page */
const follow = (page) =>
  page.addInitScript((events) => {
    /** @type {Told[]} */
    const told = [];
    Reflect.set(globalThis, 'told', told);
    new MutationObserver((_, observer) => {
      const form = document.querySelector('payment-form');
      if (!form) return;
      observer.disconnect();
      // The element keeps its states here, too, because the page wrote the attribute.
      form.dataset.state = '';
      for (const type of events) form.addEventListener(type, (event) => told.push({ type, detail: /** @type {CustomEvent} */ (event).detail, states: form.dataset.state ?? '' }));
    }).observe(document, { childList: true, subtree: true });
  }, EVENTS);

/**
 * The course of events, as far as it is the same for every card and machine: `change` may come before or after a state, and more than once, so
 * only its last report before a `result` counts.
 * @param {Told[]} told
 */
function course(told) {
  const steps = told.filter(({ type }) => !['change', 'focus', 'blur', 'expiring'].includes(type));
  return steps.map(({ type, detail, states }) => ({
    type,
    // States of loading and of work; those of fields depend on when the form has emptied the security code.
    states: states.split(' ').filter((state) => ['loading', 'ready', 'failed', 'busy'].includes(state)).join(' '),
    // Ids are another one each time; the demo's sessions tell the last digits.
    detail: detail && { ...detail, ...(detail.orderId && { orderId: typeof detail.orderId }), ...(detail.operationId && { operationId: detail.operationId.length }), last4: undefined },
  }));
}

/** What `change` tells. @param {Told[]} told */
const reports = (told) => told.filter(({ type }) => type === 'change').map(({ detail: { last4: _, ...detail }, states }) => ({ detail, states }));

suite('fake', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('fake');
  });
  after(() => stage.close());

  /** @param {import('node:test').TestContext} t */
  async function openReal(t) {
    const { page } = await stage.checkout(t, {}, { prepare: follow, noise: /Payframe/ });
    const form = await CardForm.on(page);
    const told = () => page.evaluate(() => /** @type {Told[]} */ (Reflect.get(globalThis, 'told')));
    return { page, form, told };
  }

  /** @type {[string, { card: string, plan: Plan, bank?: 'answer' | 'cancel' }][]} */
  const payments = [
    ['approved', { card: 'approved', plan: 'approved' }],
    ['declined, and another try', { card: 'noFunds', plan: 'declined' }],
    ['refused for good', { card: 'riskRefused', plan: { outcome: 'declined', final: true } }],
    ['the bank asks', { card: 'challenged', plan: 'challenged', bank: 'answer' }],
    ['the buyer gives up at the bank', { card: 'challenged', plan: { outcome: 'declined', challenge: true }, bank: 'cancel' }],
  ];
  for (const [name, { card, plan, bank }] of payments) {
    test(`a payment tells the same: ${name}`, async (t) => {
      const real = await openReal(t);
      await real.form.fill(testCard(card));
      await real.form.pay();
      if (bank === 'answer') await real.form.bank.answer();
      if (bank === 'cancel') await real.form.bank.cancelButton.click();
      await real.form.outcome();
      const { fake, told } = await openFake();
      await fake.buyer().fill();
      fake.outcome = plan;
      await fake.buyer().pay();
      assert.deepEqual(course(told), course(await real.told()));
    });
  }

  test('what is entered is told the same, with the same states', async (t) => {
    const real = await openReal(t);
    await real.form.fill({ number: testCard().number });
    await real.form.code.fill('123');
    await real.form.name.fill('Ada Lovelace');
    await real.form.expiry.fill(testCard().expiry);
    await real.page.waitForFunction(() => document.querySelector('payment-form[data-state~=complete]'));
    const { fake, told } = await openFake();
    for (const field of /** @type {const} */ (['CARD_NUMBER', 'SECURITY_CODE', 'CARDHOLDER_NAME', 'EXPIRATION_DATE'])) await fake.buyer().enter(field);
    assert.deepEqual(reports(told).at(-1), reports(await real.told()).at(-1));
    assert.deepEqual(reports(told)[0], reports(await real.told())[0]);
  });

  test('calls answer the same before, during and after a payment', async (t) => {
    const real = await openReal(t);
    /** The answers to every call, in the page or beside it. @param {PaymentFormElement} form */
    const answers = async (form) => {
      const calls = /** @type {[string, () => Promise<unknown>][]} */ ([
        ['validate', () => form.validate()],
        ['confirm', () => form.confirm()],
        ['clear', () => form.clear()],
        ['focus', () => form.focus('EXPIRATION_DATE')],
        ['no such field', () => form.focus('CARDHOLDER_EMAIL')],
        ['setServerError', () => form.setServerError({ field: 'CARD_NUMBER', code: 'card_number_declined' })],
        ['bad code', () => form.setServerError({ code: '<b>' })],
        ['fixed', () => form.update(/** @type {any} */ ({ label: 'x' }))],
        ['bad option', () => form.update(/** @type {any} */ ({ theme: 'blue' }))],
      ]);
      /** @type {[string, unknown][]} */
      const answered = [];
      for (const [name, call] of calls) {
        // A form obeys ten calls a second.
        await new Promise((resolve) => setTimeout(resolve, 150));
        answered.push([name, await call().then((value) => value ?? null, ({ name, code, message }) => [name, code, message])]);
      }
      return answered;
    };
    const { fake, form, told } = await openFake();
    // Playwright's click is a gesture of the buyer, without which a browser refuses `confirm()`.
    await real.form.number.click();
    const before = await real.form.element.evaluate(answers, undefined);
    assert.deepEqual(await answers(form), before);
    assert.deepEqual(reports(told).map(({ detail }) => detail), reports(await real.told()).map(({ detail }) => detail));

    await real.form.fill(testCard('challenged'));
    await real.form.pay();
    await real.form.bank.code.waitFor();
    await fake.buyer().fill();
    let answer = (/** @type {unknown} */ _) => {};
    fake.outcome = { outcome: 'approved', challenge: new Promise((resolve) => (answer = resolve)) };
    const paid = fake.buyer().pay();
    while (told.at(-1)?.detail?.state !== 'CHALLENGE') await null;
    assert.deepEqual(await answers(form), await real.form.element.evaluate(answers, undefined));

    await real.form.bank.answer();
    await real.form.outcome();
    answer(undefined);
    await paid;
    assert.deepEqual(await answers(form), await real.form.element.evaluate(answers, undefined));
  });
});
