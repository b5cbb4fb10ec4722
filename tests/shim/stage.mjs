/**
 * The set-up of the shim's tests: a shop on 127.0.0.1, a gateway on localhost (so that the frame is cross-site), a hostile
 * third origin, and Chromium. The gateway's form is a small script under the test's control, `fake-form.html`: the session's id
 * says how it behaves (see there); fields are `fake-field.html`. Nothing here sleeps; tests wait for events.
 */

import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { FLAGS, SHELL } from '../chromium.mjs';

const read = (/** @type {string} */ path) => readFileSync(new URL(path, import.meta.url), 'utf8');
/** As the build does, with hashes and addresses, but not minified. */
const hash = (/** @type {string} */ text) => `sha256-${createHash('sha256').update(text).digest('base64')}`;
const DIAGNOSTICS = read('../../www/sdk/diagnostics.js');
const PAGE_WATCH = read('../../www/sdk/page-watch.js');
const SENTENCES = { en: ['The card form could not start.', 'Try again', 'eng'], it: ['Il modulo della carta non si è avviato.', 'Riprova', 'ita'], he: ['טופס הכרטיס לא נטען.', 'לנסות שוב', 'heb'] };
const LAZY = read('../../www/sdk/lazy.js').replace('{{sentences}}', JSON.stringify(SENTENCES)).replace('{{diagnostics}}', hash(DIAGNOSTICS)).replace('{{page-watch}}', hash(PAGE_WATCH));
const SHIM = read('../../www/sdk/payframe.js').replace('{{lazy}}', '/sdk/lazy/lazy.js').replace('{{integrity}}', hash(LAZY));
/** @type {Record<string, string>} */
const SCRIPTS = { 'diagnostics.js': DIAGNOSTICS, 'lazy.js': LAZY, 'payframe.js': SHIM, 'fields.js': read('../../www/sdk/fields.js'), 'build.js': read('../../www/sdk/build.js').replace('{{watch}}', '/sdk/lazy/page-watch.js').replace('{{watch-hash}}', hash(PAGE_WATCH)), 'page-watch.js': PAGE_WATCH };
const FAKE_FORM = read('./fake-form.html');
const FAKE_FIELD = read('./fake-field.html');

/** @param {import('node:http').RequestListener} answer @param {string} host */
async function serve(answer, host) {
  const server = createServer(answer);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const close = () => new Promise((resolve) => (server.close(resolve), server.closeAllConnections()));
  return { origin: `http://${host}:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`, close };
}

export async function openStage() {
  /** Pages of the shop by path. @type {Map<string, { html: string, headers: Record<string, string> }>} */
  const pages = new Map();
  /** How a test changes a script that is served, by path. @type {Map<string, (script: string | undefined) => string>} */
  const changes = new Map();
  /** What pages reported of themselves, as it was sent. @type {{ text: string, headers: import('node:http').IncomingHttpHeaders }[]} */
  const pageReports = [];
  /** The fingerprints that reports told of: a gateway's inventory. @type {Set<string>} */
  const inventory = new Set();
  /** Addresses under /form/ that browsers asked for. @type {URL[]} */
  const formRequests = [];
  /** Addresses under /fields/ that browsers asked for. @type {URL[]} */
  const fieldRequests = [];

  const shop = await serve((request, response) => {
    const page = pages.get(new URL(request.url ?? '', shop.origin).pathname);
    response.writeHead(page ? 200 : 404, { 'content-type': 'text/html', ...page?.headers });
    response.end(page?.html);
  }, '127.0.0.1');

  /** @type {import('node:http').RequestListener} */
  const form = (request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(FAKE_FORM.replace('{{shop}}', shop.origin));
  };
  const evil = await serve(form, 'localhost');

  /** As the gateway answers reports of pages. @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
  const takePageReport = async (request, response) => {
    let text = '';
    for await (const part of request) text += part;
    pageReports.push({ text, headers: request.headers });
    const { entries, told } = JSON.parse(text);
    for (const [ids] of told ?? []) inventory.add(ids);
    const unknown = (entries?.match(/.{19}/g) ?? []).filter((/** @type {string} */ ids) => !inventory.has(ids)).map((/** @type {string} */ ids) => ids.slice(0, 11));
    response.writeHead(unknown.length ? 200 : 204, { 'content-type': 'application/json', 'access-control-allow-origin': shop.origin });
    response.end(unknown.length ? JSON.stringify({ unknown }) : '');
  };

  const gateway = await serve((request, response) => {
    const url = new URL(request.url ?? '', gateway.origin);
    if (url.pathname === '/page-reports') return void takePageReport(request, response);
    if (url.pathname.startsWith('/sdk/')) {
      response.writeHead(200, { 'content-type': 'text/javascript', 'access-control-allow-origin': '*' });
      const script = SCRIPTS[url.pathname.split('/').at(-1) ?? ''];
      return response.end(changes.get(url.pathname)?.(script) ?? script);
    }
    if (url.pathname === '/fields/') {
      fieldRequests.push(url);
      response.writeHead(200, { 'content-type': 'text/html' });
      return response.end(FAKE_FIELD.replace('{{shop}}', shop.origin));
    }
    if (url.pathname === '/guarded') return response.writeHead(200, { 'content-type': 'text/html' }).end();
    if (url.pathname === '/unanswered') return;
    if (url.pathname !== '/form/') return response.writeHead(404).end();
    formRequests.push(url);
    const session = url.searchParams.get('sessionid') ?? '';
    if (session.startsWith('hanging')) return;
    if (session.startsWith('astray')) return response.writeHead(302, { location: `${evil.origin}/form/?sessionid=ready` }).end();
    if (session.startsWith('refusing')) response.setHeader('content-security-policy', "frame-ancestors 'none'");
    form(request, response);
  }, 'localhost');

  const browser = await chromium.launch({ executablePath: SHELL, args: FLAGS });

  return {
    shop: shop.origin,
    gateway: gateway.origin,
    evil: evil.origin,
    formRequests,
    fieldRequests,
    pageReports,
    inventory,
    changes,
    shim: SHIM,
    sentences: SENTENCES,
    integrity: `sha256-${createHash('sha256').update(SHIM).digest('base64')}`,
    browser,

    /** How often a session's form was asked for. @param {string} session */
    requestsOf: (session) => formRequests.filter((url) => url.searchParams.get('sessionid') === session).length,

    /** Serves a file of the shop. @param {string} path @param {string} html @param {Record<string, string>} [headers] */
    file: (path, html, headers = { 'content-type': 'text/javascript' }) => void pages.set(path, { html, headers }),

    /**
     * Opens a page of the shop. Its body may name `{{gateway}}`; the shim is loaded by a tag unless `shim` is false.
     * @param {string} body
     * @param {{ headers?: Record<string, string>, shim?: boolean }} [options]
     */
    async open(body, { headers = {}, shim = true } = {}) {
      const path = `/page-${pages.size}`;
      const script = shim ? '<script type="module" src="{{gateway}}/sdk/payframe.js"></script>' : '';
      const html = `<!doctype html><html lang="en"><title>Shop</title><body>${script}${body}`.replaceAll('{{gateway}}', gateway.origin);
      pages.set(path, { html, headers });
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.addInitScript(prepare, { gateway: gateway.origin, evil: evil.origin });
      await page.goto(shop.origin + path, { waitUntil: body.includes('"waiting') ? 'domcontentloaded' : 'load' });
      return page;
    },

    async close() {
      await browser.close();
      await Promise.all([shop.close(), gateway.close(), evil.close()]);
    },
  };
}

