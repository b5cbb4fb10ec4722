// @ts-check
/**
 * The example shop's file with the answers of a database server: they take a while. So another handler, or the end of the process, comes between a
 * statement and the next.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { OrderFile } from '../../example/order-file.mjs';

export class SlowFile extends OrderFile {
  #statementsToLive = Infinity;

  /** @override @param {string} id */
  async read(id) {
    const row = await super.read(id);
    await this.#answered();
    return row;
  }

  /** @override @param {string} table @param {string} key @param {unknown} value */
  async put(table, key, value) {
    await super.put(table, key, value);
    await this.#answered();
  }

  /** The process dies right behind one of the next statements. */
  dieSoon() {
    this.#statementsToLive = Math.floor(Math.random() * MOST_STATEMENTS);
  }

  async #answered() {
    if (this.#statementsToLive === 0) process.kill(process.pid, 'SIGKILL');
    this.#statementsToLive -= 1;
    await pause(Math.random() * MOST_MS);
  }
}

const MOST_STATEMENTS = 20;
const MOST_MS = 2;
