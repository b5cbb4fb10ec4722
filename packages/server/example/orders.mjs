// @ts-check
/** The shop's orders, each kept by the order keeper: the order book of the package over this shop's database, and what selling means here. */

import { OrderBook } from '@payframe/server/order-book';

/** @import { Payframe, Session } from '@payframe/server' */
/** @import { BookRow, Formed } from '@payframe/server/order-book' */
/** @import { OrderFile } from './order-file.mjs' */

/** @typedef {{ due: number, currency: string, payWithinMs: number }} Terms `due` in the minor unit */

/**
 * What the pages of the shop need of its orders. An unknown order is `undefined`.
 *
 * @typedef {object} ShopOrders
 * @property {(orderId: string, terms: Terms) => Promise<unknown>} place
 * @property {(orderId: string, build: (idempotencyKey: string) => Promise<Session>) => Promise<Formed | undefined>} form the buyer presses Pay
 * @property {(orderId: string, result: string) => Promise<string | undefined>} notified the status afterwards, as with the next ones
 * @property {(orderId: string) => Promise<string | undefined>} returned the buyer is back
 * @property {(orderId: string) => Promise<string | undefined>} cancelled the buyer does not want the order any more
 */

/** @typedef {{ payframe: Payframe, file: OrderFile, report: (problem: unknown) => void, now?: () => number }} OrdersOptions `now`: for tests */

/** @implements {ShopOrders} */
export class Orders {
  #book;
  #file;
  #report;

  /** @param {OrdersOptions} options */
  constructor({ payframe, file, report, now }) {
    this.#file = file;
    this.#report = report;
    const shop = {
      /** @param {BookRow} row @returns {Promise<'FULFILLED'>} */
      fulfil: async ({ id }) => {
        await file.send(id, id);
        return 'FULFILLED';
      },
      release: (/** @type {BookRow} */ { id }) => file.free(id),
      call: async (/** @type {BookRow} */ { id }, /** @type {string} */ why) => report(`Order ${id} needs a person: ${why}`),
      report,
    };
    this.#book = new OrderBook({ payframe, store: file, shop, now });
  }

  /** Does now and then what is due, also what a crash has interrupted. @param {number} [everyMs] */
  async work(everyMs = 1000) {
    await this.#book.wake().catch(this.#report);
    setTimeout(() => this.work(everyMs), everyMs).unref();
  }

  /** A new order. It is in the database before the gateway hears of it. @param {string} orderId @param {Terms} terms */
  place(orderId, terms) {
    return this.#book.place(orderId, terms);
  }

  /** @param {string} orderId @param {(idempotencyKey: string) => Promise<Session>} build */
  async form(orderId, build) {
    const row = await this.#file.read(orderId);
    return row && this.#book.form(orderId, row.order.due, build);
  }

  /** A notification is only a reason to read the order: what it says is not used. @param {string} orderId */
  notified(orderId) {
    return this.#look(orderId, 'NOTIFICATION');
  }

  /** @param {string} orderId */
  returned(orderId) {
    return this.#look(orderId, 'RETURN_PAGE');
  }

  /** As if the time were over: an order that is paid stays paid. @param {string} orderId */
  cancelled(orderId) {
    return this.#look(orderId, 'TIME_OUT');
  }

  /** @param {string} orderId @param {'NOTIFICATION' | 'RETURN_PAGE' | 'TIME_OUT'} type */
  async #look(orderId, type) {
    if (!(await this.#file.read(orderId))) return undefined;
    const { order } = await this.#book.look(orderId, { type });
    return order.status;
  }
}
