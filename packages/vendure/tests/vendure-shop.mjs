// @ts-check
/** A shop of Vendure as its customers and its staff use it: over its two APIs. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { start } from '../../frameworks/programs.mjs';

/** @typedef {import('../../../tests/plugins/stage.mjs').ShopStage} ShopStage */

export const PRICE = 3545;
const SHIPPING = 500;
/** What one piece costs with its delivery. */
export const TOTAL = PRICE + SHIPPING;

export class VendureShop {
  /** @type {Awaited<ReturnType<typeof start>> | undefined} */
  #program;
  #staff = '';
  #variant = '';

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
      VENDURE_DISABLE_TELEMETRY: '1',
    };
  }

  async start() {
    this.#program = await start('node', ['shop.mjs'], { folder: this.folder, env: this.env, log: join(this.stage.folder, 'shop.log') }, /^listening on /);
  }

  async stop() {
    await this.#program?.stop();
  }

  /** It has no chance to finish anything. */
  async kill() {
    await this.#program?.kill();
  }

  /** @param {'shop' | 'admin'} api @param {string} query @param {Record<string, unknown>} [variables] @param {string} [token] @returns {Promise<{ data: any, token: string }>} */
  async call(api, query, variables = {}, token = '') {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
    const answer = await fetch(`${this.stage.shop}/${api}-api`, { method: 'POST', headers, body: JSON.stringify({ query, variables }) });
    const { data, errors } = await answer.json();
    assert.equal(errors, undefined, `${query}: ${JSON.stringify(errors)}`);
    return { data, token: answer.headers.get('vendure-auth-token') ?? token };
  }

  /** @param {string} query @param {Record<string, unknown>} [variables] */
  async admin(query, variables) {
    return (await this.call('admin', query, variables, this.#staff)).data;
  }

  /** Logs the staff in, and makes what a first sale needs. */
  async furnish() {
    const login = await this.call('admin', 'mutation { login(username: "staff", password: "staff") { __typename } }');
    this.#staff = login.token;
    const { createCountry: { id: country } } = await this.admin('mutation { createCountry(input: { code: "DE", enabled: true, translations: [{ languageCode: en, name: "Germany" }] }) { id } }');
    const { createZone: { id: zone } } = await this.admin('mutation($members: [ID!]) { createZone(input: { name: "Europe", memberIds: $members }) { id } }', { members: [country] });
    const { createTaxCategory: { id: category } } = await this.admin('mutation { createTaxCategory(input: { name: "None", isDefault: true }) { id } }');
    await this.admin('mutation($input: CreateTaxRateInput!) { createTaxRate(input: $input) { id } }', { input: { name: 'None', enabled: true, value: 0, categoryId: category, zoneId: zone } });
    const { activeChannel: { id: channel } } = await this.admin('{ activeChannel { id } }');
    await this.admin('mutation($input: UpdateChannelInput!) { updateChannel(input: $input) { __typename } }', {
      input: { id: channel, availableCurrencyCodes: ['EUR'], defaultCurrencyCode: 'EUR', defaultShippingZoneId: zone, defaultTaxZoneId: zone, pricesIncludeTax: true },
    });
    await this.admin('mutation($input: CreateShippingMethodInput!) { createShippingMethod(input: $input) { id } }', {
      input: {
        code: 'post', fulfillmentHandler: 'manual-fulfillment', translations: [{ languageCode: 'en', name: 'Post', description: '' }],
        checker: { code: 'default-shipping-eligibility-checker', arguments: [{ name: 'orderMinimum', value: '0' }] },
        calculator: { code: 'default-shipping-calculator', arguments: [{ name: 'rate', value: String(SHIPPING) }, { name: 'includesTax', value: 'include' }, { name: 'taxRate', value: '0' }] },
      },
    });
    await this.admin('mutation($input: CreatePaymentMethodInput!) { createPaymentMethod(input: $input) { id } }', {
      input: { code: 'payframe', enabled: true, handler: { code: 'payframe', arguments: [] }, translations: [{ languageCode: 'en', name: 'Card', description: '' }] },
    });
    const { createProduct: { id: product } } = await this.admin('mutation { createProduct(input: { enabled: true, translations: [{ languageCode: en, name: "Shirt", slug: "shirt", description: "" }] }) { id } }');
    const { createProductVariants: [{ id }] } = await this.admin('mutation($input: [CreateProductVariantInput!]!) { createProductVariants(input: $input) { id } }', {
      input: [{ productId: product, sku: 'shirt', price: PRICE, stockOnHand: 100, trackInventory: 'TRUE', taxCategoryId: category, translations: [{ languageCode: 'en', name: 'Shirt' }] }],
    });
    this.#variant = id;
  }

  /** A buyer whose cart is ready to be paid. @param {{ email?: string, login?: string }} [who] `login`: an account @returns {Promise<{ token: string, code: string }>} */
  async buyer({ email = 'guest@example.com', login } = {}) {
    let token = '';
    if (login) token = (await this.call('shop', 'mutation($name: String!) { login(username: $name, password: "secret-word") { __typename } }', { name: login })).token;
    ({ token } = await this.call('shop', 'mutation($id: ID!) { addItemToOrder(productVariantId: $id, quantity: 1) { __typename } }', { id: this.#variant }, token));
    if (!login) await this.call('shop', 'mutation($email: String!) { setCustomerForOrder(input: { emailAddress: $email, firstName: "Ada", lastName: "Lovelace" }) { __typename } }', { email }, token);
    await this.call('shop', 'mutation { setOrderShippingAddress(input: { streetLine1: "Way 1", countryCode: "DE" }) { __typename } }', {}, token);
    const { data: { eligibleShippingMethods: [{ id }] } } = await this.call('shop', '{ eligibleShippingMethods { id } }', {}, token);
    await this.call('shop', 'mutation($id: [ID!]!) { setOrderShippingMethod(shippingMethodId: $id) { __typename } }', { id: [id] }, token);
    await this.move(token, 'ArrangingPayment');
    const { data: { activeOrder } } = await this.call('shop', '{ activeOrder { code state totalWithTax } }', {}, token);
    assert.deepEqual([activeOrder.state, activeOrder.totalWithTax], ['ArrangingPayment', TOTAL]);
    return { token, code: activeOrder.code };
  }

  /** @param {string} token @param {string} state */
  async move(token, state) {
    const { data } = await this.call('shop', 'mutation($state: String!) { transitionOrderToState(state: $state) { ... on Order { state } ... on ErrorResult { message } } }', { state }, token);
    assert.equal(data.transitionOrderToState.state, state, JSON.stringify(data));
  }

  /** One more piece, added while the buyer is in the checkout. @param {string} token */
  async addOne(token) {
    await this.move(token, 'AddingItems');
    await this.call('shop', 'mutation($id: ID!) { addItemToOrder(productVariantId: $id, quantity: 1) { __typename } }', { id: this.#variant }, token);
  }

  /** @param {string} email */
  async register(email) {
    await this.call('shop', 'mutation($email: String!) { registerCustomerAccount(input: { emailAddress: $email, password: "secret-word", firstName: "Ada", lastName: "Lovelace" }) { __typename } }', { email });
  }

  /** An order as the staff sees it. @param {string} code @returns {Promise<{ id: string, state: string, payments: { id: string, state: string, amount: number, transactionId: string, errorMessage: string | null, refunds: { state: string, total: number }[] }[] }>} */
  async order(code) {
    const { orders } = await this.admin('query($code: String!) { orders(options: { filter: { code: { eq: $code } } }) { items { id state payments { id state amount transactionId errorMessage refunds { state total } } } } }', { code });
    return orders.items[0];
  }

  /** Waits until an order has a state. @param {string} code @param {string} state */
  async becomes(code, state) {
    await this.#program?.hears(new RegExp(`^order ${code} is ${state}$`));
    const order = await this.order(code);
    assert.equal(order.state, state);
    return order;
  }
}

/** The mutation as the README has it. */
const [, FORM = ''] = /```graphql\n([^]*?)```/.exec(readFileSync(new URL('../README.md', import.meta.url), 'utf8')) ?? [];

/** The storefront: shows the form of the token's order, and tells the shop when the form has an outcome. */
export const STOREFRONT = `
const token = query.get('token');
const call = async (query, variables) => {
  const answer = await fetch(shop + '/shop-api', { method: 'POST', headers: { 'content-type': 'application/json', authorization: 'Bearer ' + token }, body: JSON.stringify({ query, variables }) });
  return (await answer.json()).data;
};
let shown;
const look = async () => {
  const { payframeForm: form } = await call(${JSON.stringify(FORM)});
  if (form.why) return say(form.why);
  document.querySelector('section').dataset.reference = form.reference;
  if (shown?.session === form.sessionId) return shown.refresh();
  shown?.remove();
  shown = document.createElement('payment-form');
  shown.setAttribute('gateway', form.gateway);
  shown.setAttribute('session', form.sessionId);
  shown.addEventListener('result', async ({ detail }) => {
    if (!detail.final) return;
    const { payframeReturned } = await call('mutation($reference: String!) { payframeReturned(reference: $reference) { status } }', { reference: form.reference });
    say(payframeReturned.status);
  });
  document.querySelector('#form').append(shown);
};
document.querySelector('#again').addEventListener('click', look);
await look();
`;
