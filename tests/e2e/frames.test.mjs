/**
 * Fields in frames of their own, as in pages of the Build protocol: one widget drives them all, and it survives what
 * pages do to their frames. The test itself acts as the page, so that it receives every message.
 */

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { DISTINCT_APPROVED as CARD } from './cards.mjs';
import { hold } from './checkout.mjs';
import { Stage } from './stage.mjs';

/** @typedef {{ id: string, src: string, type: string }} Field */

suite('frames', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('frames');
  });
  after(() => stage.close());

  test('one frame runs the widget for all, and loads it once', async (t) => {
    const merchant = await Merchant.open(stage, t);
    await merchant.add(...merchant.fields);
    await merchant.ready(...IDS);
    assert.equal((await merchant.drivers()).length, 1);
    const loads = (/** @type {RegExp} */ what) => merchant.checkout.requests.filter((request) => what.test(request.url())).length;
    assert.deepEqual([loads(/\/assets\/payframe_bg\.\w+\.wasm$/), loads(/\/assets\/payframe\.\w+\.js$/)], [1, 1]);
    await merchant.fill();
    assert.equal(await merchant.input('CARD_NUMBER').inputValue(), CARD.shown);
    await merchant.confirm();
    await merchant.hears('READY_FOR_PAYMENT');
    assert.equal(await stage.api.standing(merchant.session), 'READY_FOR_PAYMENT');
  });

  test('a page whose script comes after its frames hears again which are ready', async (t) => {
    const merchant = await Merchant.open(stage, t);
    await merchant.add(...merchant.fields);
    await merchant.ready(...IDS);
    await merchant.forget();
    await merchant.say({ type: 'build-here' });
    await merchant.ready(...IDS);
  });

  test('frames may come late and in any order, and keep what was typed before they were live', async (t) => {
    const merchant = await Merchant.open(stage, t);
    const [number, expiry, code, name] = merchant.fields;
    await merchant.add(name);
    await merchant.ready('CARDHOLDER_NAME');
    await merchant.add(code, number);
    await merchant.input('SECURITY_CODE').fill(CARD.code);
    await merchant.ready('SECURITY_CODE', 'CARD_NUMBER');
    await merchant.add(expiry);
    await merchant.ready('EXPIRATION_DATE');
    await merchant.fill();
    await merchant.confirm();
    await merchant.hears('READY_FOR_PAYMENT');
  });

  test('a frame that is taken out and put back still holds its text', async (t) => {
    const merchant = await Merchant.open(stage, t, {}, { noise: INTERRUPTED });
    await merchant.add(...merchant.fields);
    await merchant.ready(...IDS);
    await merchant.fill();
    const [driver] = await merchant.drivers();
    const moved = IDS.find((id) => id !== driver) ?? '';
    await merchant.move(moved);
    await merchant.ready(moved);
    await merchant.holds();
    await merchant.confirm();
    await merchant.hears('READY_FOR_PAYMENT');
  });

  for (const [what, act] of /** @type {const} */ ([
    ['is taken out and put back', 'move'],
    ['is loaded anew', 'reload'],
  ])) {
    test(`where the frame that runs the widget ${what}, another takes over and nothing typed is lost`, async (t) => {
      const merchant = await Merchant.open(stage, t, {}, { noise: INTERRUPTED });
      await merchant.add(...merchant.fields);
      await merchant.ready(...IDS);
      await merchant.fill();
      const [first] = await merchant.drivers();
      await merchant.forget();
      await merchant[act](first ?? '');
      await merchant.ready(...IDS);
      const [second, ...others] = await merchant.drivers();
      assert.deepEqual(others, []);
      assert.notEqual(second, first);
      await merchant.holds();
      // No listener of the former driver is left: each digit is taken once.
      await merchant.input('SECURITY_CODE').fill('');
      await merchant.input('SECURITY_CODE').pressSequentially(CARD.code);
      assert.equal(await merchant.input('SECURITY_CODE').inputValue(), CARD.code);
      await merchant.confirm();
      await merchant.hears('READY_FOR_PAYMENT');
    });
  }

  test('where every frame is taken out at once and put back, the fields work again', async (t) => {
    const merchant = await Merchant.open(stage, t, {}, { noise: INTERRUPTED });
    await merchant.add(...merchant.fields);
    await merchant.ready(...IDS);
    await merchant.fill();
    await merchant.forget();
    await merchant.page.evaluate(() => {
      const frames = [...document.querySelectorAll('iframe')];
      for (const frame of frames) frame.remove();
      document.body.prepend(...frames);
    });
    await merchant.ready(...IDS);
    assert.equal((await merchant.drivers()).length, 1);
    await merchant.fill();
    await merchant.confirm();
    await merchant.hears('READY_FOR_PAYMENT');
  });

  test('a part that is late → what happened to the fields is told in order once it is there, and a confirm that came through every frame counts once', async (t) => {
    const merchant = await Merchant.open(stage, t);
    const { arrived } = await hold(merchant.page, LATE_PART);
    await merchant.add(...merchant.fields);
    await merchant.ready(...IDS);
    await merchant.fill();
    await merchant.confirm();
    await (await arrived).continue();
    await merchant.hears('READY_FOR_PAYMENT');
    const heard = (await merchant.messages()).map(({ event, type, id }) => `${event ?? type} ${id ?? ''}`);
    const of = (/** @type {string} */ word) => heard.filter((line) => line.startsWith(word));
    assert.deepEqual(of('FIELD_FOCUSSED'), IDS.map((id) => `FIELD_FOCUSSED ${id}`));
    assert.deepEqual(of('BUILD_SUCCESS').sort(), IDS.map((id) => `BUILD_SUCCESS ${id}`).sort());
    assert.equal(of('build-loading').length, 1);
    assert.equal(of('CONFIRM_ERROR').length, 0);
    assert.equal(merchant.checkout.requestsTo('fe/build/text').length, 1);
    assert.match((await merchant.input('CARD_NUMBER').getAttribute('class')) ?? '', /is-valid.*is-disabled/);
  });

  test('a part that is lost → a confirm fails once, nothing is sent, and the next confirm asks for it anew', async (t) => {
    const merchant = await Merchant.open(stage, t, {}, { noise: /Failed to load resource/ });
    await merchant.page.route(LATE_PART, (route) => route.abort());
    await merchant.add(...merchant.fields);
    await merchant.ready(...IDS);
    await merchant.fill();
    await merchant.confirm();
    await merchant.page.waitForFunction(() => Reflect.get(window, 'heard').some((/** @type {any} */ { event }) => event === 'CONFIRM_ERROR'));
    await merchant.page.unroute(LATE_PART);
    assert.equal(merchant.checkout.requestsTo('fe/build/text').length, 0);
    await merchant.confirm();
    await merchant.hears('READY_FOR_PAYMENT');
    const errors = (await merchant.messages()).filter(({ event }) => event === 'CONFIRM_ERROR');
    assert.deepEqual(errors.map(({ id, errorCode }) => [id, errorCode]), [['confirmData', 'HF0002']]);
    assert.equal(merchant.checkout.requestsTo('fe/build/text').length, 1);
  });

  test('two sessions on one page do not mix', async (t) => {
    const merchant = await Merchant.open(stage, t);
    const other = await stage.api.open({ shop: stage.shopOrigin });
    await merchant.add(...merchant.fields);
    await merchant.ready(...IDS);
    await merchant.forget();
    await merchant.add(...other.fields);
    await merchant.ready(...IDS);
    assert.equal((await merchant.drivers()).length, 2);
    const frames = merchant.page.frames().filter((frame) => frame.url().includes(encodeURIComponent(other.sessionId)));
    assert.equal(frames.length, 4);
    await merchant.fill();
    for (const frame of frames) assert.equal(await frame.locator('input[autocomplete]:not([data-for])').inputValue(), '');
    await merchant.confirm();
    await merchant.hears('READY_FOR_PAYMENT');
    assert.equal(await stage.api.standing(merchant.session), 'READY_FOR_PAYMENT');
    assert.equal(await stage.api.standing(other.sessionId), 'CARD_DATA_COLLECTION');
  });

  test('a payment still works after the page was left and returned to', async (t) => {
    const merchant = await Merchant.open(stage, t);
    await merchant.add(...merchant.fields);
    await merchant.ready(...IDS);
    await merchant.fill();
    await merchant.page.goto(`${stage.shopOrigin}/notifications?away`);
    await merchant.page.goBack();
    if (!(await merchant.page.evaluate(() => Reflect.has(window, 'heard')))) {
      // This browser may load the page again; then the page makes its frames again.
      await merchant.listen();
      await merchant.add(...merchant.fields);
      await merchant.ready(...IDS);
      await merchant.fill();
    }
    await merchant.confirm();
    await merchant.hears('READY_FOR_PAYMENT');
  });

  test('no message between page and frames holds a digit of the card', async (t) => {
    const merchant = await Merchant.open(stage, t);
    await merchant.add(...merchant.fields);
    await merchant.ready(...IDS);
    await merchant.fill();
    await merchant.confirm();
    await merchant.hears('READY_FOR_PAYMENT');
    const said = JSON.stringify([await merchant.messages(), merchant.sent]);
    assert.match(said, /BUILD_SUCCESS.*build-confirm/s, 'both directions were heard');
    for (const secret of [CARD.number.slice(0, 6), CARD.number.slice(-6), `"${CARD.code}"`, 'Anna']) {
      assert.ok(!said.includes(secret), `a message holds ${secret}`);
    }
  });

  test('the merchant\'s style sheet and class names dress the field, by way of the gateway', async (t) => {
    const merchant = await Merchant.open(stage, t);
    const [number] = merchant.fields;
    await merchant.add(number);
    await merchant.ready('CARD_NUMBER');
    const input = merchant.input('CARD_NUMBER');
    await merchant.say({ type: 'build-options', cssLink: `${stage.shopOrigin}/card-light.css`, component: 'pay-input wide', container: 'pay-box' });
    const frame = merchant.page.frames().find((frame) => frame.url().includes('id=CARD_NUMBER&'));
    await frame?.waitForFunction(() => /** @type {HTMLLinkElement | null} */ (document.getElementById('sheet'))?.sheet?.cssRules.length);
    assert.match((await input.getAttribute('class')) ?? '', /\bpay-input wide\b/);
    assert.equal(await input.locator('xpath=..').getAttribute('class'), 'pay-box');
    assert.ok(!merchant.checkout.requests.some((request) => request.url().endsWith('/card-light.css')), 'the browser never asks the merchant for it');
    const rules = await frame?.evaluate(() => [...(/** @type {HTMLLinkElement} */ (document.getElementById('sheet')).sheet?.cssRules ?? [])].map((rule) => rule.cssText).join('\n'));
    assert.doesNotMatch(rules ?? '', /url\((?!["']?data:)|@import|position|\[value/);
  });

  test('no class of the frame\'s own style hides or shrinks a field for the merchant', async (t) => {
    const own = new Set([...readFileSync(new URL('../../www/frame/field.css', import.meta.url), 'utf8').replaceAll(/\/\*.*?\*\//gs, '').matchAll(/\.([a-z][\w-]*)/g)].map(([, name]) => name ?? ''));
    assert.ok(own.has('sr-only') && own.has('probe'));
    const merchant = await Merchant.open(stage, t);
    const [number] = merchant.fields;
    await merchant.add(number);
    await merchant.ready('CARD_NUMBER');
    const input = merchant.input('CARD_NUMBER');
    const size = await input.boundingBox();
    const names = [...own].join(' ');
    await merchant.say({ type: 'build-options', component: `${names} pay-input`, container: `${names} pay-box` });
    await merchant.page.locator('iframe[title=CARD_NUMBER]').last().contentFrame().locator('#CARD_NUMBER.pay-input').waitFor();
    const classes = (/** @type {import('playwright-core').Locator} */ place) => place.evaluate(({ classList }) => [...classList].filter((name) => !name.startsWith('is-')));
    assert.deepEqual([await classes(input), await classes(input.locator('xpath=..'))], [['pay-input'], ['pay-box']]);
    assert.deepEqual(await input.boundingBox(), size);
  });

  for (const lang of ['ENG', 'ARA']) {
    test(`a style sheet's own padding, picture, display and position are the field's, and the room for our mark is not (${lang})`, async (t) => {
      const picture = `data:image/svg+xml;utf8,<svg xmlns='http://www.w3.org/2000/svg' width='24' height='16'><rect width='24' height='16' fill='navy'/></svg>`;
      const sheet = `input { display: block; position: relative; padding: 3px 11px 3px 44px; background: #eef url("${picture}") no-repeat 10px center }`;
      const server = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/css' }).end(sheet));
      await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
      t.after(() => (server.close(), server.closeAllConnections()));
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
      const merchant = await Merchant.open(stage, t);
      const number = merchant.fields[0] ?? assert.fail('a session without fields');
      await merchant.add({ ...number, src: number.src.replace(/lang=\w+/, `lang=${lang}`) });
      await merchant.ready('CARD_NUMBER');
      await merchant.say({ type: 'build-options', cssLink: `http://127.0.0.1:${port}/shop.css` });
      const frame = merchant.page.frames().find((frame) => frame.url().includes('id=CARD_NUMBER&'));
      await frame?.waitForFunction(() => /** @type {HTMLLinkElement | null} */ (document.getElementById('sheet'))?.sheet?.cssRules.length);
      const looks = await merchant.input('CARD_NUMBER').evaluate((input) => {
        const { padding, display, position, backgroundImage } = getComputedStyle(input);
        return { padding, display, position, picture: backgroundImage.startsWith('url("data:image/svg+xml') };
      });
      assert.deepEqual(looks, { padding: '3px 11px 3px 44px', display: 'block', position: 'relative', picture: true });
    });
  }

  test('F10 what a browser fills in beside the card number goes to the fields that it belongs to', async (t) => {
    const merchant = await Merchant.open(stage, t);
    await merchant.add(...merchant.fields);
    await merchant.ready(...IDS);
    const number = merchant.page.locator('iframe[title=CARD_NUMBER]').contentFrame();
    const helper = (/** @type {string} */ id) => number.locator(`[data-for=${id}]`);
    // As autofill does in browsers that fill only inputs of one document.
    await helper('EXPIRATION_DATE').evaluate((input, text) => {
      /** @type {HTMLInputElement} */ (input).value = text;
      input.dispatchEvent(new Event('input', { bubbles: true }));
    }, CARD.expiry.replaceAll(' ', ''));
    await merchant.page.waitForFunction(() => Reflect.get(window, 'heard').some((/** @type {any} */ { event, id }) => event === 'BUILD_SUCCESS' && id === 'EXPIRATION_DATE'));
    assert.equal(await merchant.input('EXPIRATION_DATE').inputValue(), CARD.expiry);
    assert.equal(await helper('EXPIRATION_DATE').inputValue(), '', 'nothing stays behind');
    // The helper inputs do not get the focus: Tab goes from the number to the next field.
    await merchant.input('CARD_NUMBER').focus();
    await merchant.page.keyboard.press('Tab');
    assert.equal(await merchant.input('EXPIRATION_DATE').evaluate((input) => input === document.activeElement && document.hasFocus()), true);
  });

  test('the second press on a method changes nothing, and what was typed meanwhile stays', async (t) => {
    const merchant = await Merchant.open(stage, t, { paymentService: '' });
    assert.equal(merchant.fields[0]?.id, 'PAY_WITH_CARD');
    await merchant.add(...merchant.fields.slice(0, 1));
    await merchant.ready('PAY_WITH_CARD');
    await merchant.button.click();
    const { fieldSet } = await merchant.hears('CARD_DATA_COLLECTION');
    await merchant.add(...fieldSet.fields);
    await merchant.ready(...IDS);
    await merchant.fill();
    await merchant.forget();
    const again = merchant.page.waitForResponse((response) => response.url().includes('/fe/build/action/'));
    await merchant.button.click();
    assert.equal((await again).status(), 200);
    await merchant.confirm();
    await merchant.hears('READY_FOR_PAYMENT');
    const states = (await merchant.messages()).filter(({ event }) => event === 'BUILD_FLOW_STATE_CHANGE').map(({ state }) => state);
    assert.deepEqual(states, ['READY_FOR_PAYMENT']);
  });

  test('every press on a method with a page of its own leads there: the buyer may have come back', async (t) => {
    const merchant = await Merchant.open(stage, t, { paymentService: '' });
    await merchant.add(merchant.fields.find(({ id }) => id === 'IDEAL'));
    await merchant.ready('IDEAL');
    const button = merchant.page.getByTitle('IDEAL').contentFrame().getByRole('button', { name: 'Pay with iDEAL' });
    await button.click();
    const first = await merchant.hears('REDIRECTED_TO_EXTERNAL_DOMAIN');
    await merchant.forget();
    await button.click();
    assert.deepEqual(await merchant.hears('REDIRECTED_TO_EXTERNAL_DOMAIN'), first);
  });

  test('a button that cannot be seen still works', async (t) => {
    const merchant = await Merchant.open(stage, t, { paymentService: '' });
    await merchant.page.evaluate((src) => {
      const frame = Object.assign(document.createElement('iframe'), { title: 'PAY_WITH_CARD', src });
      frame.style.display = 'none';
      document.body.append(frame);
    }, merchant.fields[0]?.src ?? '');
    await merchant.ready('PAY_WITH_CARD');
    await merchant.say({ type: 'build-click', id: 'PAY_WITH_CARD' });
    await merchant.hears('CARD_DATA_COLLECTION');
  });
});

/** What Chromium says, without a reason, of a request that a frame makes while the page removes it; and again in each frame that is added. */
const INTERRUPTED = /^error: Fetch API cannot load \S+\/assets\/\S+\.\s+\(/;

/** The chunk of the widget that makes the events of fields. */
const LATE_PART = /\/assets\/payment\.[0-9a-f]+\.wasm/;

const IDS = ['CARD_NUMBER', 'EXPIRATION_DATE', 'SECURITY_CODE', 'CARDHOLDER_NAME'];

/** A merchant's page that puts the session's addresses into frames and listens. */
class Merchant {
  /** @param {Stage} stage @param {import('node:test').TestContext} t @param {object} [wanted] of the session @param {import('./stage.mjs').Opening} [opening] */
  static async open(stage, t, wanted, opening) {
    const body = await stage.api.open({ shop: stage.shopOrigin, ...wanted });
    const checkout = await stage.checkout(t, {}, { path: '/notifications', ...opening });
    const merchant = new Merchant(stage, checkout, body);
    await merchant.listen();
    return merchant;
  }

  /** What the page said to frames. @type {object[]} */
  sent = [];

  /** @param {Stage} stage @param {import('./checkout.mjs').Checkout} checkout @param {{ sessionId: string, fields: Field[] }} body */
  constructor(stage, checkout, { sessionId, fields }) {
    this.gateway = stage.gatewayOrigin;
    this.checkout = checkout;
    this.page = checkout.page;
    this.session = sessionId;
    this.fields = fields;
    this.button = this.page.getByTitle('PAY_WITH_CARD').contentFrame().getByRole('button', { name: 'Pay by card' });
  }

  listen() {
    return this.page.evaluate((gateway) => {
      /** @type {any[]} */
      const heard = [];
      Reflect.set(window, 'heard', heard);
      addEventListener('message', ({ data, origin }) => origin === gateway && heard.push(data));
    }, this.gateway);
  }

  /** @param {(Field | undefined)[]} fields */
  add(...fields) {
    return this.page.evaluate((fields) => {
      for (const field of fields) document.body.prepend(Object.assign(document.createElement('iframe'), { title: field?.id, src: field?.src, height: '48' }));
    }, fields.toReversed());
  }

  /** The input of a field of this session. @param {string} id */
  input(id) {
    return this.page.locator(`iframe[title=${id}]`).last().contentFrame().locator(`#${id}`);
  }

  async fill() {
    await this.input('CARD_NUMBER').fill(CARD.number);
    await this.input('EXPIRATION_DATE').fill(CARD.expiry.replaceAll(' ', ''));
    await this.input('SECURITY_CODE').fill(CARD.code);
    await this.input('CARDHOLDER_NAME').fill('Anna Rossi');
  }

  /** All fields hold what `fill` typed. */
  async holds() {
    const texts = await Promise.all(IDS.map((id) => this.input(id).inputValue()));
    assert.deepEqual(texts, [CARD.shown, CARD.expiry, CARD.code, 'Anna Rossi']);
  }

  /** @returns {Promise<any[]>} */
  messages() {
    return this.page.evaluate(() => Reflect.get(window, 'heard'));
  }

  forget() {
    return this.page.evaluate(() => void Reflect.get(window, 'heard').splice(0));
  }

  /** Until each of these has said that it is ready. @param {string[]} ids */
  async ready(...ids) {
    await this.page.waitForFunction((ids) => ids.every((id) => Reflect.get(window, 'heard').some((/** @type {any} */ { event, id: of }) => event === 'READY' && of === id)), ids);
  }

  /** Until the flow is said to be in this state. @param {string} state */
  async hears(state) {
    const found = await this.page.waitForFunction((wanted) => Reflect.get(window, 'heard').find((/** @type {any} */ { state }) => state === wanted), state);
    return /** @type {any} */ (await found.jsonValue());
  }

  /** Sends to every frame, as the class does. @param {object} order */
  async say(order) {
    const message = { payframe: 1, ...order };
    this.sent.push(message);
    await this.page.evaluate(({ message, gateway }) => {
      for (const frame of document.querySelectorAll('iframe')) frame.contentWindow?.postMessage(message, gateway);
    }, { message, gateway: this.gateway });
  }

  /** Confirms the data of this page's own session. */
  async confirm() {
    const call = crypto.randomUUID();
    const message = { payframe: 1, type: 'build-confirm', call };
    this.sent.push(message);
    await this.page.evaluate(({ message, gateway, session }) => {
      for (const frame of document.querySelectorAll('iframe')) {
        if (frame.src.includes(encodeURIComponent(session))) frame.contentWindow?.postMessage(message, gateway);
      }
    }, { message, gateway: this.gateway, session: this.session });
  }

  /** Fields whose frames run a widget. */
  async drivers() {
    const found = [];
    for (const frame of this.page.frames()) {
      const id = new URL(frame.url()).searchParams.get('id');
      if (id && (await frame.evaluate(() => Boolean(Reflect.get(window, 'payframe')?.driver)))) found.push(id);
    }
    return found;
  }

  /** Removes a frame and adds it elsewhere. @param {string} id */
  move(id) {
    return this.page.evaluate((id) => {
      const frame = document.querySelector(`iframe[title=${id}]`);
      frame?.remove();
      if (frame) document.body.append(frame);
    }, id);
  }

  /** Loads a frame again. @param {string} id */
  async reload(id) {
    const frame = this.page.frames().find((frame) => frame.url().includes(`id=${id}&`));
    await frame?.evaluate(() => location.reload()).catch(() => {});
  }
}
