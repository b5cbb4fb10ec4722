// @ts-check
/** A shop of Medusa as its customers and its staff use it: over its two APIs. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { run, start } from '../../frameworks/programs.mjs';

/** @typedef {import('../../../tests/plugins/stage.mjs').ShopStage} ShopStage */

const STAFF = { email: 'staff@example.com', password: 'staff-secret' };
const PROVIDER = 'pp_payframe_payframe';
/** What one piece costs with its delivery, in the minor unit. */
export const TOTAL = 4045;

export class MedusaShop {
  /** @type {Awaited<ReturnType<typeof start>> | undefined} */
  #program;
  #staff = '';
  #key = '';
  #place = { region: '', variant: '', shipping: '' };

  /** @param {string} folder of the installed shop @param {string} database @param {ShopStage} stage */
  constructor(folder, database, stage) {
    this.folder = folder;
    this.stage = stage;
    this.env = {
      PORT: String(stage.shopPort),
      DATABASE_URL: database,
      PAYFRAME_GATEWAY: stage.gatewayOrigin,
      PAYFRAME_API_KEY: stage.key,
      PAYFRAME_SECRET: stage.secret,
      STOREFRONT: `${stage.storefront}/`,
      NOTIFICATIONS: stage.relay,
      MEDUSA_DISABLE_TELEMETRY: 'true',
      MEDUSA_FF_ANALYTICS: 'false',
      NODE_ENV: 'production',
    };
    this.place = { folder, env: this.env, log: join(stage.folder, 'shop.log') };
  }

  /** Makes the tables and the first of the staff. */
  async create() {
    await run('npx', ['medusa', 'db:migrate', '--skip-scripts'], this.place);
    await run('npx', ['medusa', 'user', '-e', STAFF.email, '-p', STAFF.password], this.place);
  }

  async start() {
    this.#program = await start('npx', ['medusa', 'start', '--host', '127.0.0.1', '--port', String(this.stage.shopPort)], this.place, /Server is ready on/);
  }

  async stop() {
    await this.#program?.stop();
  }

  /** It has no chance to finish anything. */
  async kill() {
    await this.#program?.kill();
  }

