/** Hostile messages, each with a permitted message of the same kind: messages from another source, repeated ones and malformed ones change nothing. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { formIn, openStage } from './stage.mjs';

/** @type {Awaited<ReturnType<typeof openStage>>} */
let stage;
before(async () => void (stage = await openStage()));
after(() => stage.close());

const FORM = '<payment-form gateway="{{gateway}}" session="waiting"></payment-form>';
const channels = (/** @type {import('playwright-core').Page} */ page) => page.evaluate(() => window.channels);
const ready = (/** @type {import('playwright-core').Page} */ page) => page.evaluate(() => window.next(document.querySelector('payment-form'), 'ready'));

/** Lets the real frame connect after the hostile messages: messages of one sender arrive in order. @param {import('playwright-core').Page} page */
async function twin(page) {
  const over = ready(page);
  const frame = await formIn(page);
  await frame.evaluate(() => window.fake.hello());
  await frame.waitForFunction(() => window.fake.port);
  await frame.evaluate(() => window.fake.send({ type: 'ready' }));
  await over;
  return frame;
}

/** Resolves when the page has got a message of this type on its window. @param {import('playwright-core').Page} page @param {string} type */
const message = (page, type) => page.evaluate((type) => new Promise((resolve) => addEventListener('message', ({ data }) => data?.type === type && resolve(data))), type);

test('N1 a hello from another origin in the right window is ignored', async () => {
  const page = await stage.open('');
  const came = message(page, 'hello');
  await page.evaluate(async () => {
    const { loadPayframe } = await import(`${window.gateway}/sdk/payframe.js`);
    loadPayframe(window.gateway).form({ session: 'astray' }).mount(document.body);
  });
  await came;
  assert.equal(await channels(page), 0);
  assert.equal(page.frames()[1]?.url().startsWith(stage.evil), true);
  // The permitted message: the same hello from the gateway's origin.
  await page.evaluate(() => {
    const form = document.querySelector('payment-form');
    const live = window.next(form, 'ready');
    form.session = 'ready';
    return live;
  });
  assert.equal(await channels(page), 1);
});

test('N6 a hello from another window of the right origin is ignored', async () => {
  const page = await stage.open(FORM);
  await formIn(page);
  const came = message(page, 'hello');
  await page.evaluate(() => document.body.append(Object.assign(document.createElement('iframe'), { id: 'sibling', src: `${window.gateway}/form/?sessionid=ready` })));
  await came;
  assert.equal(await channels(page), 0);
  const sibling = await formIn(page, 'body >');
  await twin(page);
  assert.equal(await channels(page), 1);
  assert.deepEqual(await sibling.evaluate(() => window.fake.inits.length), 0);
});

test('a hello from the page itself, or from an origin that looks alike, is ignored', async () => {
  const page = await stage.open(FORM);
  await formIn(page);
  await page.evaluate(async () => {
    const data = { payframe: 1, type: 'hello', nonce: '0'.repeat(32), versions: [1] };
    postMessage(data, location.origin);
    await new Promise((resolve) => addEventListener('message', resolve, { once: true }));

    const source = document.querySelector('payment-form').shadowRoot.querySelector('iframe').contentWindow;
    const { protocol, hostname, port } = new URL(window.gateway);
    const alike = [`https://${hostname}:${port}`, `${protocol}//${hostname}`, `${protocol}//${hostname}:${port}0`, `${protocol}//${hostname}.example:${port}`, `${protocol}//x${hostname}:${port}`, `${window.gateway}/`, window.gateway.toUpperCase(), 'null', ''];
    for (const origin of alike) dispatchEvent(new MessageEvent('message', { data, origin, source }));
    dispatchEvent(new MessageEvent('message', { data, origin: window.gateway, source: window }));
    dispatchEvent(new MessageEvent('message', { data, origin: window.gateway }));
  });
  assert.equal(await channels(page), 0);
  await twin(page);
  assert.equal(await channels(page), 1);
});

test('misshapen hellos are ignored', async () => {
  const page = await stage.open(FORM);
  const frame = await formIn(page);
  await frame.evaluate(() => {
    for (const members of [{ payframe: 2 }, { payframe: '1' }, { type: 'hullo' }, { nonce: 'short' }, { nonce: 'G'.repeat(32) }, { nonce: undefined }, { versions: 1 }, { versions: ['1'] }, { versions: Array(1000).fill(1) }]) window.fake.hello(members);
    for (const data of [null, 'hello', 1, [], Object.create({ payframe: 1 })]) parent.postMessage(data, document.location.ancestorOrigins[0]);
  });
  await twin(page);
  assert.equal(await channels(page), 1);
  assert.equal(await frame.evaluate(() => window.fake.inits.length), 1);
});

