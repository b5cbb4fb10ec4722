/** A page can not read digits by measuring how long the form takes to draw them in the page's own fonts. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { ATTACK, read } from '../font-oracle.mjs';
import { APPROVED } from './cards.mjs';
import { recordEvents } from './checkout.mjs';
import { looks, withAppearance } from './looks.mjs';
import { Stage } from './stage.mjs';

/** A guess needs three messages to the form, which obeys ten a second. */
const REST_MS = 450;
/** Names of fonts that a font of the page could replace. */
const FAMILIES = ['Oracle', 'Arial', '"system-ui"', 'DejaVu Sans', 'Merchant'];
const NOISE = /payframe: appearance/;

suite('font oracle', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('font-oracle');
  });
  after(() => stage.close());

  test('the permitted twin: in a plain input the attack reads each digit', async (t) => {
    const { page } = await stage.checkout(t, { theme: 'light' });
    await page.evaluate(ATTACK);
    for (const [text, places] of /** @type {const} */ ([[APPROVED.shown, [7, 12]], [APPROVED.code, [0, 2]]])) {
      const found = await page.evaluate(async ([text, places]) => {
        const { oracle } = /** @type {{ oracle: import('../font-oracle.mjs').Oracle }} */ (/** @type {unknown} */ (globalThis));
        const twin = oracle.plain(text);
        const found = await oracle.search(twin, [...places], { tries: 2 });
        twin.end();
        return found;
      }, /** @type {const} */ ([text, places]));
      assert.equal(read(found, text), places.length, JSON.stringify(found));
    }
  });

  test('in the form it reads none, of number or security code', async (t) => {
    const checkout = await stage.checkout(t, { theme: 'light' }, { noise: NOISE });
    const payment = checkout.payment();
    await payment.fill(APPROVED);
    await checkout.page.evaluate(ATTACK);
    const told = await recordEvents(payment, 'error', 'code');
    let right = 0;
    for (const [text, places] of /** @type {const} */ ([[APPROVED.shown, [7, 12]], [APPROVED.code, [0, 2]]])) {
      const found = await checkout.page.evaluate(([length, places, restMs, families]) => {
        const { oracle } = /** @type {{ oracle: import('../font-oracle.mjs').Oracle }} */ (/** @type {unknown} */ (globalThis));
        return oracle.search(oracle.form(length), [...places], { restMs, families: [...families] });
      }, /** @type {const} */ ([text.length, places, REST_MS, FAMILIES]));
      t.diagnostic(JSON.stringify(found));
      right += read(found, text);
    }
    // By chance, three of four digits are read once in three hundred times, and only if they have a lead.
    assert.ok(right <= 2, `${right} of 4 digits were read`);
    assert.deepEqual(await told(), [], 'the attack kept to what is answered');
  });

  test('fonts that were there before anything was typed draw labels, and nothing that is typed', async (t) => {
    const checkout = await stage.checkout(t, { theme: 'light' }, { noise: NOISE, prepare: (page) => withAppearance(page, {}) });
    const payment = checkout.payment();
    await payment.live();
    await checkout.page.evaluate(ATTACK);
    // The font has digits and no letters.
    await checkout.page.locator('payment-form').evaluate((form) => /** @type {any} */ (form).update({ texts: { label_card_number: '0123456789' } }));
    const form = checkout.document('/form/');
    const client = await checkout.page.context().newCDPSession(form);
    await client.send('DOM.enable');
    await client.send('CSS.enable');
    /** Whether any of an element's text is drawn in a font that came with the page. @param {string} selector */
    const custom = async (selector) => {
      const { root } = await client.send('DOM.getDocument', { depth: -1, pierce: true });
      const { nodeId } = await client.send('DOM.querySelector', { nodeId: root.nodeId, selector });
      const { fonts } = await client.send('CSS.getPlatformFontsForNode', { nodeId });
      return fonts.some(({ isCustomFont }) => isCustomFont);
    };
    for (const family of FAMILIES) {
      await checkout.page.evaluate(async (family) => {
        const { oracle } = /** @type {{ oracle: import('../font-oracle.mjs').Oracle }} */ (/** @type {unknown} */ (globalThis));
        await oracle.form(19).wear({ family, base64: oracle.font(0, 7, 19) });
      }, family);
      const name = `page ${family.replaceAll('"', '')}`;
      await form.waitForFunction((name) => [...document.fonts].some(({ family, status }) => family.replaceAll('"', '') === name && status === 'loaded'), name, { timeout: 5000 }).catch(async (cause) => assert.fail(`${name}: ${await form.evaluate(() => [...document.fonts].map(({ family }) => family).join())} ${cause}`));
      assert.ok(await custom('label[for=CARD_NUMBER]'), `${family} is worn by the label`);
      assert.ok(!(await custom('#EXPIRATION_DATE')), `${family}: not by a placeholder`);
      for (const field of ['#CARDHOLDER_NAME', '#CARD_NUMBER']) {
        await payment.frame.locator(field).fill(APPROVED.number);
        assert.ok(!(await custom(field)), `${family}: not by ${field}`);
        await payment.frame.locator(field).fill('');
      }
    }
  });

  test('while digits stand in a field only paint changes, and the rest follows once they are gone', async (t) => {
    const checkout = await stage.checkout(t, { theme: 'light' }, { prepare: (page) => withAppearance(page, { variables: { fieldHeight: 50 } }) });
    const payment = checkout.payment();
    await payment.live();
    await looks(payment.number, 'height', '50px');
    const update = (/** @type {object} */ appearance) => checkout.page.locator('payment-form').evaluate((form, appearance) => /** @type {any} */ (form).update({ appearance }), appearance);
    const worn = (/** @type {import('playwright-core').Locator} */ field) => field.evaluate((input) => [getComputedStyle(input).height, getComputedStyle(input).letterSpacing]);
    await payment.code.fill('1');
    await update({ variables: { fieldHeight: 60, letterSpacing: 2, colorBorder: '#0a6' } });
    await looks(payment.number, 'borderColor', 'rgb(0, 170, 102)');
    assert.deepEqual(await worn(payment.code), ['50px', 'normal']);
    await payment.code.fill('');
    await looks(payment.code, 'height', '60px');
    assert.deepEqual(await worn(payment.code), ['60px', '2px']);
    await payment.code.fill('1');
    await update({ variables: { fieldHeight: 44 } });
    await looks(payment.number, 'borderColor', 'rgb(120, 129, 149)');
    assert.deepEqual(await worn(payment.code), ['60px', '2px']);
    await checkout.page.locator('payment-form').evaluate((form) => /** @type {any} */ (form).clear());
    await looks(payment.code, 'height', '44px');
  });

  test('answers come on the ticks of a clock, and of many calls ten are obeyed, which is told once', async (t) => {
    const checkout = await stage.checkout(t, { theme: 'light' });
    const payment = checkout.payment();
    await payment.fill(APPROVED);
    const told = await recordEvents(payment, 'error', 'code');
    const { codes, apart, last } = await checkout.page.locator('payment-form').evaluate(async (given) => {
      const form = /** @type {any} */ (given);
      const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));
      /** @type {number[]} */
      const times = [];
      await pause(1100);
      const flood = Array.from({ length: 30 }, () => form.validate().then(() => times.push(performance.now()), (/** @type {any} */ error) => error.code));
      const answers = await Promise.all(flood);
      form.theme = 'dark';
      await pause(1100);
      // One after another, as in a script that measures.
      for (let call = 0; call < 8; call++) {
        await form.validate();
        times.push(performance.now());
      }
      const apart = times.slice(-8).flatMap((time, place, all) => (place ? [time - (all[place - 1] ?? 0)] : []));
      return { codes: answers.filter((answer) => typeof answer === 'string'), apart, last: form.theme };
    });
    assert.equal(codes.length, 20);
    assert.deepEqual([...new Set(codes)], ['too_many_calls']);
    assert.deepEqual((await told()).filter((code) => code === 'too_many_calls'), ['too_many_calls']);
    assert.equal(last, 'dark');
    await checkout.document('/form/').waitForFunction(() => document.documentElement.dataset.theme === 'dark');
    // No answer comes before the next tick, whatever the form does.
    const [median = 0] = apart.sort((a, b) => a - b).slice(3);
    assert.ok(median > 40, `answers were ${apart.map(Math.round)} ms apart`);
    await payment.press();
    await payment.ends('Payment complete');
  });
});
