/** The pages on the way to an issuer (`www/issuer`): their scripts, frames and messages, under the policy that the gateway sends. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { FLAGS, SHELL } from '../chromium.mjs';

const WWW = new URL('../../www/', import.meta.url);

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {{ address: string, name: string, value: string }} Form */
/** @typedef {{ body?: string, leads?: string, issuerFrames?: boolean }} Served */

/** @type {import('playwright-core').Browser} */
let browser;
/** What is served, by address. @type {Record<string, Served | (() => Served)>} */
let pages = {};
/** @type {{ address: string, body: string }[]} */
let posts = [];
/** Three origins. */
let [gateway, issuer, shop] = ['', '', ''];
/** @type {import('node:http').Server[]} */
const servers = [];

before(async () => {
  [gateway, issuer, shop] = await Promise.all([serve(), serve(), serve()]);
  browser = await chromium.launch({ executablePath: SHELL, args: FLAGS });
});
after(async () => {
  await browser.close();
  for (const server of servers) (server.close(), server.closeAllConnections());
});

async function serve() {
  const server = createServer(async (request, response) => {
    const path = request.url ?? '/';
    const address = `http://${request.headers.host}${path}`;
    if (request.method === 'POST') posts.push({ address, body: await text(request) });
    const file = path.match(/^\/assets\/((?:issuer|pages)\/[\w.]+)$/)?.[1];
    if (file) return response.writeHead(200, { 'content-type': file.endsWith('.js') ? 'text/javascript' : 'text/css' }).end(await readFile(new URL(file, WWW)));
    if (request.headers['content-type'] === 'application/json') return response.writeHead(204).end();
    const found = pages[address];
    const served = typeof found === 'function' ? found() : found;
    if (served?.leads) return response.writeHead(303, { location: served.leads }).end();
    const rules = address.startsWith(gateway) && path !== '/form' ? { 'content-security-policy': policy(served?.issuerFrames ?? false) } : {};
    return response.writeHead(served ? 200 : 404, { 'content-type': 'text/html', ...rules }).end(served?.body);
  });
  servers.push(server);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  return `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`;
}

/** The policy of a page. Issuers have a secure address, but not that of this test. @param {boolean} issuerFrames whether issuers' pages are in it */
function policy(issuerFrames) {
  const targets = issuerFrames ? `'self' ${issuer}` : "'none'";
  return `default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; frame-src ${targets}; base-uri 'none'; form-action ${targets}; frame-ancestors 'self' ${shop}`;
}

/** A template with its values. A condition is about the value of its name. @param {string} name @param {Record<string, string | boolean>} [values] */
async function filled(name, values = {}) {
  const [layout, page] = await Promise.all(['pages/layout.html', `issuer/issuer-${name}.html`].map((file) => readFile(new URL(file, WWW), 'utf8')));
  const blocks = /\{% block (\w+) %\}([^]*?)\{% endblock %\}/g;
  const own = Object.fromEntries([...page.matchAll(blocks)].map(([, block, markup]) => [block, markup]));
  return layout
    .replace(blocks, (_, block, empty) => own[block] ?? empty)
    .replace(/\{% if (?:let Some\(\w+\) = )?(\w+) %\}([^]*?)\{% endif %\}/g, (_, condition, markup) => (values[condition] ? markup : ''))
    .replace('{{ script|safe }}', `<script type="module" src="/assets/issuer/${name}.js"></script>`)
    .replace(/\{\{ ([\w.]+) \}\}/g, (_, path) => String(values[path] ?? ''));
}

/** @param {Form} form */
const formValues = ({ address, name, value }) => ({ form: true, 'form.address': address, 'form.field.0': name, 'form.field.1': value });

/** A page of the issuer that posts to the gateway at once. @param {string} path */
const postsTo = (path) => `<form method="post" action="${gateway}${path}"><input name="cres" value="x"></form><script>document.forms[0].submit()</script>`;

/**
 * A page that frames a page of the gateway, and what it is told.
 * @param {import('node:test').TestContext} t
 * @param {string} framed
 * @param {typeof pages} served
 */
async function prepare(t, framed, served) {
  const outer = { body: `<link rel="icon" href="data:,"><iframe src="${gateway}${framed}"></iframe><script>onmessage = ({ data }) => tell(data.type)</script>` };
  pages = { ...served, [`${gateway}/form`]: outer, [`${shop}/form`]: outer };
  posts = [];
  const context = await browser.newContext();
  t.after(() => context.close());
  const page = await context.newPage();
  /** @type {string[]} */
  const complaints = [];
  page.on('console', (message) => void complaints.push(message.text()));
  page.on('pageerror', (problem) => void complaints.push(String(problem)));
  /** @type {string[]} */
  const told = [];
  /** @type {() => void} */
  let onTold = () => {};
  /** @type {Promise<void>} */
  const isTold = new Promise((resolve) => (onTold = resolve));
  await page.exposeFunction('tell', (/** @type {string} */ type) => (told.push(type), onTold()));
  return { page, told, isTold, complaints };
}

const check = () => `${gateway}/threeds/device/T`;
const method = () => ({ address: `${issuer}/method`, name: 'threeDSMethodData', value: 'e30' });

