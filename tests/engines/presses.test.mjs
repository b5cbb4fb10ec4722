/**
 * Clickjacking in WebKit, and sessions of others in WebKit, and in Firefox where it is asked for: what a page does to the form, and beside it the honest press that pays.
 * Chromium has these and more in `tests/e2e` (presses, session). WebKit tells a frame what of it is out of sight, and not what covers it; Firefox
 * tells it neither.
 */

import { test } from 'node:test';
import assert from 'node:assert/strict';
import { Origin } from 'selenium-webdriver';
import { APPROVED } from '../e2e/cards.mjs';
import { newOrderId } from '../e2e/gateway-api.mjs';
import { servePages } from '../e2e/page-server.mjs';
import { ENGINES } from './engine.mjs';
import { OneFrame, SEEN_MS } from './one-frame.mjs';
import { inEngines, inOneOtherEngine } from './stage.mjs';

const COVERED = 'Something on the page covers this button. Scroll until you see all of it, then press again.';
const AGAIN = 'This button has just moved or come into view. Check the amount, then press again.';
const FORM = "document.querySelector('payment-form')";
const FRAME = `${FORM}.shadowRoot.querySelector('iframe')`;

inEngines(ENGINES.filter((engine) => engine === 'webkit'), 'presses', (stage) => {
  /**
   * A shop's page with a form that is filled in, and something that buyers want to press.
   * @param {import('node:test').TestContext} t
   */
  const filled = async (t) => {
    const { gatewayOrigin: gateway, api } = stage();
    let session = '';
    const shop = await servePages(t, () => `<script type="module" src="${gateway}/sdk/payframe.js"></script><body style="margin:0;height:2400px">
      <button id="bait" style="position:absolute;left:700px;top:640px;width:320px;height:60px">Win a prize</button>
      <section style="position:absolute;left:20px;top:20px;width:400px"><payment-form gateway="${gateway}" session="${session}"></payment-form></section>
      <script>document.querySelector('payment-form').addEventListener('error', ({ detail }) => (document.body.dataset.heard = detail.code + ' ' + detail.message))</script>`);
    const orderId = newOrderId();
    ({ sessionId: session } = await api.open({ shop, orderId, form: { closing: 'FRAME' } }));
    const page = await stage().page(t, shop);
    await page.until(`return ${FORM}.matches(':state(ready)')`);
    const payment = new OneFrame(page);
    await payment.fill(APPROVED);
    const pay = payment.form.button('Pay €35.45');
    await pay.place.lyingStill(pay.what, pay.by, SEEN_MS);
    /** The form asks for another press, and has paid nothing. @param {string} sentence @param {RegExp} told */
    const asksAgain = async (sentence, told) => {
      await payment.form.until('return document.body.textContent.includes(arguments[0])', sentence);
      assert.match(await page.until('return document.body.dataset.heard'), told);
      assert.equal(await api.standing(session), 'CARD_DATA_COLLECTION');
    };
    const pays = async () => {
      await pay.click(SEEN_MS);
      await payment.form.says('#title', /^Payment complete$/);
      await stage().recorded(orderId, 'AUTHORIZATION EXECUTED');
    };
    /** Where the middle of the button is in the page's window. @returns {Promise<{ x: number, y: number }>} */
    const middle = async () => {
      const [x, y] = await pay.run('const { x, y, width, height } = arguments[0].getBoundingClientRect(); return [x + width / 2, y + height / 2]');
      const [left, top] = await page.run(`const { x, y } = ${FRAME}.getBoundingClientRect(); return [x, y]`);
      return { x: Math.round(left + x), y: Math.round(top + y) };
    };
    /** Presses there in the page's window, whatever is there. @param {{ x: number, y: number }} place */
    const pressAt = async ({ x, y }) => {
      await page.run('return 1');
      await stage().driver.actions().move({ x, y, origin: Origin.VIEWPORT }).press().release().perform();
    };
    /** Presses where the pointer is. */
    const pressAgain = () => stage().driver.actions().press().release().perform();
    /** Whether the whole button is in sight, as the browser tells the frame. @param {boolean} whole */
    const seen = async (whole) => {
      await payment.form.run(`
        window.ratio = undefined;
        new IntersectionObserver((entries) => (window.ratio = entries.at(-1).intersectionRatio), { threshold: [0, 0.98, 1] }).observe(document.getElementById('pay'));
        return 1`);
      await payment.form.until('return (window.ratio > 0.98) === arguments[0]', whole);
    };
    return { page, payment, pay, asksAgain, pays, middle, pressAt, pressAgain, seen };
  };

  test('N18 a press does not pay through a strip of two pixels, and pays once the button is whole', async (t) => {
    const { page, asksAgain, pays, pressAt, seen } = await filled(t);
    await page.run(`
      const height = ${FRAME}.getBoundingClientRect().height;
      Object.assign(document.querySelector('section').style, { overflow: 'hidden', height: '2px' });
      ${FORM}.style.cssText = 'display:block;margin-top:' + -(height - 90) + 'px';
      return 1`);
    await seen(false);
    await pressAt({ x: 60, y: 21 });
    await asksAgain(COVERED, /^button_covered A press on Pay was not taken: shrunk\.$/);
    await page.run(`
      Object.assign(document.querySelector('section').style, { overflow: '', height: '' });
      ${FORM}.style.cssText = '';
      return 1`);
    await seen(true);
    await pays();
  });

  test('N18 a form that comes under a pointer at rest is not paid by the press that was meant for the page, and by the next', async (t) => {
    const { page, payment, asksAgain, middle, pressAt, pressAgain, seen } = await filled(t);
    const pay = await middle();
    const [x, y] = await page.run(`const { x, y, width, height } = document.getElementById('bait').getBoundingClientRect(); return [x + width / 2, y + height / 2]`);
    await pressAt({ x, y });
    await page.run(`document.querySelector('section').style.transform = 'translate(' + arguments[0] + 'px,' + arguments[1] + 'px)'; return 1`, x - pay.x, y - pay.y);
    await seen(true);
    await pressAgain();
    await asksAgain(AGAIN, /^button_covered A press on Pay was not taken: moved\.$/);
    await payment.form.button('Pay €35.45').place.lyingStill('the button', payment.form.button('Pay €35.45').by, 2 * SEEN_MS);
    await pressAgain();
    await payment.form.says('#title', /^Payment complete$/);
  });
});