  /** @param {string} method @param {string} path @param {object} [body] @param {Record<string, string>} [headers] @returns {Promise<any>} */
  async call(method, path, body, headers = {}) {
    const answer = await fetch(`${this.stage.shop}${path}`, { method, headers: { 'content-type': 'application/json', ...headers }, ...(body && { body: JSON.stringify(body) }) });
    const text = await answer.text();
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text);
  }

  /** @param {string} method @param {string} path below /admin @param {object} [body] */
  admin(method, path, body) {
    return this.call(method, `/admin/${path}`, body, { authorization: `Bearer ${this.#staff}` });
  }

  /** @param {string} method @param {string} path below /store @param {object} [body] @param {string} [token] of a customer */
  store(method, path, body, token) {
    return this.call(method, `/store/${path}`, body, { 'x-publishable-api-key': this.#key, ...(token && { authorization: `Bearer ${token}` }) });
  }

  get key() {
    return this.#key;
  }

  async logIn() {
    this.#staff = (await this.call('POST', '/auth/user/emailpass', STAFF)).token;
  }

  /** Logs the staff in, and makes what a first sale needs. */
  async furnish() {
    await this.logIn();
    const { store_id: _, ...channel } = (await this.admin('POST', 'sales-channels', { name: 'Web' })).sales_channel;
    const { api_key: key } = await this.admin('POST', 'api-keys', { title: 'Web', type: 'publishable' });
    this.#key = key.token;
    await this.admin('POST', `api-keys/${key.id}/sales-channels`, { add: [channel.id] });
    const { stores: [store] } = await this.admin('GET', 'stores');
    await this.admin('POST', `stores/${store.id}`, { supported_currencies: [{ currency_code: 'eur', is_default: true }], default_sales_channel_id: channel.id });
    const { region } = await this.admin('POST', 'regions', { name: 'Europe', currency_code: 'eur', countries: ['de'], payment_providers: [PROVIDER], automatic_taxes: false });
    const { stock_location: location } = await this.admin('POST', 'stock-locations', { name: 'Here' });
    await this.admin('POST', `stock-locations/${location.id}/fulfillment-providers`, { add: ['manual_manual'] });
    await this.admin('POST', `stock-locations/${location.id}/sales-channels`, { add: [channel.id] });
    const { stock_location: withSet } = await this.admin('POST', `stock-locations/${location.id}/fulfillment-sets?fields=*fulfillment_sets`, { name: 'Post', type: 'shipping' });
    const set = withSet.fulfillment_sets[0];
    const { fulfillment_set: zoned } = await this.admin('POST', `fulfillment-sets/${set.id}/service-zones?fields=*service_zones`, { name: 'Germany', geo_zones: [{ type: 'country', country_code: 'de' }] });
    const { shipping_profile: profile } = await this.admin('POST', 'shipping-profiles', { name: 'Usual', type: 'default' });
    const { shipping_option: shipping } = await this.admin('POST', 'shipping-options', {
      name: 'Post', service_zone_id: zoned.service_zones[0].id, shipping_profile_id: profile.id, provider_id: 'manual_manual', price_type: 'flat',
      type: { label: 'Post', description: 'Post', code: 'post' }, prices: [{ currency_code: 'eur', amount: 5 }],
    });
    const { product } = await this.admin('POST', 'products', {
      title: 'Shirt', status: 'published', shipping_profile_id: profile.id, options: [{ title: 'Size', values: ['M'] }], sales_channels: [{ id: channel.id }],
      variants: [{ title: 'M', sku: 'shirt', manage_inventory: false, options: { Size: 'M' }, prices: [{ currency_code: 'eur', amount: 35.45 }] }],
    });
    this.#place = { region: region.id, variant: product.variants[0].id, shipping: shipping.id };
  }

  /** A cart that is ready to be paid. @param {string} [token] of a customer @returns {Promise<{ cart: string, collection: string }>} */
  async buyer(token) {
    const address = { first_name: 'Ada', last_name: 'Lovelace', address_1: 'Way 1', city: 'Berlin', country_code: 'de', postal_code: '10115' };
    const { cart } = await this.store('POST', 'carts', { region_id: this.#place.region, email: 'ada@example.com', shipping_address: address, items: [{ variant_id: this.#place.variant, quantity: 1 }] }, token);
    await this.store('POST', `carts/${cart.id}/shipping-methods`, { option_id: this.#place.shipping }, token);
    const { payment_collection: collection } = await this.store('POST', 'payment-collections', { cart_id: cart.id }, token);
    return { cart: cart.id, collection: collection.id };
  }

  /** One more piece, added while the buyer is in the checkout. @param {string} cart */
  async addOne(cart) {
    await this.store('POST', `carts/${cart}/line-items`, { variant_id: this.#place.variant, quantity: 1 });
  }

  /** A customer with an account. @param {string} email @returns {Promise<string>} the token */
  async register(email) {
    const login = { email, password: 'secret-word' };
    const { token } = await this.call('POST', '/auth/customer/emailpass/register', login);
    await this.store('POST', 'customers', { email, first_name: 'Ada', last_name: 'Lovelace' }, token);
    return (await this.call('POST', '/auth/customer/emailpass', login)).token;
  }

  /** The orders, newest first, with their payments. @returns {Promise<any[]>} */
  async orders() {
    const { orders } = await this.admin('GET', 'orders?fields=id,status,payment_status,cart.id,*payment_collections.payments,*payment_collections.payments.captures,*payment_collections.payments.refunds&order=-created_at&limit=200');
    return orders;
  }

  /** Waits for an order that is placed from now on, or from a line of the program on. @param {number} [from] @returns {Promise<void>} */
  async placed(from = this.#program?.lines.length ?? 0) {
    await this.#program?.hears(/order placed/, from);
  }

  /** @param {string} cart @returns {Promise<any>} its order, if there is one */
  async orderOf(cart) {
    return (await this.orders()).find((order) => order.cart?.id === cart);
  }
}

/** The storefront: opens a payment session of the cart, shows its form, and completes the cart when the form has an outcome. */
export const STOREFRONT = `
const cart = query.get('cart');
const call = async (path, body) => {
  const headers = { 'content-type': 'application/json', 'x-publishable-api-key': query.get('key') };
  if (query.get('token')) headers.authorization = 'Bearer ' + query.get('token');
  const answer = await fetch(shop + '/store/' + path, { method: body ? 'POST' : 'GET', headers, ...(body && { body: JSON.stringify(body) }) });
  return answer.json();
};
let shown;
const look = async () => {
  const { payment_collection, message } = await call('payment-collections/' + query.get('collection') + '/payment-sessions', { provider_id: '${PROVIDER}' });
  if (!payment_collection) return say(message);
  const { data } = payment_collection.payment_sessions.find(({ provider_id }) => provider_id === '${PROVIDER}');
  document.querySelector('section').dataset.reference = data.reference;
  shown?.remove();
  shown = document.createElement('payment-form');
  shown.setAttribute('gateway', data.gateway);
  shown.setAttribute('session', data.sessionId);
  shown.addEventListener('result', async ({ detail }) => {
    if (!detail.final) return;
    const { type, message, error } = await call('carts/' + cart + '/complete', {});
    say(type === 'order' ? 'PAID' : 'no order: ' + (message ?? error?.message));
  });
  document.querySelector('#form').append(shown);
};
document.querySelector('#again').addEventListener('click', look);
await look();
`;
