// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { money, Payframe, PayframeError } from '@payframe/server';
import { API_KEY, stage } from './stage.mjs';

const good = { apiKey: API_KEY, gateway: 'https://gateway.example' };

/** @param {object} change @param {string} member */
function refuses(change, member) {
  const make = () => new Payframe(/** @type {any} */ ({ ...good, ...change }));
  assert.throws(make, (error) => {
    assert.ok(error instanceof PayframeError);
    assert.deepEqual([error.kind, error.code, error.member], ['caller', 'bad_value', member]);
    assert.match(error.message, new RegExp(`^${member} must be `));
    return true;
  }, JSON.stringify(change));
}

test('an option that is wrong is named, with what is accepted', () => {
  for (const apiKey of [undefined, '', 7, 'two words', 'line\nbreak', 'kéy']) refuses({ apiKey }, 'apiKey');
  for (const gateway of [undefined, '', 'gateway.example', 'ftp://gateway.example', 'https://gateway.example/api']) refuses({ gateway }, 'gateway');
  for (const gateway of ['https://gateway.example/?a', 'https://gateway.example#a', 'https://a:b@gateway.example']) {
    refuses({ gateway }, 'gateway');
  }
  for (const timeoutMs of [0, -1, 1.5, '9', 600_001, Number.NaN]) refuses({ timeoutMs }, 'timeoutMs');
  for (const maxRetries of [-1, 11, 0.5, '2']) refuses({ maxRetries }, 'maxRetries');
  refuses({ fetch: 'fetch' }, 'fetch');
  assert.throws(() => new Payframe(/** @type {any} */ (undefined)), { member: 'options' });
});

test('the API key is sent over http to this machine only', () => {
  const refused = ['http://gateway.example', 'http://10.0.0.1', 'http://localhost.example', 'http://127.0.0.1.example', 'http://0.0.0.0'];
  for (const gateway of refused) refuses({ gateway }, 'gateway');
  const loopback = ['http://localhost:8080', 'http://shop.localhost', 'http://127.0.0.1:8080', 'http://127.9.9.9', 'http://[::1]:8080'];
  for (const gateway of [...loopback, 'https://gateway.example/', 'https://gateway.example:444']) new Payframe({ ...good, gateway });
});

test('a wrong option does not show the API key', () => {
  const apiKey = 'secret key';
  assert.throws(() => new Payframe({ ...good, apiKey }), (error) => !inspect(error).includes(apiKey));
});

test('a client shows no key, wherever it is printed', () => {
  const { payframe } = stage([{}]);
  assert.ok(!inspect(payframe, { depth: 9, showHidden: true }).includes(API_KEY));
  assert.ok(!JSON.stringify(payframe).includes(API_KEY));
});

test('sums are whole numbers in the minor unit', () => {
  assert.deepEqual(money(3545, 'EUR'), { amount: '3545', currency: 'EUR' });
  assert.deepEqual(money(3545n, 'EUR'), { amount: '3545', currency: 'EUR' });
  assert.deepEqual(money('0', 'JPY'), { amount: '0', currency: 'JPY' });
  assert.deepEqual(money(999_999_999_999, 'EUR').amount, '999999999999');
  for (const amount of [35.45, -1, Number.NaN, Infinity, 1e12, '35.45', '', ' 1', '007', '1e3', '1000000000000', true, null, [1]]) {
    assert.throws(() => money(/** @type {any} */ (amount), 'EUR'), { code: 'bad_value', member: 'amountMinor' }, String(amount));
  }
  for (const currency of ['eur', 'EURO', '', undefined]) assert.throws(() => money(1, /** @type {any} */ (currency)), { member: 'currency' });
});

test('a fraction in a body is refused before anything is sent', async () => {
  const { payframe, calls } = stage([{}]);
  await assert.rejects(payframe.operations.refund('1', /** @type {any} */ ({ amount: 35.45 })), { code: 'bad_value', member: 'amount' });
  await assert.rejects(payframe.call('POST', '/orders/mit', { body: { order: { amount: Number.NaN } } }), { code: 'bad_value', member: 'amount' });
  await assert.rejects(payframe.operations.refund('1', /** @type {any} */ ({ amount: 3545n })), { code: 'bad_value', member: 'amount' });
  assert.equal(calls.length, 0);
});
