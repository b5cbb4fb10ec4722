/**
 * Card data is in one request and nowhere else, and encrypted there. The test records everything that a whole payment with a declined card first
 * shows, sends, logs and stores, and searches it for any part of the numbers and for the security codes.
 */

import { readFileSync, readdirSync } from 'node:fs';
import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { DISTINCT_APPROVED, DISTINCT_DECLINED } from './cards.mjs';
import { says } from './checkout.mjs';
import { PART, leaksOf } from './leaks.mjs';
import { Stage } from './stage.mjs';

const CARDS = [DISTINCT_DECLINED, DISTINCT_APPROVED];
const leaks = (/** @type {string} */ text) => leaksOf(CARDS, text);
const CARD_PATH = '/api/fe/build/text';

/** Whether a request asks the gateway about a card's range: its first eight digits and nothing more. @param {import('playwright-core').Request} request */
function asksAboutRange(request) {
  if (new URL(request.url()).pathname !== '/api/fe/build/bin') return false;
  assert.match(request.postData() ?? '', /^\{"bin":"\d{8}"\}$/);
  return true;
}

suite('secrecy', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('secrecy', { gateway: { PAYFRAME_LOG: 'trace' }, shop: { SHOP_LOG: 'trace' } });
  });
  after(() => stage.close());

  test('the search finds what it must', () => {
    const [card] = CARDS;
    assert.ok(card);
    for (const text of [card.number, `value ${card.shown}.`, card.number.slice(0, PART), encodeURIComponent(card.shown), card.number.replaceAll(/(....)/g, '$1-')]) {
      assert.notDeepEqual(leaks(text), [], text);
    }
    for (const text of [`"SECURITY_CODE","value":"${card.code}"`, `code=${card.code}&`, `cvc: ${card.code}`, `["${card.code}"]`]) {
      assert.notDeepEqual(leaks(text), [], text);
    }
    for (const text of ['434994******7007', 'Visa •••• 7007', `took 1${card.code} ms`, '1234567890123456']) {
      assert.deepEqual(leaks(text), [], text);
    }
  });

  for (const path of ['/fields', '/build3', '/build2']) {
    test(`with a frame for each field, no message holds a card digit, nor does anything that is kept: ${path}`, async (t) => {
      /** @type {Map<string, string[]>} */
      const seen = new Map();
      /** @param {string} kind @param {string} what */
      const note = (kind, what) => seen.set(kind, [...(seen.get(kind) ?? []), what]);
      const prepare = async (/** @type {import('playwright-core').Page} */ page) => {
        await page.exposeBinding('overheard', (_, kind, what) => note(kind, what));
        await page.addInitScript(listenIn);
        page.on('console', (message) => note('console', message.text()));
      };
      const { page, requests } = await stage.checkout(t, {}, { path, prepare });
      const card = DISTINCT_APPROVED;
      const frame = (/** @type {string} */ id) => page.locator(`iframe[src*="id=${id}&"]`).contentFrame();
      if (path === '/build3') await frame('PAY_WITH_CARD').getByRole('button').click();
      const entered = { CARD_NUMBER: card.number, EXPIRATION_DATE: card.expiry.replaceAll(/\D/g, ''), SECURITY_CODE: card.code, CARDHOLDER_NAME: card.name };
      for (const [id, text] of Object.entries(entered)) {
        const input = frame(id).locator(`#${id}`);
        await input.pressSequentially(text);
        await input.blur();
      }
      for (const each of page.frames()) note('document', (await each.evaluate(lookAround)).dom);
      if (path === '/build2') await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('button', { name: /^Pay €/ }).click();
      await says(page.getByRole('status'), 'Paid. ');
      for (const each of page.frames()) {
        const { dom, kept } = await each.evaluate(lookAround);
        note('document', dom);
        assert.deepEqual(JSON.parse(kept), NOTHING_KEPT);
      }
      for (const request of requests) {
        note('address', request.url());
        const { pathname } = new URL(request.url());
        if (request.postData() && !asksAboutRange(request)) note(pathname === CARD_PATH ? 'card request' : 'other request', request.postData() ?? '');
      }
      assert.deepEqual(seen.get('card request')?.map(encryptedItems), [1]);
      for (const kind of ['MessagePort', 'window', 'address', 'document']) assert.ok(seen.get(kind)?.length, `something was recorded of: ${kind}`);
      for (const [kind, everything] of seen) for (const what of everything) assert.deepEqual(leaks(what), [], kind);
    });
  }

  test('N14 no card digit leaves the form but in the one request that brings them to the gateway', async (t) => {
    /** @type {Map<string, string[]>} What was seen, by kind. */
    const seen = new Map();
    /** @param {string} kind @param {string} what */
    const note = (kind, what) => seen.set(kind, [...(seen.get(kind) ?? []), what]);
    const prepare = async (/** @type {import('playwright-core').Page} */ page) => {
      await page.exposeBinding('overheard', (_, kind, what) => note(kind, what));
      await page.addInitScript(listenIn);
      page.on('console', (message) => note('console', message.text()));
    };
    const checkout = await stage.checkout(t, {}, { prepare });
    const payment = checkout.payment();
    const { page } = checkout;
    const look = async () => {
      for (const frame of page.frames()) {
        if (frame.isDetached() || !frame.url().startsWith('http')) continue;
        const { dom, kept } = await frame.evaluate(lookAround);
        note('document', dom);
        note('storage', kept);
      }
    };

    await payment.fill(DISTINCT_DECLINED);
    await look();
    await payment.press();
    await says(payment.alert, 'Your bank refused this payment.');
    await look();
    await payment.payWith(DISTINCT_APPROVED);
    await payment.ends('Payment complete');
    await says(payment.status, 'Paid. ');
    await look();
    const orderId = await payment.orderId();
    await stage.notified(orderId);
    await page.goto(`${stage.shopOrigin}/orders/${orderId}`);
    note('document', await page.content());
    await payment.checkout.stage.api.operations(orderId).then((operations) => note('api', JSON.stringify(operations)));

    for (const request of checkout.requests) {
      note('address', request.url());
      const body = request.postData();
      if (!body) continue;
      const path = new URL(request.url()).pathname;
      if (!asksAboutRange(request)) note(path === CARD_PATH ? 'card request' : 'other request', body);
    }
    assert.deepEqual(seen.get('card request')?.map(encryptedItems), [1, 1], 'both cards were sent, encrypted');

    await stage.gateway.stop();
    note('gateway\'s log', stage.gateway.lines.join('\n'));
    note('shop\'s log', stage.shop.lines.join('\n'));
    for (const folder of ['gateway', 'shop']) {
      for (const file of readdirSync(stage.folder + folder)) note('file', readFileSync(`${stage.folder}${folder}/${file}`, 'latin1'));
    }

    for (const kind of ['MessagePort', 'window', 'address', 'other request', 'document', 'storage', 'gateway\'s log', 'shop\'s log', 'file', 'api']) {
      assert.ok(seen.get(kind)?.some((what) => what.length > 2), `something was recorded of: ${kind}`);
    }
    assert.ok(seen.get('MessagePort')?.some((message) => message.includes('"approved"')), 'the port was overheard to the end');
    assert.ok(stage.gateway.lines.some((line) => line.includes('TRACE')), 'the log is as talkative as it can be');
    for (const [kind, everything] of seen) {
      for (const what of everything) assert.deepEqual(leaks(what), [], kind);
    }
    for (const kept of seen.get('storage') ?? []) assert.deepEqual(JSON.parse(kept), NOTHING_KEPT);
  });
});

