/** The types of the order book: its rows, and what a shop gives to it. There is nothing here but types. */
import type { Payframe } from './client.js';
import type { Cause, KeeperInput, KeeperOutput, KeptOrder, PaymentUnavailable } from './order-types.js';
export type BookRow = {
    /**
     * of the order at the gateway
     */
    id: string;
    /**
     * grows with every change
     */
    revision: number;
    currency: string;
    /**
     * what the shop wants to know of the row
     */
    about: Record<string, string>;
    order: KeptOrder;
    /**
     * what is to be carried out
     */
    outbox: KeeperOutput[];
    /**
     * by the number of their attempt
     */
    sessions: Record<number, string>;
    /**
     * the state of the goods that the gateway is to be told
     */
    untold?: 'FULFILLED' | 'CANCELED' | null | undefined;
    /**
     * of the newest answer of the gateway that the keeper was given
     */
    orderVersion?: string | undefined;
    /**
     * which the open session is being given
     */
    newSum: {
        due: number;
        key: string;
    } | null;
    /**
     * when the order is to be read; times are milliseconds since 1970
     */
    askAtMs: number | null;
    /**
     * when the shop's own limit is over
     */
    payByMs: number | null;
    /**
     * when the outbox is to be tried again
     */
    workAtMs: number | null;
    /**
     * the first of these times
     */
    wakeAtMs: number | null;
};
export type RowChange = Partial<Omit<BookRow, 'id' | 'revision' | 'wakeAtMs'>>;
export type BookStore = {
    read: (id: string) => Promise<BookRow | undefined>;
    /**
     * `false` if there is a row with this id
     */
    insert: (row: BookRow) => Promise<boolean>;
    /**
     * writes if the stored row has this revision still
     */
    replace: (row: BookRow, revision: number) => Promise<boolean>;
    /**
     * ids of rows whose `wakeAtMs` has come
     */
    waiting: (nowMs: number) => Promise<string[]>;
};
export type BookShop = {
    /**
     * sells the goods, once for each `row.id`. `NOT_FOR_SALE` if they can not be sold for this sum any more: the money goes back.
     */
    fulfil: (row: BookRow) => Promise<'FULFILLED' | 'NOT_FOR_SALE'>;
    /**
     * frees the goods
     */
    release: (row: BookRow) => Promise<unknown>;
    /**
     * tells a person
     */
    call: (row: BookRow, why: Cause) => Promise<unknown>;
    /**
     * something failed, and is tried again
     */
    report: (problem: unknown) => unknown;
};
export type BookOptions = {
    payframe: Payframe;
    store: BookStore;
    shop: BookShop;
    /**
     * whether the book tells the gateway what became of the goods: `FULFILLED` after `fulfil`, `CANCELED` after `release`. `true` by
     * default; `false` for a shop that tells by itself.
     */
    tellsFulfilment?: boolean | undefined;
    /**
     * milliseconds since 1970, for tests
     */
    now?: (() => number) | undefined;
    /**
     * after which time work that failed or was interrupted is done again: 10000 by default
     */
    retryMs?: number | undefined;
};
export type FormRefusal = PaymentUnavailable | 'BEING_PAID' | 'SUM_CHANGED';
export type Formed = {
    refused: FormRefusal;
    sessionId?: undefined;
    html?: undefined;
} | {
    refused?: undefined;
    sessionId: string;
    html?: string | undefined;
};
export type Desk = {
    payframe: () => Payframe;
    shop: () => BookShop;
    tellsFulfilment: () => boolean;
    change: (id: string, change: (row: BookRow) => RowChange) => Promise<BookRow>;
    /**
     * `done` leaves the outbox in the same transaction
     */
    happens: (id: string, input: KeeperInput, done?: KeeperOutput) => Promise<KeeperOutput[]>;
};
/** @import { Payframe } from './client.js' */
/** @import { Cause, KeeperInput, KeeperOutput, KeptOrder, PaymentUnavailable } from './order-types.js' */
/**
 * An order at the gateway, to be stored as it is. `id`, `revision` and `wakeAtMs` want columns of their own; the rest may be JSON.
 *
 * @typedef {object} BookRow
 * @property {string} id of the order at the gateway
 * @property {number} revision grows with every change
 * @property {string} currency
 * @property {Record<string, string>} about what the shop wants to know of the row
 * @property {KeptOrder} order
 * @property {KeeperOutput[]} outbox what is to be carried out
 * @property {Record<number, string>} sessions by the number of their attempt
 * @property {'FULFILLED' | 'CANCELED' | null | undefined} [untold] the state of the goods that the gateway is to be told
 * @property {string | undefined} [orderVersion] of the newest answer of the gateway that the keeper was given
 * @property {{ due: number, key: string } | null} newSum which the open session is being given
 * @property {number | null} askAtMs when the order is to be read; times are milliseconds since 1970
 * @property {number | null} payByMs when the shop's own limit is over
 * @property {number | null} workAtMs when the outbox is to be tried again
 * @property {number | null} wakeAtMs the first of these times
 */
/** @typedef {Partial<Omit<BookRow, 'id' | 'revision' | 'wakeAtMs'>>} RowChange */
/**
 * The database. Each call is a transaction of its own, and none is part of a transaction that can be rolled back later.
 *
 * @typedef {object} BookStore
 * @property {(id: string) => Promise<BookRow | undefined>} read
 * @property {(row: BookRow) => Promise<boolean>} insert `false` if there is a row with this id
 * @property {(row: BookRow, revision: number) => Promise<boolean>} replace writes if the stored row has this revision still
 * @property {(nowMs: number) => Promise<string[]>} waiting ids of rows whose `wakeAtMs` has come
 */
/**
 * What the shop does. Every call may come twice, also at the same time.
 *
 * @typedef {object} BookShop
 * @property {(row: BookRow) => Promise<'FULFILLED' | 'NOT_FOR_SALE'>} fulfil sells the goods, once for each `row.id`. `NOT_FOR_SALE` if they can not be sold for this sum any more: the money goes back.
 * @property {(row: BookRow) => Promise<unknown>} release frees the goods
 * @property {(row: BookRow, why: Cause) => Promise<unknown>} call tells a person
 * @property {(problem: unknown) => unknown} report something failed, and is tried again
 */
/**
 * @typedef {object} BookOptions
 * @property {Payframe} payframe
 * @property {BookStore} store
 * @property {BookShop} shop
 * @property {boolean | undefined} [tellsFulfilment] whether the book tells the gateway what became of the goods: `FULFILLED` after `fulfil`, `CANCELED` after `release`. `true` by
 *   default; `false` for a shop that tells by itself.
 * @property {(() => number) | undefined} [now] milliseconds since 1970, for tests
 * @property {number | undefined} [retryMs] after which time work that failed or was interrupted is done again: 10000 by default
 */
/** @typedef {PaymentUnavailable | 'BEING_PAID' | 'SUM_CHANGED'} FormRefusal `BEING_PAID`: the sum can not change now. `SUM_CHANGED`: the row can not have this sum; time it out, and use another. */
/** @typedef {{ refused: FormRefusal, sessionId?: undefined, html?: undefined } | { refused?: undefined, sessionId: string, html?: string | undefined }} Formed */
/**
 * @typedef {object} Desk
 * @property {() => Payframe} payframe
 * @property {() => BookShop} shop
 * @property {() => boolean} tellsFulfilment
 * @property {(id: string, change: (row: BookRow) => RowChange) => Promise<BookRow>} change
 * @property {(id: string, input: KeeperInput, done?: KeeperOutput) => Promise<KeeperOutput[]>} happens `done` leaves the outbox in the same transaction
 */
export {};
