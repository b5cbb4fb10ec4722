// @ts-check
// What all benches share: the browser, its conditions, and how bytes, memory and time are counted.
//
// Chromium runs without site isolation: shop and frames then share one process and one DevTools session, so that
// throttling of the CPU covers all and every request is counted once. It is the same for whatever is compared.

import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { chromium } from 'playwright-core';
import { flags } from '../chromium.mjs';
import { startShop } from './shop.mjs';
import { SLOW_4G, startSlowLink } from './slow-link.mjs';

/** @typedef {{ cpu: number, slow4g: boolean }} Condition */

/** @type {Record<string, Condition>} */
export const CONDITIONS = {
  plain: { cpu: 1, slow4g: false },
  cpu4: { cpu: 4, slow4g: false },
  slow4g: { cpu: 1, slow4g: true },
  mobile: { cpu: 4, slow4g: true },
};
export const LOAD_LIMIT_MS = 60_000;

/** @param {string} name */
export function setting(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run this by \`cargo xtask bench\``);
  return value;
}

/** A browser of its own for the whole bench. */
const launch = () =>
  chromium.launch({
    executablePath: setting('CHROMIUM'),
    args: [...flags('IsolateOrigins', 'site-per-process'), '--disable-site-isolation-trials'],
  });

/**
 * Measures two sides in turns under each wanted condition, and writes all samples. One load of each comes first and is not counted.
 * The sides take turns to go first, because the second one may find the machine in another state.
 * @template {string} Side
 * @param {import('playwright-core').Browser} browser
 * @param {readonly [Side, Side]} sides
 * @param {(side: Side, condition: Condition) => Promise<Record<string, number>>} load
 */
async function compare(browser, sides, load) {
  const runs = Number(setting('BENCH_RUNS'));
  /** @type {Record<string, Record<string, Record<string, number>[]>>} */
  const results = {};
  for (const name of setting('BENCH_CONDITIONS').split(',')) {
    const condition = CONDITIONS[name];
    if (!condition) throw new Error(`There is no condition "${name}"; there are ${Object.keys(CONDITIONS).join(', ')}.`);
    /** @type {Record<string, Record<string, number>[]>} */
    const samples = Object.fromEntries(sides.map((side) => [side, []]));
    for (let run = 0; run <= runs; run++) {
      for (const side of run % 2 ? sides : sides.toReversed()) {
        const sample = await load(side, condition);
        if (run > 0) samples[side]?.push(sample);
      }
      if (process.stderr.isTTY) process.stderr.write(`\r${name}: ${run} of ${runs} `);
    }
    process.stderr.write(process.stderr.isTTY ? '\n' : `${name}: ${runs} loads of each\n`);
    results[name] = samples;
  }
  await writeFile(setting('BENCH_OUT'), JSON.stringify({ browser: browser.version(), runs, results }, null, 1));
}

/**
 * @typedef {object} Stage
 * @property {import('playwright-core').Browser} browser
 * @property {string} gateway its origin
 * @property {string} shop the origin of the merchant's page
 * @property {string} proxy the slow link
 * @property {string} probe the script that every document of a load runs first
 */

/**
 * Compares two sides with a shop, a slow link and a browser that are started for it.
 * @template {string} Side
 * @param {readonly [Side, Side]} sides
 * @param {(side: Side, condition: Condition, stage: Stage) => Promise<Record<string, number>>} load
 */
export async function staged(sides, load) {
  const gateway = setting('BENCH_GATEWAY');
  const probe = await readFile(new URL('probe.js', import.meta.url), 'utf8');
  const shop = await startShop(gateway);
  const slow4g = await startSlowLink(SLOW_4G);
  const browser = await launch();
  try {
    const stage = { browser, gateway, shop: shop.origin, proxy: slow4g.proxy, probe };
    await compare(browser, sides, (side, condition) => load(side, condition, stage));
  } finally {
    await browser.close();
    shop.stop();
    slow4g.stop();
  }
}

