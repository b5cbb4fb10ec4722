// @ts-check
/** The order keeper against the vectors of the Rust crate. PAYFRAME_DECISIONS can name a file with further ones. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { PayframeError } from '@payframe/server';
import { newOrder, readInput, readingOf, step } from '@payframe/server/order-keeper';

/** @param {string} name @returns {any[]} */
const vectors = (name) => JSON.parse(readFileSync(name.startsWith('/') ? name : new URL(`../../../crates/order-keeper/${name}`, import.meta.url), 'utf8'));
const decisions = vectors(process.env.PAYFRAME_DECISIONS ?? 'decisions.json');
const stored = vectors('stored.json');

/** An object that can not be changed. @param {any} value */
function frozen(value) {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(frozen);
  return Object.freeze(value);
}

test('each input changes an order as the vectors say, and not the given object', () => {
  assert.ok(decisions.length >= 500, `${decisions.length} vectors only`);
  for (const { order, input, after, outputs } of decisions) {
    assert.deepEqual(step(frozen(order), frozen(input)), { order: after, outputs }, JSON.stringify({ order, input }));
  }
});

test('an answer of the gateway is read as the vectors say', () => {
  const rows = vectors('readings.json');
  assert.ok(rows.length >= 100);
  for (const { answer, currency, reading, unreadable } of rows) {
    const read = () => readingOf(frozen(answer), currency);
    if (reading) assert.deepEqual(read(), reading);
    else assert.throws(read, { code: `order_${unreadable.toLowerCase()}`, kind: 'gateway' }, JSON.stringify(answer));
    assert.deepEqual(readInput(7, answer, currency), reading ? { type: 'READ', ticket: 7, reading } : { type: 'READ_UNREADABLE', ticket: 7 });
  }
});

test('an order that the gateway does not have has no payments', () => {
  assert.deepEqual(readInput(7, undefined, 'EUR'), { type: 'READ', ticket: 7, reading: { held: 0, payments: [] } });
});

test('what is no answer of the gateway is unreadable', () => {
  for (const answer of [{}, { orderStatus: null }, { orderStatus: { order: { currency: 'EUR' }, authorizedAmount: '0', refundedAmount: '0' } }]) {
    assert.deepEqual(readInput(7, /** @type {any} */ (answer), 'EUR'), { type: 'READ_UNREADABLE', ticket: 7 });
  }
});

test('a new order is the first of the vectors', () => {
  assert.deepEqual(newOrder(decisions[0].order.due), decisions[0].order);
  for (const due of [0, -1, 1.5, 1_000_000_000_000, Number.NaN, '3545']) assert.throws(() => newOrder(/** @type {any} */ (due)), { kind: 'caller', member: 'order' });
});

test('a stored order that the keeper can not have made is refused as the vectors say', () => {
  for (const { order, refused } of stored) {
    const look = () => step(order, { type: 'FEED' });
    if (refused) assert.throws(look, { code: 'bad_value', message: new RegExp(`: ${refused}$`) }, JSON.stringify(order));
    else assert.equal(look().order.due, order.due);
  }
});

test('a stored order without its form is refused', () => {
  const good = newOrder(3545);
  const changes = Object.keys(good).flatMap((member) => [{ [member]: undefined }, { [member]: 'x' }, { [member]: -1 }]);
  for (const change of [...changes, { open: [null] }, { open: [{ number: 1 }], attempts: 1 }, { returning: ['1'] }, { status: 'PAYING', statusDetail: null }, { statusDetail: 'BUYER' }]) {
    assert.throws(() => step(/** @type {any} */ ({ ...good, ...change }), { type: 'FEED' }), PayframeError, JSON.stringify(change));
  }
  assert.throws(() => step(/** @type {any} */ (null), { type: 'FEED' }), PayframeError);
});

test('an input that does not exist is refused', () => {
  for (const input of [{ type: 'PAID' }, { type: 'ATTEMPT_OPENED' }, { type: 'ATTEMPT_CLOSED', number: 1.5 }]) {
    assert.throws(() => step(newOrder(3545), /** @type {any} */ (input)), { kind: 'caller' });
  }
});
