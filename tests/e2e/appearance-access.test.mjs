/** Accessibility of every look: contrast, size of targets, zoom; and the states of form and element. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { APPROVED, NO_FUNDS } from './cards.mjs';
import { hold, says } from './checkout.mjs';
import { computed, contrastOf, looks, withAppearance } from './looks.mjs';
import { cornerColour } from './pixels.mjs';
import { Stage } from './stage.mjs';

const LOOKS = /** @type {const} */ (['', 'minimal', 'high-contrast', { labels: 'floating' }, { density: 'compact' }]);
const titled = (/** @type {unknown} */ look) => (typeof look === 'string' ? look || 'standard' : JSON.stringify(look));

suite('appearance and access', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('appearance-access');
  });
  after(() => stage.close());

  /** @param {import('node:test').TestContext | Stage} t @param {unknown} look @param {Record<string, string>} [query] @param {import('./stage.mjs').Opening} [opening] */
  async function dressed(t, look, query = { theme: 'light' }, opening = {}) {
    const checkout = await stage.checkout(t, query, { ...opening, prepare: look ? (page) => withAppearance(page, look) : undefined });
    const payment = checkout.payment({ locale: query.locale === 'it' ? 'it' : 'en' });
    await payment.live();
    const form = checkout.document('/form/');
    if (look) await form.waitForFunction(() => document.adoptedStyleSheets.length > 0);
    return { checkout, payment, form };
  }

  for (const look of LOOKS) {
    // One form is looked at in several ways.
    /** @type {ReturnType<typeof dressed> | undefined} */
    let worn;
    const wearing = () => (worn ??= dressed(stage, look));

    test(`G7 everything that can be pressed is at least 24 by 24 pixels: ${titled(look)}`, async () => {
      const { form } = await wearing();
      const small = await form.evaluate(() => Array.from(document.querySelectorAll('button, input, a, select')).filter((element) => element.checkVisibility()).map((element) => {
        const { width, height } = element.getBoundingClientRect();
        return `${element.id} ${width} × ${height}`;
      }));
      assert.ok(small.length >= 6);
      assert.deepEqual(small.filter((line) => line.split(' ').slice(1).some((part) => Number(part) < 24)), []);
    });

    test(`G8 the focus has a clear ring that nothing covers: ${titled(look)}`, async () => {
      const { checkout, payment, form } = await wearing();
      const ground = await cornerColour(checkout.page, payment.region.getByTitle('Card payment'));
      await payment.number.focus();
      /** @type {string[]} */
      const seen = [];
      for (let step = 0; step < 6; step++) {
        const ring = await form.evaluate(() => {
          const element = /** @type {HTMLElement} */ (document.activeElement);
          const { outlineStyle, outlineWidth, outlineOffset, outlineColor } = getComputedStyle(element);
          const { left, right, top, bottom } = element.getBoundingClientRect();
          const far = parseFloat(outlineWidth) + parseFloat(outlineOffset);
          const main = /** @type {Element} */ (document.getElementById('main')).getBoundingClientRect();
          const middle = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
          return { id: element.id, outlineStyle, wide: parseFloat(outlineWidth), outlineColor, inside: left - far >= 0 && right + far <= innerWidth && top - far >= 0 && bottom + far <= main.bottom + 4, free: element.contains(middle) };
        });
        seen.push(ring.id);
        assert.ok(ring.outlineStyle === 'solid' && ring.wide >= 2 && ring.inside && ring.free, JSON.stringify(ring));
        assert.ok(contrastOf(ring.outlineColor, ground) >= 3, JSON.stringify(ring));
        await checkout.page.keyboard.press('Tab');
      }
      assert.deepEqual(seen, ['CARD_NUMBER', 'EXPIRATION_DATE', 'SECURITY_CODE', 'CARDHOLDER_NAME', 'pay', 'cancel']);
    });

    test(`G10 in forced colours borders, ring and errors can be told apart: ${titled(look)}`, async () => {
      const { checkout, payment } = await wearing();
      await checkout.page.emulateMedia({ forcedColors: 'active' });
      const plain = await computed(payment.name, 'borderBottomWidth');
      assert.notEqual(plain, '0px');
      assert.equal(await computed(payment.pay, 'borderBottomStyle'), 'solid');
      await payment.name.focus();
      assert.equal(await computed(payment.name, 'outlineStyle'), 'solid');
      await payment.press();
      await says(payment.alert, 'Enter your card number.');
      assert.ok(parseFloat(await computed(payment.name, 'borderBottomWidth')) > parseFloat(plain), 'a faulty field has a thicker border');
      const [sign, ground] = await payment.frame.locator('.note .bad').first().evaluate((note) => [getComputedStyle(note, '::before').color, getComputedStyle(note, '::before').backgroundColor]);
      assert.ok(contrastOf(sign ?? '', ground ?? '') >= 4.5, 'the sign beside a message is seen');
    });

    test(`G12 nothing is cut or scrolls sideways at 320 pixels, at double size and with wide spacing, in the longest language: ${titled(look)}`, async (t) => {
      const checkout = await stage.checkout(t, { theme: 'light', locale: 'el' }, { context: { viewport: { width: 320, height: 900 } }, prepare: look ? (page) => withAppearance(page, look) : undefined });
      const payment = checkout.payment();
      await payment.live();
      const form = checkout.document('/form/');
      if (look) await form.waitForFunction(() => document.adoptedStyleSheets.length > 0);
      await payment.press(payment.frame.locator('#pay'));
      await form.locator('[aria-invalid=true]').first().waitFor();
      for (const css of ['', ':root { font-size: 200% } label, .note, .message, .quiet { font-size: 28px !important; line-height: 1.4 !important }', '* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important } p { margin-bottom: 2em !important }']) {
        const cut = await form.evaluate((css) => {
          const sheet = new CSSStyleSheet();
          sheet.replaceSync(css);
          const before = [...document.adoptedStyleSheets];
          document.adoptedStyleSheets = [...before, sheet];
          // Ends all transitions, so that sizes are final.
          for (const animation of document.getAnimations()) animation.finish();
          const wide = document.documentElement.scrollWidth > innerWidth ? [`${document.documentElement.scrollWidth} pixels wide`] : [];
          const cut = Array.from(document.querySelectorAll('label, .note, .message, button')).filter((element) => element.checkVisibility() && (element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1)).map((element) => element.outerHTML.slice(0, 80));
          document.adoptedStyleSheets = before;
          for (const animation of document.getAnimations()) animation.finish();
          return [...wide, ...cut];
        }, css);
        assert.deepEqual(cut, [], css || 'as it is');
      }
    });
  }

  test('G12 a floating label of any size leaves the text of its field free, and the field its height as long as it fits', async (t) => {
    const { payment, form } = await dressed(t, { labels: 'floating' }, { theme: 'light', locale: 'it' }, { context: { viewport: { width: 360, height: 900 } } });
    await payment.fill(APPROVED);
    /** The space between a label and the text below it, and the height of the input. @param {string} css */
    const room = (css) =>
      form.evaluate((css) => {
        const before = [...document.adoptedStyleSheets];
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(css);
        document.adoptedStyleSheets = [...before, sheet];
        for (const animation of document.getAnimations()) animation.finish();
        const found = Array.from(document.querySelectorAll('.box > input')).filter((input) => input.checkVisibility()).map((input) => {
          const { top, bottom, height } = input.getBoundingClientRect();
          const { paddingTop, fontSize } = getComputedStyle(input);
          const words = document.createRange();
          words.selectNodeContents(/** @type {Node} */ (input.closest('.field')?.querySelector('label')));
          const label = words.getBoundingClientRect();
          return { height, above: label.top - top, between: (top + parseFloat(paddingTop) + bottom - parseFloat(fontSize)) / 2 - label.bottom };
        });
        document.adoptedStyleSheets = before;
        return found;
      }, css);
    for (const css of ['', 'label { font-size: 28px !important; line-height: 1.4 !important }', 'label { font-size: 40px !important; line-height: 1.5 !important }']) {
      const found = await room(css);
      assert.equal(found.length, 4);
      for (const { height, above, between } of found) assert.ok((css ? height > 56 : height === 56) && above >= 0 && between >= 0, `${css}: ${JSON.stringify(found)}`);
    }
    for (const [look, height] of /** @type {const} */ ([[{ density: 'compact' }, 48], [{ density: 'spacious' }, 64], [{ variables: { fieldHeight: 60 } }, 60], [{ variables: { fieldHeight: 32 } }, 44]])) {
      // Changes of the layout wait for empty fields.
      await form.page().locator('payment-form').evaluate((form, look) => (/** @type {any} */ (form).clear(), /** @type {any} */ (form).update({ appearance: { labels: 'floating', ...look } })), look);
      await looks(payment.name, 'height', `${height}px`);
      await payment.fill(APPROVED);
      for (const { above, between } of await room('')) assert.ok(above >= 0 && between >= 0, JSON.stringify(look));
    }
  });

  test('G11 where less motion is asked for nothing moves, and waiting is still seen', async (t) => {
    const { checkout, payment, form } = await dressed(t, { labels: 'floating', rules: { '.Button': { transitionDuration: '400ms' } } }, undefined, { context: { reducedMotion: 'reduce' } });
    await payment.fill(APPROVED);
    const charge = await hold(checkout.page, '**/api/build/finalize_payment');
    await payment.press();
    const request = await charge.arrived;
    assert.deepEqual(await form.evaluate(() => document.getAnimations().map((animation) => animation.constructor.name)), []);
    assert.equal(await computed(payment.frame.locator('#pay .spin'), 'borderTopStyle'), 'dotted');
    assert.ok(await payment.frame.locator('#pay .spin').isVisible());
    assert.deepEqual(await form.evaluate(() => Array.from(document.querySelectorAll('*'), (element) => getComputedStyle(element).transitionDuration).filter((time) => time !== '0s')), []);
    await request.continue();
    await payment.ends('Payment complete');
  });

  test('E7 no input is so small that a phone zooms in, whatever the page asks for', async (t) => {
    const small = { variables: { fontSize: 14 }, rules: { '.Input': { fontSize: 12 }, '.Input:focus': { fontSize: '0.75rem' } } };
    // A size for one state only is dropped, with a warning.
    const noise = /appearance\.rules\["\.Input:focus"\]/;
    const { payment } = await dressed(t, small, undefined, { noise, context: { hasTouch: true, isMobile: true, viewport: { width: 390, height: 800 } } });
    await payment.name.focus();
    for (const field of [payment.number, payment.expiry, payment.code, payment.name]) assert.ok(parseFloat(await computed(field, 'fontSize')) >= 16);
    // With a mouse, the page's size is used.
    const { payment: desktop } = await dressed(t, small, undefined, { noise });
    assert.equal(await computed(desktop.name, 'fontSize'), '12px');
  });

  test('H9 the element has the state of the form as custom states', async (t) => {
    const { checkout, payment } = await dressed(t, '');
    const element = checkout.page.locator('payment-form');
    /** @param {string[]} expected @param {string[]} [not] */
    const has = async (expected, not = []) => {
      for (const state of expected) await element.and(checkout.page.locator(`:state(${state})`)).waitFor();
      assert.deepEqual(await element.evaluate((form, names) => names.filter((name) => form.matches(`:state(${name})`)), not), []);
    };
    await has(['ready'], ['filled', 'complete', 'invalid', 'busy', 'focused']);
    await payment.name.fill('A');
    await has(['filled'], ['empty', 'complete']);
    await payment.name.fill('');
    await has(['empty'], ['filled', 'complete']);
    await payment.number.focus();
    await has(['focused']);
    await payment.press();
    await has(['invalid']);
    await payment.fill(APPROVED);
    await has(['filled', 'complete'], ['empty', 'invalid']);
    const charge = await hold(checkout.page, '**/api/build/finalize_payment');
    await payment.press();
    const request = await charge.arrived;
    await has(['busy']);
    await request.continue();
    await payment.ends('Payment complete');
  });

  test('H10 the element wears the class that the page named while the state lasts', async (t) => {
    const { checkout, payment } = await dressed(t, { classes: { focused: 'ring', invalid: 'is-bad shake', complete: 'done' } });
    const element = checkout.page.locator('payment-form');
    await payment.number.focus();
    await element.and(checkout.page.locator('.ring')).waitFor();
    await payment.press();
    await element.and(checkout.page.locator('.is-bad.shake')).waitFor();
    await payment.fill(APPROVED);
    await element.and(checkout.page.locator('.done:not(.is-bad, .shake)')).waitFor();
    await element.evaluate((form) => /** @type {any} */ (form).update({ appearance: { classes: {} } }));
    await element.and(checkout.page.locator(':not(.done, .ring)')).waitFor();
  });

  test('H8 one frame or a frame for each field: the same messages, events and result', async (t) => {
    /** @param {string} path */
    const told = async (path) => {
      const checkout = await stage.checkout(t, { theme: 'light' }, { path });
      const element = checkout.page.locator('payment-form');
      await checkout.page.locator('payment-form:state(ready)').waitFor();
      await element.evaluate((form) => {
        const world = /** @type {any} */ (window);
        world.told = [];
        for (const type of ['change', 'statechange', 'result', 'focus', 'blur']) {
          form.addEventListener(type, (event) => world.told.push([type, JSON.parse(JSON.stringify(/** @type {CustomEvent} */ (event).detail, (key, value) => (/orderId|operationId/.test(key) ? undefined : value)))]));
        }
      });
      /** @param {string} id */
      const input = (id) => (path.startsWith('/?') ? checkout.payment().frame.locator(`#${id}`) : checkout.page.locator(`iframe[src*="id=${id}&"]`).contentFrame().locator(`#${id}`));
      /** Waits until the page was told of an edit: edits in quick succession may be reported together. @param {[id: string, member: string, value: boolean]} state */
      const hears = (...state) =>
        checkout.page.waitForFunction(([id, member, value]) => {
          const { told } = /** @type {any} */ (window);
          const last = told.findLast((/** @type {[string, unknown]} */ [type]) => type === 'change');
          return last?.[1].fields.find((/** @type {{ id: string }} */ field) => field.id === id)[member] === value;
        }, state);
      for (const [id, value] of Object.entries({ CARD_NUMBER: NO_FUNDS.number, EXPIRATION_DATE: '0120', SECURITY_CODE: NO_FUNDS.code, CARDHOLDER_NAME: NO_FUNDS.name })) {
        await input(id).fill(value);
        await hears(id, 'empty', false);
      }
      await input('EXPIRATION_DATE').fill(NO_FUNDS.expiry);
      await hears('EXPIRATION_DATE', 'complete', true);
      await input('CARDHOLDER_NAME').focus();
      await element.evaluate((form) => /** @type {any} */ (form).confirm());
      assert.equal(await input('SECURITY_CODE').inputValue(), '');
      const { told } = /** @type {any} */ (await checkout.page.evaluate(() => ({ told: /** @type {any} */ (window).told })));
      // The focus after the form's own button differs, because the other layout has none. Reports are collected while the
      // gateway is asked, so their number depends on its speed.
      const sent = told.findIndex((/** @type {[string, unknown]} */ [type]) => type === 'statechange');
      const lines = told.filter((/** @type {[string, unknown]} */ [type], /** @type {number} */ place) => type !== 'focus' && type !== 'blur' && (place < sent || type !== 'change')).map((/** @type {unknown} */ line) => JSON.stringify(line, null, 1));
      // A frame of a field that loads late reports itself, while all fields are still empty.
      const typed = lines.findIndex((/** @type {string} */ line) => !JSON.parse(line)[1].empty);
      return lines.slice(typed).filter((/** @type {string} */ line, /** @type {number} */ place, /** @type {string[]} */ all) => line !== all[place - 1]);
    };
    const [form, fields] = [await told('/?button=hidden'), await told('/fields')];
    assert.deepEqual(fields, form);
    assert.ok(form.length > 8 && /"result"/.test(form.at(-1)), form.at(-1));
  });
});
