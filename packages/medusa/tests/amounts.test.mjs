// @ts-check
/** Sums between Medusa and the gateway, and what the gateway is asked for. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { majorOf, minorOf } from '../src/amounts.js';
import { settingsOf } from '../src/options.js';
import { referenceOf, sessionRequest } from '../src/session-request.js';

const OPTIONS = { gateway: 'https://gateway.example', apiKey: 'k', notificationSecrets: 'whsec_1', storefront: 'https://shop.example/pay', backend: 'https://api.shop.example' };

/** @param {string} text @param {string} currency @param {number} minor */
const check = (text, currency, minor) => assert.equal(minorOf(text, currency), minor, `${text} ${currency}`);

test('sums are exact in every currency, and halves are rounded up', () => {
  check('40.45', 'EUR', 4045);
  check('40.4', 'eur', 4040);
  check('40', 'EUR', 4000);
  check('0.07', 'EUR', 7);
  check('1.005', 'EUR', 101);
  check('1.0049', 'EUR', 100);
  check('0.995', 'EUR', 100);
  check('1234', 'JPY', 1234);
  check('1234.5', 'JPY', 1235);
  check('1.234', 'KWD', 1234);
  check('9999999999.99', 'EUR', 999_999_999_999);
});

test('what is no sum is refused', () => {
  for (const text of ['', '-1', '1e3', 'NaN', '1.', '.5', '1,5', '90071992547409920']) assert.throws(() => minorOf(text, 'EUR'), TypeError, text);
});

test('a sum goes there and back', () => {
  for (const minor of [1, 7, 99, 100, 4045, 999_999_999_999]) assert.equal(minorOf(String(majorOf(minor, 'EUR')), 'EUR'), minor);
});

test('a payment session has an id that the gateway takes', () => {
  assert.equal(referenceOf('payses_01K9ABCDEFGHJKMNPQRSTVWXYZ'), '01K9ABCDEFGHJKMNPQRSTVWXYZ');
  assert.ok(referenceOf(`payses_${'0'.repeat(40)}`).length <= 27);
});

test('a guest has no customer id; a customer has, if the shop saves cards', () => {
  const sale = { reference: '01K9', due: 4045, currency: 'EUR', customer: 'cus_01K9ABCDEFGHJKMNPQRSTVWXYZ' };
  const saving = settingsOf({ ...OPTIONS, savedCards: true });
  const guest = sessionRequest(saving, { ...sale, customer: undefined });
  assert.deepEqual([guest.order, guest.form], [{ orderId: '01K9', amount: '4045', currency: 'EUR' }, { closing: 'FRAME', attempts: 3 }]);
  assert.equal(guest.paymentSession.notificationUrl, 'https://api.shop.example/hooks/payment/payframe_payframe');
  const customer = sessionRequest(saving, sale);
  assert.deepEqual([customer.order.customerId, customer.form?.savedCards, customer.form?.consent], ['01K9ABCDEFGHJKMNPQRSTVWXYZ', 'USE_AND_REMOVE', 'OPTIONAL']);
  assert.equal(sessionRequest(settingsOf(OPTIONS), sale).order.customerId, undefined);
});

test('options that can not work stop the start', () => {
  for (const [name, value] of /** @type {[string, any][]} */ ([['notificationSecrets', []], ['storefront', 'shop'], ['backend', '']])) {
    assert.throws(() => settingsOf({ ...OPTIONS, [name]: value }), new RegExp(name));
  }
});

test('the licences are those of the project', () => {
  for (const name of ['LICENSE-APACHE', 'LICENSE-MIT']) assert.equal(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'), readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8'));
});
