// @ts-check
/** The file with the orders of the example shop: what is read again after the shop ended, at whatever moment. */

import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { OrderFile } from '../example/order-file.mjs';

/** @param {(path: string) => Promise<void>} use */
async function inFolder(use) {
  const folder = mkdtempSync(join(tmpdir(), 'payframe-orders-'));
  try {
    await use(join(folder, 'orders.jsonl'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @param {string} id @param {number} revision @param {number | null} wakeAtMs @returns {any} */
const row = (id, revision, wakeAtMs = null) => ({ id, revision, wakeAtMs });

test('what was written is read by the next process, and takes one line for each key', () => inFolder(async (path) => {
  const file = new OrderFile(path);
  assert.deepEqual([await file.insert(row('A', 1)), await file.insert(row('A', 9))], [true, false]);
  assert.equal(await file.replace(row('A', 2), 1), true);
  await file.send('A', 'A');
  await file.free('B');
  file.close();
  const next = new OrderFile(path);
  assert.deepEqual([await next.read('A'), next.entries('parcel'), next.value('freed', 'B')], [row('A', 2), [['A', 'A']], true]);
  assert.equal(readFileSync(path, 'utf8').trimEnd().split('\n').length, 3);
  next.close();
}));

test('a row that somebody else has changed is not replaced', () => inFolder(async (path) => {
  const file = new OrderFile(path);
  await file.insert(row('A', 1));
  assert.deepEqual([await file.replace(row('A', 2), 1), await file.replace(row('A', 2), 1), await file.replace(row('B', 2), 1)], [true, false, false]);
  file.close();
}));

test('a line that a crash cut short does not count, and nothing is appended to it', () => inFolder(async (path) => {
  const file = new OrderFile(path);
  await file.insert(row('A', 1));
  file.close();
  appendFileSync(path, '["order","A",{"id":"A","revi');
  const next = new OrderFile(path);
  assert.deepEqual(await next.read('A'), row('A', 1));
  await next.replace(row('A', 2), 1);
  next.close();
  const last = new OrderFile(path);
  assert.deepEqual(await last.read('A'), row('A', 2));
  last.close();
}));

test('a parcel is sent once for each key, and only orders whose time has come wait', () => inFolder(async (path) => {
  const file = new OrderFile(path);
  for (const key of ['A', 'A', 'another']) await file.send(key, 'A');
  assert.deepEqual(file.entries('parcel'), [['A', 'A'], ['another', 'A']]);
  for (const one of [row('A', 1, 10), row('B', 1, 11), row('C', 1)]) await file.insert(one);
  assert.deepEqual(await file.waiting(10), ['A']);
  file.close();
}));
