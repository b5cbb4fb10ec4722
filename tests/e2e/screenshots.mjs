/**
 * Pictures of the checkout in every state, width and theme, for people: `node tests/e2e/screenshots.mjs` writes them into
 * `target/screenshots/`, after `cargo xtask build` and `cargo build --bins`. Nothing is tested here.
 */

import { mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { APPROVED, CHALLENGED, NO_FUNDS } from './cards.mjs';
import { hold, says } from './checkout.mjs';
import { Stage } from './stage.mjs';

const folder = fileURLToPath(new URL('../../target/screenshots/', import.meta.url));
// High enough for every state: a screenshot that is composed of parts can miss frames of other origins.
const SIZES = { desktop: { width: 1280, height: 1080 }, phone: { width: 360, height: 1600 } };
const THEMES = /** @type {const} */ (['light', 'dark']);

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const stage = await Stage.open('screenshots');
try {
  for (const [device, viewport] of Object.entries(SIZES)) {
    for (const theme of THEMES) await photograph(`${device}-${theme}`, { viewport, colorScheme: theme }, theme);
  }
} finally {
  await stage.close();
}
console.log(`pictures are in ${folder}`);

/** @param {string} dress @param {import('playwright-core').BrowserContextOptions} context @param {string} theme */
async function photograph(dress, context, theme) {
  const closers = /** @type {(() => Promise<unknown>)[]} */ ([]);
  const scope = /** @type {any} */ ({ after: (/** @type {() => Promise<unknown>} */ closer) => closers.push(closer) });
  const checkout = await stage.checkout(scope, { theme }, { context });
  const payment = checkout.payment();
  /** @param {string} state */
  const take = async (state) => {
    await payment.settled();
    await checkout.page.screenshot({ path: `${folder}${state}-${dress}.png`, animations: 'disabled' });
  };

  await payment.live();
  await take('1-empty');
  await payment.press();
  await says(payment.alert, 'Enter your card number.');
  await take('2-errors');
  await payment.fill(NO_FUNDS);
  await take('3-filled');
  const charge = await hold(checkout.page, '**/api/build/finalize_payment');
  await payment.press();
  const finalize = await charge.arrived;
  await take('4-busy');
  await finalize.continue();
  await says(payment.alert, 'lack of funds');
  await take('5-declined');
  await payment.payWith(CHALLENGED);
  await payment.issuer.code.waitFor();
  await take('6-challenge');
  await payment.issuer.reject.click();
  await payment.payWith(APPROVED);
  await payment.ends('Payment complete');
  await says(payment.status, 'Paid. ');
  await take('7-approved');

  await checkout.page.goto(`${stage.shopOrigin}/orders/${await payment.orderId()}`);
  await checkout.page.screenshot({ path: `${folder}9-order-${dress}.png` });

  await checkout.page.goto(`${stage.shopOrigin}/?theme=${theme}`);
  await payment.live();
  await payment.cancel.click();
  await payment.ends('Payment cancelled');
  await says(payment.status, 'Cancelled. ');
  await take('8-cancelled');
  for (const close of closers) await close();
}
