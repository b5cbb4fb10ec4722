/** The rows of the order book in Medusa's PostgreSQL, and what the provider has to know of Medusa's own tables. The table is made when it is first needed. */
import type { BookStore } from '@payframe/server/order-book';
export type Database = {
    raw: (sql: string, values?: readonly unknown[]) => Promise<{
        rows: any[];
        rowCount: number;
    }>;
};
export declare class Rows {
    #private;
    /** @param {Database} database */
    constructor(database: Database);
    /** @returns {BookStore} */
    store(): BookStore;
    /** @param {string} reference @param {string} why */
    needsPerson(reference: string, why: string): Promise<void>;
    /** Whether Medusa has the payment of a session, or can still make it. @param {string} sessionId @returns {Promise<'PAID' | 'OPEN' | 'GONE'>} */
    standing(sessionId: string): Promise<'PAID' | 'OPEN' | 'GONE'>;
    /** A capture, and those of the same payment before it. @param {string} id of the capture @returns {Promise<{ amount: string, before: string[] } | undefined>} sums in the major unit */
    capture(id: string): Promise<{
        amount: string;
        before: string[];
    } | undefined>;
    /** How many refunds of a session's payment Medusa has kept, besides this one. @param {string} sessionId @param {string} id of the refund */
    refundsBefore(sessionId: string, id: string): Promise<number>;
}
