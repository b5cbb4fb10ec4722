/** The page around the form: strict policies, integrity hashes, servers. */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { execFile } from 'node:child_process';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { formIn, openStage } from './stage.mjs';

/** @type {Awaited<ReturnType<typeof openStage>>} */
let stage;
before(async () => void (stage = await openStage()));
after(() => stage.close());

const integrity = (/** @type {string} */ text) => `sha384-${createHash('sha384').update(text).digest('base64')}`;

test('N11 one script origin and one frame origin are enough, with Trusted Types and no inline allowance', async () => {
  const page = await stage.open('<payment-form id="good" gateway="{{gateway}}" session="measured" theme="dark"></payment-form><payment-form id="bad"></payment-form>', {
    headers: {
      'content-security-policy': `default-src 'none'; script-src ${stage.gateway}; frame-src ${stage.gateway}; style-src 'self'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'`,
    },
  });
  await page.evaluate(() => window.live(document.querySelector('#good')));
  await page.waitForFunction(() => document.querySelector('#good').offsetHeight === 420);
  await page.evaluate(async () => {
    const form = document.querySelector('#good');
    await form.update({ theme: 'light', button: 'hidden' });
    await form.focus('CARD_NUMBER');
    document.body.append(form);
    await window.next(form, 'ready');
  });
  // Our own styles were applied, those of the fallback too.
  assert.equal(await page.evaluate(() => getComputedStyle(document.querySelector('#good').shadowRoot.querySelector('iframe')).borderTopWidth), '0px');
  assert.equal(await page.locator('#bad').evaluate((form) => form.offsetHeight), 404);
  assert.deepEqual(await page.evaluate(() => [window.violations, window.uncaught]), [[], []]);
  // The counterpart: the policy is in force.
  await page.evaluate(() => document.body.append(Object.assign(document.createElement('iframe'), { src: window.evil })));
  await page.waitForFunction(() => window.violations.length === 1);
});

for (const [what, hash, loads] of /** @type {const} */ ([['the right hash', (text) => integrity(text), true], ['one changed byte', (text) => integrity(`${text} `), false]])) {
  test(`N12 a script tag with ${what} ${loads ? 'loads' : 'is refused, and the fallback stays readable'}`, async () => {
    const tag = `<script type="module" src="{{gateway}}/sdk/payframe.js" integrity="${hash(stage.shim)}" crossorigin="anonymous"></script>`;
    const page = await stage.open(`<payment-form gateway="{{gateway}}" session="ready"><p>Please call us.</p></payment-form>${tag}`, { shim: false });
    if (loads) await page.evaluate(() => window.live(document.querySelector('payment-form')));
    await page.waitForLoadState();
    assert.equal(await page.evaluate(() => !!customElements.get('payment-form')), loads);
    assert.equal(await page.getByText('Please call us.').isVisible(), !loads);
    assert.deepEqual(await page.evaluate(() => window.uncaught), []);
  });
}

test('a page that demands a hash of every script shows the form, with all that the script loads later', async () => {
  const tag = `<script type="module" src="{{gateway}}/sdk/payframe.js" integrity="${integrity(stage.shim)}" crossorigin="anonymous"></script>`;
  const page = await stage.open(`<payment-form gateway="{{gateway}}" session="ready"></payment-form>${tag}`, {
    shim: false,
    headers: { 'integrity-policy': 'blocked-destinations=(script)' },
  });
  await page.evaluate(() => window.live(document.querySelector('payment-form')));
  await page.evaluate(() => document.querySelector('payment-form').update({ theme: 'dark' }));
  // The counterpart: the demand is in force.
  const refused = await page.evaluate(() => import(`${window.gateway}/sdk/fields.js`).then(() => false, () => true));
  assert.deepEqual([refused, await page.evaluate(() => window.uncaught)], [true, []]);
});

