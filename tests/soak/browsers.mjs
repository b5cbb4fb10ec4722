/**
 * The buyers of `cargo xtask soak` that use a browser: each pays in Chromium on a page of a shop, while the gateway is
 * killed and started again and some of the form's calls carry a fault. A buyer types, presses, answers
 * the bank, tries the next card, and loads the page again when nothing else helps.
 *
 * `SOAK_GATEWAY` is the gateway's origin, `SOAK_PAYMENTS` how many orders there are, `SOAK_SEED` repeats the choices, and
 * `SOAK_OUT` gets the list of `{order, outcome}`.
 */

import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { BROWSER, FLAGS } from '../chromium.mjs';
import { APPROVED, CHALLENGED, CHALLENGE_FAILS, NO_FUNDS } from '../e2e/cards.mjs';
import { Checkout } from '../e2e/checkout.mjs';

const setting = (/** @type {string} */ name) => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set; cargo xtask soak sets it`);
  return value;
};
const GATEWAY = setting('SOAK_GATEWAY');
const PAYMENTS = Number(setting('SOAK_PAYMENTS'));
const KEY = 'sandbox-implicit';
const AT_A_TIME = 4;
/** Longer than a held call (65 s) with everything that comes after it. */
const WAIT_TIMEOUT_MS = 240_000;
/** The cards of a buyer, tried one after the other until one is accepted. */
const WALLETS = [[APPROVED], [CHALLENGED], [NO_FUNDS, APPROVED], [APPROVED], [CHALLENGE_FAILS, CHALLENGED]];

/** Numbers from 0 to `below`, the same for the same seed (mulberry32). */
function chance(/** @type {number} */ seed) {
  let state = seed >>> 0;
  return (/** @type {number} */ below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** The fault of a call of the form; in most cases none. @param {(below: number) => number} draw */
function fault(draw) {
  const at = draw(200);
  if (at < 4) return 'drop';
  if (at < 8) return '500';
  if (at < 16) return `slow:${1 + draw(1500)}`;
  return at === 16 ? 'timeout' : undefined;
}

/** The merchant's server: asks until there is an answer, always with the same key. @param {string} path @param {object} [body] */
async function ask(path, body) {
  const key = randomUUID();
  for (const end = Date.now() + WAIT_TIMEOUT_MS; Date.now() < end; await pause(100)) {
    try {
      const headers = { 'x-api-key': KEY, 'correlation-id': randomUUID(), 'idempotency-key': key, 'content-type': 'application/json' };
      const answer = await fetch(`${GATEWAY}/api/${path}`, { headers, signal: AbortSignal.timeout(5000), ...(body && { method: 'POST', body: JSON.stringify(body) }) });
      if (answer.status < 500 && answer.status !== 429 && answer.status !== 409) return /** @type {any} */ (await answer.json());
    } catch {
      // The gateway is not running.
    }
  }
  throw new Error(`${path}: no answer`);
}

/** A shop whose page contains only the form. */
async function openShop() {
  const server = createServer((request, response) => {
    const session = new URL(request.url ?? '', 'http://shop').searchParams.get('session') ?? '';
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<!doctype html><html lang="en"><title>Shop</title>
      <script type="module" src="${GATEWAY}/sdk/payframe.js"></script>
      <section aria-label="Payment"><payment-form gateway="${GATEWAY}" session="${encodeURIComponent(session)}"></payment-form></section>
      <script>
        window.seen = { refused: 0 };
        const form = document.querySelector('payment-form');
        form.addEventListener('result', ({ detail }) => (detail.final ? (seen.outcome = detail.outcome) : (seen.refused += 1)));
        form.addEventListener('error', ({ detail }) => detail.fatal && (seen.broken = detail.code));
        addEventListener('load', () => customElements.get('payment-form') || (seen.broken = 'no script'));
      </script>`);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { server, origin: `http://127.0.0.1:${port}` };
}

/** The outcome of an order by the merchant's server, if the form does not load any more; `undefined` while the order may still be paid. */
async function outcomeByServer(/** @type {string} */ order, /** @type {string} */ session) {
  const standing = await ask(`build/state?sessionId=${encodeURIComponent(session)}`);
  if (standing.state && standing.state !== 'PAYMENT_COMPLETE') return undefined;
  const { operations = [] } = await ask(`orders/${order}`);
  if (operations.some((/** @type {any} */ { operationResult }) => operationResult === 'PENDING')) return undefined;
  return operations.some((/** @type {any} */ { operationResult }) => operationResult === 'EXECUTED') ? 'approved' : 'failed';
}

/**
 * One buyer, until the form or the shop shows an outcome.
 * @param {import('playwright-core').Browser} browser @param {string} shop @param {number} number
 */
async function buy(browser, shop, number) {
  const draw = chance(Number(setting('SOAK_SEED')) * 1000 + number);
  const order = `B${number}`;
  const wallet = WALLETS[number % WALLETS.length] ?? [APPROVED];
  const { sessionId: session } = await ask('orders/build', {
    version: '3',
    merchantUrl: shop,
    order: { orderId: order, amount: '3545', currency: 'EUR' },
    paymentSession: { actionType: 'PAY', amount: '3545', language: 'eng', paymentService: 'CARDS', resultUrl: `${shop}/`, cancelUrl: `${shop}/` },
    form: { closing: 'FRAME', attempts: 3 },
  });
  const context = await browser.newContext();
  context.setDefaultTimeout(3000);
  const page = await context.newPage();
  await page.route(`${GATEWAY}/api/**`, (route) => {
    const header = fault(draw);
    return route.continue(header ? { headers: { ...route.request().headers(), 'x-sandbox-fault': header } } : {}).catch(() => {});
  });
  const payment = new Checkout(/** @type {any} */ ({}), page).payment();
  const load = () => page.goto(`${shop}/?session=${encodeURIComponent(session)}`, { timeout: 20_000 }).catch(() => {});
  let seen = /** @type {any} */ ({ broken: 'not loaded' });
  try {
    await load();
    for (const end = Date.now() + WAIT_TIMEOUT_MS; Date.now() < end; await pause(150)) {
      seen = await page.evaluate(() => /** @type {any} */ (window).seen).catch(() => ({ broken: 'no page' }));
      if (seen.outcome) return { order, outcome: seen.outcome };
      if (seen.broken) {
        const outcome = await outcomeByServer(order, session);
        if (outcome) return { order, outcome };
        await load();
        continue;
      }
      try {
        if (await payment.issuer.code.isVisible()) await payment.issuer.answer('123456');
        else if (await payment.pay.isEnabled({ timeout: 300 })) await payment.payWith(wallet[Math.min(seen.refused, wallet.length - 1)] ?? APPROVED);
      } catch {
        // The element is gone, or not there yet: try again.
      }
    }
    const words = await payment.frame.locator('body').innerText().catch(() => 'nothing');
    throw new Error(`${order} is stuck (${JSON.stringify(seen)}); its form shows: ${words}`);
  } finally {
    await context.close();
  }
}

const { server, origin } = await openShop();
const browser = await chromium.launch({ executablePath: BROWSER, args: FLAGS });
/** @type {{ order: string, outcome: string }[]} */
const shown = [];
let next = 0;
try {
  await Promise.all(
    Array.from({ length: AT_A_TIME }, async () => {
      while (next < PAYMENTS) shown.push(await buy(browser, origin, next++));
    }),
  );
} finally {
  await browser.close();
  server.close();
}
writeFileSync(setting('SOAK_OUT'), JSON.stringify(shown));
