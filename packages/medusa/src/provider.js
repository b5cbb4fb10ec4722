// @ts-check
/**
 * The payment provider. A payment session of Medusa is one order at the gateway, kept by the order book; its payment is authorized if the gateway says that the money is
 * held. Where neither the storefront nor a notification completes the cart, the book does, through Medusa's own event for notifications.
 */

import { AbstractPaymentProvider, MathBN, PaymentWebhookEvents } from '@medusajs/framework/utils';
import { Payframe, PayframeError, verifyNotification } from '@payframe/server';
import { OrderBook } from '@payframe/server/order-book';
import { PaidOrders } from '@payframe/server/paid-orders';
import { majorOf, minorOf } from './amounts.js';
import { settingsOf } from './options.js';
import { Rows } from './rows.js';
import { referenceOf, sessionRequest } from './session-request.js';

/** @import * as Medusa from '@medusajs/framework/types' */
/** @import { BookRow } from '@payframe/server/order-book' */
/** @import { PayframeOptions, Settings } from './options.js' */
/** @import { Database } from './rows.js' */

/** @typedef {{ __pg_connection__: Database, event_bus: Medusa.IEventBusModuleService, logger: Medusa.Logger }} Cradle */

/** @extends {AbstractPaymentProvider<PayframeOptions>} */
export class PayframeProvider extends AbstractPaymentProvider {
  /** @override */
  static identifier = 'payframe';

  /** @type {Settings} */
  #settings;
  #cradle;
  #rows;
  #payframe;
  #paidOrders;
  #book;
  #isAwake = false;

  /** @override @param {Record<string, unknown>} options */
  static validateOptions(options) {
    settingsOf(/** @type {any} */ (options));
  }

