/**
 * A developer's first payment, with the program alone: starts its demo in an empty folder, pays in Chromium with the card that the demo prints, and
 * asks the gateway with the key that it prints. Says how long that took, and fails if it was longer than a minute. `cargo xtask release` runs it:
 *
 *     node tests/e2e/first-payment.mjs target/release-files/payframe-gateway-0.1.0-x86_64-linux
 */

import { spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';
import { APPROVED } from './cards.mjs';
import { Checkout } from './checkout.mjs';
import { FLAGS, SHELL } from '../chromium.mjs';
import { GatewayApi } from './gateway-api.mjs';
import { freePort } from './ports.mjs';

const LIMIT_SECONDS = 60;

const program = process.argv[2];
if (!program) throw new Error('the path of the program is missing');
const folder = mkdtempSync(join(tmpdir(), 'first-payment-'));
try {
  const started = performance.now();
  const orderId = await pay(folder, program);
  const seconds = (performance.now() - started) / 1_000;
  console.log(`first payment, order ${orderId}: ${seconds.toFixed(1)} s after the program was started (limit: ${LIMIT_SECONDS} s)`);
  if (seconds > LIMIT_SECONDS) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Pays with a copy of the program in a folder of its own. Returns the order's id. @param {string} folder @param {string} program */
async function pay(folder, program) {
  const alone = join(folder, 'payframe-gateway');
  copyFileSync(program, alone);
  const [gatewayPort, shopPort] = await Promise.all([freePort(), freePort()]);
  const words = ['demo', '--gateway-port', String(gatewayPort), '--shop-port', String(shopPort)];
  const demo = spawn(alone, words, { cwd: folder, env: {}, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => demo.once('close', resolve));
  try {
    const printed = await readUntil(demo, /^shop: (http\S+)/m);
    const read = (/** @type {RegExp} */ pattern) => {
      const found = pattern.exec(printed)?.[1];
      if (!found) throw new Error(`the demo does not print ${pattern}:\n${printed}`);
      return found;
    };
    const api = new GatewayApi(read(/^gateway: (http\S+)/m), read(/^api key: (\S+)/m));
    const card = { ...APPROVED, number: read(/^ *approved +([\d ]+\d)/m).replaceAll(' ', '') };
    const orderId = await payInBrowser(api, read(/^shop: (http\S+)/m), card);
    const { body } = await api.call(`orders/${orderId}`);
    if (body.orderStatus.status !== 'PAID') throw new Error(`the order is ${JSON.stringify(body.orderStatus)}`);
    return orderId;
  } finally {
    demo.kill('SIGTERM');
    await ended;
  }
}

/** What a program has printed once it has printed this. @param {import('node:child_process').ChildProcessByStdio<null, import('node:stream').Readable, null>} program @param {RegExp} pattern */
async function readUntil(program, pattern) {
  let printed = '';
  for await (const line of createInterface({ input: program.stdout })) {
    printed += `${line}\n`;
    if (pattern.test(printed)) return printed;
  }
  throw new Error(`the demo ended:\n${printed}`);
}

/** @param {GatewayApi} api @param {string} shop @param {import('./cards.mjs').Card} card */
async function payInBrowser(api, shop, card) {
  const browser = await chromium.launch({ executablePath: SHELL, args: FLAGS });
  try {
    const page = await browser.newPage();
    const payment = new Checkout({ api }, page).payment();
    await page.goto(shop);
    await payment.payWith(card);
    await payment.ends('Payment complete');
    return await payment.orderId();
  } finally {
    await browser.close();
  }
}
