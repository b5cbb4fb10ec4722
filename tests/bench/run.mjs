// @ts-check
// Loads the form and the bare form in Chromium, in turns, and writes what it measured as JSON.
// Run by `cargo xtask bench`, which serves both from one gateway and says by the environment where things are.
//
// Chromium runs without site isolation: shop and frame then share one process and one DevTools session, so that
// throttling of the CPU covers both and every request is counted once. It is the same for both forms.
// Each load has a browser context of its own: empty caches, no connection. One load of each goes before and is not counted.

import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { chromium } from 'playwright-core';
import { startShop } from './shop.mjs';
import { startSlowLink } from './slow-link.mjs';

/** @typedef {'ours' | 'bare'} Form */
/** @typedef {{ cpu: number, slow4g: boolean }} Condition */
/** @typedef {Record<'typable' | 'live' | 'bytes' | 'wire' | 'requests' | 'stroke' | 'worstStroke' | 'heap' | 'longest' | 'blocking' | 'shift', number>} Sample */

/** @type {Record<string, Condition>} */
const CONDITIONS = {
  plain: { cpu: 1, slow4g: false },
  cpu4: { cpu: 4, slow4g: false },
  slow4g: { cpu: 1, slow4g: true },
  mobile: { cpu: 4, slow4g: true },
};
const SLOW_4G = { roundTripMs: 150, downBytesPerSecond: 1_600_000 / 8, upBytesPerSecond: 750_000 / 8 };
const CARD = '4761730000000003';
const LOAD_LIMIT_MS = 60_000;

/** @param {string} name */
function setting(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run this by \`cargo xtask bench\``);
  return value;
}

const gateway = setting('BENCH_GATEWAY');
const runs = Number(setting('BENCH_RUNS'));
const names = setting('BENCH_CONDITIONS').split(',');
const probe = await readFile(new URL('probe.js', import.meta.url), 'utf8');
const shop = await startShop(gateway);
const slow4g = await startSlowLink(SLOW_4G);
const browser = await chromium.launch({
  executablePath: setting('CHROMIUM'),
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--disable-dev-shm-usage',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-site-isolation-trials',
    '--disable-features=IsolateOrigins,site-per-process',
  ],
});

try {
  const integrity = await scriptIntegrity();
  /** @type {Record<string, Record<Form, Sample[]>>} */
  const results = {};
  for (const name of names) {
    const condition = CONDITIONS[name];
    if (!condition) throw new Error(`There is no condition "${name}"; there are ${Object.keys(CONDITIONS).join(', ')}.`);
    /** @type {Record<Form, Sample[]>} */
    const samples = { ours: [], bare: [] };
    for (let run = 0; run <= runs; run++) {
      for (const form of /** @type {const} */ (['ours', 'bare'])) {
        const sample = await load(form, condition, integrity);
        if (run > 0) samples[form].push(sample);
      }
      if (process.stderr.isTTY) process.stderr.write(`\r${name}: ${run} of ${runs} `);
    }
    process.stderr.write(process.stderr.isTTY ? '\n' : `${name}: ${runs} loads of each form\n`);
    results[name] = samples;
  }
  await writeFile(setting('BENCH_OUT'), JSON.stringify({ browser: browser.version(), runs, results }, null, 1));
} finally {
  await browser.close();
  shop.stop();
  slow4g.stop();
}

/**
 * One cold load: until live, then a card number typed into it.
 * @param {Form} form @param {Condition} condition @param {string} integrity
 * @returns {Promise<Sample>}
 */
