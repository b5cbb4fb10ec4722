/** The form as HTML in the shop's page: typed into before any script has run, taken over by the script, paid once. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { APPROVED } from './cards.mjs';
import { hold, holds } from './checkout.mjs';
import { Stage } from './stage.mjs';

/** @param {import('playwright-core').Frame} frame */
const isForm = (frame) => frame.url().includes('/form/');

suite('printed form', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('printed-form');
  });
  after(() => stage.close());

  /** A page of the shop with the form in its HTML. @param {string} form @param {string} [rest] */
  const printed = (form, rest = '') => `<!doctype html><html lang="en"><title>Shop</title><section aria-label="Payment">${form}</section>
    ${rest}<script type="module" src="${stage.gatewayOrigin}/sdk/payframe.js"></script>`;

  /**
   * The checkout of the shop, in another page than usual.
   * @param {import('node:test').TestContext} t @param {(html: string) => string} page @param {(page: import('playwright-core').Page) => Promise<unknown>} [prepare]
   */
  async function open(t, page, prepare) {
    const { form, sessionId } = await stage.api.open({ shop: stage.shopOrigin, form: { closing: 'FRAME' } });
    const checkout = await stage.checkout(t, {}, {
      prepare: async (tab) => {
        await tab.route(`${stage.shopOrigin}/`, (route) => route.fulfill({ contentType: 'text/html', body: page(form.html) }));
        await prepare?.(tab);
      },
    });
    return { checkout, payment: checkout.payment(), sessionId };
  }

  /** @param {import('./checkout.mjs').Checkout} checkout */
  const loads = (checkout) => checkout.requestsTo('form/').length;

  test('what is typed before any script stays when the script takes the frame over, and is paid once', async (t) => {
    /** @type {Promise<import('playwright-core').Route>} */
    let script = Promise.reject(new Error('not held yet'));
    script.catch(() => {});
    const { checkout, payment } = await open(t, printed, async (tab) => {
      script = (await hold(tab, '**/sdk/payframe.js')).arrived;
    });
    await payment.number.fill(APPROVED.number);
    await payment.name.fill(APPROVED.name);
    assert.equal(await checkout.page.evaluate(() => customElements.get('payment-form')), undefined, 'no script has run');
    await (await script).continue();
    await payment.live();
    await holds(payment.name, APPROVED.name);
    await holds(payment.number, APPROVED.shown);
    await payment.payWith(APPROVED);
    await payment.ends('Payment complete');
    assert.equal(loads(checkout), 1, 'the frame is loaded once');
    assert.equal(checkout.requestsTo('fe/build/text').length, 1);
  });

  test('can be typed into while a script of the page blocks its thread', async (t) => {
    /** @type {Promise<import('playwright-core').Route>} */
    let blocked = Promise.reject(new Error('not held yet'));
    blocked.catch(() => {});
    // A synchronous request blocks the page's thread.
    const blocks = '<script>const request = new XMLHttpRequest(); request.open("GET", "/blocks", false); request.send();</script>';
    const { checkout, payment } = await open(t, (form) => printed(form, blocks), async (tab) => {
      blocked = (await hold(tab, '**/blocks')).arrived;
    });
    const route = await blocked;
    const frame = checkout.page.frames().find(isForm) ?? (await checkout.page.waitForEvent('framenavigated', isForm));
    await frame.getByRole('textbox', { name: 'Card number' }).fill(APPROVED.number);
    assert.equal(await frame.getByRole('textbox', { name: 'Card number' }).inputValue(), APPROVED.number);
    await route.fulfill({ body: '' });
    await payment.live();
    await holds(payment.number, APPROVED.shown);
    assert.equal(loads(checkout), 1);
  });

  test('the frame of another session is replaced', async (t) => {
    const other = await stage.api.open({ shop: stage.shopOrigin, form: { closing: 'FRAME' } });
    const { checkout, payment, sessionId } = await open(t, (form) => printed(form.replace(/session="[^"]*"/, `session="${other.sessionId}"`)));
    await payment.live();
    const addresses = await checkout.page.locator('payment-form').evaluate((form) => [...(form.shadowRoot?.querySelectorAll('iframe') ?? [])].map(({ src }) => src));
    assert.equal(addresses.length, 1);
    assert.ok(addresses[0]?.includes(other.sessionId) && !addresses[0]?.includes(sessionId));
  });

  test('whenReady settles with the form, and rejects where it fails', async (t) => {
    const { checkout } = await open(t, printed);
    await checkout.page.waitForFunction(() => customElements.get('payment-form'));
    await checkout.page.locator('payment-form').evaluate((form) => /** @type {any} */ (form).whenReady);
    assert.ok(await checkout.page.locator('payment-form[data-state~=ready]').count());
    const code = await checkout.page.locator('payment-form').evaluate((form) => (form.remove(), /** @type {any} */ (form).whenReady.catch((/** @type {any} */ error) => error.code)));
    assert.equal(code, 'unmounted');
  });
});
