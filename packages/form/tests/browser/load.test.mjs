/** The loader in Chromium: once for each gateway, held to its hash, and again after a failure. */

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { bundle, openStage } from './stage.mjs';

const CODE = `
  import { loadFields, loadPayframe } from '@payframe/form';
  Object.assign(window, { loadFields, loadPayframe });
`;

suite('loader', () => {
  /** @type {Awaited<ReturnType<typeof openStage>>} */
  let stage;
  let code = '';
  before(async () => {
    code = await bundle(CODE, import.meta.url);
    stage = await openStage();
  });
  after(() => stage?.close());

  /** A page of the shop with the bundle alone. @param {{ headers?: Record<string, string>, body?: string, nonce?: string }} [options] */
  async function open({ headers = {}, body = '', nonce = '' } = {}) {
    const page = await stage.open(`${body}<script type="module" nonce="${nonce}">${code}</script>`, { shim: false, headers });
    /** @type {string[]} */
    const asked = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    return { page, asked };
  }

  /** @param {import('playwright-core').Page} page @param {object} [options] @param {string} [name] */
  const load = (page, options = {}, name = 'loadPayframe') =>
    page.evaluate(([gateway, given, name]) => window.settled(window[name](gateway, given).then((api) => typeof api?.form)), [stage.gateway, options, name]);

  /** Changes the script as it is served. @param {import('node:test').TestContext} t @param {(script: string) => string} change @param {string} [path] */
  function change(t, change, path = '/sdk/payframe.js') {
    stage.changes.set(path, change);
    t.after(() => stage.changes.delete(path));
  }

  test('the script is loaded once, whoever asks, and its form pays', async () => {
    const { page, asked } = await open();
    const { value } = await page.evaluate((gateway) => window.settled(Promise.all([window.loadPayframe(gateway), window.loadPayframe(`${gateway}/`)]).then(([one, two]) => {
      one.form({ session: 'ready-1' }).mount(document.body);
      return [typeof two.form, document.querySelectorAll('payment-form').length];
    })), stage.gateway);
    assert.deepEqual(value, ['function', 1]);
    await page.evaluate(() => window.live(document.querySelector('payment-form')));
    assert.deepEqual(asked.filter((path) => path.endsWith('payframe.js')), ['/sdk/payframe.js']);
  });

  test('a tag of the page and the loader share one script and one element', async () => {
    const { page, asked } = await open({ body: `<script type="module" src="${stage.gateway}/sdk/payframe.js"></script><payment-form gateway="${stage.gateway}" session="ready-2"></payment-form>` });
    await page.evaluate(() => window.live(document.querySelector('payment-form')));
    assert.deepEqual(await load(page), { value: 'function' });
    assert.deepEqual(asked.filter((path) => path.endsWith('payframe.js')), []);
    assert.equal(stage.requestsOf('ready-2'), 1);
  });

  test('with its hash the script is loaded once', async () => {
    const { page, asked } = await open();
    assert.deepEqual(await load(page, { integrity: stage.integrity }), { value: 'function' });
    assert.deepEqual(asked.filter((path) => path.endsWith('payframe.js')), ['/sdk/payframe.js']);
  });

  test('one changed byte is refused, and never runs', async (t) => {
    // The shim with one more space is the same program. Where the hash is not compared it defines the element.
    change(t, () => `${stage.shim} `);
    const { page } = await open();
    const refused = await load(page, { integrity: stage.integrity });
    assert.deepEqual([refused.name, refused.code], ['PayframeError', 'script_blocked']);
    assert.match(refused.message, /integrity/);
    assert.equal(await page.evaluate(() => customElements.get('payment-form')), undefined);
    assert.equal(await page.locator('script[src]').count(), 0);
  });

  test('the changed script is loaded where no hash is given', async (t) => {
    change(t, () => `${stage.shim} `);
    const { page } = await open();
    assert.deepEqual(await load(page), { value: 'function' });
  });

  test('the next call after a failure tries again, with and without a hash', async (t) => {
    for (const options of [{}, { integrity: stage.integrity }]) {
      let broken = true;
      change(t, (script) => (broken ? 'throw new Error("not the script")' : script));
      const { page } = await open();
      assert.equal((await load(page, options)).code, 'script_blocked');
      broken = false;
      assert.deepEqual(await load(page, options), { value: 'function' });
    }
  });

  test('a release has an address of its own', async () => {
    const { page, asked } = await open();
    assert.deepEqual(await load(page, { release: '0.1.0-6450449e' }), { value: 'function' });
    assert.ok(asked.includes('/sdk/0.1.0-6450449e/payframe.js'));
  });

  test('a script that is not the gateway\'s is an error, not an empty API', async (t) => {
    change(t, () => 'export {}');
    const { page } = await open();
    assert.equal((await load(page)).code, 'script_blocked');
  });

  test('the nonce is enough for a policy that trusts nonces only', async () => {
    const policy = "default-src 'none'; script-src 'nonce-n0'; frame-src *";
    const { page } = await open({ headers: { 'content-security-policy': policy }, nonce: 'n0' });
    assert.deepEqual(await load(page, { nonce: 'n0' }), { value: 'function' });
    const other = await open({ headers: { 'content-security-policy': policy }, nonce: 'n0' });
    assert.equal((await load(other.page, { nonce: 'wrong' })).code, 'script_blocked');
  });

  test('a page that requires Trusted Types gets the script, with and without a hash', async () => {
    const headers = { 'content-security-policy': "require-trusted-types-for 'script'" };
    for (const options of [{}, { integrity: stage.integrity }]) {
      const { page } = await open({ headers });
      assert.deepEqual(await load(page, options), { value: 'function' });
    }
  });

  test('fields are a script of their own', async () => {
    const { page } = await open();
    assert.deepEqual(await load(page, {}, 'loadFields'), { value: 'undefined' });
    assert.equal(await page.evaluate(() => typeof customElements.get('payment-field')), 'function');
  });
});
