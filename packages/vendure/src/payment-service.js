// @ts-check
/** The order book of the shop: rows in Vendure's database, and what selling means in Vendure. */

import { Inject, Injectable } from '@nestjs/common';
import {
  ActiveOrderService, ChannelService, EventBus, Logger, OrderService, OrderStateTransitionEvent, ProcessContext, RequestContext, RequestContextService,
  TransactionalConnection,
} from '@vendure/core';
import { Payframe, PayframeError } from '@payframe/server';
import { OrderBook } from '@payframe/server/order-book';
import { LessThanOrEqual } from 'typeorm';
import { PAID_ORDERS, provenMetadata } from './payment-handler.js';
import { PayframePayment } from './payment-row.js';
import { referenceOf, sessionRequest } from './session-request.js';

/** @import { GraphQLErrorResult, Order } from '@vendure/core' */
/** @import { BookRow, BookShop, BookStore, FormRefusal } from '@payframe/server/order-book' */
/** @import { PaidOrders } from '@payframe/server/paid-orders' */
/** @import { Settings } from './options.js' */

/** @typedef {{ reference: string, sessionId: string, html?: string | undefined, gateway: string }} ShownForm */
/** @typedef {{ why: FormRefusal | 'ORDER_STATE' | 'GIVING_BACK' }} RefusedForm */

export const SETTINGS = 'PayframeSettings';
export const CLIENT = 'PayframeClient';

export class PayframeService {
  /** @type {OrderBook} */
  #book;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  #isAwake = false;

  /**
   * @param {TransactionalConnection} connection @param {OrderService} orders @param {ActiveOrderService} activeOrders @param {ChannelService} channels
   * @param {RequestContextService} contexts @param {EventBus} events @param {ProcessContext} process @param {Settings} settings @param {Payframe} payframe
   * @param {PaidOrders} paidOrders
   */
  constructor(connection, orders, activeOrders, channels, contexts, events, process, settings, payframe, paidOrders) {
    this.connection = connection;
    this.orders = orders;
    this.activeOrders = activeOrders;
    this.channels = channels;
    this.contexts = contexts;
    this.events = events;
    this.process = process;
    this.settings = settings;
    this.payframe = payframe;
    this.paidOrders = paidOrders;
    this.#book = new OrderBook({ payframe, store: this.#store(), shop: this.#shop() });
  }

  onApplicationBootstrap() {
    this.events.ofType(OrderStateTransitionEvent).subscribe(({ toState, order }) => {
      if (toState === 'Cancelled') void this.#cancelled(String(order.id)).catch(report);
    });
    if (!this.process.isServer) return;
    this.#timer = setInterval(() => void this.#wake(), this.settings.wakeEveryMs);
    this.#timer.unref();
  }

  onApplicationShutdown() {
    clearInterval(this.#timer);
  }

  /** The form for the buyer's active order. @param {RequestContext} ctx @returns {Promise<ShownForm | RefusedForm>} */
  async form(ctx) {
    const active = await this.activeOrders.getActiveOrder(ctx, undefined);
    const order = active && (await this.orders.findOne(ctx, active.id, ['customer', 'customer.user', 'lines', 'shippingLines', 'surcharges', 'channels']));
    if (!order || order.state !== 'ArrangingPayment' || order.totalWithTax <= 0) return { why: 'ORDER_STATE' };
    for (let number = 1; ; number += 1) {
      const reference = referenceOf(order.code, number);
      const answer = await this.#formOf(ctx, order, reference);
      if (answer) return answer;
    }
  }

  /** @param {RequestContext} ctx @param {Order} order @param {string} reference @returns {Promise<ShownForm | RefusedForm | undefined>} nothing if this id is used up */
  async #formOf(ctx, order, reference) {
    const { totalWithTax: due, currencyCode: currency } = order;
    const about = { orderId: String(order.id), channelId: String(ctx.channelId) };
    const row = await this.#book.place(reference, { due, currency, payWithinMs: this.settings.payWithinMinutes * 60_000, about });
    if (isOver(row)) return undefined;
    const user = order.customer?.user;
    const customer = user && ctx.activeUserId && String(user.id) === String(ctx.activeUserId) ? String(order.customer?.id) : undefined;
    const request = sessionRequest(this.settings, { reference, due, currency, language: ctx.languageCode, customer }, this.settings.session?.(ctx, order));
    const formed = row.currency === currency
      ? await this.#book.form(reference, due, (idempotencyKey) => this.payframe.sessions.create(request, { idempotencyKey }))
      : { refused: /** @type {const} */ ('SUM_CHANGED') };
    if (!formed.refused) return { reference, sessionId: formed.sessionId, html: formed.html, gateway: this.settings.gateway };
    if (formed.refused === 'SUM_CHANGED' || formed.refused === 'TOO_MANY_ATTEMPTS') await this.#book.happens(reference, { type: 'TIME_OUT' });
    const after = await this.#book.row(reference);
    if (after && isOver(after)) return undefined;
    return { why: after?.order.intent === 'GIVE_BACK' ? 'GIVING_BACK' : formed.refused };
  }

  /** The buyer is back, or the page has heard an outcome. @param {string} reference @returns {Promise<string>} how it stands: a status of the order keeper, or `GIVING_BACK` */
  async returned(reference) {
    const { order: { status, intent } } = await this.#book.look(reference);
    return intent === 'GIVE_BACK' && status !== 'REFUNDED' ? 'GIVING_BACK' : status;
  }

