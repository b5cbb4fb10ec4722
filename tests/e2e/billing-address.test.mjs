/** The postal code of the billing address, and all of it: with scripts and without, and what of it leaves the form. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { APPROVED } from './cards.mjs';
import { hasFocus, says } from './checkout.mjs';
import { newOrderId } from './gateway-api.mjs';
import { Stage } from './stage.mjs';
import { violations } from './wcag.mjs';

const FORM = { closing: 'FRAME', billingAddress: 'POSTAL_CODE' };
const WHOLE = { closing: 'FRAME', billingAddress: 'FULL' };

suite('billing address', () => {
  /** @type {Stage} */
  let stage;
  before(async () => {
    stage = await Stage.open('billing-address');
  });
  after(() => stage.close());

  /**
   * The checkout with a session that asks for the postal code, or for more.
   * @param {import('node:test').TestContext} t @param {object} [customerInfo] @param {Record<string, string>} [query] @param {object} [form]
   */
  async function open(t, customerInfo, query = {}, form = FORM) {
    const orderId = newOrderId();
    const { sessionId } = await stage.api.open({ shop: stage.shopOrigin, orderId, form, ...(customerInfo && { customerInfo }) });
    /** @param {import('playwright-core').Page} page */
    const prepare = async (page) => {
      await page.addInitScript((session) => {
        new MutationObserver(() => {
          const form = document.querySelector('payment-form');
          if (form?.getAttribute('session') !== session) form?.setAttribute('session', session);
        }).observe(document, { childList: true, subtree: true });
      }, sessionId);
    };
    const checkout = await stage.checkout(t, { theme: 'light', ...query }, { prepare, context: { locale: 'en-GB' } });
    const payment = checkout.payment();
    await payment.live();
    const group = payment.frame.getByRole('group', { name: 'Billing address' });
    const country = group.getByRole('combobox', { name: 'Country or region' });
    await country.waitFor();
    return { checkout, payment, group, country, orderId };
  }

  test('K31 country of the browser, a code as its country has them → paid, and no answer has it', async (t) => {
    const { checkout, payment, group, country, orderId } = await open(t);
    assert.equal(await country.inputValue(), 'GB');
    const code = group.getByRole('textbox', { name: 'Postal code' });
    assert.equal(await code.getAttribute('autocomplete'), 'billing postal-code');
    assert.deepEqual(await violations(checkout.page, stage.gatewayOrigin), []);
    await payment.payWith(APPROVED);
    await hasFocus(code);
    assert.equal(await code.getAttribute('aria-invalid'), 'true');
    await says(payment.alert, 'Enter the postal code of your billing address.');
    assert.equal(checkout.requestsTo('fe/build/text').length, 0);
    await code.fill('sw1a1aa');
    await payment.press();
    await payment.ends('Payment complete');
    const [sent] = checkout.requestsTo('fe/build/text');
    const items = /** @type {{ id: string, value: string }[]} */ (sent?.postDataJSON());
    const address = items.filter(({ id }) => id.startsWith('BILLING_')).map(({ id, value }) => `${id} ${value}`);
    assert.deepEqual(address, ['BILLING_COUNTRY GB', 'BILLING_POSTAL_CODE SW1A 1AA']);
    assert.doesNotMatch(JSON.stringify(await stage.api.operations(orderId)), /SW1A/);
  });

  test('K31 the order names an address → it is the first value, and another country has its own field', async (t) => {
    const { payment, group, country } = await open(t, { billingAddress: { country: 'USA', postCode: '95014', street: '1 Loop' } });
    const zip = group.getByRole('textbox', { name: 'ZIP code' });
    assert.equal(await zip.inputValue(), '95014');
    assert.equal(await zip.getAttribute('inputmode'), 'numeric');
    await country.selectOption({ label: 'Canada' });
    const code = group.getByRole('textbox', { name: 'Postal code' });
    await payment.payWith(APPROVED);
    await says(payment.alert, 'Check the postal code: it must look like A1B 2C3.');
    await code.fill('k1a 0b1');
    await country.selectOption('AE');
    await code.waitFor({ state: 'hidden' });
    await payment.press();
    await payment.ends('Payment complete');
  });

  test('K31 browser without scripts → the same is asked, and paid', async (t) => {
    const orderId = newOrderId();
    const { sessionId } = await stage.api.open({ shop: stage.shopOrigin, orderId, form: FORM });
    const checkout = await stage.checkout(t, {}, { context: { javaScriptEnabled: false, locale: 'en-US' }, path: '/nothing', noise: /status of 4(04|22)/ });
    const { page } = checkout;
    await page.goto(`${stage.gatewayOrigin}/form/plain?sessionid=${sessionId}&lang=en`);
    await page.getByLabel('Card number').fill(APPROVED.number);
    await page.getByLabel('Expiry date').fill(APPROVED.expiry);
    await page.getByLabel('Security code').fill(APPROVED.code);
    await page.getByLabel('Name on card').fill(APPROVED.name);
    assert.equal(await page.getByLabel('Country or region').inputValue(), 'US');
    await page.getByRole('button', { name: 'Pay €35.45' }).click();
    await page.getByText('Enter the postal code of your billing address.').waitFor();
    await page.getByLabel('ZIP code').fill('95014');
    await page.getByLabel('Card number').fill(APPROVED.number);
    await page.getByLabel('Security code').fill(APPROVED.code);
    await page.getByRole('button', { name: 'Pay €35.45' }).click();
    await page.getByRole('heading', { name: 'Payment complete' }).waitFor();
    const operations = await stage.api.operations(orderId);
    assert.deepEqual(operations.map(({ operationResult }) => operationResult), ['EXECUTED']);
  });

  test('K31 the whole address → the parts of its country, paid, and no answer has it', async (t) => {
    const { checkout, payment, group, country, orderId } = await open(t, undefined, {}, WHOLE);
    await country.selectOption('US');
    const state = group.getByRole('combobox', { name: 'State' });
    await state.waitFor();
    assert.deepEqual(await violations(checkout.page, stage.gatewayOrigin), []);
    await payment.payWith(APPROVED);
    const line = group.getByRole('textbox', { name: 'Address', exact: true });
    await hasFocus(line);
    await says(payment.alert, 'Fill in: Address');
    assert.equal(checkout.requestsTo('fe/build/text').length, 0);
    await line.fill('1 Infinite Loop');
    await group.getByRole('textbox', { name: 'City' }).fill('Cupertino');
    await state.selectOption({ label: 'California' });
    await group.getByRole('textbox', { name: 'ZIP code' }).fill('95014');
    await payment.press();
    await payment.ends('Payment complete');
    const [sent] = checkout.requestsTo('fe/build/text');
    const items = /** @type {{ id: string, value: string }[]} */ (sent?.postDataJSON());
    const address = items.filter(({ id }) => id.startsWith('BILLING_')).map(({ id, value }) => `${id} ${value}`);
    assert.deepEqual(address, ['BILLING_COUNTRY US', 'BILLING_LINE1 1 Infinite Loop', 'BILLING_CITY Cupertino', 'BILLING_STATE CA', 'BILLING_POSTAL_CODE 95014']);
    assert.doesNotMatch(JSON.stringify(await stage.api.operations(orderId)), /Cupertino/);
  });

  test('K31 the whole address without scripts → the parts of another country are asked for in a second step', async (t) => {
    const orderId = newOrderId();
    const { sessionId } = await stage.api.open({ shop: stage.shopOrigin, orderId, form: WHOLE });
    const checkout = await stage.checkout(t, {}, { context: { javaScriptEnabled: false, locale: 'en-GB' }, path: '/nothing', noise: /status of 4(04|22)/ });
    const { page } = checkout;
    const fillCard = async () => {
      await page.getByLabel('Card number').fill(APPROVED.number);
      await page.getByLabel('Security code').fill(APPROVED.code);
    };
    await page.goto(`${stage.gatewayOrigin}/form/plain?sessionid=${sessionId}&lang=en`);
    await fillCard();
    await page.getByLabel('Expiry date').fill(APPROVED.expiry);
    await page.getByLabel('Name on card').fill(APPROVED.name);
    await page.getByLabel('Country or region').selectOption('US');
    await page.getByLabel('Address', { exact: true }).fill('1 Infinite Loop');
    await page.getByLabel('City').fill('Cupertino');
    await page.getByLabel('Postal code').fill('95014');
    await page.getByRole('button', { name: 'Pay €35.45' }).click();
    await page.getByText('Fill in: State').waitFor();
    await page.getByLabel('State').selectOption({ label: 'California' });
    await fillCard();
    await page.getByRole('button', { name: 'Pay €35.45' }).click();
    await page.getByRole('heading', { name: 'Payment complete' }).waitFor();
    const operations = await stage.api.operations(orderId);
    assert.deepEqual(operations.map(({ operationResult }) => operationResult), ['EXECUTED']);
  });
});
