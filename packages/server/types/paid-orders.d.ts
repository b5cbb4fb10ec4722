/**
 * What staff does with the money of an order, so that it can be repeated: a call whose answer was lost is made again with the same key, and what is done
 * already is no failure.
 */
import type { Payframe } from './client.js';
export type PaidBy = {
    operation: string;
    isCaptured: boolean;
};
export type MoneyCall = {
    orderId: string;
    operation: string;
    amount: number;
    currency: string;
    key: string;
};
export type Refunded = {
    operation: string;
    result: 'EXECUTED' | 'PENDING' | 'FAILED';
};
/** @import { Payframe } from './client.js' */
/** @typedef {{ operation: string, isCaptured: boolean }} PaidBy `operation`: the authorization that pays the order */
/** @typedef {{ orderId: string, operation: string, amount: number, currency: string, key: string }} MoneyCall `key`: the same whenever this is repeated */
/** @typedef {{ operation: string, result: 'EXECUTED' | 'PENDING' | 'FAILED' }} Refunded */
export declare class PaidOrders {
    #private;
    /** @param {Payframe} payframe */
    constructor(payframe: Payframe);
    /** Which payment covers an order, and whether its money is captured. @param {string} orderId @param {number} due @param {string} currency @returns {Promise<PaidBy | undefined>} */
    paidBy(orderId: string, due: number, currency: string): Promise<PaidBy | undefined>;
    /** Captures held money. @param {MoneyCall & { total?: number }} call `total`: how much is captured afterwards, if this is not the first capture @returns {Promise<void>} */
    capture({ orderId, operation, amount, currency, key, total }: MoneyCall & {
        total?: number;
    }): Promise<void>;
    /**
     * Gives captured money back. The gateway takes a refund of exactly what is still held for a release, so that such a refund is refused here
     * (`refund_ambiguous`).
     *
     * @param {MoneyCall} call @returns {Promise<Refunded>}
     */
    refund({ operation, amount, currency, key }: MoneyCall): Promise<Refunded>;
    /** Releases what is held. Nothing is done if nothing is held any more. @param {Omit<MoneyCall, 'amount' | 'currency'>} call @returns {Promise<void>} */
    release({ orderId, operation, key }: Omit<MoneyCall, 'amount' | 'currency'>): Promise<void>;
}