  /** @param {Cradle} cradle @param {PayframeOptions} options */
  constructor(cradle, options) {
    super(cradle, options);
    this.#settings = settingsOf(options);
    // Medusa's services are not all there yet.
    this.#cradle = cradle;
    this.#rows = new Rows({ raw: (sql, values) => this.#cradle.__pg_connection__.raw(sql, values) });
    const { gateway, apiKey, fetch, retryMs } = this.#settings;
    this.#payframe = new Payframe({ gateway, apiKey, fetch });
    this.#paidOrders = new PaidOrders(this.#payframe);
    this.#book = new OrderBook({
      payframe: this.#payframe,
      store: this.#rows.store(),
      shop: { fulfil: (row) => this.#fulfil(row), release: async () => {}, call: (row, why) => this.#call(row, why), report: (problem) => this.#report(problem) },
      retryMs,
    });
  }

  /** Looks for what is due, from now on. Medusa makes a provider only when it is first asked, so that this is for a loader. */
  wakeRegularly() {
    setInterval(() => void this.#wake(), this.#settings.wakeEveryMs).unref();
  }

  /** @override @param {Medusa.InitiatePaymentInput} input @returns {Promise<Medusa.InitiatePaymentOutput>} */
  async initiatePayment({ amount, currency_code, data, context }) {
    const sessionId = String(data?.session_id);
    const reference = referenceOf(sessionId);
    const currency = currency_code.toUpperCase();
    const due = minorOf(MathBN.convert(amount).toFixed(), currency);
    await this.#book.place(reference, { due, currency, payWithinMs: this.#settings.payWithinMinutes * 60_000, about: { sessionId } });
    const request = sessionRequest(this.#settings, { reference, due, currency, customer: context?.customer?.id });
    const formed = await this.#book.form(reference, due, (idempotencyKey) => this.#payframe.sessions.create(request, { idempotencyKey }));
    if (formed.refused) throw new Error(`There is no form for this payment session: ${formed.refused}`);
    return { id: reference, status: 'pending', data: { reference, sessionId: formed.sessionId, gateway: this.#settings.gateway, html: formed.html } };
  }

  /** The sum has changed: the open session gets the new one. @override @param {Medusa.UpdatePaymentInput} input @returns {Promise<Medusa.UpdatePaymentOutput>} */
  async updatePayment({ amount, currency_code, data }) {
    const reference = referenceIn(data);
    const row = await this.#row(reference);
    const due = minorOf(MathBN.convert(amount).toFixed(), currency_code);
    if (row.currency !== currency_code.toUpperCase()) throw new Error('Another currency needs another payment session.');
    const request = sessionRequest(this.#settings, { reference, due, currency: row.currency, customer: undefined });
    const formed = await this.#book.form(reference, due, (idempotencyKey) => this.#payframe.sessions.create(request, { idempotencyKey }));
    if (formed.refused) throw new Error(`The sum of this payment session can not change: ${formed.refused}`);
    return { data: { ...data, sessionId: formed.sessionId } };
  }

  /** The buyer's cart is no longer paid by this session: money that comes goes back. @override @param {Medusa.DeletePaymentInput} input */
  async deletePayment({ data }) {
    await this.#giveBack(data);
    return { data };
  }

  /** @override @param {Medusa.AuthorizePaymentInput} input @returns {Promise<Medusa.AuthorizePaymentOutput>} */
  async authorizePayment({ data }) {
    return this.#outcome(await this.#look(referenceIn(data), 'RETURN_PAGE'), data);
  }

  /** @override @param {Medusa.GetPaymentStatusInput} input @returns {Promise<Medusa.GetPaymentStatusOutput>} */
  async getPaymentStatus({ data }) {
    return this.#outcome(await this.#look(referenceIn(data), 'FEED'), data);
  }

  /** @override @param {Medusa.RetrievePaymentInput} input @returns {Promise<Medusa.RetrievePaymentOutput>} */
  async retrievePayment({ data }) {
    return { data: { ...(await this.#payframe.orders.read(referenceIn(data))) } };
  }

  /** Medusa names the capture, not its amount. @override @param {Medusa.CapturePaymentInput} input @returns {Promise<Medusa.CapturePaymentOutput>} */
  async capturePayment({ data, context }) {
    const { id, currency, order: { due } } = await this.#row(referenceIn(data));
    const capture = await this.#rows.capture(String(context?.idempotency_key));
    const amount = capture ? minorOf(capture.amount, currency) : due;
    const before = (capture?.before ?? []).map((text) => minorOf(text, currency));
    const operation = operationIn(data);
    const total = before.reduce((sum, one) => sum + one, amount);
    // A capture that failed is not kept, so that its repetition has the same key.
    await this.#paidOrders.capture({ orderId: id, operation, amount, currency, total, key: `capture ${operation} ${before.length} ${amount}` });
    return { data };
  }

  /** @override @param {Medusa.RefundPaymentInput} input @returns {Promise<Medusa.RefundPaymentOutput>} */
  async refundPayment({ amount, data, context }) {
    const { id, currency, about } = await this.#row(referenceIn(data));
    const sum = minorOf(MathBN.convert(amount).toFixed(), currency);
    const operation = operationIn(data);
    const before = await this.#rows.refundsBefore(about.sessionId ?? '', String(context?.idempotency_key));
    const { result } = await this.#paidOrders.refund({ orderId: id, operation, amount: sum, currency, key: `refund ${operation} ${before} ${sum}` });
    if (result === 'FAILED') throw new Error('The refund was refused.');
    return { data };
  }

  /** The order is cancelled, or could not be made: what is held goes back. @override @param {Medusa.CancelPaymentInput} input @returns {Promise<Medusa.CancelPaymentOutput>} */
  async cancelPayment({ data }) {
    await this.#giveBack(data);
    return { data };
  }

  /** A notification, or the book's own reminder: both only make the shop ask. @override @param {Medusa.ProviderWebhookPayload['payload']} payload @returns {Promise<Medusa.WebhookActionResult>} */
  async getWebhookActionAndData({ data, rawData, headers }) {
    const own = data?.payframeReference;
    const reference = typeof own === 'string' ? own : await this.#notified(rawData, headers);
    if (reference === undefined) return { action: 'not_supported' };
    const { order: { status, due, intent }, currency, about } = await this.#look(reference, 'NOTIFICATION');
    if (status !== 'PAID' || intent === 'GIVE_BACK') return { action: 'not_supported' };
    return { action: 'authorized', data: { session_id: about.sessionId ?? '', amount: majorOf(due, currency) } };
  }

  /** The row, for Medusa, which completes the cart with what it learns: no reminder is needed. @param {string} reference @param {'RETURN_PAGE' | 'NOTIFICATION' | 'FEED'} type */
  async #look(reference, type) {
    completing.add(reference);
    try {
      return await this.#book.look(reference, { type });
    } finally {
      completing.delete(reference);
    }
  }

  /** @param {string | Buffer} rawData @param {Record<string, unknown>} headers @returns {Promise<string | undefined>} the order that a verified notification names. Undefined: it is not about money */
  async #notified(rawData, headers) {
    const { operation } = await verifyNotification({ headers: /** @type {any} */ (headers), body: rawData, secrets: this.#settings.notificationSecrets });
    return operation?.orderId;
  }

  /** @param {BookRow} row @param {Record<string, unknown> | undefined} data @returns {Promise<{ status: Medusa.PaymentSessionStatus, data: Record<string, unknown> }>} */
  async #outcome({ id, currency, order: { status, due, intent } }, data) {
    if (intent === 'GIVE_BACK' || status === 'REFUNDED' || status === 'GIVEN_UP') return { status: 'canceled', data: { ...data } };
    const paidBy = status === 'PAID' ? await this.#paidOrders.paidBy(id, due, currency) : undefined;
    if (!paidBy) return { status: 'pending', data: { ...data } };
    return { status: paidBy.isCaptured ? 'captured' : 'authorized', data: { ...data, operation: paidBy.operation } };
  }

  /** Medusa makes the payment when the cart is completed. Until it has it, it is reminded. @param {BookRow} row @returns {Promise<'FULFILLED' | 'NOT_FOR_SALE'>} */
  async #fulfil({ id, about, order }) {
    const standing = await this.#rows.standing(about.sessionId ?? '');
    if (standing === 'PAID') return 'FULFILLED';
    if (standing === 'GONE' || order.intent === 'GIVE_BACK') return 'NOT_FOR_SALE';
    if (!completing.has(id)) {
      const payload = { data: { payframeReference: id }, rawData: '', headers: {} };
      await this.#cradle.event_bus.emit({ name: PaymentWebhookEvents.WebhookReceived, data: { provider: `payframe_${this.#settings.id}`, payload } });
    }
    throw new NotYet();
  }

  /** @param {Record<string, unknown> | undefined} data */
  async #giveBack(data) {
    // A session that was never opened has no reference.
    if (typeof data?.reference === 'string') await this.#book.happens(data.reference, { type: 'STAFF_CANCEL' });
  }

  /** @param {string} reference */
  async #row(reference) {
    const row = await this.#book.row(reference);
    if (!row) throw new Error('The order book has no such payment session.');
    return row;
  }

  /** @param {BookRow} row @param {string} why */
  async #call({ id }, why) {
    await this.#rows.needsPerson(id, why);
    this.#cradle.logger.error(`Payframe: ${id} needs a person: ${why}`);
  }

  async #wake() {
    if (this.#isAwake) return;
    this.#isAwake = true;
    await this.#book.wake().catch((problem) => this.#report(problem));
    this.#isAwake = false;
  }

  /** @param {unknown} problem */
  #report(problem) {
    if (problem instanceof NotYet) return;
    this.#cradle.logger.error(`Payframe: ${problem instanceof PayframeError ? JSON.stringify(problem) : problem}`);
  }
}

/** Rows about which Medusa asks right now. */
const completing = /** @type {Set<string>} */ (new Set());

/** Medusa does not have the payment yet. */
class NotYet extends Error {}

/** @param {Record<string, unknown> | undefined} data of the payment session */
function referenceIn(data) {
  if (typeof data?.reference === 'string') return data.reference;
  throw new Error('The payment session has no reference: it was not opened by this provider.');
}

/** @param {Record<string, unknown> | undefined} data of the payment */
function operationIn(data) {
  if (typeof data?.operation === 'string') return data.operation;
  throw new Error('The payment names no operation of the gateway.');
}