inOneOtherEngine('sessions of others', (stage) => {
  /**
   * A form with a card in it whose session is over. Its page brings another one.
   * @param {import('node:test').TestContext} t @param {{ key?: string, isOther?: boolean }} foreign
   */
  const renewed = async (t, { key, isOther }) => {
    const impatient = await stage().impatient(t);
    const { gatewayOrigin: gateway, api } = impatient;
    let session = '';
    const shop = await servePages(t, () => `<script type="module" src="${gateway}/sdk/payframe.js"></script><body><payment-form gateway="${gateway}" session="${session}"></payment-form>
      <script>document.querySelector('payment-form').renewSession = () => new Promise((resolve) => (window.bring = resolve))</script>`);
    const orderId = newOrderId();
    const wanted = { shop, form: { closing: 'FRAME' } };
    ({ sessionId: session } = await api.open({ ...wanted, orderId }));
    const page = await impatient.page(t, shop);
    await page.until(`return ${FORM}.matches(':state(ready)')`);
    const payment = new OneFrame(page);
    await payment.fill(APPROVED);
    await page.until('return !!window.bring');
    const { sessionId: other } = await api.open({ ...wanted, key, orderId: isOther ? newOrderId() : orderId });
    await page.run('window.bring(arguments[0]); return 1', other);
    return { impatient, api, payment, orderId, other };
  };

  for (const [whose, foreign] of /** @type {const} */ ([["another merchant's", { key: 'sandbox-other-merchant' }], ["another order's", { isOther: true }]])) {
    test(`a page that brings ${whose} session does not get the card that was typed`, async (t) => {
      const { api, payment, other } = await renewed(t, foreign);
      await payment.form.says('#title', /^This payment has timed out$/);
      assert.equal(await api.standing(other, 'key' in foreign ? foreign.key : undefined), 'CARD_DATA_COLLECTION');
    });
  }

  test('a page that brings another session of the order keeps what was typed, which pays', async (t) => {
    const { impatient, payment, orderId, other } = await renewed(t, {});
    await payment.page.until(`return ${FRAME}.isConnected && !!arguments[0]`, other);
    assert.equal((await payment.form.field('Card number').value()).replaceAll(/\D/g, ''), APPROVED.number);
    await payment.form.button('Pay €35.45').click(SEEN_MS);
    await payment.form.says('#title', /^Payment complete$/);
    await impatient.recorded(orderId, 'AUTHORIZATION EXECUTED');
  });
});