test('J9 importing on a server touches nothing, and says so when a form is asked for', async () => {
  const shim = fileURLToPath(new URL('../../www/sdk/payframe.js', import.meta.url));
  const script = `
    const before = Object.getOwnPropertyNames(globalThis).length;
    const { loadPayframe, PayframeError } = await import(${JSON.stringify(shim)});
    const payframe = loadPayframe('https://gateway.example');
    let code;
    try { payframe.form({ session: 's' }); } catch (error) { code = error instanceof PayframeError && error.code; }
    console.log(JSON.stringify([code, Object.getOwnPropertyNames(globalThis).length === before]));`;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  assert.deepEqual([JSON.parse(stdout), stderr], [['no_browser', true], '']);
});

test('a definition that is there already is left alone', async () => {
  const page = await stage.open('', { shim: false });
  const kept = await page.evaluate(async () => {
    class Theirs extends HTMLElement {}
    customElements.define('payment-form', Theirs);
    await import(`${window.gateway}/sdk/payframe.js`);
    return customElements.get('payment-form') === Theirs;
  });
  assert.equal(kept, true);
});

test('H5 the frame is see-through on a dark page', async () => {
  const page = await stage.open('<style>:root { color-scheme: dark; background: #123456 }</style><payment-form gateway="{{gateway}}" session="ready"></payment-form>');
  await page.evaluate(() => window.live(document.querySelector('payment-form')));
  const image = await page.locator('payment-form').screenshot();
  const corner = await page.evaluate(async (base64) => {
    const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
    const canvas = new OffscreenCanvas(1, 1).getContext('2d');
    canvas.drawImage(bitmap, -bitmap.width + 5, -bitmap.height + 5);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  }, image.toString('base64'));
  assert.deepEqual(corner, [0x12, 0x34, 0x56, 255]);
});

for (const [color, theme] of Object.entries({ '#fff': 'dark', '#222': 'light', 'rgb(200 220 210 / 50%)': 'dark', 'oklch(0.9 0 0)': 'dark', 'oklch(0.2 0.1 20)': 'light', 'lab(90 0 0)': 'dark', 'lch(20 0 0)': 'light', 'oklab(0.9 0 0)': 'dark', 'color(display-p3 0.9 0.9 0.9)': 'dark', 'color(srgb 0.1 0.1 0.1)': 'light' })) {
  test(`by itself the form is ${theme} where the page's text is ${color}`, async () => {
    const page = await stage.open(`<style>body { color: ${color} }</style><payment-form gateway="{{gateway}}" session="ready"></payment-form>`);
    await page.evaluate(() => window.live(document.querySelector('payment-form')));
    assert.equal(new URL(page.frames()[1]?.url() ?? '').searchParams.get('theme'), theme);
  });
}

test('by itself the form follows a page that goes dark with the system, and one that does not', async () => {
  const page = await stage.open(`<style>@media (prefers-color-scheme: dark) { #follows { color: white } }</style>
    <div id="follows"><payment-form gateway="{{gateway}}" session="ready-a"></payment-form></div>
    <div id="stays"><payment-form gateway="{{gateway}}" session="ready-b"></payment-form></div>
    <div id="fixed"><payment-form gateway="{{gateway}}" session="ready-c" theme="light"></payment-form></div>`);
  /** @param {string} id */
  const told = async (id) => {
    await page.evaluate((id) => window.live(document.querySelector(`#${id} payment-form`)), id);
    const frame = await formIn(page, `#${id}`);
    const name = () => frame.evaluate((title) => window.fake.send({ type: 'ask', what: 'title', title }), id).then(() => page.getByTitle(id, { exact: true }).waitFor());
    return { name, theme: frame.evaluate(() => window.fake.command(0).then(({ options: { theme } }) => theme)) };
  };
  const [follows, stays, fixed] = await Promise.all(['follows', 'stays', 'fixed'].map(told));
  await stays?.name();
  await fixed?.name();
  await page.emulateMedia({ colorScheme: 'dark' });
  assert.deepEqual(await Promise.all([stays?.theme, fixed?.theme]), ['light', 'light']);
  // The lazy part is loaded only now.
  await follows?.name();
  assert.equal(await follows?.theme, 'dark');
  const after = (await formIn(page, '#follows')).evaluate(() => window.fake.command(1).then(({ options: { theme } }) => theme));
  await page.emulateMedia({ colorScheme: 'light' });
  assert.equal(await after, 'light');
});
