/**
 * The two servers of every end-to-end test: the real gateway and the real shop on free ports with empty data. The shop is an
 * address and the gateway a name, so our frames are cross-site, as with merchants.
 *
 * Settings come from `cargo xtask test`: `PAYFRAME_GATEWAY_BIN`, `PAYFRAME_SHOP_BIN` and `PAYFRAME_DIST`.
 * Logs and data of the last run are in `target/e2e/`.
 */

import { mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { GatewayApi } from './gateway-api.mjs';
import { freePort } from './ports.mjs';
import { Server } from './server.mjs';

const ROOT = new URL('../../', import.meta.url);
const KEY = 'sandbox-implicit';

/** A path that the environment may set. @param {string} variable @param {string} usual below the repository's root */
const place = (variable, usual) => process.env[variable] ?? fileURLToPath(new URL(usual, ROOT));

/** What `cargo xtask build` made. */
export const DIST = place('PAYFRAME_DIST', 'target/dist');

/** The gateway's program. */
export const GATEWAY = place('PAYFRAME_GATEWAY_BIN', 'target/debug/payframe-gateway');

/** @typedef {{ gateway?: Record<string, string>, shop?: Record<string, string> }} Settings further environment */
/** @typedef {{ folder: string, gateway: string, shop: string, settings: Settings }} Plan where it all is: a folder and two origins */

export class Servers {
  /** Free ports and an empty folder. @param {string} name of the test file @param {Settings} settings @returns {Promise<Plan>} */
  static async plan(name, settings) {
    const [gatewayPort, shopPort] = await Promise.all([freePort(), freePort()]);
    const folder = fileURLToPath(new URL(`target/e2e/${name}/`, ROOT));
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    return { folder, gateway: `http://localhost:${gatewayPort}`, shop: `http://127.0.0.1:${shopPort}`, settings };
  }

  /** @param {Plan} plan */
  constructor({ folder, gateway, shop, settings }) {
    this.folder = folder;
    this.gatewayOrigin = gateway;
    this.shopOrigin = shop;
    const key = settings.shop?.SHOP_API_KEY ?? KEY;
    this.api = new GatewayApi(gateway, key);
    this.gateway = new Server(
      'the gateway',
      GATEWAY,
      {
        PAYFRAME_MODE: 'sandbox',
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
        SHOP_API_KEY: key,
        SHOP_DATA: `${folder}shop`,
        ...settings.shop,
      },
      `${folder}shop.log`,
    );
  }

  async startServers() {
    await Promise.all([this.gateway.start(), this.shop.start()]);
  }

  async stopServers() {
    await Promise.all([this.gateway.stop(), this.shop.stop()]);
  }

  /** Waits until the gateway has notified the shop's server about an order. @param {string} orderId */
  async notified(orderId) {
    await this.shop.said(new RegExp(`notification received .*${orderId}`));
  }
}
