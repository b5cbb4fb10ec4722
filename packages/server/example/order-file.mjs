// @ts-check
/**
 * The shop's database, so that the example needs no server for it: a file of which each line is one change, and the newest line of a key counts. The
 * process may end at any moment: a line that was not written whole does not count. One process uses the file at a time.
 *
 * A real shop has these tables in its database. There `replace` is an UPDATE with the revision in its WHERE, and a parcel an INSERT with its key.
 */

import { closeSync, existsSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';

/** @import { BookRow } from '@payframe/server/order-book' */

export class OrderFile {
  #tables;
  #file;

  /** @param {string} path it is made if it is not there */
  constructor(path) {
    this.#tables = existsSync(path) ? tablesOf(readFileSync(path, 'utf8')) : new Map();
    // Without the lines that do not count any more.
    writeFileSync(`${path}.new`, linesOf(this.#tables));
    renameSync(`${path}.new`, path);
    this.#file = openSync(path, 'a');
  }

  close() {
    closeSync(this.#file);
  }

  /** @param {string} table @param {string} key @returns {any} never changed in place */
  value(table, key) {
    return this.#tables.get(table)?.get(key);
  }

  /** @param {string} table @returns {[string, any][]} */
  entries(table) {
    return [...(this.#tables.get(table) ?? [])];
  }

  /** One change, which is written at once. @param {string} table @param {string} key @param {unknown} value @returns {Promise<void>} */
  async put(table, key, value) {
    writeSync(this.#file, `${JSON.stringify([table, key, value])}\n`);
    remember(this.#tables, table, key, value);
  }

  /** @param {string} id @returns {Promise<BookRow | undefined>} */
  async read(id) {
    return this.value('order', id);
  }

  /** @param {BookRow} row */
  async insert(row) {
    if (this.value('order', row.id)) return false;
    await this.put('order', row.id, row);
    return true;
  }

  /** @param {BookRow} row @param {number} revision */
  async replace(row, revision) {
    if (this.value('order', row.id)?.revision !== revision) return false;
    await this.put('order', row.id, row);
    return true;
  }

  /** @param {number} nowMs @returns {Promise<string[]>} */
  async waiting(nowMs) {
    const rows = /** @type {[string, BookRow][]} */ (this.entries('order'));
    return rows.filter(([, { wakeAtMs }]) => wakeAtMs !== null && wakeAtMs <= nowMs).map(([id]) => id);
  }

  /** A parcel for an order. One with the same key is sent once. @param {string} key @param {string} orderId */
  async send(key, orderId) {
    if (!this.value('parcel', key)) await this.put('parcel', key, orderId);
  }

  /** The goods of an order are for sale again. @param {string} orderId */
  async free(orderId) {
    if (!this.value('freed', orderId)) await this.put('freed', orderId, true);
  }
}

/** @typedef {Map<string, Map<string, unknown>>} Tables */

/** @param {string} text @returns {Tables} */
function tablesOf(text) {
  const tables = /** @type {Tables} */ (new Map());
  // What follows the last end of a line was not written whole.
  for (const line of text.split('\n').slice(0, -1)) {
    const [table, key, value] = JSON.parse(line);
    remember(tables, table, key, value);
  }
  return tables;
}

/** @param {Tables} tables */
const linesOf = (tables) => [...tables].flatMap(([table, rows]) => [...rows].map(([key, value]) => `${JSON.stringify([table, key, value])}\n`)).join('');

/** @param {Tables} tables @param {string} table @param {string} key @param {unknown} value */
function remember(tables, table, key, value) {
  const rows = tables.get(table) ?? new Map();
  tables.set(table, rows.set(key, value));
}
