// @ts-check
/**
 * A shop's orders as they are commonly kept, for comparison with the order keeper: a notification marks paid, the return page asks the gateway and marks
 * paid, and what is not paid in time is cancelled. Do not copy it: `cargo xtask soak --shops` counts what goes wrong.
 */

import { randomUUID } from 'node:crypto';

/** @import { Session } from '@payframe/server' */
/** @import { OrdersOptions, ShopOrders, Terms } from '../../example/orders.mjs' */

/** @typedef {{ status: 'PENDING' | 'PAID' | 'CANCELLED', due: number, payByMs: number }} Row */

/** @implements {ShopOrders} */
export class NaiveOrders {
  #payframe;
  #file;
  #now;

  /** @param {OrdersOptions} options */
  constructor({ payframe, file, now = Date.now }) {
    this.#payframe = payframe;
    this.#file = file;
    this.#now = now;
  }

  /** Cancels now and then what is not paid in time. @param {number} everyMs */
  async work(everyMs) {
    for (const [orderId, { status, payByMs }] of this.#file.entries('order')) {
      if (status === 'PENDING' && payByMs <= this.#now()) await this.cancelled(orderId);
    }
    setTimeout(() => this.work(everyMs), everyMs).unref();
  }

  /** @param {string} orderId @param {Terms} terms */
  async place(orderId, { due, payWithinMs }) {
    await this.#write(orderId, { status: 'PENDING', due, payByMs: this.#now() + payWithinMs });
  }

  /** @param {string} orderId @param {(idempotencyKey: string) => Promise<Session>} build */
  async form(orderId, build) {
    const row = await this.#read(orderId);
    if (!row) return undefined;
    if (row.status !== 'PENDING') return { refused: /** @type {const} */ ('NOT_FOR_SALE') };
    const { sessionId, form } = await build(randomUUID());
    return { sessionId, html: form?.html };
  }

  /** @param {string} orderId @param {string} result of the payment, as the notification has it */
  async notified(orderId, result) {
    const row = await this.#read(orderId);
    return row && (PAID.has(result) ? this.#paid(orderId, row) : row.status);
  }

  /** @param {string} orderId */
  async returned(orderId) {
    const row = await this.#read(orderId);
    if (!row) return undefined;
    const { orderStatus } = await this.#payframe.orders.read(orderId);
    return Number(orderStatus.authorizedAmount) >= row.due ? this.#paid(orderId, row) : row.status;
  }

  /** @param {string} orderId */
  async cancelled(orderId) {
    const row = await this.#read(orderId);
    if (row?.status !== 'PENDING') return row?.status;
    await this.#file.free(orderId);
    return this.#write(orderId, { ...row, status: 'CANCELLED' });
  }

  /** @param {string} orderId @param {Row} row as it was read */
  async #paid(orderId, row) {
    if (row.status !== 'PENDING') return row.status;
    await this.#file.send(randomUUID(), orderId);
    return this.#write(orderId, { ...row, status: 'PAID' });
  }

  /** @param {string} orderId @returns {Promise<Row | undefined>} */
  async #read(orderId) {
    return /** @type {any} */ (await this.#file.read(orderId));
  }

  /** @param {string} orderId @param {Row} row */
  async #write(orderId, row) {
    await this.#file.put('order', orderId, row);
    return row.status;
  }
}

const PAID = new Set(['EXECUTED', 'AUTHORIZED']);
