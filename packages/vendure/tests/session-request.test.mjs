// @ts-check
/** What the gateway is asked for when a buyer of Vendure pays. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { settingsOf } from '../src/options.js';
import { referenceOf, sessionRequest } from '../src/session-request.js';

const OPTIONS = { gateway: 'https://gateway.example', apiKey: 'k', notificationSecrets: 'whsec_1', storefront: 'https://shop.example/pay?theme=dark', shopServer: 'https://api.shop.example' };
const SALE = { reference: 'T4S2', due: 4045, currency: 'EUR', language: 'de_AT', customer: undefined };

test('a guest has no customer id, no saved cards, and is not asked to save one', () => {
  const { merchantUrl, order, paymentSession, form } = sessionRequest(settingsOf({ ...OPTIONS, savedCards: true }), SALE);
  assert.equal(merchantUrl, 'https://shop.example');
  assert.deepEqual(order, { orderId: 'T4S2', amount: '4045', currency: 'EUR' });
  assert.deepEqual([paymentSession.amount, paymentSession.language, paymentSession.recurrence], ['4045', 'deu', undefined]);
  assert.deepEqual([paymentSession.resultUrl, paymentSession.notificationUrl], ['https://shop.example/pay?theme=dark&payframe=T4S2', 'https://api.shop.example/payframe/notifications']);
  assert.deepEqual(form, { closing: 'FRAME', attempts: 3 });
});

test('a customer is known by an id that the gateway takes, and only if the shop saves cards', () => {
  const sale = { ...SALE, customer: '0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9' };
  const { order, paymentSession, form } = sessionRequest(settingsOf({ ...OPTIONS, savedCards: true }), sale);
  assert.match(order.customerId ?? '', /^v[0-9a-f]{26}$/);
  assert.deepEqual(paymentSession.recurrence, { action: 'CONTRACT_CREATION', contractId: 'T4S2', contractType: 'CIT' });
  assert.deepEqual([form?.savedCards, form?.consent], ['USE_AND_REMOVE', 'OPTIONAL']);
  assert.equal(sessionRequest(settingsOf(OPTIONS), sale).order.customerId, undefined);
});

test('a shop adds members, and a language that the form does not have is English', () => {
  const { paymentSession, order } = sessionRequest(settingsOf(OPTIONS), { ...SALE, language: 'eo' }, { order: { description: 'Shirts' } });
  assert.deepEqual([paymentSession.language, order.description], ['eng', 'Shirts']);
});

test('a further order at the gateway has a number behind the code', () => {
  assert.deepEqual([referenceOf('T4S2', 1), referenceOf('T4S2', 2)], ['T4S2', 'T4S2-2']);
});

test('options that can not work stop the start', () => {
  for (const [name, value] of /** @type {[string, any][]} */ ([['notificationSecrets', []], ['storefront', 'shop'], ['shopServer', '']])) {
    assert.throws(() => settingsOf({ ...OPTIONS, [name]: value }), new RegExp(name));
  }
});

test('the licences are those of the project', () => {
  for (const name of ['LICENSE-APACHE', 'LICENSE-MIT']) assert.equal(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'), readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8'));
});
