/**
 * The set-up of the end-to-end tests: the two servers of `servers.mjs`, and Chromium. One for each test file.
 */

import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';
import { FLAGS, SHELL } from '../chromium.mjs';
import { Checkout } from './checkout.mjs';
import { DIST, Servers } from './servers.mjs';

export { DIST };

const LIMIT_MS = 30_000;
/** Said by browsers that do not know these words of a frame's `allow` yet. */
const ALWAYS = /^warning: Unrecognized feature: '(shared-)?autofill'/;

/**
 * @typedef {object} Opening how a checkout page is opened
 * @property {RegExp} [noise] what browser and page may say on the console; anything else fails the test
 * @property {import('playwright-core').BrowserContextOptions} [context]
 * @property {(page: import('playwright-core').Page) => Promise<unknown>} [prepare] runs before the page is loaded
 * @property {string} [path] of the shop; the checkout if none is given
 */

export class Stage extends Servers {
  /** @param {string} name of the test file @param {import('./servers.mjs').Settings} [settings] @param {string[]} [args] of Chromium @param {string} [executablePath] */
  static async open(name, settings = {}, args = FLAGS, executablePath = SHELL) {
    const stage = new Stage(await Servers.plan(name, settings));
    try {
      [stage.#browser] = await Promise.all([
        chromium.launch({ executablePath, args }),
        stage.startServers(),
      ]);
    } catch (problem) {
      await stage.close();
      throw problem;
    }
    return stage;
  }

  /** @type {import('playwright-core').Browser | undefined} */
  #browser;
  /** @type {(() => Promise<void>)[]} */
  #ends = [];

  /** @type {Promise<Checkout> | undefined} */
  #shared;

  /**
   * An empty form that nobody has paid with. Tests that pay with none use it one after the other, because to open a page takes longer than
   * most of them.
   */
  async unpaid() {
    // No buyer types thirty numbers: the gateway refuses so many look-ups of ranges, and nothing waits for them.
    this.#shared ??= this.checkout(this, {}, { noise: /429 .*\/fe\/build\/bin/ });
    const payment = (await this.#shared).payment();
    await payment.live();
    // The former test has left the focus in the form, text and messages, and what was announced last.
    await payment.region.getByRole('link', { name: /^Order / }).focus();
    await payment.region.locator('payment-form').evaluate((form) => /** @type {any} */ (form).clear());
    await payment.settled();
    await payment.alert.evaluate((region) => void (region.textContent = ''));
    return payment;
  }

  /** Is done before the stage closes. @param {() => Promise<void>} end */
  after(end) {
    this.#ends.push(end);
  }

  async close() {
    try {
      for (const end of this.#ends) await end();
    } finally {
      await this.#browser?.close();
      await this.stopServers();
    }
  }

  /**
   * Opens the shop's checkout in a browser profile of its own, which ends with the test, or with the stage where several tests use it
   * one after the other. Errors and warnings of browser or page are a failure, unless they are expected.
   * @param {{ after: (end: () => Promise<void>) => void }} t the test, or the stage
   * @param {Record<string, string | number>} [query]
   * @param {Opening} [opening]
   */
  async checkout(t, query = {}, { noise, context: options, prepare, path = '/' } = {}) {
    assert.ok(this.#browser, 'the browser runs');
    const context = await this.#browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    context.setDefaultTimeout(LIMIT_MS);
    const page = await context.newPage();
    const checkout = new Checkout(this, page);
    t.after(async () => {
      await context.close();
      const complaints = checkout.complaints.filter((complaint) => !ALWAYS.test(complaint) && !noise?.test(complaint));
      assert.deepEqual(complaints, [], 'browser or page complained');
    });
    await prepare?.(page);
    const address = new URL(path, this.shopOrigin);
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, String(value));
    checkout.answer = await page.goto(address.href, { waitUntil: 'commit' });
    return checkout;
  }
}
