// @ts-check
/**
 * The shop's orders, each kept by the order keeper: what happens to an order is given to it, and what it answers is carried out. Rows are in
 * memory here. A real shop has them in its database, and what is marked as a transaction is one; see docs/order-keeper.md.
 */

import { PayframeError } from '@payframe/server';
import { newOrder, readInput, step } from '@payframe/server/order-keeper';

/** @import { Money, Payframe, Session } from '@payframe/server' */
/** @import { KeeperInput, KeeperOutput, KeptOrder } from '@payframe/server/order-keeper' */

/** @typedef {{ orderId: string, order: KeptOrder, price: Money, outbox: KeeperOutput[], sessions: Map<number, Session>, question?: NodeJS.Timeout, shipped: number }} Row */

export class OrderBook {
  #payframe;
  #report;
  #rows = /** @type {Map<string, Row>} */ (new Map());

  /** @param {Payframe} payframe @param {(problem: unknown) => void} report */
  constructor(payframe, report) {
    this.#payframe = payframe;
    this.#report = report;
  }

  /** @param {string} orderId @returns {Row | undefined} */
  row(orderId) {
    return this.#rows.get(orderId);
  }

  /** A new order. Its row is there before the gateway hears of it. @param {string} orderId @param {Money} price @param {number} payWithinMs */
  place(orderId, price, payWithinMs) {
    const row = /** @type {Row} */ ({ orderId, order: newOrder(Number(price.amount)), price, outbox: [], sessions: new Map(), shipped: 0 });
    this.#rows.set(orderId, row);
    setTimeout(() => this.happens(row, { type: 'TIME_OUT' }), payWithinMs).unref();
    return row;
  }

  /**
   * The buyer presses Pay. The form is shown only if the keeper says so.
   *
   * @param {Row} row @param {() => Promise<Session>} build `POST /orders/build`
   * @returns {Promise<Session | string>} the session to show, or why there is none
   */
  async pay(row, build) {
    const [answer] = await this.happens(row, { type: 'ATTEMPT_WANTED' });
    if (answer?.type !== 'OPEN_ATTEMPT') return answer?.type === 'REFUSE_ATTEMPT' ? answer.why : 'NOT_FOR_SALE';
    const { number } = answer;
    const session = await build().catch(async (error) => {
      // Another attempt has paid the order.
      if (error instanceof PayframeError && error.code === 'GW9006') await this.happens(row, { type: 'FEED' });
      throw error;
    });
    row.sessions.set(number, session);
    const outputs = await this.happens(row, { type: 'ATTEMPT_OPENED', number });
    return outputs.some(({ type }) => type === 'SHOW_FORM') ? session : 'NOT_FOR_SALE';
  }

  /** @param {Row} row @param {KeeperInput} input @returns {Promise<KeeperOutput[]>} when everything that can be done at once is done */
  async happens(row, input) {
    // Begin of the transaction.
    const { order, outputs } = step(row.order, input);
    row.order = order;
    row.outbox.push(...outputs.filter(({ type }) => !AT_ONCE.has(type)));
    // End of the transaction.
    const question = outputs.find((output) => output.type === 'ASK');
    await Promise.all([this.#work(row), question && this.#ask(row, question.ticket, question.seconds)]);
    return outputs;
  }

  /** Carries out what is in the outbox. What fails is tried again when something happens. @param {Row} row */
  async #work(row) {
    for (let output = row.outbox.shift(); output; output = row.outbox.shift()) {
      try {
        await this.#carryOut(row, output);
      } catch (error) {
        this.#report(error);
        row.outbox.push(output);
        return;
      }
    }
  }

  /** @param {Row} row @param {KeeperOutput} output */
  async #carryOut(row, output) {
    switch (output.type) {
      case 'FULFIL':
        row.shipped += 1;
        await this.#tell(row, 'FULFILLED');
        break;
      case 'RELEASE_STOCK':
        // This shop has enough of everything.
        await this.#tell(row, 'CANCELED');
        break;
      case 'CLOSE_ATTEMPT':
        await this.#close(row, output.number);
        break;
      case 'GIVE_BACK': {
        const { operation, amount } = output;
        const sum = { amount: String(amount), currency: row.price.currency };
        await this.#payframe.operations.refund(operation, sum, { idempotencyKey: `give back ${operation}` });
        break;
      }
      case 'CALL_PERSON':
        this.#report(`Order ${row.orderId} needs a person: ${output.why}`);
        break;
      default:
        // The others are answered at once, and never in an outbox.
    }
  }

  /** Tells the gateway what became of the goods. If that fails, `payframe-gateway reconcile` finds it. @param {Row} row @param {'FULFILLED' | 'CANCELED'} state */
  async #tell(row, state) {
    await this.#payframe.orders.tellFulfilment(row.orderId, { state }).catch(this.#report);
  }

  /** @param {Row} row @param {number} number */
  async #close(row, number) {
    const session = row.sessions.get(number);
    if (session) {
      await this.#payframe.sessions.cancel(session.sessionId, { idempotencyKey: `close ${row.orderId} ${number}` }).catch((error) => {
        // A session that is over is closed.
        if (!(error instanceof PayframeError && error.code === 'PS0061')) throw error;
      });
    }
    await this.happens(row, { type: 'ATTEMPT_CLOSED', number });
  }

  /** One question at a time: a new one replaces the one before. @param {Row} row @param {number} ticket @param {number} seconds */
  async #ask(row, ticket, seconds) {
    clearTimeout(row.question);
    if (seconds === 0) await this.#read(row, ticket);
    else row.question = setTimeout(() => this.#read(row, ticket), seconds * 1000).unref();
  }

  /** @param {Row} row @param {number} ticket */
  async #read(row, ticket) {
    let input = /** @type {KeeperInput} */ ({ type: 'READ_FAILED', ticket });
    try {
      input = readInput(ticket, await this.#payframe.orders.read(row.orderId), row.price.currency);
    } catch (error) {
      if (error instanceof PayframeError && error.code === 'not_found') input = readInput(ticket, undefined, row.price.currency);
      else this.#report(error);
    }
    await this.happens(row, input);
  }
}

/** Answers to the caller who waits, and the question, which has a place of its own. */
const AT_ONCE = new Set(['OPEN_ATTEMPT', 'SHOW_FORM', 'REFUSE_ATTEMPT', 'ASK']);
