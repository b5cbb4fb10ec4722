/** The docs site that the gateway serves, and its playground. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { APPROVED } from './cards.mjs';
import { Payment, NAMES, says } from './checkout.mjs';
import { Stage } from './stage.mjs';
import { violations } from './wcag.mjs';

/** What the form says of the colours that a test chooses. */
const HARD_TO_READ = /^warning: payframe: appearance.variables are hard to read: colorBorder/;

suite('docs', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('docs');
  });
  after(() => stage.close());

  /** @param {import('node:test').TestContext} t @param {string} path @param {import('playwright-core').BrowserContextOptions} [context] */
  const open = async (t, path, context = {}) => stage.checkout(t, {}, { path: `${stage.gatewayOrigin}/docs/${path}`, context, noise: HARD_TO_READ });

  test('every link of every page leads somewhere, and each page is there as Markdown', async () => {
    const known = new Set([`${stage.gatewayOrigin}/docs/`]);
    let pages = 0;
    for (const address of known) {
      const answer = await fetch(address);
      assert.equal(answer.status, 200, address);
      const text = await answer.text();
      if (!answer.headers.get('content-type')?.startsWith('text/html')) continue;
      pages += 1;
      for (const [, link = ''] of text.matchAll(/(?:href|src)="([^"]*)"/g)) {
        const target = new URL(link.replaceAll('&amp;', '&'), answer.url);
        target.hash = '';
        if (target.origin === stage.gatewayOrigin) known.add(target.href);
      }
    }
    const index = await (await fetch(`${stage.gatewayOrigin}/docs/llms.txt`)).text();
    const listed = [...index.matchAll(/\]\(([^)]+\.md)\)/g)].map(([, path = '']) => `${stage.gatewayOrigin}/docs/${path}`);
    assert.ok(listed.length > 40, index);
    for (const address of listed) assert.ok(known.has(address), `${address} is linked`);
    assert.ok(pages > listed.length, `${pages} pages`);
  });

  for (const { name, context } of [
    { name: 'light', context: {} },
    { name: 'dark phone', context: { viewport: { width: 360, height: 740 }, hasTouch: true, colorScheme: /** @type {const} */ ('dark') } },
  ]) {
    test(`axe finds nothing, and nothing is wider than the screen: ${name}`, async (t) => {
      for (const path of ['', 'element', 'operations', 'files/www/sdk/appearance.d.ts', 'playground']) {
        const { page } = await open(t, path, context);
        await page.locator('#open-search').waitFor();
        if (path === 'playground') await page.locator('payment-form:state(ready)').waitFor();
        assert.deepEqual(await violations(page, stage.gatewayOrigin), [], path);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.equal(wide, 0, path);
      }
    });
  }

  test('the search is opened, used and followed with the keyboard alone', async (t) => {
    const { page } = await open(t, '');
    await page.locator('#open-search').waitFor();
    await page.keyboard.press('/');
    const words = page.getByRole('searchbox', { name: 'Words' });
    await words.pressSequentially('connect acquirer');
    await says(page.locator('#count'), 'places');
    assert.deepEqual(await violations(page, stage.gatewayOrigin), []);
    const first = page.locator('#found a').first();
    await says(first, 'Connect an acquirer');
    await page.keyboard.press('ArrowDown');
    assert.ok(await first.evaluate((link) => link === document.activeElement));
    await page.keyboard.press('Enter');
    await page.waitForURL(`${stage.gatewayOrigin}/docs/operations#connect-an-acquirer`);
    await page.keyboard.press('Control+k');
    await words.pressSequentially('qwertz');
    await says(page.locator('#count'), '0 places');
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('dialog[open]').count(), 0);
  });

  test('code is copied as it is written', async (t) => {
    const { page } = await open(t, '', { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.getByRole('button', { name: 'Copy this html' }).click();
    await says(page.getByRole('button', { name: 'Copy this html' }), 'Copied');
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.ok(copied.startsWith('<script type="module" src="https://gateway.example/sdk/payframe.js"></script>\n<payment-form '), copied);
  });

  test('the choice of light or dark is kept', async (t) => {
    const { page } = await open(t, '', { colorScheme: 'light' });
    const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const light = await ground();
    await page.getByRole('button', { name: 'Dark', exact: true }).click();
    const dark = await ground();
    assert.notEqual(dark, light);
    await page.goto(`${stage.gatewayOrigin}/docs/element`);
    await page.getByRole('button', { name: 'Light', exact: true }).waitFor();
    assert.equal(await ground(), dark);
  });

  test('pages are read and turned without scripts', async (t) => {
    const { page } = await open(t, 'element', { javaScriptEnabled: false });
    await page.getByRole('navigation', { name: 'All pages' }).getByRole('link', { name: 'Separate fields' }).waitFor();
    await page.getByRole('link', { name: /^Next/ }).click();
    await page.waitForURL(`${stage.gatewayOrigin}/docs/appearance`);
    assert.equal(await page.getByRole('button').count(), 0);
  });

  test('the playground changes a live form, measures contrast, and writes what a page has to say', async (t) => {
    const checkout = await open(t, 'playground', { colorScheme: 'light' });
    const { page } = checkout;
    const payment = new Payment(checkout, page.getByRole('region', { name: 'The form' }), NAMES.en);
    await payment.live();
    const radius = () => payment.number.evaluate((input) => getComputedStyle(input).borderRadius);
    assert.notEqual(await radius(), '20px');
    await page.getByRole('slider', { name: 'Radius' }).fill('20');
    while ((await radius()) !== '20px') await payment.caughtUp();
    await page.getByLabel('Borders', { exact: true }).fill('#dddddd');
    await says(page.getByRole('row', { name: /^colorBorder/ }), 'too little');
    await page.getByLabel('Labels').selectOption('floating');
    const code = (await page.locator('#written').textContent()) ?? '';
    const [, object = ''] = /^form\.update\(\{ appearance: (.*) \}\);$/s.exec(code) ?? [];
    assert.deepEqual(JSON.parse(object), { labels: 'floating', variables: { colorBorder: '#dddddd', radius: 20 } });
    await page.getByRole('button', { name: 'Reset' }).click();
    await says(page.locator('#written'), 'appearance: {}');
    await payment.payWith(APPROVED);
    await says(payment.status, 'The outcome: approved');
  });

  test('a gateway whose merchants are its own says why the playground shows no form', async (t) => {
    const checkout = await stage.checkout(t, {}, {
      path: `${stage.gatewayOrigin}/docs/playground`,
      noise: /401 \(Unauthorized\)/,
      prepare: (page) => page.route('**/api/orders/build', (route) => route.fulfill({ status: 401, body: '{}' })),
    });
    await says(checkout.page.locator('#said'), 'payframe-gateway demo');
    assert.equal(await checkout.page.locator('payment-form').count(), 0);
  });
});
