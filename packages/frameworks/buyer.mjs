// @ts-check
/** A buyer who pays on a page of an app, in Chromium. Whatever browser or page complain about is an error. */

import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';
import { BROWSER, FLAGS } from '../../tests/chromium.mjs';
import { APPROVED } from '../../tests/e2e/cards.mjs';
import { NAMES, Payment } from '../../tests/e2e/checkout.mjs';

/** Said by browsers that do not know these words of a frame's `allow` yet. */
const ALWAYS = /^warning: Unrecognized feature: '(shared-)?autofill'/;
const LIMIT_MS = 60_000;

/** @typedef {import('playwright-core').Page} Tab */

export const openBrowser = () => chromium.launch({ executablePath: BROWSER, args: FLAGS });

/** @param {import('playwright-core').Browser} browser @param {string} origin @param {import('./apps.mjs').Page} page */
export async function pay(browser, origin, { path, kind }) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 1000 } });
  context.setDefaultTimeout(LIMIT_MS);
  const tab = await context.newPage();
  const complaints = /** @type {string[]} */ ([]);
  const asked = /** @type {URL[]} */ ([]);
  tab.on('pageerror', (error) => complaints.push(`uncaught: ${error}`));
  tab.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`${message.type()}: ${message.text()} (${message.location().url})`);
  });
  tab.on('request', (request) => asked.push(new URL(request.url())));
  const region = tab.getByRole('region', { name: 'Payment' });
  const payment = new Payment(/** @type {any} */ (undefined), region, NAMES.en);
  try {
    if (kind === 'printed') await typedEarly(tab, payment, origin + path);
    else await tab.goto(origin + path);
    if (kind === 'fields') await payByFields(tab);
    else await payment.payWith(APPROVED);
    await region.getByRole('status').getByText('Paid', { exact: true }).waitFor();
  } catch (problem) {
    const text = await tab.locator('body').innerText();
    throw new Error([`${path}: ${problem}`, ...complaints, 'the page:', text.slice(0, 2000)].join('\n'));
  }
  const loads = asked.filter(({ pathname }) => pathname === '/form/').length;
  const scripts = asked.filter(({ pathname }) => pathname.endsWith('/payframe.js')).length;
  await context.close();
  assert.deepEqual(complaints.filter((complaint) => !ALWAYS.test(complaint)), [], `${path}: browser or page complained`);
  assert.deepEqual({ loads, scripts }, { loads: 1, scripts: 1 }, `${path}: frame and script are loaded once`);
}

/** Types into the form of the server's HTML while every script of the page waits. @param {Tab} tab @param {Payment} payment @param {string} address */
async function typedEarly(tab, payment, address) {
  const waiting = /** @type {(() => Promise<void>)[]} */ ([]);
  let holds = true;
  await tab.route((url) => url.origin === new URL(address).origin && /\.(m?js|ts|tsx|svelte|vue)$|^\/(@|_nuxt|_app|_next)/.test(url.pathname), async (route) => {
    if (holds && route.request().resourceType() === 'script') waiting.push(() => route.continue());
    else await route.continue();
  });
  await tab.goto(address, { waitUntil: 'commit' });
  await payment.name.fill('Ada');
  assert.equal(await tab.evaluate(() => customElements.get('payment-form')), undefined, 'no script has run');
  holds = false;
  for (const go of waiting) await go();
  await payment.live();
  assert.equal(await payment.name.inputValue(), 'Ada', 'what was typed stays');
}

/** @param {Tab} tab */
async function payByFields(tab) {
  await tab.locator('payment-form:state(ready)').waitFor();
  const values = { CARD_NUMBER: APPROVED.number, EXPIRATION_DATE: APPROVED.expiry.replaceAll(' ', ''), SECURITY_CODE: APPROVED.code, CARDHOLDER_NAME: APPROVED.name };
  for (const [id, value] of Object.entries(values)) {
    await tab.locator(`payment-field#${id}[data-state~=ready]`).waitFor();
    await tab.locator(`iframe[src*="id=${id}&"]`).contentFrame().locator(`#${id}`).fill(value);
  }
  await tab.locator('payment-form:state(complete)').waitFor();
  await tab.getByRole('button', { name: 'Pay', exact: true }).click();
}
