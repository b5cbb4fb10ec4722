/** The appearance of the form: presets, variables, rules, fonts, and what no appearance may break. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { APPROVED, NO_FUNDS } from './cards.mjs';
import { hold, holds, IN_TIME, says } from './checkout.mjs';
import { computed, contrastOf, looks, withAppearance } from './looks.mjs';
import { cornerColour } from './pixels.mjs';
import { Stage } from './stage.mjs';

const PRESETS = ['standard', 'minimal', 'high-contrast'];
const SCHEMES = /** @type {const} */ (['light', 'dark']);
const FONT = readFileSync(new URL('../gallery/fonts/NotoSans-Regular.ttf', import.meta.url));

suite('appearance', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('appearance');
  });
  after(() => stage.close());

  /** A live form that has this appearance from the start. @param {import('node:test').TestContext | Stage} t @param {unknown} appearance @param {Record<string, string>} [query] @param {import('./stage.mjs').Opening} [opening] */
  async function dressed(t, appearance, query = { theme: 'light' }, opening = {}) {
    const checkout = await stage.checkout(t, query, { ...opening, prepare: async (page) => (await withAppearance(page, appearance), await opening.prepare?.(page)) });
    const payment = checkout.payment();
    await payment.live();
    const form = checkout.document('/form/');
    await form.waitForFunction(() => document.adoptedStyleSheets.length > 0);
    return { checkout, payment, form };
  }

  for (const [preset, expected] of /** @type {const} */ ([['minimal', '0px 0px 1px'], ['high-contrast', '2px']])) {
    test(`H1 the preset ${preset} is worn by every part, from the first moment`, async (t) => {
      const { payment, form } = await dressed(t, preset);
      assert.equal(await computed(payment.name, 'borderWidth'), expected);
      await payment.payWith(NO_FUNDS);
      await says(payment.alert, 'lack of funds');
      const edge = await computed(payment.frame.locator('#message'), 'borderTopColor');
      assert.equal(edge, preset === 'minimal' ? 'rgb(179, 38, 30)' : 'rgb(143, 0, 0)');
      assert.equal(await form.evaluate(() => document.documentElement.className), '');
    });
  }

  test('H1 an unknown preset gives the standard look and one warning', async (t) => {
    const checkout = await stage.checkout(t, { theme: 'light' }, { prepare: (page) => withAppearance(page, 'neon'), noise: /appearance\.theme/ });
    const payment = checkout.payment();
    await payment.live();
    await checkout.document('/form/').waitForFunction(() => document.adoptedStyleSheets.length > 0);
    assert.equal(await computed(payment.name, 'borderWidth'), '1px');
    assert.deepEqual(checkout.complaints.filter((line) => /payframe:/.test(line)).map((line) => line.split(' (')[0]), ['warning: payframe: appearance.theme "neon" is dropped: it is one of auto, light, dark, minimal, high-contrast']);
    await checkout.page.locator('payment-form').evaluate((form) => /** @type {any} */ (form).update({ appearance: { theme: 'neon', variables: { radius: 1 } } }));
    await looks(payment.name, 'borderRadius', '1px');
    assert.equal(checkout.complaints.filter((line) => /neon/.test(line)).length, 1);
  });

  test('H2 variables change in place: focus, caret, text and session stay', async (t) => {
    const checkout = await stage.checkout(t, { theme: 'light' });
    const payment = checkout.payment();
    await payment.fill(APPROVED);
    await payment.number.focus();
    await payment.number.evaluate((input) => /** @type {HTMLInputElement} */ (input).setSelectionRange(2, 7));
    const loads = checkout.requests.length;
    await checkout.page.locator('payment-form').evaluate((form) => /** @type {any} */ (form).update({ appearance: { variables: { radius: 2, colorBorder: '#0a6', fieldHeight: '56px', gap: 24 }, rules: { '.Button': { textTransform: 'uppercase' } } } }));
    for (const field of [payment.number, payment.expiry, payment.code, payment.name]) await looks(field, 'borderRadius', '2px');
    assert.equal(await computed(payment.name, 'borderColor'), 'rgb(0, 170, 102)');
    assert.deepEqual([await computed(payment.name, 'height'), await computed(payment.pay, 'textTransform')], ['48px', 'none'], 'what lays out waits until nothing is typed');
    await holds(payment.number, APPROVED.shown);
    assert.deepEqual(await payment.number.evaluate((input) => [document.activeElement === input, /** @type {any} */ (input).selectionStart, /** @type {any} */ (input).selectionEnd]), [true, 2, 7]);
    const expected = [IN_TIME, /^\/api\/fe\/build\/bin$/];
    const fetched = checkout.requests.slice(loads).map((request) => new URL(request.url()).pathname).filter((path) => !expected.some((known) => known.test(path)));
    assert.deepEqual(fetched, [], 'beside what comes in time and the question for the card\'s range, nothing was fetched');
    await checkout.page.locator('payment-form').evaluate((form) => /** @type {any} */ (form).update({ appearance: 'auto' }));
    await looks(payment.name, 'borderRadius', '8px');
    await payment.press();
    await payment.ends('Payment complete');
  });

  test('H2 fields in frames of their own follow too', async (t) => {
    const checkout = await stage.checkout(t, { theme: 'light' }, { path: '/fields', prepare: (page) => withAppearance(page, { variables: { radius: 3 } }) });
    const field = checkout.page.locator('payment-field[name=CARD_NUMBER]').locator('iframe').contentFrame().locator('#CARD_NUMBER');
    await looks(field, 'borderRadius', '3px');
    await checkout.page.locator('payment-form:state(ready)').waitFor();
    await checkout.page.locator('payment-form').evaluate((form) => /** @type {any} */ (form).update({ appearance: { variables: { radius: 9, colorText: '#123456' } } }));
    await looks(field, 'borderRadius', '9px');
    await looks(field, 'color', 'rgb(18, 52, 86)');
    assert.equal(await field.evaluate((input) => getComputedStyle(/** @type {Element} */ (input.ownerDocument.getElementById('main'))).opacity), '1');
  });

  test('H3 listed rules apply in their states; each other one is dropped with one warning, and the payment goes on', async (t) => {
    const rules = {
      '.Input': { backgroundColor: '#fffbe6', 'border-width': 2, position: 'fixed' },
      '.Input:focus': { borderColor: '#663399', boxShadow: '0 0 0 4px #6393' },
      '.Input:invalid': { backgroundColor: '#ffeef0' },
      '.Label': { textTransform: 'uppercase', fontSize: 13 },
      '.Button:hover': { backgroundColor: '#402060' },
      '#CARD_NUMBER': { color: '#f00' },
      '.Input:valid': { color: '#f00' },
    };
    const { checkout, payment } = await dressed(t, { rules }, undefined, { noise: /appearance\.rules/ });
    assert.equal(await computed(payment.name, 'backgroundColor'), 'rgb(255, 251, 230)');
    assert.equal(await computed(payment.name, 'borderWidth'), '2px');
    assert.equal(await computed(payment.name, 'position'), 'static');
    await payment.name.focus();
    assert.equal(await computed(payment.name, 'borderColor'), 'rgb(102, 51, 153)');
    assert.equal(await computed(payment.name, 'outlineStyle'), 'solid', 'the ring of the focus stays');
    await payment.pay.hover();
    await looks(payment.pay, 'backgroundColor', 'rgb(64, 32, 96)');
    await payment.press();
    await says(payment.alert, 'Enter your card number.');
    assert.equal(await computed(payment.name, 'backgroundColor'), 'rgb(255, 238, 240)');
    assert.equal(await computed(payment.name, 'borderColor'), 'rgb(179, 38, 30)', 'an error is seen in every look');
    await payment.fill(APPROVED);
    await payment.settled();
    await payment.press();
    await payment.ends('Payment complete');
    const warnings = checkout.complaints.filter((line) => /payframe:/.test(line)).map((line) => /payframe: (\S+) is dropped/.exec(line)?.[1]);
    assert.deepEqual(warnings.sort(), ['appearance.rules["#CARD_NUMBER"]', 'appearance.rules[".Input"].position', 'appearance.rules[".Input:valid"]']);
  });

  test('H4 addresses, imports and ways out of a declaration are dropped, and nothing is asked for', async (t) => {
    const way = 'red;} input{background:url(https://evil.example/4)} x{color:red';
    const appearance = {
      variables: { colorField: 'url(https://evil.example/1)', fontFamily: 'x; @import "https://evil.example/2"', radius: '1px}*{display:none}', colorText: 'expression(alert(1))' },
      rules: { '.Input': { backgroundColor: 'image-set("https://evil.example/3" 1x)', boxShadow: way, color: 'var(--x, url(https://evil.example/5))', borderColor: 'r\\65d' }, [`.Input{}${way}`]: { color: '#000' } },
      fonts: [{ family: 'evil', src: 'https://evil.example/6.woff2' }],
    };
    const { checkout, payment, form } = await dressed(t, JSON.stringify(appearance).replace('"fonts"', '"\\u0066onts"'), undefined, { noise: /appearance/ });
    // Those of the look are the last two; before them are the form's own.
    const text = await form.evaluate(() => document.adoptedStyleSheets.slice(-2).flatMap((sheet) => Array.from(sheet.cssRules, (rule) => rule.cssText)).join('\n'));
    assert.doesNotMatch(text, /url|evil|import|display: none|expression|image-set/);
    await payment.payWith(APPROVED);
    await payment.ends('Payment complete');
    const asked = checkout.requests.map((request) => request.url());
    assert.deepEqual(asked.filter((url) => /evil/.test(url)), []);
    assert.equal(checkout.complaints.filter((line) => /is dropped/.test(line)).length, 10);
  });

  test('H5 on a dark page the form is dark and see-through from the first moment, and never white', async (t) => {
    /** @type {Record<string, Awaited<ReturnType<typeof hold>>>} */
    const held = {};
    const checkout = await stage.checkout(t, {}, {
      context: { colorScheme: 'dark' },
      prepare: async (page) => {
        held.document = await hold(page, '**/form/?*');
        held.widget = await hold(page, '**/assets/*.wasm');
      },
    });
    const payment = checkout.payment();
    const frame = payment.region.getByTitle('Card payment');
    const document = await held.document?.arrived;
    const around = await payment.region.evaluate((section) => getComputedStyle(section).backgroundColor);
    const ground = async (/** @type {string} */ when) => assert.equal(await cornerColour(checkout.page, frame), around, when);
    await ground('before the document');
    await document?.continue();
    const wasm = await held.widget?.arrived;
    await ground('before the widget');
    const ink = await computed(payment.name, 'color');
    assert.equal(ink, 'rgb(238, 241, 247)');
    await wasm?.continue();
    await payment.live();
    await ground('live');
  });

  test('H6 a font comes when it comes: nothing waits for it, and one that fails leaves the next in the list', async (t) => {
    const address = `${stage.shopOrigin}/face.ttf`;
    const fonts = [{ family: 'Face', src: '/face.ttf' }, { family: 'Gone', src: '/gone.ttf' }];
    /** @type {Awaited<ReturnType<typeof hold>> | undefined} */
    let font;
    const { checkout, payment, form } = await dressed(t, { fonts, variables: { fontFamily: 'Gone, Face, serif' } }, undefined, {
      noise: /gone\.ttf|404/,
      prepare: async (page) => {
        await page.route('**/gone.ttf', (route) => route.fulfill({ status: 404 }));
        font = await hold(page, '**/face.ttf');
      },
    });
    const held = await /** @type {any} */ (font).arrived;
    await payment.name.fill('A');
    const label = payment.frame.locator('label[for=CARDHOLDER_NAME]');
    assert.equal(await computed(label, 'fontFamily'), 'Gone, Face, serif', 'it is asked for, and not there yet');
    assert.equal(await form.evaluate(() => document.fonts.size), 0);
    await held.fulfill({ body: FONT, contentType: 'font/ttf' });
    await form.waitForFunction(() => [...document.fonts].some(({ family, status }) => /^"?page Face"?$/.test(family) && status === 'loaded'));
    await holds(payment.name, 'A');
    assert.equal(await computed(label, 'fontFamily'), 'Gone, "page Face", serif');
    assert.equal(await computed(payment.name, 'fontFamily'), 'serif, sans-serif', 'what is typed is drawn in the system\'s fonts');
    const fetched = checkout.requests.filter((request) => request.url() === address);
    assert.deepEqual(fetched.map((request) => request.frame() === checkout.page.mainFrame()), [true], 'the page loads it, the frame asks no address');
    assert.equal(checkout.complaints.filter((line) => /Gone is left out/.test(line)).length, 1);
  });

  for (const preset of PRESETS) {
    for (const scheme of SCHEMES) {
      // Both tests look at one form, the second at what it looks like until its end.
      /** @type {ReturnType<typeof dressed> | undefined} */
      let worn;
      const wearing = () => (worn ??= dressed(stage, preset === 'standard' ? {} : preset, { theme: scheme }));

      test(`H7 what the browser filled in can be read: ${preset}, ${scheme}`, async () => {
        const { checkout, payment, form } = await wearing();
        const element = checkout.page.locator('payment-form');
        const update = (/** @type {unknown} */ appearance) => element.evaluate((form, appearance) => /** @type {any} */ (form).update({ appearance }), appearance);
        if (preset === 'standard') await update({ rules: { '.Input:focus': { boxShadow: '0 0 0 4px #6393' } } });
        await payment.name.fill('Ada Lovelace');
        await payment.name.focus();
        // DevTools force the state of a filled field.
        const client = await checkout.page.context().newCDPSession(form);
        await client.send('DOM.enable');
        await client.send('CSS.enable');
        const { root } = await client.send('DOM.getDocument');
        const { nodeId } = await client.send('DOM.querySelector', { nodeId: root.nodeId, selector: '#CARDHOLDER_NAME' });
        await client.send('CSS.forcePseudoState', { nodeId, forcedPseudoClasses: ['autofill'] });
        assert.ok(await payment.name.evaluate((input) => input.matches(':autofill')), 'the browser calls it filled');
        const text = await computed(payment.name, 'webkitTextFillColor');
        const [fill = ''] = /rgba?\([^)]*\)(?= 0px 0px 0px \d\dpx inset)/.exec(await computed(payment.name, 'boxShadow')) ?? [];
        assert.ok(contrastOf(text, fill) >= 4.5, `${text} on ${fill}`);
        await client.detach();
        await element.evaluate((form) => /** @type {any} */ (form).clear());
        if (preset === 'standard') await update({});
      });

      test(`G9 text and borders of every state reach AA: ${preset}, ${scheme}`, async () => {
        const { checkout, payment } = await wearing();
        const ground = await cornerColour(checkout.page, payment.region.getByTitle('Card payment'));
        /** @param {import('playwright-core').Locator} element @param {keyof CSSStyleDeclaration} front @param {number} least @param {string} [behind] */
        const reaches = async (element, front, least, behind) => {
          const own = await computed(element, 'backgroundColor');
          const back = behind ?? (own === 'rgba(0, 0, 0, 0)' ? ground : own);
          const found = contrastOf(await computed(element, front), back);
          assert.ok(found >= least, `${String(front)} of ${element} on ${back}: ${found.toFixed(2)}`);
        };
        await reaches(payment.frame.locator('label').first(), 'color', 4.5, ground);
        for (const field of [payment.number, payment.expiry, payment.code, payment.name]) {
          await reaches(field, 'color', 4.5);
          await reaches(field, 'borderBottomColor', 3, ground);
        }
        await payment.name.focus();
        await reaches(payment.name, 'outlineColor', 3, ground);
        await reaches(payment.pay, 'color', 4.5);
        await reaches(payment.pay, 'backgroundColor', 3, ground);
        await reaches(payment.cancel, 'color', 4.5, ground);
        await payment.pay.hover();
        await reaches(payment.pay, 'color', 4.5);
        await payment.press();
        await says(payment.alert, 'Enter your card number.');
        await reaches(payment.frame.locator('.note .bad').first(), 'color', 4.5, ground);
        await reaches(payment.name, 'borderBottomColor', 3, ground);
        // The last error is removed after the paint of the last key, and the button moves up: the press goes to its new place.
        await payment.fill(NO_FUNDS);
        await payment.settled();
        await payment.press();
        await says(payment.alert, 'lack of funds');
        await reaches(payment.frame.locator('#message'), 'color', 4.5);
        await payment.payWith(APPROVED);
        await payment.ends('Payment complete');
        const said = payment.frame.locator('#panel').locator('h1, h2, p, button').filter({ visible: true });
        for (const part of await said.all()) await reaches(part, 'color', 4.5);
      });
    }
  }

  test('H11 the frame has the height of what it shows, without a scroll bar of its own, and comes to rest', async (t) => {
    const checkout = await stage.checkout(t, { theme: 'light' });
    const payment = checkout.payment();
    await payment.live();
    await payment.settled();
    const frame = payment.region.getByTitle('Card payment');
    const heights = [await frame.evaluate((frame) => frame.clientHeight)];
    const form = checkout.document('/form/');
    const fits = () => form.evaluate(() => document.scrollingElement?.scrollHeight === innerHeight && innerWidth === document.documentElement.clientWidth);
    assert.ok(await fits());
    await payment.press();
    await says(payment.alert, 'Enter your card number.');
    await payment.settled();
    assert.ok(await fits());
    heights.push(await frame.evaluate((frame) => frame.clientHeight));
    await payment.fill(APPROVED);
    await payment.settled();
    assert.ok(await fits());
    heights.push(await frame.evaluate((frame) => frame.clientHeight));
    const [empty = 0, faulty = 0, filled = 0] = heights;
    assert.ok(faulty > empty && filled === empty, heights.join());
  });

  test('H12 a form that loads slowly has its room from the start, with a skeleton in it, and nothing moves', async (t) => {
    /** @type {Awaited<ReturnType<typeof hold>> | undefined} */
    let document;
    const checkout = await stage.checkout(t, { theme: 'light' }, { prepare: async (page) => void (document = await hold(page, '**/form/?*')) });
    const payment = checkout.payment();
    const held = await /** @type {any} */ (document).arrived;
    const frame = payment.region.getByTitle('Card payment');
    const below = checkout.page.getByText('Test cards and other cases');
    const before = [await frame.boundingBox(), await below.boundingBox()];
    const delays = await frame.evaluate((frame) => Promise.all(frame.getAnimations().map(async (animation) => (await animation.finished).effect?.getTiming().delay)));
    assert.deepEqual(delays, [300], 'who is quick does not see them flash');
    assert.match(await computed(frame, 'backgroundImage'), /linear-gradient/, 'blank fields are shown');
    await checkout.page.evaluate(() => {
      const world = /** @type {any} */ (window);
      world.shift = 0;
      new PerformanceObserver((list) => list.getEntries().forEach((entry) => (world.shift += /** @type {any} */ (entry).value))).observe({ type: 'layout-shift', buffered: true });
    });
    await held.continue();
    await payment.live();
    await payment.settled();
    assert.equal(await computed(frame, 'backgroundImage'), 'none');
    assert.deepEqual([await frame.boundingBox(), await below.boundingBox()], before);
    assert.equal(await checkout.page.evaluate(() => /** @type {any} */ (window).shift), 0);
  });

  test('H13 "inherit" takes font, colours and radius of the page\'s input, and one that is not there stops nothing', async (t) => {
    const style = 'font: 500 18px/1.2 Georgia, serif; color: rgb(10, 20, 90); background: rgb(250, 250, 255); border: 2px solid rgb(90, 110, 160); border-radius: 14px; height: 60px; padding: 0 20px; box-sizing: border-box';
    const { payment } = await dressed(t, 'inherit #mail', undefined, { prepare: (page) => withAppearance(page, 'inherit #mail', style) });
    for (const [property, expected] of Object.entries({ fontFamily: 'Georgia, serif, sans-serif', fontSize: '18px', fontWeight: '500', color: 'rgb(10, 20, 90)', backgroundColor: 'rgb(250, 250, 255)', borderColor: 'rgb(90, 110, 160)', borderWidth: '2px', borderRadius: '14px', height: '60px', paddingLeft: '20px' })) {
      assert.equal(await computed(payment.name, /** @type {any} */ (property)), expected, property);
    }
    const { checkout, payment: plain } = await dressed(t, 'inherit #nowhere', undefined, { noise: /appearance\.inherit/ });
    await plain.payWith(APPROVED);
    await plain.ends('Payment complete');
    assert.equal(checkout.complaints.filter((line) => /the page has no input "#nowhere"/.test(line)).length, 1);
  });

  test('H14 with our button hidden, the shop\'s own starts the same submit with the same checks', async (t) => {
    const checkout = await stage.checkout(t, { button: 'hidden', theme: 'light' });
    const payment = checkout.payment();
    await payment.live();
    assert.ok(await payment.pay.isHidden());
    const own = payment.region.getByRole('button', { name: 'Pay €35.45' });
    await payment.press(own);
    await says(payment.alert, 'Enter your card number.');
    assert.equal(checkout.requestsTo('fe/build/text').length, 0, 'nothing was sent');
    await payment.fill(APPROVED);
    await payment.press(own);
    await payment.ends('Payment complete');
    await payment.recorded('AUTHORIZATION EXECUTED');
  });
});
