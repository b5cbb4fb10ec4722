/** A page that replaces functions which the shim could use by mistake, and generated messages. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { formIn, openStage } from './stage.mjs';

/** @type {Awaited<ReturnType<typeof openStage>>} */
let stage;
before(async () => void (stage = await openStage()));
after(() => stage.close());

const TAG = '<payment-form gateway="{{gateway}}" session="ready"></payment-form>';
const RESULT = { type: 'result', outcome: 'approved', orderId: 'order-1', final: true };
const fixture = JSON.parse(readFileSync(new URL('../../crates/protocol/fixtures/frame-messages.json', import.meta.url), 'utf8'));

for (const [what, override] of Object.entries({
  postMessage: "window.postMessage = () => { throw new Error('mine') }",
  fetch: "window.fetch = (...all) => (window.fetched = all, Promise.reject(new Error('mine'))); window.XMLHttpRequest = class { constructor() { window.fetched = true } }",
  'customElements.define': 'const define = customElements.define; customElements.define = function (name, element) { window.defined = name; return define.call(this, name, element) }',
  MessagePort: "MessagePort.prototype.addEventListener = () => { throw new Error('mine') }; JSON.parse = () => ({ mine: true })",
})) {
  test(`N7 a page that replaces ${what} hangs nothing and learns nothing`, async () => {
    const page = await stage.open(`<script>${override}</script>${TAG}`);
    await page.evaluate(() => window.live((window.form = document.querySelector('payment-form'))));
    const frame = await formIn(page);
    const result = page.evaluate(() => window.next(window.form, 'result'));
    await frame.evaluate((result) => window.fake.send(result), RESULT);
    const { type: _, ...detail } = RESULT;
    assert.deepEqual(JSON.parse(JSON.stringify(await result)), detail);
    assert.deepEqual(await page.evaluate(() => window.settled(window.form.clear())), { value: null });
    assert.equal(await page.evaluate(() => window.fetched), undefined);
    // The commands contain only numbers and names, so they reveal nothing.
    assert.deepEqual(await frame.evaluate(() => window.fake.commands.map((command) => Object.keys(command).sort().join())), ['id,type']);
  });
}

test('N7 a page that keeps elements from being defined is told so by name', async () => {
  const page = await stage.open('<script>customElements.define = () => {}</script>', { shim: false });
  const code = await page.evaluate(async () => {
    const { loadPayframe } = await import(`${window.gateway}/sdk/payframe.js`);
    try {
      loadPayframe(window.gateway).form({ session: 'ready' });
    } catch (error) {
      return error.code;
    }
  });
  assert.equal(code, 'no_browser');
});

test('N22 no address comes from the page or the frame: a message can not make the page go anywhere', async () => {
  const page = await stage.open(TAG);
  await page.evaluate(() => window.live((window.form = document.querySelector('payment-form'))));
  const frame = await formIn(page);
  const before = page.url();
  const result = page.evaluate(() => window.next(window.form, 'result'));
  await frame.evaluate((result) => window.fake.send({ ...result, url: 'https://evil.example', redirect: 'javascript:alert(1)', location: 'https://evil.example' }), RESULT);
  const { type: _, ...detail } = RESULT;
  assert.deepEqual(await result, detail);
  assert.equal(page.url(), before);
});

/** The same numbers each time. @param {number} seed */
function dice(seed) {
  let state = seed;
  return (/** @type {number} */ sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

const ODD = [null, undefined, true, -1, 1.5, NaN, 2 ** 53, '', 'x', '__proto__', 'constructor', '<img src=x onerror=alert(1)>', '4549100000000003', 'x'.repeat(50000), [], {}, [[[]]], { length: 1e9 }, { toString: 1 }];

/** A message of the published fixtures with a few members changed, removed, added or nested. @param {(sides: number) => number} roll */
function mutant(roll) {
  const message = structuredClone(fixture.frameMessages[roll(fixture.frameMessages.length)]);
  for (let changes = 1 + roll(3); changes > 0; changes -= 1) {
    let place = message;
    const names = Object.keys(place);
    let name = names[roll(names.length)] ?? 'type';
    if (Array.isArray(place[name]) && place[name].length && roll(2)) [place, name] = [place[name], String(roll(place[name].length))];
    const act = roll(4);
    if (act === 0) delete place[name];
    else if (act === 1) place[`x${roll(9)}`] = ODD[roll(ODD.length)];
    else if (act === 2) place[name] = { [name]: place[name] };
    else place[name] = ODD[roll(ODD.length)];
  }
  return message;
}

test('N23 two thousand messages made from the published ones: no crash, no leak, none that is not of the protocol', async () => {
  const page = await stage.open(TAG);
  await page.evaluate(() => window.live((window.form = document.querySelector('payment-form'))));
  const frame = await formIn(page);
  const roll = dice(20261120);
  // A message that ends the form would end the test.
  const messages = Array.from({ length: 2000 }, () => mutant(roll)).filter(({ type }) => type !== 'fatal');
  const over = page.evaluate(() => window.next(window.form, 'focus', ({ field }) => field === 'LAST'));
  await frame.evaluate((messages) => {
    for (const message of messages) window.fake.send(message);
    window.fake.send({ type: 'focus', field: 'LAST' });
  }, messages);
  await over;
  const { heard, uncaught, polluted } = await page.evaluate(() => ({ heard: window.heard, uncaught: window.uncaught, polluted: 'x1' in {} }));
  assert.deepEqual([uncaught, polluted], [[], false]);
  assert.ok(heard.length > 200, 'what is as it has to be still passes');
  const members = { ready: [], resize: ['field', 'height'], change: ['bin', 'brand', 'candidates', 'complete', 'empty', 'fields', 'last4', 'reason'], focus: ['field'], blur: ['field'], enter: ['field'], statechange: ['state'], result: ['bin', 'cause', 'final', 'last4', 'operationId', 'orderId', 'outcome'], expiring: ['secondsLeft'], error: ['code', 'fatal', 'message'] };
  for (const [type, detail] of heard) {
    const alien = Object.keys(detail ?? {}).filter((name) => !members[/** @type {keyof typeof members} */ (type)]?.includes(name));
    assert.deepEqual(alien, [], `${type} ${JSON.stringify(detail)}`);
    for (const { id, empty, complete, error, message, ...rest } of detail?.fields ?? []) assert.deepEqual([/^\w{1,64}$/.test(id), typeof empty, typeof complete, rest], [true, 'boolean', 'boolean', {}]);
  }
  assert.deepEqual(await page.evaluate(() => window.settled(window.form.clear())), { value: null });
});