/** A browser context without caches and connections, with the probe in it, as a condition wants it. @param {Stage} stage @param {Condition} condition */
export async function freshContext({ browser, proxy, probe }, condition) {
  const link = condition.slow4g ? { proxy: { server: proxy, bypass: '<-loopback>' } } : {};
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...link });
  await context.addInitScript(probe);
  return context;
}

/** How long the browser is idle before a load: it needs time to close the former page and to open the new one. */
const REST_MS = 500;
export const rest = () => new Promise((resume) => setTimeout(resume, REST_MS));

/**
 * Waits for a promise of the page. Playwright's own ways to wait run a script of 330 kB in the page first, in the middle of the load.
 * @param {import('playwright-core').CDPSession} session @param {string} promise
 */
export async function until(session, promise) {
  const late = new Promise((_, reject) => setTimeout(reject, LOAD_LIMIT_MS, new Error(`${promise}: not within ${LOAD_LIMIT_MS} ms`)).unref());
  await Promise.race([session.send('Runtime.evaluate', { expression: promise, awaitPromise: true }), late]);
}

/**
 * Counts what comes from the gateway for requests that were made by an instant (milliseconds since 1970): bodies as sent (`bytes`),
 * with their headers (`wire`), and how many.
 * @param {import('playwright-core').CDPSession} session @param {string} gateway its origin
 */
export function listen(session, gateway) {
  /** @type {Map<string, { madeMs: number, headers: number, whole: number }>} by request */
  const made = new Map();
  session.on('Network.requestWillBeSent', ({ requestId, request, wallTime }) => {
    if (request.url.startsWith(`${gateway}/`)) made.set(requestId, { madeMs: wallTime * 1000, headers: 0, whole: 0 });
  });
  session.on('Network.responseReceived', ({ requestId, response }) => {
    const one = made.get(requestId);
    if (one) one.headers = response.encodedDataLength;
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const one = made.get(requestId);
    if (one) one.whole = encodedDataLength;
  });
  return (/** @type {number} */ byMs) => {
    const counted = [...made.values()].filter(({ madeMs, whole }) => whole > 0 && madeMs <= byMs);
    const sum = (/** @type {(one: { headers: number, whole: number }) => number} */ of) => counted.reduce((all, one) => all + of(one), 0);
    return { bytes: sum(({ headers, whole }) => Math.max(0, whole - headers)), wire: sum(({ whole }) => whole), requests: counted.length };
  };
}

/** JavaScript and DOM memory of shop and frame, after a collection. @param {import('playwright-core').CDPSession} session */
export async function heapOf(session) {
  await session.send('HeapProfiler.collectGarbage');
  const usage = /** @type {Record<string, number>} */ (/** @type {unknown} */ (await session.send('Runtime.getHeapUsage')));
  return (usage.usedSize ?? 0) + (usage.embedderHeapUsedSize ?? 0) + (usage.backingStorageSize ?? 0);
}

/** @param {number[]} values */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * A session of a sandbox merchant for a page: what `POST /orders/build` answers.
 * @param {string} gateway @param {string} shop origin of the page @param {{ key?: string, form?: object }} [wanted]
 * @returns {Promise<{ sessionId: string, fields: { id: string, src: string }[], form: { html: string } }>}
 */
export async function openSession(gateway, shop, { key = setting('BENCH_API_KEY'), form } = {}) {
  const orderId = randomUUID().replaceAll('-', '').slice(0, 18);
  const response = await fetch(`${gateway}/api/orders/build`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key, 'correlation-id': randomUUID() },
    body: JSON.stringify({
      version: '3',
      merchantUrl: shop,
      order: { orderId, amount: '3545', currency: 'EUR', description: 'bench' },
      paymentSession: {
        actionType: 'PAY',
        amount: '3545',
        language: 'eng',
        recurrence: { action: 'NO_RECURRING' },
        exemptions: 'NO_PREFERENCE',
        paymentService: 'CARDS',
        resultUrl: `${shop}/ok`,
        cancelUrl: `${shop}/ko`,
        notificationUrl: `${shop}/hook`,
      },
      ...(form && { form }),
    }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`orders/build answered ${response.status}: ${JSON.stringify(answer)}`);
  return answer;
}
