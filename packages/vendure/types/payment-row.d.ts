/** The table of the plug-in: one row for each order at the gateway. The decorators of TypeORM are called as functions, because this is JavaScript. */
import type { BookRow } from '@payframe/server/order-book';
/** @import { BookRow } from '@payframe/server/order-book' */
export declare class PayframePayment {
    /** The id of the order at the gateway. @type {string} */
    reference: string;
    /** @type {string} */
    orderId: string;
    /** @type {number} */
    revision: number;
    /** The row of the order book. @type {BookRow} */
    row: BookRow;
    /** Milliseconds since 1970. @type {number | null} */
    wakeAtMs: number | null;
    /** Whether Vendure has the payment. It is written in one transaction with the payment. @type {boolean} */
    isFulfilled: boolean;
    /** Why a person has to look at the order. @type {string | null} */
    needsPerson: string | null;
    /** @type {Date} */
    createdAt: Date;
}