test('N3 a replayed and a second hello are refused, and the first channel stays', async () => {
  const page = await stage.open(FORM);
  const frame = await twin(page);
  const settled = await page.evaluate(() => window.settled(document.querySelector('payment-form').clear()));
  await frame.evaluate(() => {
    window.fake.hello();
    window.fake.hello({ nonce: 'a'.repeat(32) });
  });
  // The port and the window are different channels: the page must have received both hellos first.
  const over = message(page, 'over');
  await frame.evaluate(() => parent.postMessage({ type: 'over' }, document.location.ancestorOrigins[0]));
  await over;
  assert.deepEqual(settled, { value: null });
  assert.equal(await channels(page), 1);
  assert.equal(await frame.evaluate(() => window.fake.inits.length), 1);
  assert.deepEqual(await page.evaluate(() => window.settled(document.querySelector('payment-form').clear())), { value: null });
});

test('N2 after the handshake, window messages count no more', async () => {
  const page = await stage.open(FORM);
  const frame = await twin(page);
  const came = message(page, 'result');
  await frame.evaluate(() => parent.postMessage({ type: 'result', outcome: 'approved', orderId: 'x', final: true }, document.location.ancestorOrigins[0]));
  await came;
  assert.deepEqual(await page.evaluate(() => window.heard.map(([type]) => type)), ['ready']);
  // The permitted message: the same one on the port.
  const result = page.evaluate(() => window.next(document.querySelector('payment-form'), 'result'));
  await frame.evaluate(() => window.fake.send({ type: 'result', outcome: 'approved', orderId: 'x', final: true }));
  assert.deepEqual(await result, { outcome: 'approved', orderId: 'x', final: true });
});

const CHANGE = { type: 'change', complete: false, empty: false, brand: 'VISA', candidates: ['VISA'], fields: [{ id: 'CARD_NUMBER', empty: false, complete: false }] };

/** Made in the frame, because JSON can not represent all of them. */
const HOSTILE = {
  'an unknown type': () => [{ type: 'eval', code: '1' }, { type: 'Ready' }, { type: ['ready'] }, {}, null, 'ready', 7, []],
  'a name of a prototype as type': () => [{ type: 'constructor' }, { type: '__proto__' }, { type: 'toString' }, { type: 'hasOwnProperty' }],
  'a wrong shape': (/** @type {any} */ change) => [
    { ...change, complete: 1 }, { ...change, candidates: 'VISA' }, { ...change, candidates: { length: 1 } }, { ...change, fields: [null] },
    { ...change, fields: [{ id: 'CARD_NUMBER' }] }, { ...change, brand: {} }, { ...change, brand: '<b>' }, { ...change, last4: '45491' }, { ...change, bin: 'abcdef' },
    { type: 'change' }, { type: 'focus', field: 1 }, { type: 'focus', field: 'a b' }, { type: 'statechange', state: 'PAID <b>' }, { type: 'statechange' },
    { type: 'result', outcome: 'approved', orderId: 'x' }, { type: 'result', outcome: 'approved', final: true }, { type: 'result', outcome: 'approved', final: true, orderId: 5 },
    { type: 'error', code: 'x' }, { type: 'error', code: '', message: '' }, { type: 'fatal' }, { type: 'reply' }, { type: 'reply', id: -1 }, { type: 'reply', id: 1, error: 'no' },
  ],
  'a huge payload': (/** @type {any} */ change) => [
    { ...change, candidates: Array(100000).fill('VISA') }, { ...change, brand: 'V'.repeat(1e7) }, { ...change, fields: Array(1000).fill(change.fields[0]) },
    { type: 'error', code: 'x', message: 'x'.repeat(1e7) }, { type: 'focus', field: 'A'.repeat(1e6) }, new Uint8Array(1e7),
  ],
  'a deep payload': (/** @type {any} */ change) => {
    let deep = {};
    for (let i = 0; i < 500; i += 1) deep = { deep };
    const circle = {};
    Object.assign(circle, { circle });
    return [{ ...change, brand: deep }, { ...change, fields: [deep] }, { ...change, candidates: [[deep]] }, { type: 'result', outcome: deep, final: true, orderId: circle }];
  },
  'an impossible height': () => [-1, 1.5, 20001, 1e9, NaN, Infinity, '300', null, {}, 0].map((height) => ({ type: 'resize', height })),
};

for (const [what, make] of Object.entries(HOSTILE)) {
  test(`${what} is dropped, and the form stays usable`, async () => {
    const page = await stage.open(FORM);
    const frame = await twin(page);
    const change = page.evaluate(() => window.next(document.querySelector('payment-form'), 'change'));
    await frame.evaluate(
      ([source, change]) => {
        for (const message of new Function(`return ${source}`)()(change)) window.fake.send(message);
        window.fake.send({ type: 'resize', height: 333 });
        window.fake.send(change);
      },
      /** @type {const} */ ([make.toString(), CHANGE]),
    );
    const { type: _, ...detail } = CHANGE;
    assert.deepEqual(await change, detail);
    assert.deepEqual(await page.evaluate(() => window.heard.map(([type]) => type)), ['ready', 'change']);
    assert.equal(await page.evaluate(() => document.querySelector('payment-form').offsetHeight), 333);
    assert.deepEqual(await page.evaluate(() => window.settled(document.querySelector('payment-form').clear())), { value: null });
    assert.deepEqual(await page.evaluate(() => window.uncaught), []);
  });
}

