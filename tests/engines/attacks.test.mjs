/**
 * Attacks of a shop's page on the form's frame, in WebKit, each beside what the same page may do. Chromium has them and more in `tests/e2e`
 * (secrecy, strange messages).
 */

import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { DISTINCT_APPROVED } from '../e2e/cards.mjs';
import { newOrderId } from '../e2e/gateway-api.mjs';
import { leaksOf } from '../e2e/leaks.mjs';
import { servePages } from '../e2e/page-server.mjs';
import { strange } from '../shim/strange.mjs';
import { ENGINES } from './engine.mjs';
import { OneFrame, SEEN_MS } from './one-frame.mjs';
import { inEngines } from './stage.mjs';

const read = (/** @type {string} */ path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
/** A page may cancel, change texts, and bring another session: these are no attacks. */
const ALLOWED = ['cancel', 'update', 'renew'];
const EXAMPLES = JSON.parse(read('crates/protocol/fixtures/frame-messages.json')).shimCommands.filter((/** @type {{ type: string }} */ { type }) => !ALLOWED.includes(type));
/** As WebDriver can hand them to a page. @type {any[]} */
const MESSAGES = JSON.parse(JSON.stringify(strange(EXAMPLES, 1, 90)).replaceAll('\\ud800', '')).filter((/** @type {any} */ message) => !ALLOWED.includes(message?.type));
/** What a frame obeys in a second, less one. */
const AT_ONCE = 9;
const FORM = "document.querySelector('payment-form')";

/** Runs before the SDK: keeps this side of each line to the form, and writes down all that the page hears. */
const OVERHEAR = `
  window.lines = [];
  window.heard = [];
  const tell = (what) => heard.push(JSON.stringify(what) ?? String(what));
  const Channel = MessageChannel;
  window.MessageChannel = class extends Channel {
    constructor() {
      super();
      lines.push(this.port1);
      this.port1.addEventListener('message', (event) => tell(event.data));
    }
  };
  addEventListener('message', (event) => tell(event.data), true);
  for (const type of ['ready', 'change', 'statechange', 'error', 'focus', 'blur', 'focusin', 'focusout', 'keydown', 'keyup', 'beforeinput', 'input', 'paste', 'selectionchange']) {
    addEventListener(type, (event) => tell([type, event.detail, event.key, event.data, event.target?.value]), true);
  }`;

inEngines(ENGINES.filter((engine) => engine === 'webkit'), 'attacks', (stage) => {
  /** A shop's page with the form, below what the attacker runs. @param {import('node:test').TestContext} t */
  const attacked = async (t) => {
    const { gatewayOrigin: gateway, api } = stage();
    let session = '';
    const shop = await servePages(t, () => `<script>${OVERHEAR}</script><script type="module" src="${gateway}/sdk/payframe.js"></script>
      <body><label>Voucher <input id="voucher"></label> <payment-form gateway="${gateway}" session="${session}"></payment-form>`);
    const orderId = newOrderId();
    ({ sessionId: session } = await api.open({ shop, orderId, form: { closing: 'FRAME' } }));
    const page = await stage().page(t, shop);
    await page.until(`return ${FORM}.matches(':state(ready)')`);
    const payment = new OneFrame(page);
    const paid = async () => {
      await payment.form.button('Pay €35.45').click(SEEN_MS);
      await payment.form.says('#title', /^Payment complete$/);
      await stage().recorded(orderId, 'AUTHORIZATION EXECUTED');
    };
    return { page, payment, paid };
  };

  test('a page that listens to everything hears no digit of a card, and those that are typed in the page itself', async (t) => {
    const { page, payment, paid } = await attacked(t);
    await page.control('#voucher').fill(DISTINCT_APPROVED.number);
    const heard = async () => (await page.run('return heard.join("\\n")')) + (await page.run(`return document.documentElement.outerHTML + ${FORM}.shadowRoot.innerHTML`));
    assert.notDeepEqual(leaksOf([DISTINCT_APPROVED], await heard()), [], 'the attacker hears what it may');
    await page.run('heard.length = 0; document.getElementById("voucher").value = ""');
    await payment.fill(DISTINCT_APPROVED);
    await paid();
    // The line is overheard to its end: the page hears of the outcome after the buyer sees it.
    await page.until(`return heard.some((what) => what.includes('"approved"'))`);
    assert.deepEqual(leaksOf([DISTINCT_APPROVED], await heard()), []);
  });

  test('strange messages on the line and on the window change nothing, and the card is charged once', async (t) => {
    const { page, payment, paid } = await attacked(t);
    assert.ok(MESSAGES.length > 50);
    for (let from = 0; from < MESSAGES.length; from += AT_ONCE) {
      await page.run(`
        const frame = ${FORM}.shadowRoot.querySelector('iframe').contentWindow;
        for (const message of arguments[0]) {
          // Answers must not have the id of one of the element's own commands.
          if (typeof message?.id === 'number') message.id += 1000000;
          for (const line of lines) line.postMessage(message);
          frame.postMessage(message, ${FORM}.getAttribute('gateway'));
        }
        window.second = false;
        setTimeout(() => (window.second = true), 1100);`, MESSAGES.slice(from, from + AT_ONCE));
      // The frame obeys the next commands in the next second.
      await page.until('return window.second');
    }
    await payment.fill(DISTINCT_APPROVED);
    await paid();
  });
});
