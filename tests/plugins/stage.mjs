// @ts-check
/**
 * What surrounds a shop system under test: the gateway, Chromium, a small storefront that shows the form, and a relay for notifications, which loses, doubles or
 * delays them.
 */

import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { BROWSER, FLAGS } from '../chromium.mjs';
import { NAMES, Payment } from '../e2e/checkout.mjs';
import { GatewayApi } from '../e2e/gateway-api.mjs';
import { freePort } from '../e2e/ports.mjs';
import { Server } from '../e2e/server.mjs';
import { FOLDER, ROOT } from './install.mjs';

/** @typedef {'deliver' | 'lose' | 'double' | 'hold'} Relaying */
/** @typedef {{ headers: Record<string, string>, body: Buffer }} Held */

/** The first terminals of a sandbox: what they capture, and their keys. */
export const TERMINALS = { held: { id: '91000002', key: 'sandbox-explicit' }, captured: { id: '91000001', key: 'sandbox-implicit' } };
const LIMIT_MS = 45_000;

export class ShopStage {
  /** @param {string} name of the shop system @param {{ id: string, key: string }} terminal @param {string} [page] script of the storefront, which has `shop`, `gateway` and `query` */
  static async open(name, terminal, page = '') {
    const folder = join(FOLDER, `${name}-data`);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const [gatewayPort, shopPort, storePort, relayPort] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
    const stage = new ShopStage(folder, terminal.key, `http://localhost:${gatewayPort}`, shopPort, storePort, relayPort);
    await stage.#begin(terminal.id, page, storePort, relayPort);
    return stage;
  }

  /** @type {Relaying} */
  relaying = 'deliver';
  /** What came, whether it was delivered or not. @type {Held[]} */
  notifications = [];
  /** Status codes of what was delivered. @type {number[]} */
  delivered = [];
  secret = '';
  #closing = /** @type {(() => unknown)[]} */ ([]);
  /** @type {import('playwright-core').Browser | undefined} */
  #browser;
  /** @type {Server | undefined} */
  #gateway;

  /** @param {string} folder @param {string} key @param {string} gateway @param {number} shopPort @param {number} storePort @param {number} relayPort */
  constructor(folder, key, gateway, shopPort, storePort, relayPort) {
    this.folder = folder;
    this.key = key;
    this.gatewayOrigin = gateway;
    this.api = new GatewayApi(gateway, key);
    this.shopPort = shopPort;
    this.shop = `http://127.0.0.1:${shopPort}`;
    this.storefront = `http://127.0.0.1:${storePort}`;
    this.relay = `http://127.0.0.1:${relayPort}`;
  }

  async close() {
    for (const end of this.#closing.reverse()) await end();
  }

  /** A page of the storefront in a profile of its own. @param {Record<string, string>} query @param {{ pay: string }} names what the button says */
  async visit(query, names) {
    const opened = await this.open(names);
    await opened.page.goto(`${this.storefront}/?${new URLSearchParams(query)}`);
    return opened;
  }

  /** An empty page in a profile of its own, for a shop that shows the form on its own pages. @param {{ pay: string }} names what the button says */
  async open({ pay }) {
    const context = await /** @type {import('playwright-core').Browser} */ (this.#browser).newContext({ viewport: { width: 1280, height: 1000 } });
    context.setDefaultTimeout(LIMIT_MS);
    const page = await context.newPage();
    const said = /** @type {string[]} */ ([]);
    page.on('console', (message) => said.push(message.text()));
    const payment = new Payment(/** @type {any} */ ({ stage: this }), page.getByRole('region', { name: 'Payment' }), { ...NAMES.en, pay });
    return { page, payment, said, leave: () => context.close() };
  }

  /** Carries out a command of the gateway; what it wrote. @param {string[]} words */
  command(...words) {
    return /** @type {Server} */ (this.#gateway).command(...words);
  }

  /** Hands a notification to the shop. @param {Held} held @returns {Promise<number>} the status of the answer */
  async handOver({ headers, body }) {
    const answer = await fetch(`${this.shop}${this.path}`, { method: 'POST', headers, body: new Uint8Array(body) }).catch(() => undefined);
    return answer?.status ?? 502;
  }

  /** Where the shop takes notifications. */
  path = '/payframe/notifications';

  /** @param {string} terminal @param {string} script @param {number} storePort @param {number} relayPort */
  async #begin(terminal, script, storePort, relayPort) {
    const env = {
      PAYFRAME_MODE: 'sandbox',
      PAYFRAME_LISTEN: this.gatewayOrigin.replace('http://localhost', '127.0.0.1'),
      PAYFRAME_ORIGIN: this.gatewayOrigin,
      PAYFRAME_DATA: join(this.folder, 'gateway'),
      PAYFRAME_ASSETS: process.env.PAYFRAME_DIST ?? join(ROOT, 'target/dist'),
      PAYFRAME_ALLOW_INSECURE_URLS: '1',
    };
    const gateway = new Server('the gateway', process.env.PAYFRAME_GATEWAY_BIN ?? join(ROOT, 'target/debug/payframe-gateway'), env, join(this.folder, 'gateway.log'));
    this.#gateway = gateway;
    await gateway.start();
    this.#closing.push(() => gateway.stop());
    this.secret = /whsec_\S+/.exec(await gateway.command('secrets', 'new', terminal))?.[0] ?? '';
    const html = PAGE.replace('CONFIG', JSON.stringify({ shop: this.shop, gateway: this.gatewayOrigin })).replace('SCRIPT', () => script);
    await this.#listen(storePort, async (_request, response) => void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html));
    await this.#listen(relayPort, async (request, response) => {
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      const { host, connection, 'content-length': _, ...headers } = /** @type {Record<string, string>} */ (request.headers);
      const held = { headers, body: Buffer.concat(chunks) };
      this.notifications.push(held);
      let status = 204;
      if (this.relaying === 'deliver') status = await this.handOver(held);
      if (this.relaying === 'double') [status = 502] = await Promise.all([this.handOver(held), this.handOver(held)]);
      if (this.relaying !== 'lose' && this.relaying !== 'hold') this.delivered.push(status);
      response.writeHead(status).end();
    });
    this.#browser = await chromium.launch({ executablePath: BROWSER, args: FLAGS });
    this.#closing.push(() => this.#browser?.close());
  }

  /** @param {number} port @param {(request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => Promise<void>} answer */
  async #listen(port, answer) {
    const server = createServer((request, response) => void answer(request, response));
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    this.#closing.push(() => (server.closeAllConnections(), server.close()));
  }
}

/** A notification as the gateway signs it (Standard Webhooks 1.0.0). @param {string} secret @param {{ eventId: string }} event @returns {Held} */
export function signed(secret, event) {
  const body = JSON.stringify(event);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signature = createHmac('sha256', key).update(`${event.eventId}.${timestamp}.${body}`).digest('base64');
  const headers = { 'content-type': 'application/json', 'webhook-id': event.eventId, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
  return { headers, body: Buffer.from(body) };
}

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Pay</title><link rel="icon" href="data:,">
<section aria-label="Payment"><div id="form"></div><p role="status"></p></section><button id="again">Look again</button>
<script type="module">
const { shop, gateway } = CONFIG;
const query = new URLSearchParams(location.search);
const say = (text) => (document.querySelector('[role=status]').textContent = text);
await import(gateway + '/sdk/payframe.js');
SCRIPT
</script></html>`;