test('N4 a type that is only inherited is none', async () => {
  const page = await stage.open(FORM);
  const frame = await twin(page);
  const seen = page.evaluate(async () => {
    Object.defineProperty(Object.prototype, 'type', { value: 'change', configurable: true, writable: true });
    const heard = [];
    const form = document.querySelector('payment-form');
    for (const type of ['change', 'focus']) form.addEventListener(type, () => heard.push(type));
    await window.next(form, 'focus');
    delete Object.prototype.type;
    return heard;
  });
  await frame.evaluate(({ type: _, ...change }) => {
    window.fake.send(change);
    window.fake.send({ type: 'focus', field: 'CARD_NUMBER' });
  }, CHANGE);
  assert.deepEqual(await seen, ['focus']);
});

test('N4 prototype keys and members that are not known reach nobody', async () => {
  const page = await stage.open(FORM);
  const frame = await twin(page);
  const seen = page.evaluate(async () => {
    // As a script of the page may have done: an inherited member does not come from the frame.
    Object.defineProperty(Object.prototype, 'last4', { value: '4549', configurable: true, writable: true });
    const detail = await window.next(document.querySelector('payment-form'), 'change');
    delete Object.prototype.last4;
    return [Object.keys(detail), Object.keys(detail.fields[0]), Object.getPrototypeOf(detail) === Object.prototype, detail.polluted, {}.polluted];
  });
  await frame.evaluate((change) => {
    const polluted = JSON.parse('{ "__proto__": { "polluted": 1 }, "constructor": { "prototype": { "polluted": 1 } }, "pan": "x" }');
    const own = JSON.parse(JSON.stringify(change).replace('{', '{"__proto__":{"polluted":1},'));
    window.fake.send({ ...own, ...polluted, fields: [{ ...change.fields[0], ...polluted }] });
  }, CHANGE);
  assert.deepEqual(await seen, [['complete', 'empty', 'brand', 'candidates', 'fields'], ['id', 'empty', 'complete'], true, undefined, undefined]);
});

test('an outcome that is not known is "unknown", never dropped', async () => {
  const page = await stage.open(FORM);
  const frame = await twin(page);
  const result = page.evaluate(() => window.next(document.querySelector('payment-form'), 'result'));
  await frame.evaluate(() => window.fake.send({ type: 'result', outcome: 'partly', orderId: 'o', final: true }));
  assert.equal((await result).outcome, 'unknown');
});

test('a frame that resizes without end is stopped', async () => {
  const page = await stage.open(FORM);
  const frame = await twin(page);
  const last = page.evaluate(() => window.next(document.querySelector('payment-form'), 'focus'));
  await frame.evaluate(() => {
    for (let height = 1; height <= 2000; height += 1) window.fake.send({ type: 'resize', height });
    window.fake.send({ type: 'focus', field: 'CARD_NUMBER' });
  });
  await last;
  assert.equal(await page.evaluate(() => document.querySelector('payment-form').offsetHeight), 100);
});

test('N5 the init goes to the gateway only, with nothing but options', async () => {
  const page = await stage.open('', { shim: false });
  const posts = await page.evaluate(async () => {
    const posts = [];
    await import(`${window.gateway}/sdk/payframe.js`);
    const form = Object.assign(document.createElement('payment-form'), { gateway: window.gateway, session: 'greeting' });
    form.mount(document.body);
    await Promise.resolve();
    const frame = form.shadowRoot.querySelector('iframe');
    const target = frame.contentWindow;
    // A cross-origin window can not be observed, so an object replaces it.
    Object.defineProperty(frame, 'contentWindow', { value: { postMessage: (...all) => posts.push(all) } });
    const hello = { payframe: 1, type: 'hello', nonce: 'b'.repeat(32), versions: [1] };
    dispatchEvent(Object.defineProperties(new MessageEvent('message', { data: hello, origin: window.gateway }), { source: { value: frame.contentWindow } }));
    return [posts.map(([message, origin, ports]) => [message, origin === window.gateway, ports.length]), !!target];
  });
  assert.deepEqual(posts, [[[{ payframe: 1, type: 'init', nonce: 'b'.repeat(32), version: 1, options: { theme: 'light', button: 'auto', cancellation: 'auto', advance: 'auto', locale: '', appearance: '', texts: '', renew: false } }, true, 1]], true]);
});
