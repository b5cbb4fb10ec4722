/**
 * The stage of the end-to-end tests: the real gateway and the real shop on free ports with empty data, and Chromium. One for
 * each test file. The shop is an address and the gateway a name, so the form's frame is cross-site, as with merchants.
 *
 * Settings come from `cargo xtask test`: `PAYFRAME_GATEWAY_BIN`, `PAYFRAME_SHOP_BIN`, `PAYFRAME_SHOP_WWW`, `PAYFRAME_DIST`
 * and `CHROMIUM`. Logs and data of the last run are in `target/e2e/`.
 */

import { mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';
import { Checkout } from './checkout.mjs';
import { GatewayApi } from './gateway-api.mjs';
import { Server, freePort } from './server.mjs';

const ROOT = new URL('../../', import.meta.url);
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage'];
const KEY = 'sandbox-implicit';
const LIMIT_MS = 10_000;
/** Said by browsers that do not know these words of a frame's `allow` yet. */
const ALWAYS = /^warning: Unrecognized feature: '(shared-)?autofill'/;

/** A path that the environment may set. @param {string} variable @param {string} usual below the repository's root */
const place = (variable, usual) => process.env[variable] ?? fileURLToPath(new URL(usual, ROOT));

/** What `cargo xtask build` made. */
export const DIST = place('PAYFRAME_DIST', 'target/dist');

/**
 * @typedef {object} Opening how a checkout page is opened
 * @property {RegExp} [noise] what browser and page may say on the console; anything else fails the test
 * @property {import('playwright-core').BrowserContextOptions} [context]
 * @property {(page: import('playwright-core').Page) => Promise<unknown>} [prepare] runs before the page is loaded
 */

export class Stage {
  /**
   * @param {string} name of the test file
   * @param {{ gateway?: Record<string, string>, shop?: Record<string, string> }} [settings] further environment
   */
  static async open(name, settings = {}) {
    const [gatewayPort, shopPort] = await Promise.all([freePort(), freePort()]);
    const folder = fileURLToPath(new URL(`target/e2e/${name}/`, ROOT));
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const stage = new Stage(folder, `http://localhost:${gatewayPort}`, `http://127.0.0.1:${shopPort}`, settings);
    try {
      [stage.#browser] = await Promise.all([
        chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS }),
        stage.gateway.start(),
        stage.shop.start(),
      ]);
    } catch (problem) {
      await stage.close();
      throw problem;
    }
    return stage;
  }

  /** @type {import('playwright-core').Browser | undefined} */
  #browser;

  /**
   * @param {string} folder
   * @param {string} gateway origin
   * @param {string} shop origin
   * @param {{ gateway?: Record<string, string>, shop?: Record<string, string> }} settings
   */
  constructor(folder, gateway, shop, settings) {
    this.folder = folder;
    this.gatewayOrigin = gateway;
    this.shopOrigin = shop;
    this.api = new GatewayApi(gateway, KEY);
    this.gateway = new Server(
      'the gateway',
      place('PAYFRAME_GATEWAY_BIN', 'target/debug/payframe-gateway'),
      {
        PAYFRAME_LISTEN: gateway.replace('http://localhost', '127.0.0.1'),
        PAYFRAME_ORIGIN: gateway,
        PAYFRAME_DATA: `${folder}gateway`,
        PAYFRAME_ASSETS: DIST,
        PAYFRAME_SANDBOX_FAULTS: '1',
        PAYFRAME_ALLOW_INSECURE_URLS: '1',
        ...settings.gateway,
      },
      `${folder}gateway.log`,
    );
    this.shop = new Server(
      'the shop',
      place('PAYFRAME_SHOP_BIN', 'target/debug/payframe-shop'),
      {
        SHOP_LISTEN: shop.replace('http://', ''),
        SHOP_ORIGIN: shop,
        SHOP_GATEWAY: gateway,
        SHOP_API_KEY: KEY,
        SHOP_DATA: `${folder}shop`,
        SHOP_WWW: place('PAYFRAME_SHOP_WWW', 'www/shop'),
        ...settings.shop,
      },
      `${folder}shop.log`,
    );
  }

  async close() {
    await this.#browser?.close();
    await Promise.all([this.gateway.stop(), this.shop.stop()]);
  }

  /**
   * Opens the shop's checkout in a browser profile of its own, which ends with the test. Whatever browser or page complain
   * about fails the test, unless it is expected noise.
   * @param {import('node:test').TestContext} t
   * @param {Record<string, string | number>} [query]
   * @param {Opening} [opening]
   */
  async checkout(t, query = {}, { noise, context: options, prepare } = {}) {
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
    const address = new URL(this.shopOrigin);
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, String(value));
    checkout.answer = await page.goto(address.href, { waitUntil: 'commit' });
    return checkout;
  }

  /** Waits until the gateway has told the shop's server something about an order. @param {string} orderId */
  async notified(orderId) {
    await this.shop.said(new RegExp(`notification received .*${orderId}`));
  }
}