/** What was said about the progress of a device check. */
const progress = () => posts.filter(({ address }) => address === check()).map(({ body }) => JSON.parse(body)).map(({ isMethodDone, isOver }) => ({ isMethodDone, isOver }));

test("a device check describes the browser, runs the issuer's method, and tells the form", async (t) => {
  const { page, told, isTold, complaints } = await prepare(t, '/threeds/device/T', {
    [check()]: { body: await filled('device', { check: 'run', ...formValues(method()) }), issuerFrames: true },
    [method().address]: { body: postsTo('/threeds/method/T') },
    [`${gateway}/threeds/method/T`]: { body: await filled('back', { leads: 'check' }) },
  });
  await page.goto(`${gateway}/form`);
  await isTold;
  assert.deepEqual(told, ['device-check-done']);
  assert.deepEqual(progress(), [{ isMethodDone: false, isOver: false }, { isMethodDone: true, isOver: true }]);
  const { isMethodDone: _, isOver: __, ...first } = JSON.parse(posts[0]?.body ?? '');
  const expected = await page.evaluate(() => ({
    language: navigator.language,
    hasJava: false,
    colorDepth: screen.colorDepth,
    screenHeight: screen.height,
    screenWidth: screen.width,
    timeZoneMinutes: new Date().getTimezoneOffset(),
    // The browser of these tests has no Secure Payment Confirmation.
    canConfirm: false,
  }));
  assert.deepEqual(first, expected);
  assert.equal(posts.find(({ address }) => address === method().address)?.body, 'threeDSMethodData=e30');
  assert.deepEqual(complaints, []);
});

test('an issuer without a method, and a check that is over, lead to one message', async (t) => {
  for (const state of ['run', 'done']) {
    const { page, told, isTold } = await prepare(t, '/threeds/device/T', { [check()]: { body: await filled('device', { check: state }) } });
    await page.goto(`${gateway}/form`);
    await isTold;
    assert.deepEqual(told, ['device-check-done']);
    assert.deepEqual(progress(), state === 'run' ? [{ isMethodDone: false, isOver: true }] : []);
  }
});

test('a silent issuer ends the check after eight seconds', async (t) => {
  const { page, told, isTold } = await prepare(t, '/threeds/device/T', {
    [check()]: { body: await filled('device', { check: 'run', ...formValues(method()) }), issuerFrames: true },
    [method().address]: { body: 'nothing happens here' },
  });
  await page.clock.install();
  const isAsked = page.waitForResponse(method().address);
  await page.goto(`${gateway}/form`);
  await isAsked;
  assert.deepEqual([told.length, progress().length], [0, 1]);
  await page.clock.runFor(8_000);
  await isTold;
  assert.deepEqual(progress()[1], { isMethodDone: false, isOver: true });
});

test("a challenge is in a frame of the gateway's page, and ends with a message to the form", async (t) => {
  const acs = { address: `${issuer}/challenge`, name: 'creq', value: 'abc' };
  let asked = 0;
  const waiting = await filled('back', { leads: '', is_waiting: true });
  const over = await filled('back', { leads: '/threeds/return/T' });
  const { page, told, isTold, complaints } = await prepare(t, '/threeds/challenge/T', {
    [`${gateway}/threeds/challenge/T`]: { body: await filled('challenge', formValues(acs)), issuerFrames: true },
    [acs.address]: { body: postsTo('/threeds/notify/T') },
    [`${gateway}/threeds/notify/T`]: { leads: '/threeds/back/T' },
    // The issuer has not sent the result when the browser comes back: the page asks again.
    [`${gateway}/threeds/back/T`]: () => ({ body: asked++ === 0 ? waiting : over }),
    [`${gateway}/threeds/return/T`]: { body: await filled('return', { return_url: true, url: `${shop}/done` }) },
  });
  await page.goto(`${gateway}/form`);
  await isTold;
  assert.deepEqual([told, asked], [['challenge-returned'], 2]);
  assert.equal(posts.find(({ address }) => address === acs.address)?.body, 'creq=abc');
  assert.equal(page.frames()[1]?.url(), `${gateway}/threeds/return/T`);
  assert.deepEqual(complaints, []);
});

test('a challenge in a window of its own goes back to the shop', async (t) => {
  const { page } = await prepare(t, '/', {
    [`${gateway}/threeds/return/T`]: { body: await filled('return', { return_url: true, url: `${shop}/done` }) },
    [`${shop}/done`]: { body: 'the shop' },
  });
  await page.goto(`${gateway}/threeds/return/T`);
  await page.waitForURL(`${shop}/done`);
});

test('a page of another site that frames the end of a challenge is told nothing', async (t) => {
  const { page, told, isTold } = await prepare(t, '/threeds/return/T', { [`${gateway}/threeds/return/T`]: { body: await filled('return', { 'texts.return_title': 'The end' }) } });
  await page.goto(`${shop}/form`);
  await page.frameLocator('iframe').getByRole('heading', { name: 'The end' }).waitFor();
  // The page's own message comes after any that its frame has sent.
  await page.evaluate(() => postMessage({ type: 'own' }));
  await isTold;
  assert.deepEqual(told, ['own']);
});
