/**
 * The kit for Cypress against gateway and shop as they are, in a Chromium that lets pages look into frames of other origins, as Cypress starts it with
 * `chromeWebSecurity: false`. In place of Cypress stand the few commands that the kit uses, with events that no user made, like Cypress's own.
 */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { flags } from '../chromium.mjs';
import { says } from './checkout.mjs';
import { Stage } from './stage.mjs';

/** @typedef {typeof import('../../packages/testing/src/cypress.js')} Kit */
/** @typedef {ReturnType<Kit['cardForm']>} CardForm */

const OPEN = [...flags('IsolateOrigins', 'site-per-process'), '--disable-web-security', '--disable-site-isolation-trials'];

/** Puts the commands into the page. Each is queued, as in Cypress; `cypressEnds` settles when all are done. */
function cypressCommands() {
  /** @type {Promise<any>} */
  let queue = Promise.resolve();
  /** The queue of the command that runs: its own commands come before the next one. */
  const settled = async () => {
    for (let known; known !== queue; ) await (known = queue);
  };
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  /** @param {() => unknown} work */
  async function retried(work) {
    const end = performance.now() + 20_000;
    for (;;) {
      try {
        return work();
      } catch (problem) {
        if (performance.now() > end) throw problem;
        await frame();
      }
    }
  }
  /** @param {HTMLInputElement} input @param {string} value @param {string} inputType @param {string | null} data */
  function write(input, value, inputType, data) {
    const { HTMLInputElement: Input, InputEvent: Event } = /** @type {any} */ (input.ownerDocument.defaultView);
    Object.getOwnPropertyDescriptor(Input.prototype, 'value')?.set?.call(input, value);
    input.dispatchEvent(new Event('input', { bubbles: true, inputType, data }));
  }
  /** @param {() => Promise<any>} first @returns {any} */
  function chain(first) {
    let subject = (queue = queue.then(first));
    const next = (/** @type {(subject: any) => unknown} */ work) => {
      const before = subject;
      subject = queue = queue.then(async () => work(await before));
      return self;
    };
    const self = {
      subject: () => subject,
      should: (/** @type {(subject: any) => void} */ check) => next(async (given) => (await retried(() => check(given)), given)),
      then: (/** @type {any} */ options, /** @type {any} */ work = options) =>
        next(async (given) => {
          const outer = queue;
          queue = Promise.resolve();
          const made = /** @type {any} */ (work(given));
          // A chain has `then`, and is no promise.
          const result = made?.subject ? made.subject() : made;
          await settled();
          queue = outer;
          return (await result) ?? given;
        }),
      clear: () => next(([input]) => (input.focus(), write(input, '', 'deleteContentBackward', null), [input])),
      type: (/** @type {string} */ text) =>
        next(([input]) => {
          const { KeyboardEvent: Key } = /** @type {any} */ (input.ownerDocument.defaultView);
          const [, keys = '', enter] = /^(.*?)(\{enter\})?$/.exec(text) ?? [];
          for (const key of keys) write(input, input.value + key, 'insertText', key);
          if (enter && input.dispatchEvent(new Key('keydown', { key: 'Enter', bubbles: true, cancelable: true }))) input.form?.requestSubmit();
          return [input];
        }),
    };
    return self;
  }
  Object.assign(globalThis, {
    cy: {
      get: (/** @type {string} */ selector) => chain(() => retried(() => {
        const found = [...document.querySelectorAll(selector)];
        if (found.length === 0) throw new Error(`no ${selector}`);
        return found;
      })),
      wrap: (/** @type {unknown} */ subject) => chain(async () => (typeof subject === 'object' && subject !== null && 'nodeType' in subject ? [subject] : subject)),
    },
    cypressEnds: settled,
  });
}

suite('cypress', () => {
  /** @type {Stage} */
  let stage;
  let kit = '';
  before(async () => {
    const entry = fileURLToPath(new URL('../../packages/testing/src/cypress.js', import.meta.url));
    const { outputFiles } = await build({ entryPoints: [entry], bundle: true, write: false, format: 'iife', globalName: 'kit' });
    kit = outputFiles[0]?.text ?? '';
    stage = await Stage.open('cypress', {}, OPEN);
  });
  after(() => stage.close());

  /** A page with the commands and the kit. @param {import('node:test').TestContext} t @param {import('./stage.mjs').Opening} [opening] */
  async function open(t, opening) {
    const { page } = await stage.checkout(t, {}, { ...opening, noise: /Payframe|allow-scripts/ });
    await page.locator('payment-form:state(ready)').waitFor();
    await page.evaluate(cypressCommands);
    await page.evaluate(`${kit}; globalThis.kit = kit;`);
    return page;
  }
  /** Runs what a test of Cypress has in it, and gives the last subject. @param {import('playwright-core').Page} page @param {string} commands */
  const run = (page, commands) =>
    page.evaluate(async (text) => {
      const last = new Function('kit', 'cy', text)(Reflect.get(globalThis, 'kit'), Reflect.get(globalThis, 'cy'));
      await Reflect.get(globalThis, 'cypressEnds')();
      const subject = await last?.subject();
      return subject?.[0]?.textContent ?? subject;
    }, commands);

  test('fills by label, pays, and answers the bank', async (t) => {
    const page = await open(t);
    const result = await run(page, "const form = kit.cardForm(); form.fill(kit.testCard('challenged')); form.pay(); form.bank.answer(); return form.outcome();");
    assert.equal(result.outcome, 'approved');
    await says(page.getByRole('status'), 'Paid. ');
  });

  test('a refusal and another try; the bank\'s page is left', async (t) => {
    const page = await open(t);
    const refused = await run(page, "globalThis.form = kit.cardForm(); form.fill(kit.testCard('noFunds')); form.pay(); return form.outcome();");
    assert.deepEqual([refused.outcome, refused.final], ['declined', false]);
    assert.match(await run(page, 'return form.alert();'), /lack of funds/);
    const left = await run(page, "const { number, code } = kit.testCard('challenged'); form.fill({ number, code }); form.pay(); form.bank.cancelButton().then(([button]) => button.click()); return form.outcome();");
    assert.equal(left.outcome, 'declined');
  });

  test('a form in another language is cancelled, after its question', async (t) => {
    const page = await open(t, { path: '/?locale=de' });
    const labels = await run(page, "globalThis.form = kit.cardForm({ locale: 'de' }); form.fill({ name: 'Ada Lovelace' }); form.cancel(); return form.element();");
    assert.equal(labels, '');
    await page.locator('payment-form iframe').contentFrame().getByRole('heading').waitFor();
  });

  test('separate fields are filled, and the page\'s own button is pressed', async (t) => {
    const page = await open(t, { path: '/fields' });
    await run(page, 'globalThis.form = kit.cardForm({ press: () => 0 }); form.fill(kit.testCard()); form.pay();');
    await page.getByRole('button', { name: 'Pay €35.45' }).click();
    assert.equal((await run(page, 'return form.outcome();')).outcome, 'approved');
  });
});