async function load(form, condition, integrity) {
  const query = form === 'ours' ? `?${new URLSearchParams({ session: await openSession(), integrity })}` : '';
  const link = condition.slow4g ? { proxy: { server: slow4g.proxy, bypass: '<-loopback>' } } : {};
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...link });
  try {
    await context.addInitScript(probe);
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Emulation.setCPUThrottlingRate', { rate: condition.cpu });
    const traffic = listen(session);
    await page.goto(`${shop.origin}/${form}${query}`, { waitUntil: 'commit' });
    await until(session, 'payframeBench.lived');
    const frame = page.frames().find((each) => each !== page.mainFrame() && each.url().startsWith(gateway));
    if (!frame) throw new Error('the form has no frame in this process: is site isolation on?');
    await frame.waitForFunction(() => Reflect.get(globalThis, 'payframeBench').typable > 0, undefined, { timeout: LOAD_LIMIT_MS });
    const loaded = traffic();
    const top = await page.evaluate(() => ({ start: performance.timeOrigin, ...Reflect.get(globalThis, 'payframeBench') }));
    const heap = await heapOf(session);

    await frame.locator('input[autocomplete="cc-number"]').focus();
    for (const digit of CARD) await page.keyboard.press(digit);
    await frame.waitForFunction((count) => Reflect.get(globalThis, 'payframeBench').strokes.length >= count, CARD.length);
    const inner = await frame.evaluate(() => Reflect.get(globalThis, 'payframeBench'));
    const typed = await frame.locator('input[autocomplete="cc-number"]').inputValue();
    if (typed.replaceAll(' ', '') !== CARD) throw new Error(`the ${form} form holds another number than the one typed`);
    return {
      typable: inner.typable - top.start,
      live: top.live - top.start,
      ...loaded,
      stroke: median(inner.strokes),
      worstStroke: Math.max(...inner.strokes),
      heap: heap + inner.memory,
      longest: top.longest,
      blocking: top.blocking,
      shift: top.shift,
    };
  } finally {
    await context.close();
  }
}

/**
 * Waits for a promise of the page. Playwright's own ways to wait run a script of 330 kB in the page first, in the middle of the load.
 * @param {import('playwright-core').CDPSession} session @param {string} promise
 */
async function until(session, promise) {
  const late = new Promise((_, reject) => setTimeout(reject, LOAD_LIMIT_MS, new Error(`${promise}: not within ${LOAD_LIMIT_MS} ms`)).unref());
  await Promise.race([session.send('Runtime.evaluate', { expression: promise, awaitPromise: true }), late]);
}

/**
 * Counts what comes from the gateway: bodies as sent (`bytes`), with their headers (`wire`), and how many.
 * @param {import('playwright-core').CDPSession} session
 */
function listen(session) {
  /** @type {Map<string, number>} headers by request */
  const headers = new Map();
  const sum = { bytes: 0, wire: 0, requests: 0 };
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (request.url.startsWith(`${gateway}/`)) headers.set(requestId, 0);
  });
  session.on('Network.responseReceived', ({ requestId, response }) => {
    if (headers.has(requestId)) headers.set(requestId, response.encodedDataLength);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const own = headers.get(requestId);
    if (own === undefined) return;
    sum.requests += 1;
    sum.wire += encodedDataLength;
    sum.bytes += Math.max(0, encodedDataLength - own);
  });
  return () => ({ ...sum });
}

/** JavaScript and DOM memory of shop and frame, after a collection. @param {import('playwright-core').CDPSession} session */
async function heapOf(session) {
  await session.send('HeapProfiler.collectGarbage');
  const usage = /** @type {Record<string, number>} */ (/** @type {unknown} */ (await session.send('Runtime.getHeapUsage')));
  return (usage.usedSize ?? 0) + (usage.embedderHeapUsedSize ?? 0) + (usage.backingStorageSize ?? 0);
}

/** A session of the sandbox merchant for this shop, closed by the frame. */
async function openSession() {
  const orderId = randomUUID().replaceAll('-', '').slice(0, 18);
  const response = await fetch(`${gateway}/api/orders/build`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': setting('BENCH_API_KEY'), 'correlation-id': randomUUID() },
    body: JSON.stringify({
      version: '3',
      merchantUrl: shop.origin,
      order: { orderId, amount: '3545', currency: 'EUR', description: 'bench' },
      paymentSession: {
        actionType: 'PAY',
        amount: '3545',
        language: 'eng',
        recurrence: { action: 'NO_RECURRING' },
        exemptions: 'NO_PREFERENCE',
        paymentService: 'CARDS',
        resultUrl: `${shop.origin}/ok`,
        cancelUrl: `${shop.origin}/ko`,
        notificationUrl: `${shop.origin}/hook`,
      },
      form: { closing: 'FRAME' },
    }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`orders/build answered ${response.status}: ${JSON.stringify(answer)}`);
  return answer.sessionId;
}

/** What the merchant's page puts into `integrity`: the hash in the manifest of the dist that is being served. */
async function scriptIntegrity() {
  const manifest = JSON.parse(await readFile(setting('BENCH_MANIFEST'), 'utf8'));
  return manifest.scripts['payframe.js'].integrity;
}

/** @param {number[]} values */
function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
