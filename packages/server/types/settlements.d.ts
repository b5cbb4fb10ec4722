/** Settlements: the clearing files of acquirers that the operator imported, each line held against the gateway's operations. */
import type { CallOptions, Transport } from './transport.js';
import type { Settlement, SettlementDetails, SettlementLine, SettlementLineQuery, SettlementPage, SettlementQuery } from './types.js';
/** @import { CallOptions, Transport } from './transport.js' */
/** @import { Settlement, SettlementDetails, SettlementLine, SettlementLineQuery, SettlementPage, SettlementQuery } from './types.js' */
export declare class Settlements {
    #private;
    /** @param {Transport} transport */
    constructor(transport: Transport);
    /**
     * A page of clearing files with their sums, the newest first. For the next page repeat the call with `after` = `nextCursor`, until
     * there is none.
     *
     * @param {SettlementQuery} [query] @param {CallOptions} [options] @returns {Promise<SettlementPage>}
     */
    list(query?: SettlementQuery, options?: CallOptions): Promise<SettlementPage>;
    /** All clearing files, page by page, the newest first. @param {SettlementQuery} [query] @param {CallOptions} [options] @returns {AsyncGenerator<Settlement, void, undefined>} */
    all(query?: SettlementQuery, options?: CallOptions): AsyncGenerator<Settlement, void, undefined>;
    /**
     * A clearing file, with its payouts and a page of its lines. For more lines repeat the call with `after` = `nextCursor`, until there
     * is none.
     *
     * @param {string} settlementId @param {SettlementLineQuery} [query] @param {CallOptions} [options] @returns {Promise<SettlementDetails>}
     */
    read(settlementId: string, query?: SettlementLineQuery, options?: CallOptions): Promise<SettlementDetails>;
    /**
     * All lines of a clearing file, page by page, in the order of the file.
     *
     * @param {string} settlementId @param {SettlementLineQuery} [query] @param {CallOptions} [options]
     * @returns {AsyncGenerator<SettlementLine, void, undefined>}
     */
    lines(settlementId: string, query?: SettlementLineQuery, options?: CallOptions): AsyncGenerator<SettlementLine, void, undefined>;
}
