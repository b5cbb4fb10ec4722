/** From the first byte to the live form: few requests, nothing typed is lost, and a failure is readable. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { APPROVED } from './cards.mjs';
import { hold, holds, IN_TIME, says } from './checkout.mjs';
import { Stage } from './stage.mjs';

const WASM = '**/assets/*.wasm';
const FAILED = 'The card form could not start. Load the page again, or use another way to pay.';
/** What the shim and the browser say when the form's program does not come. */
const BROKEN = /Failed to load resource|PayframeError|WebAssembly|wasm|preload/i;

suite('loading', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('loading');
  });
  after(() => stage.close());

  test('O2 at most six requests until the form is live, each file once, from shop and gateway only', async (t) => {
    const checkout = await stage.checkout(t);
    await checkout.payment().live();
    const addresses = checkout.requests.map((request) => request.url()).filter((url) => !url.startsWith('data:'));
    const origins = new Set(addresses.map((url) => new URL(url).origin));
    assert.deepEqual([...origins].sort(), [stage.shopOrigin, stage.gatewayOrigin].sort());
    assert.equal(new Set(addresses).size, addresses.length, `something was loaded twice: ${addresses.join('\n')}`);
    const ours = addresses.filter((url) => url.startsWith(stage.gatewayOrigin) && !IN_TIME.test(url));
    assert.ok(ours.length <= 6, ours.join('\n'));
    /** @param {RegExp} kind */
    const count = (kind) => ours.filter((url) => kind.test(new URL(url).pathname)).length;
    assert.equal(count(/^\/sdk\/.*\.js$/), 1);
    assert.equal(count(/^\/form\/$/), 1);
    assert.equal(count(/^\/assets\/.*\.js$/), 2);
    assert.equal(count(/^\/assets\/payframe\.\w+\.js$/), 1);
    assert.equal(count(/^\/assets\/texts\.\w+\.\w+\.js$/), 1);
    assert.equal(count(/^\/assets\/.*\.wasm$/), 1);
    assert.ok(addresses.every((url) => !url.includes(APPROVED.number)));
    const first = (/** @type {RegExp} */ kind) => addresses.findIndex((url) => kind.test(url));
    const picture = first(/\/methods\//);
    assert.ok(picture < 0 || picture > first(/\/payframe_bg\./), 'pictures of networks do not delay the program');
  });

  test('what was typed before the program arrived is kept and formatted, and the caret stays', async (t) => {
    const checkout = await stage.checkout(t, {}, { prepare: (page) => held(page) });
    const payment = checkout.payment();
    await payment.number.pressSequentially('4761730');
    const wasm = await program.get(checkout.page)?.arrived;
    await payment.name.fill(APPROVED.name);
    await payment.expiry.pressSequentially('12');
    assert.equal(await payment.number.inputValue(), '4761730', 'nobody formats yet');
    await payment.pay.waitFor();
    await wasm?.continue();
    await payment.live();
    await holds(payment.number, '4761 730');
    await holds(payment.expiry, '12 / ');
    await holds(payment.name, APPROVED.name);
    await payment.frame.getByRole('img', { name: 'Visa' }).waitFor();
    await checkout.page.keyboard.type('3');
    assert.equal(await payment.expiry.inputValue(), '12 / 3');
    await payment.recorded();
  });

  test('a page that keeps the browser busy all the time has its form live', async (t) => {
    const checkout = await stage.checkout(t, {}, { prepare: (page) => page.addInitScript(neverIdle) });
    await checkout.payment().live();
    assert.equal(await checkout.document('/form/').evaluate('waiting'), 1);
  });

  test('a press that came before the program pays once', async (t) => {
    const checkout = await stage.checkout(t, {}, { prepare: (page) => held(page) });
    const payment = checkout.payment();
    await payment.number.fill(APPROVED.number);
    await payment.expiry.fill(APPROVED.expiry.replaceAll(/\D/g, ''));
    await payment.code.fill(APPROVED.code);
    await payment.name.fill(APPROVED.name);
    const early = payment.frame.getByRole('button', { name: 'Pay €35.45' });
    await early.click();
    await early.click();
    const wasm = await program.get(checkout.page)?.arrived;
    await payment.recorded();
    await wasm?.continue();
    await payment.ends('Payment complete');
    await says(payment.status, 'Paid. ');
    await payment.recorded('AUTHORIZATION EXECUTED');
    assert.equal(checkout.requestsTo('fe/build/text').length, 1);
  });

  test('an early press of an incomplete form says what is missing', async (t) => {
    const checkout = await stage.checkout(t, {}, { prepare: (page) => held(page) });
    const payment = checkout.payment();
    await payment.number.fill(APPROVED.number);
    await payment.frame.getByRole('button', { name: 'Pay €35.45' }).click();
    await (await program.get(checkout.page)?.arrived)?.continue();
    await says(payment.alert, 'Enter the expiry date.');
    assert.equal(checkout.requestsTo('fe/build/text').length, 0);
  });

  /** @type {[string, string, (route: import('playwright-core').Route) => Promise<void>, string][]} */
  const failures = [
    ['is cut off', WASM, (route) => route.abort(), 'wasm_failed'],
    ['is missing', WASM, (route) => route.fulfill({ status: 404, body: '' }), 'wasm_failed'],
    ['is damaged', WASM, (route) => route.fulfill({ status: 200, contentType: 'application/wasm', body: 'no program' }), 'wasm_failed'],
    ['is missing where a policy forbids WebAssembly', '**/assets/payframe-script.*.js', (route) => route.fulfill({ status: 404, body: '' }), 'wasm_blocked'],
    ['has no glue', '**/assets/payframe.*.js', (route) => route.fulfill({ status: 404, body: '' }), 'wasm_failed'],
    ['has no texts', '**/assets/texts.*.json', (route) => route.fulfill({ status: 404, body: '' }), 'wasm_failed'],
  ];
  for (const [what, address, act, code] of failures) {
    test(`M11 a program that ${what} leaves a readable form and tells the shop ${code}`, async (t) => {
      /** @type {() => void} */
      let letGo = () => {};
      const typed = new Promise((resolve) => (letGo = () => resolve(undefined)));
      const prepare = async (/** @type {import('playwright-core').Page} */ page) => {
        if (code === 'wasm_blocked') await page.route('**/form/**', withoutWasm);
        await page.route(address, async (route) => {
          await typed;
          await act(route);
        });
      };
      const checkout = await stage.checkout(t, {}, { noise: BROKEN, prepare });
      const payment = checkout.payment();
      await payment.number.fill(APPROVED.number);
      letGo();
      await payment.frame.getByText(FAILED).waitFor();
      await says(payment.status, `(${code})`);
      assert.equal(await payment.number.inputValue(), APPROVED.number, 'what was typed is still there');
      assert.ok(await payment.frame.getByRole('button', { name: 'Pay €35.45' }).isDisabled());
      assert.equal(checkout.requestsTo('fe/build/text').length, 0);
      await payment.recorded();
    });
  }

  test('M16 where a policy forbids WebAssembly, the program comes as a script, and the buyer pays', async (t) => {
    const checkout = await stage.checkout(t, {}, { noise: BROKEN, prepare: (page) => page.route('**/form/**', withoutWasm) });
    const payment = checkout.payment();
    await payment.payWith(APPROVED);
    await payment.ends('Payment complete');
    await payment.recorded('AUTHORIZATION EXECUTED');
    assert.equal(checkout.requests.filter((request) => request.url().includes('/assets/payframe-script.')).length, 1);
  });

  test('I9 texts of the language that do not come are English, the shop hears of it once, and the payment goes on', async (t) => {
    const prepare = async (/** @type {import('playwright-core').Page} */ page) => {
      await page.addInitScript(() => {
        const heard = /** @type {string[]} */ ([]);
        Object.assign(window, { heard });
        document.addEventListener('error', (event) => heard.push(Reflect.get(event, 'detail')?.code), true);
      });
      await page.route('**/assets/texts.ita.*.json', (route) => route.fulfill({ status: 404, body: '' }));
    };
    const checkout = await stage.checkout(t, { locale: 'it' }, { noise: BROKEN, prepare });
    // The page itself is Italian.
    const payment = checkout.payment({ locale: 'it' });
    await payment.live();
    await payment.number.fill('4761730000000004');
    await payment.number.blur();
    await says(payment.alert, 'Check the card number: there is a typing mistake in it.');
    await payment.payWith(APPROVED);
    await payment.ends('Payment complete');
    assert.deepEqual(await checkout.page.evaluate('heard'), ['locale_failed']);
  });

  test('H12 nothing on the page jumps while the form loads', async (t) => {
    const prepare = (/** @type {import('playwright-core').Page} */ page) =>
      page.addInitScript(() => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const shift of list.getEntries()) sum += /** @type {any} */ (shift).value;
          document.documentElement.dataset.shift = String(sum);
        }).observe({ type: 'layout-shift', buffered: true });
      });
    const checkout = await stage.checkout(t, {}, { prepare });
    await checkout.payment().live();
    const shift = await checkout.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(Number(document.documentElement.dataset.shift ?? 0))))));
    assert.ok(Number(shift) < 0.02, `layout shift ${shift}`);
  });
});

/** The held request for the program of each page. @type {WeakMap<import('playwright-core').Page, { arrived: Promise<import('playwright-core').Route> }>} */
const program = new WeakMap();

/** Holds the request for the program. @param {import('playwright-core').Page} page */
async function held(page) {
  program.set(page, await hold(page, WASM));
}

/** The form's page as a browser without WebAssembly under its policy would have it. @param {import('playwright-core').Route} route */
async function withoutWasm(route) {
  const response = await route.fetch();
  const policy = response.headers()['content-security-policy'] ?? '';
  assert.ok(policy.includes("'wasm-unsafe-eval'"), policy);
  await route.fulfill({ response, headers: { ...response.headers(), 'content-security-policy': policy.replace("'wasm-unsafe-eval'", '') } });
}

/** Runs in every document: the browser is never idle. */
function neverIdle() {
  const counting = Object.assign(window, { waiting: 0 });
  Object.assign(scheduler, {
    postTask: () => ((counting.waiting += 1), new Promise(() => {})),
  });
}
