/**
 * Serves the gallery: the real pages, scripts and program of a dist, with session data of `states.mjs` in place of a gateway.
 * `cargo xtask gallery` runs it for people, `gallery.test.mjs` for its pictures. `PAYFRAME_DIST` says where the dist is.
 */

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { fill } from '../../www/frame/money.js';
import { BOOT, CARD_DATA, CHOICES, DETAILS, ENDS, ENTRY, STATES } from './states.mjs';

const DIST = pathToFileURL(`${resolve(process.env.PAYFRAME_DIST ?? fileURLToPath(new URL('../../target/dist', import.meta.url)))}/`);
const HERE = new URL('.', import.meta.url);
/** @type {Record<string, string>} */
const TYPES = { js: 'text/javascript', mjs: 'text/javascript', wasm: 'application/wasm', svg: 'image/svg+xml', html: 'text/html; charset=utf-8' };
const BANK = '<!doctype html><meta charset="utf-8"><title>Bank</title><body style="font-family:system-ui;padding:24px">The page of the bank.';

/** The form's page of each language, by its tag. */
function pages() {
  const { pages } = JSON.parse(readFileSync(new URL('manifest.json', DIST), 'utf8'));
  const all = Object.values(pages.form.files).map((path) => readFileSync(new URL(String(path), DIST), 'utf8'));
  return new Map(all.map((page) => [/<html lang="([^"]*)"/.exec(page)?.[1] ?? '', page]));
}

/** @param {number} [port] @returns {Promise<{ origin: string, close: () => Promise<unknown> }>} */
export async function serveGallery(port = 0) {
  const forms = pages();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', origin);
    /** @param {string} type @param {string | Buffer} body @param {number} [status] */
    const answer = (type, body, status = 200) => response.writeHead(status, { 'content-type': TYPES[type] ?? type, 'cache-control': 'no-store' }).end(body);
    const state = stateOf(url.searchParams.get('sessionid') ?? String(request.headers.session ?? ''));
    const { pathname } = url;
    try {
      if (pathname === '/') return answer('html', readFileSync(new URL('gallery.html', HERE)));
      if (pathname === '/gallery.js') return answer('js', readFileSync(new URL('gallery.js', HERE)));
      if (pathname === '/states.json') return answer('application/json', JSON.stringify({ entry: ENTRY, ends: ENDS, choices: CHOICES, details: DETAILS, languages: [...forms.keys()].sort() }));
      if (pathname === '/favicon.ico') return answer('text/plain', '');
      if (pathname === '/threeds/challenge/bank') return answer('html', BANK);
      // The page of this state never finishes loading.
      if (pathname === '/form/' && state?.awaited) return response.writeHead(200, { 'content-type': TYPES.html }).write('<!doctype html>');
      if (pathname === '/form/' && state) return answer('html', settled(forms, url, state));
      if (pathname.startsWith('/api/')) {
        /** @type {Record<string, object>} */
        const answers = { 'build/state': state?.boot?.state ?? BOOT.state, 'build/cardData': CARD_DATA, ...state?.answers };
        const found = answers[pathname.slice('/api/'.length)];
        // Without an answer, the form continues to wait.
        return found && answer('application/json', JSON.stringify(found), 'errors' in found ? 400 : 200);
      }
      if (/^\/(assets|sdk)\/[\w./-]+$/.test(pathname) && !pathname.includes('..')) return answer(pathname.split('.').at(-1) ?? '', readFileSync(new URL(pathname.slice(1), DIST)));
    } catch (problem) {
      return answer('text/plain', String(problem), 404);
    }
    return answer('text/plain', 'nothing here', 404);
  });
  let origin = '';
  await new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(undefined)));
  origin = `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`;
  return { origin, close: () => new Promise((resolve) => (server.close(resolve), server.closeAllConnections())) };
}

/** The state of a session, or of the one that follows it. @param {string} session */
function stateOf(session) {
  const [name = '', next] = session.split('-');
  const state = STATES[name];
  return state && next ? { ...state, boot: { ...state.boot, ...state.follows } } : state;
}

/** The page as the gateway would send it. @param {Map<string, string>} forms @param {URL} url @param {typeof STATES[string]} state */
function settled(forms, url, state) {
  const { searchParams: query, origin } = url;
  const page = forms.get(query.get('lang') ?? '') ?? forms.get('en') ?? '';
  const data = { ...BOOT, session: query.get('sessionid'), merchantOrigin: origin, ...state.boot };
  const { amount, pay, summary } = paymentSummary(page, data);
  const boot = JSON.stringify({ ...data, amountText: amount, payText: pay }).replaceAll('<', '\\u003c');
  /** @type {Record<string, string>} */
  const marks = { boot, pay, summary, theme: query.get('theme') ?? 'auto', button: query.get('button') ?? 'auto' };
  const whole = page.replace(/\{\{(\w+)\}\}/g, (_, mark) => marks[mark] ?? '');
  return state.broken ? whole.replaceAll(/\/assets\/payframe_bg\.\w+\.wasm/g, '/assets/missing.wasm') : whole;
}

/**
 * The form's texts about the money, in the page's language.
 * @param {string} page @param {{ amount: string, currency: string, merchant: string, actionType: string }} data
 */
function paymentSummary(page, { amount: minor, currency, merchant, actionType }) {
  /** @param {RegExp} part */
  const found = (part) => part.exec(page)?.[1] ?? '';
  /** @param {string} path */
  const textsOf = (path) => JSON.parse(readFileSync(new URL(path.slice(1), DIST), 'utf8'));
  const first = textsOf(found(/id="texts" href="([^"]*)"/));
  const texts = { ...first, ...textsOf(first.$late) };
  const amount = new Intl.NumberFormat(found(/<html lang="([^"]*)"/), { style: 'currency', currency }).format(Number(minor) / 100);
  /** @type {Record<string, [string, string]>} */
  const keys = { VERIFY: ['verify_card', 'verify_note'], PREAUTH: ['hold_amount', 'hold_note'] };
  const [pay = '', summary = ''] = (keys[actionType] ?? ['pay_amount', 'pay_note']).map((key) => fill(texts[key], { amount, merchant }));
  return { amount, pay, summary };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const gallery = await serveGallery(Number(process.env.PAYFRAME_GALLERY_PORT ?? 8789));
  console.log(`gallery: ${gallery.origin}\nCtrl-C stops it.`);
}
