/** Which pages may frame the form, and what the form's page may do. */

import { readFileSync } from 'node:fs';
import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { APPROVED, CHALLENGED } from './cards.mjs';
import { says } from './checkout.mjs';
import { servePages } from './page-server.mjs';
import { DIST, Stage } from './stage.mjs';

suite('framing', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('framing');
  });
  after(() => stage.close());

  test('N8 N9 the form\'s page allows what it needs and the one shop that may frame it', async (t) => {
    const checkout = await stage.checkout(t);
    const payment = checkout.payment();
    await payment.live();
    const answer = await fetch(checkout.document('/form/').url());
    assert.equal(answer.status, 200);
    const { form: csp } = JSON.parse(readFileSync(`${DIST}/manifest.json`, 'utf8')).pages;
    const quoted = (/** @type {string[]} */ hashes) => hashes.map((hash) => `'${hash}'`).join(' ');
    assert.equal(
      answer.headers.get('content-security-policy'),
      `default-src 'none'; script-src 'self' 'wasm-unsafe-eval' ${quoted(csp.script)}; style-src ${quoted(csp.style)}; img-src 'self' data:; ` +
        `connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors ${stage.shopOrigin}; require-trusted-types-for 'script'; trusted-types payframe-page; report-uri /reports; report-to reports`,
    );
    assert.equal(answer.headers.get('referrer-policy'), 'no-referrer');
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.match(answer.headers.get('permissions-policy') ?? '', /camera=\(\).*payment=\(self\)/);
    assert.equal(answer.headers.get('access-control-allow-origin'), null);
    assert.equal(answer.headers.get('set-cookie'), null);
  });

  test('no text becomes markup or code in the form\'s page, and another language is still shown', async (t) => {
    const checkout = await stage.checkout(t, {}, { noise: /Trusted/ });
    const payment = checkout.payment();
    await payment.live();
    const refused = await checkout.document('/form/').evaluate(() =>
      [
        () => document.body.insertAdjacentHTML('beforeend', '<b id="made">1</b>'),
        () => Object.assign(document.createElement('script'), { text: 'document.title = "run"' }),
        () => /** @type {any} */ (window).trustedTypes.createPolicy('default', { createHTML: (/** @type {string} */ html) => html }),
      ].map((attempt) => {
        try {
          attempt();
          return 'done';
        } catch (problem) {
          return /** @type {Error} */ (problem).name;
        }
      }),
    );
    assert.deepEqual(refused, ['TypeError', 'TypeError', 'TypeError']);
    await payment.region.locator('payment-form').evaluate((form) => form.setAttribute('locale', 'it'));
    await payment.frame.getByRole('textbox', { name: 'Numero della carta' }).waitFor();
  });

  test('N8 a page of another origin can not embed the form, the shop\'s own page can', async (t) => {
    const checkout = await stage.checkout(t, {}, { noise: /frame-ancestors/ });
    await checkout.payment().live();
    const form = checkout.document('/form/').url();
    const thief = await servePages(t, () => `<iframe title="Card payment" src="${form.replaceAll('&', '&amp;')}"></iframe>`);
    const { page } = checkout;
    const blocked = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
    await page.goto(thief);
    await blocked;
    const number = page.getByTitle('Card payment').contentFrame().getByRole('textbox', { name: 'Card number' });
    assert.equal(await number.count(), 0);
    assert.ok(page.frames().every((frame) => !frame.url().startsWith(stage.gatewayOrigin)), 'no document of the gateway is there');

    await page.goto(`${stage.shopOrigin}/notifications`);
    await page.evaluate((src) => document.body.append(Object.assign(document.createElement('iframe'), { title: 'Card payment', src })), form);
    await number.waitFor();
  });

  /** A page that holds another one. @param {string} src @param {string} [sandbox] */
  const holding = (src, sandbox) => `<iframe title="Nested" style="width:100%;height:800px" src="${src}"${sandbox ? ` sandbox="${sandbox}"` : ''}></iframe>`;

  /**
   * Pages above that of a proven shop with a form, from the browser's window inwards.
   * @type {[string, (t: import('node:test').TestContext, shop: string, between: (page: string) => void) => Promise<string>][]}
   */
  const FOREIGN = [
    ['a page of another origin', (t, shop) => servePages(t, () => holding(shop))],
    ['one of another origin, in one of the shop\'s own', async (t, shop, between) => {
      between(await servePages(t, () => holding(shop)));
      return `${shop}/outer`;
    }],
    ['its own page in a sandbox without origin', async (_, shop, between) => {
      between(shop);
      return `${shop}/sandboxed`;
    }],
  ];

  /**
   * A shop's page with a form at `/`. At `/outer` and `/sandboxed` it holds another page.
   * @param {import('node:test').TestContext} t @param {'form' | 'fields'} layout
   */
  async function framableShop(t, layout) {
    let [session, between] = ['', ''];
    const fields = ['CARD_NUMBER', 'EXPIRATION_DATE', 'SECURITY_CODE', 'CARDHOLDER_NAME'].map((name) => `<payment-field name="${name}" for="pay"></payment-field>`).join('');
    const form = () => `<script type="module" src="${stage.gatewayOrigin}/sdk/payframe.js"></script><script type="module" src="${stage.gatewayOrigin}/sdk/fields.js"></script>
      <section aria-label="Payment"><payment-form id="pay" gateway="${stage.gatewayOrigin}" session="${session}" layout="${layout}"></payment-form>${layout === 'fields' ? fields : ''}</section>`;
    const shop = await servePages(t, (path) => (path === '/outer' ? holding(between) : path === '/sandboxed' ? holding(between, 'allow-scripts allow-forms') : form()));
    const open = async (/** @type {string[]} */ ancestorOrigins) => void ({ sessionId: session } = await stage.api.open({ shop, ancestorOrigins, form: { closing: 'FRAME' } }));
    await open([]);
    return { shop, session, open, between: (/** @type {string} */ page) => void (between = page) };
  }

  for (const [above, nest] of FOREIGN) {
    for (const [layout, frames] of /** @type {const} */ ([['form', 1], ['fields', 5]])) {
      test(`N8 a proven shop\'s page below ${above} holds no form: ${layout}`, async (t) => {
        const { shop, session, between } = await framableShop(t, layout);
        const checkout = await stage.checkout(t, {}, { noise: /frame-ancestors|PayframeError|frame_blocked/ });
        const { page } = checkout;
        let refused = 0;
        const all = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors') && ++refused === frames);
        await page.goto(await nest(t, shop, between), { waitUntil: 'commit' });
        await all;
        assert.ok(page.frames().some((frame) => frame.url() === `${shop}/`), 'the shop\'s page itself is there');
        assert.ok(page.frames().every((frame) => !frame.url().startsWith(stage.gatewayOrigin)), 'no document of the gateway is there');
        assert.equal(await stage.api.standing(session), 'CARD_DATA_COLLECTION');
      });
    }
  }

  for (const layout of /** @type {const} */ (['form', 'fields'])) {
    test(`N8 a proven shop\'s page below another one of its own holds the form: ${layout}`, async (t) => {
      const { shop, between } = await framableShop(t, layout);
      between(shop);
      const checkout = await stage.checkout(t);
      await checkout.page.goto(`${shop}/outer`, { waitUntil: 'commit' });
      const inner = checkout.page.getByTitle('Nested').contentFrame();
      await inner.locator('payment-form:state(ready)').waitFor();
      await inner.locator(`section:not(:has(payment-field:not([data-state~=ready])))`).waitFor();
    });
  }

  for (const layout of /** @type {const} */ (['form', 'fields'])) {
    test(`N8 a hotel's page that the session names holds a booking page with the form, another hotel's does not: ${layout}`, async (t) => {
      const { shop, open } = await framableShop(t, layout);
      const [hotel, foreign] = [await servePages(t, () => holding(shop)), await servePages(t, () => holding(shop))];
      await open([hotel, 'https://inn.example']);
      const checkout = await stage.checkout(t, {}, { noise: /frame-ancestors|PayframeError|frame_blocked/ });
      const { page } = checkout;
      const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
      await page.goto(foreign, { waitUntil: 'commit' });
      await refused;
      assert.ok(page.frames().every((frame) => !frame.url().startsWith(stage.gatewayOrigin)), 'no document of the gateway is there');
      await page.goto(hotel, { waitUntil: 'commit' });
      const inner = page.getByTitle('Nested').contentFrame();
      await inner.locator('payment-form:state(ready)').waitFor();
      await inner.locator(`section:not(:has(payment-field:not([data-state~=ready])))`).waitFor();
    });
  }

  test("N8 a whole payment with a challenge below a hotel's page", async (t) => {
    const { shop, open } = await framableShop(t, 'form');
    const hotel = await servePages(t, () => holding(shop));
    await open([hotel]);
    const checkout = await stage.checkout(t);
    await checkout.page.goto(hotel, { waitUntil: 'commit' });
    const region = checkout.page.getByTitle('Nested').contentFrame().getByRole('region', { name: 'Payment', exact: true });
    const payment = checkout.payment({ region });
    await payment.payWith(CHALLENGED);
    await payment.issuer.answer('123456');
    await payment.ends('Payment complete');
  });

  test('F9 page header forbids autofill in frames → payment still works', async (t) => {
    let session = '';
    const shop = await servePages(t, () => `<script type="module" src="${stage.gatewayOrigin}/sdk/payframe.js"></script>
      <section aria-label="Payment"><payment-form gateway="${stage.gatewayOrigin}" session="${session}"></payment-form></section>`, { 'permissions-policy': 'autofill=(), shared-autofill=()' });
    ({ sessionId: session } = await stage.api.open({ shop, form: { closing: 'FRAME' } }));
    // Browsers that do not know the features yet warn.
    const checkout = await stage.checkout(t, {}, { noise: /Permissions-Policy header: Unrecognized feature/ });
    const answer = await checkout.page.goto(shop, { waitUntil: 'commit' });
    assert.equal(answer?.headers()['permissions-policy'], 'autofill=(), shared-autofill=()');
    const payment = checkout.payment();
    await payment.payWith(APPROVED);
    await payment.ends('Payment complete');
  });

  test('N9 N10 a whole payment breaks no policy, in the shop or in any frame', async (t) => {
    /** @type {string[]} */
    const broken = [];
    /** @type {() => void} */
    let hear = () => {};
    const heard = new Promise((resolve) => (hear = () => resolve(undefined)));
    const prepare = async (/** @type {import('playwright-core').Page} */ page) => {
      await page.exposeBinding('policyBroken', (_, what) => (broken.push(what), hear()));
      await page.addInitScript(() => {
        document.addEventListener('securitypolicyviolation', (event) => /** @type {any} */ (window).policyBroken(`${location.pathname}: ${event.effectiveDirective} ${event.blockedURI} ${event.sample}`));
      });
    };
    const checkout = await stage.checkout(t, {}, { noise: /192\.0\.2\.1/, prepare });
    const payment = checkout.payment();
    await payment.payWith(CHALLENGED);
    await payment.issuer.answer('123456');
    await payment.ends('Payment complete');
    await says(payment.status, 'Paid. ');
    assert.deepEqual(broken, []);

    // The same listeners record a violation, so an empty list is meaningful.
    await checkout.page.evaluate(() => {
      const picture = new Image();
      picture.src = 'http://192.0.2.1/spy.png';
    });
    await heard;
    assert.equal(broken.length, 1);
  });

  test('an address without a session shows a readable page without data', async (t) => {
    const checkout = await stage.checkout(t);
    await checkout.payment().live();
    const answer = await fetch(`${stage.gatewayOrigin}/form/?sessionid=nobody&lang=it`);
    assert.equal(answer.status, 404);
    const html = await answer.text();
    assert.match(html, /Qui non c/);
    assert.doesNotMatch(html, /<script|<form/);
  });
});