/**
 * Runs in every document before its scripts: names and records for the tests.
 * @param {{ gateway: string, evil: string }} origins
 */
function prepare(origins) {
  const world = /** @type {any} */ (window);
  world.gateway = origins.gateway;
  world.evil = origins.evil;
  /** Every event of every form that is not in a shadow tree: `[type, detail, element's id]`. */
  world.heard = [];
  for (const type of ['ready', 'resize', 'change', 'focus', 'blur', 'enter', 'statechange', 'result', 'expiring', 'error']) {
    document.addEventListener(type, (event) => event instanceof CustomEvent && world.heard.push([type, event.detail, /** @type {Element} */ (event.target).id]), true);
  }
  world.violations = [];
  document.addEventListener('securitypolicyviolation', (event) => world.violations.push(`${event.effectiveDirective} ${event.blockedURI}`));
  world.uncaught = [];
  addEventListener('error', (event) => event instanceof ErrorEvent && world.uncaught.push(event.message));
  addEventListener('unhandledrejection', (event) => world.uncaught.push(String(event.reason)));
  /** What the scripts wrote on the console, by level, from the page's first line on. */
  world.written = { warn: [], error: [] };
  for (const level of /** @type {const} */ (['warn', 'error'])) {
    const write = console[level];
    console[level] = (...words) => (world.written[level].push(words.join(' ')), write(...words));
  }
  /** The next event of a type that fits. */
  world.next = (/** @type {EventTarget} */ target, /** @type {string} */ type, fits = (/** @type {any} */ _detail) => true) =>
    new Promise((resolve) => {
      const listener = (/** @type {any} */ event) => {
        if (!(event instanceof CustomEvent) || !fits(event.detail)) return;
        target.removeEventListener(type, listener);
        resolve(event.detail);
      };
      target.addEventListener(type, listener);
    });
  /** The states of a form, by name. */
  world.statesOf = (/** @type {Element} */ form) => ['loading', 'ready', 'failed', 'busy', 'complete', 'empty', 'filled', 'invalid', 'focused'].filter((name) => form.matches(`:state(${name})`)).join(' ');
  /** Resolves when the form is ready, also when it is already. */
  world.live = (/** @type {any} */ form) => (form?.matches?.(':state(ready)') ? undefined : world.next(form, 'ready'));
  /** The result of a promise, as a value for a test. */
  world.settled = (/** @type {Promise<any>} */ promise) => promise.then((value) => ({ value: value ?? null }), (error) => ({ code: error.code, name: error.name, message: error.message }));
  /** How many private ports were made: one for each frame with a handshake. */
  world.channels = 0;
  const Channel = world.MessageChannel;
  world.MessageChannel = class extends Channel {
    constructor() {
      super();
      world.channels += 1;
    }
  };
}

/**
 * The fake form in a `<payment-form>`, once its script runs.
 * @param {import('playwright-core').Page} page
 * @param {string} [selector]
 */
export async function formIn(page, selector = 'payment-form') {
  const handle = await page.locator(`${selector} iframe`).elementHandle();
  const frame = await handle?.contentFrame();
  if (!frame) throw new Error('there is no frame');
  await frame.waitForFunction(() => 'fake' in window);
  return frame;
}
