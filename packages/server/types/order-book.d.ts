/**
 * The rows of a shop's orders, each kept by the order keeper, in a database that several servers may share: what happens is given to the keeper, and
 * what it answers is carried out, also after a crash. The database is the shop's (`BookStore`), and so are the goods (`BookShop`). One row is one order at
 * the gateway. `wake()` has to be called now and then: there is no timer here.
 */
import type { KeeperInput, KeeperOutput } from './order-types.js';
import type { Session } from './types.js';
export type Also = {
    done?: KeeperOutput;
    sessionOf?: [number, string];
    payByMs?: null;
    orderVersion?: string | undefined;
};
export type BookRow = import('./order-book-types.js').BookRow;
export type BookStore = import('./order-book-types.js').BookStore;
export type BookShop = import('./order-book-types.js').BookShop;
export type BookOptions = import('./order-book-types.js').BookOptions;
export type Formed = import('./order-book-types.js').Formed;
export type FormRefusal = import('./order-book-types.js').FormRefusal;
/** @import { RowChange } from './order-book-types.js' */
/** @import { KeeperInput, KeeperOutput } from './order-types.js' */
/** @import { Session } from './types.js' */
/** @typedef {{ done?: KeeperOutput, sessionOf?: [number, string], payByMs?: null, orderVersion?: string | undefined }} Also what is written with an input */
/** @typedef {import('./order-book-types.js').BookRow} BookRow */
/** @typedef {import('./order-book-types.js').BookStore} BookStore */
/** @typedef {import('./order-book-types.js').BookShop} BookShop */
/** @typedef {import('./order-book-types.js').BookOptions} BookOptions */
/** @typedef {import('./order-book-types.js').Formed} Formed */
/** @typedef {import('./order-book-types.js').FormRefusal} FormRefusal */
export declare class OrderBook {
    #private;
    /** @param {BookOptions} options */
    constructor({ payframe, store, shop, tellsFulfilment, now, retryMs }: BookOptions);
    /** @param {string} id @returns {Promise<BookRow | undefined>} */
    row(id: string): Promise<BookRow | undefined>;
    /**
     * The row of an order, made if there is none. Its id is the order's id at the gateway.
     *
     * @param {string} id @param {{ due: number, currency: string, payWithinMs: number, about?: Record<string, string> }} order `due` in the minor unit
     * @returns {Promise<BookRow>}
     */
    place(id: string, { due, currency, payWithinMs, about }: {
        due: number;
        currency: string;
        payWithinMs: number;
        about?: Record<string, string>;
    }): Promise<BookRow>;
    /**
     * The form for a buyer who wants to pay `due`: the one that is open, with its sum changed if need be, or that of a new attempt.
     *
     * @param {string} id
     * @param {number} due what the order costs now, in the minor unit
     * @param {(idempotencyKey: string) => Promise<Session>} build `sessions.create()` with this key, for `due`
     * @returns {Promise<Formed>}
     */
    form(id: string, due: number, build: (idempotencyKey: string) => Promise<Session>): Promise<Formed>;
    /**
     * Something has happened to an order. Answers when everything that can be done at once is done.
     *
     * @param {string} id @param {KeeperInput} input @returns {Promise<KeeperOutput[]>}
     * @throws {PayframeError} with the code `order_unknown` if there is no such row
     */
    happens(id: string, input: KeeperInput): Promise<KeeperOutput[]>;
    /**
     * The row for a buyer who waits: the gateway is asked, also if a notification asks at the same time.
     *
     * @param {string} id @param {KeeperInput} [input] @returns {Promise<BookRow>}
     */
    look(id: string, input?: KeeperInput): Promise<BookRow>;
    /** Does what is due, of a few orders at a time: questions, time-outs, and what failed or was interrupted. @returns {Promise<void>} */
    wake(): Promise<void>;
}
