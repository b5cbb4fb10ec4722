// @ts-check
/** Settlements: the clearing files of acquirers that the operator imported, each line held against the gateway's operations. */

import { segment } from './paths.js';

/** @import { CallOptions, Transport } from './transport.js' */
/** @import { Settlement, SettlementDetails, SettlementLine, SettlementLineQuery, SettlementPage, SettlementQuery } from './types.js' */

export class Settlements {
  #transport;

  /** @param {Transport} transport */
  constructor(transport) {
    this.#transport = transport;
  }

  /**
   * A page of clearing files with their sums, the newest first. For the next page repeat the call with `after` = `nextCursor`, until
   * there is none.
   *
   * @param {SettlementQuery} [query] @param {CallOptions} [options] @returns {Promise<SettlementPage>}
   */
  list(query, options) {
    return this.#transport.call('GET', '/settlements', { query }, options);
  }

  /** All clearing files, page by page, the newest first. @param {SettlementQuery} [query] @param {CallOptions} [options] @returns {AsyncGenerator<Settlement, void, undefined>} */
  async *all(query = {}, options) {
    for (let next = query; ;) {
      const { settlements, nextCursor } = await this.list(next, options);
      yield* settlements;
      if (nextCursor === undefined) return;
      next = { ...query, after: nextCursor };
    }
  }

  /**
   * A clearing file, with its payouts and a page of its lines. For more lines repeat the call with `after` = `nextCursor`, until there
   * is none.
   *
   * @param {string} settlementId @param {SettlementLineQuery} [query] @param {CallOptions} [options] @returns {Promise<SettlementDetails>}
   */
  read(settlementId, query, options) {
    return this.#transport.call('GET', `/settlements/${segment(settlementId, 'settlementId')}`, { query }, options);
  }

  /**
   * All lines of a clearing file, page by page, in the order of the file.
   *
   * @param {string} settlementId @param {SettlementLineQuery} [query] @param {CallOptions} [options]
   * @returns {AsyncGenerator<SettlementLine, void, undefined>}
   */
  async *lines(settlementId, query = {}, options) {
    for (let next = query; ;) {
      const { lines, nextCursor } = await this.read(settlementId, next, options);
      yield* lines;
      if (nextCursor === undefined) return;
      next = { ...query, after: nextCursor };
    }
  }
}
