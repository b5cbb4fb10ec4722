/** The form as a shop's server prints it into the page: typed into before any script, taken over by the script, paid once. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { APPROVED, CHALLENGED } from './cards.mjs';
import { hold, holds } from './checkout.mjs';
import { newOrderId } from './gateway-api.mjs';
import { servePages } from './page-server.mjs';
import { Stage } from './stage.mjs';

/** How long the shop's bundle computes, and how large it is. */
const [BUSY_MS, BUNDLE_BYTES] = [2000, 300_000];
/** Many functions, and a loop that calls them until the time is over. */
const BUNDLE = (() => {
  const functions = [];
  for (let bytes = 0; bytes < BUNDLE_BYTES; bytes += functions.at(-1)?.length ?? 0) functions.push(`(x) => Math.imul(x ^ ${functions.length}, ${functions.length * 2654435761}) >>> 3,\n`);
  return `const steps = [${functions.join('')}];
    const from = Date.now();
    console.info('the bundle runs');
    let sum = 1;
    while (Date.now() < from + ${BUSY_MS}) for (const step of steps) sum = step(sum);
    window.ran = { from, until: Date.now(), sum };`;
})();

suite('printed form', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('printed-form');
  });
  after(() => stage.close());

  /** A page with the form in its HTML. @param {string} form @param {string} [rest] */
  const printed = (form, rest = '') => `<section aria-label="Payment">${form}</section>
    ${rest}<script type="module" src="${stage.gatewayOrigin}/sdk/payframe.js"></script>`;

  /**
   * A shop that prints the form. `held` is the address of one request that waits until the test lets it go.
   * @param {import('node:test').TestContext} t @param {(html: string, shop: string) => string | Promise<string>} page @param {string} [held]
   */
  async function open(t, page, held) {
    let html = '';
    const shop = await servePages(t, () => html);
    const orderId = newOrderId();
    const { form, sessionId } = await stage.api.open({ shop, orderId, form: { closing: 'FRAME' } });
    html = await page(form.html, shop);
    /** @type {Promise<import('playwright-core').Route> | undefined} */
    let arrived;
    const checkout = await stage.checkout(t, {}, {
      path: shop,
      prepare: async (tab) => {
        if (held) ({ arrived } = await hold(tab, held));
      },
    });
    return { checkout, payment: checkout.payment(), orderId, sessionId, arrived };
  }

  /** How often the form's page was loaded. @param {import('./checkout.mjs').Checkout} checkout */
  const loads = (checkout) => checkout.requests.filter((request) => new URL(request.url()).pathname === '/form/').length;

  test('M15 what is typed before any script stays when the script takes the frame over, and is paid once', async (t) => {
    const { checkout, payment, arrived } = await open(t, (form) => printed(form), '**/sdk/payframe.js');
    await payment.number.fill(APPROVED.number);
    await payment.name.fill(APPROVED.name);
    assert.equal(await checkout.page.evaluate(() => customElements.get('payment-form')), undefined, 'no script has run');
    await (await arrived)?.continue();
    await payment.live();
    await holds(payment.name, APPROVED.name);
    await holds(payment.number, APPROVED.shown);
    await payment.payWith(APPROVED);
    await payment.ends('Payment complete');
    assert.equal(loads(checkout), 1, 'the frame is loaded once');
    assert.equal(checkout.requestsTo('fe/build/text').length, 1);
  });

  test("M15 can be typed into while the shop's own bundle blocks the page's thread", async (t) => {
    const { checkout, payment, arrived } = await open(t, (form) => printed(form, '<script src="/bundle.js"></script>'), '**/bundle.js');
    const bundle = await arrived;
    const number = await payment.number.elementHandle();
    await payment.number.click();
    const runs = checkout.page.waitForEvent('console', (message) => message.text() === 'the bundle runs');
    await bundle?.fulfill({ contentType: 'text/javascript', body: BUNDLE });
    await runs;
    // From here on nothing asks the page's thread: keys go to what has the focus, and the frame says what it holds.
    await checkout.page.keyboard.type(APPROVED.number);
    const typed = await number?.evaluate((input) => ({ digits: /** @type {HTMLInputElement} */ (input).value.replaceAll(/\D/g, ''), at: Date.now() }));
    const { from, until } = await checkout.page.evaluate(() => /** @type {any} */ (window).ran);
    assert.ok(until - from >= BUSY_MS, 'the thread was blocked');
    assert.equal(typed?.digits, APPROVED.number);
    assert.ok(from <= typed.at && typed.at < until, `typed ${typed.at - from} ms after the bundle began, which ran for ${until - from} ms`);
    await payment.live();
    await holds(payment.number, APPROVED.shown);
    assert.equal(loads(checkout), 1);
  });

  test('M15 the frame of another session is replaced', async (t) => {
    let newer = '';
    const { checkout, payment, sessionId } = await open(t, async (form, shop) => {
      newer = (await stage.api.open({ shop, form: { closing: 'FRAME' } })).sessionId;
      return printed(form.replace(/session="[^"]*"/, `session="${newer}"`));
    });
    await payment.live();
    const addresses = await checkout.page.locator('payment-form').evaluate((form) => [...(form.shadowRoot?.querySelectorAll('iframe') ?? [])].map(({ src }) => src));
    assert.equal(addresses.length, 1);
    assert.ok(addresses[0]?.includes(newer) && !addresses[0]?.includes(sessionId));
  });

  test('M17 in a frame that alone runs no script a challenge is passed, while the page runs the SDK', async (t) => {
    const { checkout, payment, orderId, arrived } = await open(t, (form) => printed(form), '**/sdk/payframe.js');
    await payment.number.waitFor();
    const frame = await payment.document();
    const settings = await checkout.page.context().newCDPSession(frame);
    await settings.send('Emulation.setScriptExecutionDisabled', { value: true });
    await frame.goto(frame.url(), { waitUntil: 'commit' });
    await frame.waitForURL('**/form/plain?*');
    await (await arrived)?.continue();
    const element = checkout.page.locator('payment-form');
    await checkout.page.locator('payment-form:state(loading)').waitFor();
    await element.evaluate((form) => {
      for (const type of ['ready', 'error', 'result']) form.addEventListener(type, () => (document.body.dataset.heard = type));
    });
    await payment.number.fill(CHALLENGED.number);
    await payment.expiry.fill(CHALLENGED.expiry);
    await payment.code.fill(CHALLENGED.code);
    await payment.name.fill(CHALLENGED.name);
    await payment.pay.click();
    await payment.issuer.answer('123456');
    await payment.issuer.element.contentFrame().getByRole('heading', { name: 'Back to the shop' }).waitFor();
    await payment.frame.getByRole('link', { name: 'Continue' }).click();
    await payment.frame.getByRole('heading', { name: 'Payment complete' }).waitFor();
    const operations = await stage.api.operations(orderId);
    assert.deepEqual(operations.map(({ operationResult }) => operationResult), ['EXECUTED']);
    assert.ok(await checkout.page.locator('payment-form:state(loading)').count(), 'the element hears nothing of it');
    assert.equal(await checkout.page.locator('body').getAttribute('data-heard'), null);
  });

  test('whenReady settles with the form, and rejects where it fails', async (t) => {
    const { checkout } = await open(t, (form) => printed(form));
    await checkout.page.waitForFunction(() => customElements.get('payment-form'));
    await checkout.page.locator('payment-form').evaluate((form) => /** @type {any} */ (form).whenReady);
    assert.ok(await checkout.page.locator('payment-form:state(ready)').count());
    const code = await checkout.page.locator('payment-form').evaluate((form) => (form.remove(), /** @type {any} */ (form).whenReady.catch((/** @type {any} */ error) => error.code)));
    assert.equal(code, 'unmounted');
  });
});