const NOTHING_KEPT = { local: {}, session: {}, cookies: '', databases: [], caches: [], history: null };

/** How many items of a submission are encrypted. @param {string} body */
const encryptedItems = (body) => JSON.parse(body).filter((/** @type {{ id: string, value: string }} */ { id, value }) => id === 'ENCRYPTED_CARD' && value.split('.').length === 5).length;

/** Runs first in every document: tells the test every message that arrives at a window or leaves through a port. */
function listenIn() {
  const { overheard } = /** @type {any} */ (window);
  /** @param {string} kind @param {unknown} what */
  const tell = (kind, what) => overheard(kind, JSON.stringify(what) ?? String(what));
  addEventListener('message', (event) => tell('window', event.data), true);
  for (const kind of ['MessagePort', 'BroadcastChannel', 'Worker']) {
    const speaker = /** @type {any} */ (window)[kind].prototype;
    const { postMessage } = speaker;
    speaker.postMessage = function (/** @type {unknown[]} */ ...parts) {
      tell(kind, parts[0]);
      return postMessage.apply(this, parts);
    };
  }
}

/** Runs in a document: all its texts and attributes, and everything that it stores. */
async function lookAround() {
  /** @param {Document | ShadowRoot | Element} root @returns {string} */
  const written = (root) => {
    const parts = [root instanceof Document ? root.documentElement.outerHTML : root instanceof ShadowRoot ? root.innerHTML : ''];
    for (const element of root.querySelectorAll('*')) if (element.shadowRoot) parts.push(written(element.shadowRoot));
    return parts.join('\n');
  };
  /** A frame of another site may be denied its storage; then there is none. @param {() => unknown} read @param {unknown} none */
  const ask = async (read, none) => {
    try {
      return await read();
    } catch (problem) {
      if (problem instanceof DOMException) return none;
      throw problem;
    }
  };
  const kept = {
    local: await ask(() => ({ ...localStorage }), {}),
    session: await ask(() => ({ ...sessionStorage }), {}),
    cookies: await ask(() => document.cookie, ''),
    databases: await ask(() => indexedDB.databases(), []),
    caches: await ask(() => caches.keys(), []),
    history: history.state,
  };
  return { dom: `${location.href}\n${document.referrer}\n${name}\n${written(document)}`, kept: JSON.stringify(kept) };
}