  /** A verified notification names an order. @param {string} reference */
  async notified(reference) {
    await this.#book.happens(reference, { type: 'NOTIFICATION' });
  }

  async #wake() {
    if (this.#isAwake) return;
    this.#isAwake = true;
    await this.#book.wake().catch(report);
    this.#isAwake = false;
  }

  /** An order that has no payment is cancelled: its forms are closed, and money that comes all the same goes back. @param {string} orderId */
  async #cancelled(orderId) {
    const rows = await this.#rows().findBy({ orderId, isFulfilled: false });
    for (const { reference } of rows) await this.#book.happens(reference, { type: 'STAFF_CANCEL' });
  }

  /** Rows outside of the transaction of a request. */
  #rows() {
    return this.connection.rawConnection.getRepository(PayframePayment);
  }

  /** @returns {BookStore} */
  #store() {
    return {
      read: async (reference) => (await this.#rows().findOneBy({ reference }))?.row,
      insert: async (row) => {
        const { id: reference, revision, wakeAtMs, about } = row;
        if (await this.#rows().existsBy({ reference })) return false;
        try {
          await this.#rows().insert({ reference, orderId: about.orderId ?? '', revision, wakeAtMs, row });
          return true;
        } catch (error) {
          // Another server was faster.
          if (await this.#rows().existsBy({ reference })) return false;
          throw error;
        }
      },
      replace: async (row, revision) => {
        const { affected } = await this.#rows().update({ reference: row.id, revision }, { revision: row.revision, wakeAtMs: row.wakeAtMs, row });
        return affected === 1;
      },
      waiting: async (nowMs) => (await this.#rows().find({ select: { reference: true }, where: { wakeAtMs: LessThanOrEqual(nowMs) }, take: MOST_AT_ONCE })).map(({ reference }) => reference),
    };
  }

  /** @returns {BookShop} */
  #shop() {
    return {
      fulfil: (row) => this.#fulfil(row),
      // Vendure allocates stock when the order is placed, so nothing is reserved before.
      release: async () => {},
      call: async ({ id: reference }, why) => {
        await this.#rows().update({ reference }, { needsPerson: why });
        Logger.error(`Order ${reference} needs a person: ${why}`, CONTEXT);
      },
      report,
    };
  }

  /** Adds the payment to the order, once for each row. @param {BookRow} row @returns {Promise<'FULFILLED' | 'NOT_FOR_SALE'>} */
  async #fulfil({ id: reference, about, order: { due }, currency }) {
    const paidBy = await this.paidOrders.paidBy(reference, due, currency);
    if (!paidBy) throw new PayframeError('The gateway does not name the payment of a paid order.', { kind: 'gateway', code: 'order_totals' });
    const channel = await this.channels.findOne(RequestContext.empty(), about.channelId ?? '');
    const context = await this.contexts.create({ apiType: 'admin', ...(channel && { channelOrToken: channel }) });
    try {
      await this.connection.withTransaction(context, async (ctx) => {
        const { affected } = await this.connection.getRepository(ctx, PayframePayment).update({ reference, isFulfilled: false }, { isFulfilled: true });
        // The other call of two at the same time has done it.
        if (affected !== 1) return;
        const order = await this.orders.findOne(ctx, about.orderId ?? '');
        if (!order || order.totalWithTax !== due || order.currencyCode !== currency) throw new NotForSale('the order has another sum now');
        if (order.state === 'AddingItems') throwIfRefused(await this.orders.transitionToState(ctx, order.id, 'ArrangingPayment'));
        const metadata = provenMetadata({ ...paidBy, reference, amount: due });
        throwIfRefused(await this.orders.addPaymentToOrder(ctx, order.id, { method: this.settings.method, metadata }));
      });
      return 'FULFILLED';
    } catch (error) {
      if (!(error instanceof NotForSale)) throw error;
      Logger.warn(`The payment of ${reference} goes back: ${error.message}`, CONTEXT);
      return 'NOT_FOR_SALE';
    }
  }
}

/** The order can not be sold for what was paid. It ends the transaction. */
class NotForSale extends Error {}

/** @param {Order | GraphQLErrorResult} result of a call of Vendure */
function throwIfRefused(result) {
  if ('errorCode' in result) throw new NotForSale(`${result.message} (${result.errorCode})`);
}

/** Whether nobody can pay with this id any more, and no money is held. @param {BookRow} row */
const isOver = ({ order: { status } }) => status === 'GIVEN_UP' || status === 'REFUNDED';

/** @param {unknown} problem */
function report(problem) {
  const { message, stack } = problem instanceof Error ? problem : new Error(String(problem));
  Logger.error(message, CONTEXT, problem instanceof PayframeError ? JSON.stringify(problem) : stack);
}

const CONTEXT = 'PayframePlugin';
const MOST_AT_ONCE = 100;

Injectable()(PayframeService);
const injected = [TransactionalConnection, OrderService, ActiveOrderService, ChannelService, RequestContextService, EventBus, ProcessContext, SETTINGS, CLIENT, PAID_ORDERS];
for (const [place, token] of injected.entries()) Inject(token)(PayframeService, undefined, place);
