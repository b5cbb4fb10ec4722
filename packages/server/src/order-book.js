// @ts-check
/**
 * The rows of a shop's orders, each kept by the order keeper, in a database that several servers may share: what happens is given to the keeper, and
 * what it answers is carried out, also after a crash. The database is the shop's (`BookStore`), and so are the goods (`BookShop`). One row is one order at
 * the gateway. `wake()` has to be called now and then: there is no timer here.
 */

import { PayframeError } from './errors.js';
import { carryOut, hasWork, removed, tellGoods } from './order-book-outbox.js';
import { changeSum, finishChange } from './order-book-sum.js';
import { newOrder, readInput, step } from './order-keeper.js';

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

export class OrderBook {
  #payframe;
  #store;
  #shop;
  #tellsFulfilment;
  #now;
  #retryMs;

  /** @param {BookOptions} options */
  constructor({ payframe, store, shop, tellsFulfilment = true, now = Date.now, retryMs = 10_000 }) {
    this.#payframe = payframe;
    this.#store = store;
    this.#shop = shop;
    this.#tellsFulfilment = tellsFulfilment;
    this.#now = now;
    this.#retryMs = retryMs;
  }

  /** @param {string} id @returns {Promise<BookRow | undefined>} */
  row(id) {
    return this.#store.read(id);
  }

  /**
   * The row of an order, made if there is none. Its id is the order's id at the gateway.
   *
   * @param {string} id @param {{ due: number, currency: string, payWithinMs: number, about?: Record<string, string> }} order `due` in the minor unit
   * @returns {Promise<BookRow>}
   */
  async place(id, { due, currency, payWithinMs, about = {} }) {
    const payByMs = this.#now() + payWithinMs;
    const row = { id, revision: 1, currency, about, order: newOrder(due), outbox: [], sessions: {}, newSum: null, askAtMs: null, payByMs, workAtMs: null, wakeAtMs: payByMs };
    return (await this.#store.insert(row)) ? row : this.#known(id);
  }

  /**
   * The form for a buyer who wants to pay `due`: the one that is open, with its sum changed if need be, or that of a new attempt.
   *
   * @param {string} id
   * @param {number} due what the order costs now, in the minor unit
   * @param {(idempotencyKey: string) => Promise<Session>} build `sessions.create()` with this key, for `due`
   * @returns {Promise<Formed>}
   */
  async form(id, due, build) {
    const refused = await changeSum(this.#desk, await this.#known(id), due);
    if (refused) return { refused };
    return (await this.#openForm(id)) ?? this.#newForm(id, build);
  }

  /**
   * Something has happened to an order. Answers when everything that can be done at once is done.
   *
   * @param {string} id @param {KeeperInput} input @returns {Promise<KeeperOutput[]>}
   * @throws {PayframeError} with the code `order_unknown` if there is no such row
   */
  async happens(id, input) {
    return this.#happens(id, input);
  }

  /**
   * The row for a buyer who waits: the gateway is asked, also if a notification asks at the same time.
   *
   * @param {string} id @param {KeeperInput} [input] @returns {Promise<BookRow>}
   */
  async look(id, input = { type: 'RETURN_PAGE' }) {
    await this.#happens(id, input);
    for (let looks = 1; ; looks += 1) {
      const row = await this.#known(id);
      const { asked } = row.order;
      if (asked === null || row.askAtMs === null || row.askAtMs > this.#now() || looks === MOST_LOOKS) return row;
      // Somebody else has asked, and has no answer yet.
      await this.#read(id, asked);
    }
  }

  /** Does what is due, of a few orders at a time: questions, time-outs, and what failed or was interrupted. @returns {Promise<void>} */
  async wake() {
    const ids = [...(await this.#store.waiting(this.#now()))];
    const some = async () => {
      for (let id = ids.shift(); id !== undefined; id = ids.shift()) {
        try {
          await this.#wakeRow(await this.#known(id));
        } catch (error) {
          this.#shop.report(error);
        }
      }
    };
    await Promise.all(Array.from({ length: WOKEN_AT_A_TIME }, some));
  }

  /** @param {BookRow} row */
  async #wakeRow({ id, order, outbox, untold, askAtMs, payByMs }) {
    const now = this.#now();
    if (payByMs !== null && payByMs <= now) await this.#happens(id, { type: 'TIME_OUT' }, { payByMs: null });
    if (hasWork({ outbox, untold })) {
      await this.#change(id, (row) => ({ workAtMs: hasWork(row) ? now + this.#retryMs : null }));
      await this.#work(id);
    }
    if (askAtMs !== null && askAtMs <= now && order.asked !== null) await this.#read(id, order.asked);
  }

  /** @param {string} id @returns {Promise<Formed | undefined>} the form of the newest attempt, if a buyer can still pay in it */
  async #openForm(id) {
    const { order, sessions } = await this.#known(id);
    const newest = order.open.at(-1);
    const sessionId = newest && !newest.isClosing ? sessions[newest.number] : undefined;
    if (!sessionId || order.statusDetail !== 'BUYER') return undefined;
    try {
      const { state } = await this.#payframe.sessions.read(sessionId);
      if (state !== 'PAYMENT_COMPLETE') return { sessionId };
    } catch (error) {
      // A session that is over is no form any more.
      if (!(error instanceof PayframeError && error.code === 'PS0061')) throw error;
    }
    await this.#happens(id, { type: 'FEED' });
    return undefined;
  }

  /** @param {string} id @param {(idempotencyKey: string) => Promise<Session>} build @returns {Promise<Formed>} */
  async #newForm(id, build) {
    const [answer] = await this.#happens(id, { type: 'ATTEMPT_WANTED' });
    if (answer?.type !== 'OPEN_ATTEMPT') return { refused: answer?.type === 'REFUSE_ATTEMPT' ? answer.why : 'NOT_FOR_SALE' };
    const { number } = answer;
    const session = await build(`build ${id} ${number}`).catch(async (error) => {
      // Another attempt has paid the order, or waits for its issuer.
      if (!(error instanceof PayframeError && error.code === 'GW9006')) throw error;
      await this.#happens(id, { type: 'FEED' });
      return undefined;
    });
    if (!session) return { refused: (await this.#known(id)).order.status === 'PAID' ? 'ALREADY_PAID' : 'UNDECIDED' };
    const outputs = await this.#happens(id, { type: 'ATTEMPT_OPENED', number }, { sessionOf: [number, session.sessionId] });
    if (!outputs.some(({ type }) => type === 'SHOW_FORM')) return { refused: 'NOT_FOR_SALE' };
    return { sessionId: session.sessionId, html: session.form?.html };
  }

  /**
   * One input, in one transaction with what it answers; then the work.
   *
   * @param {string} id @param {KeeperInput} input @param {Also} [also]
   */
  async #happens(id, input, also = {}) {
    const outputs = await this.#give(id, input, also);
    await this.#work(id);
    const question = outputs.find((output) => output.type === 'ASK');
    if (question?.seconds === 0) await this.#read(id, question.ticket);
    return outputs;
  }

  /** @param {string} id @param {KeeperInput} input @param {Also} also */
  async #give(id, input, { done, sessionOf, payByMs, orderVersion }) {
    let outputs = /** @type {KeeperOutput[]} */ ([]);
    await this.#change(id, (row) => {
      const stepped = step(row.order, input);
      outputs = stepped.outputs;
      const isNewest = input.type === 'READ' && input.ticket === row.order.asked;
      const ask = outputs.findLast((output) => output.type === 'ASK');
      const outbox = [...removed(row.outbox, done), ...outputs.filter(({ type }) => !AT_ONCE.has(type))];
      return {
        order: stepped.order,
        outbox,
        workAtMs: hasWork({ outbox, untold: row.untold }) ? this.#now() + this.#retryMs : null,
        askAtMs: ask ? this.#now() + ask.seconds * 1000 : stepped.order.asked === null ? null : row.askAtMs,
        ...(sessionOf && { sessions: { ...row.sessions, [sessionOf[0]]: sessionOf[1] } }),
        ...(payByMs === null && { payByMs }),
        ...(isNewest && { orderVersion }),
      };
    });
    return outputs;
  }

  /** Carries out what is in the outbox. What fails is tried again by `wake()`. @param {string} id */
  async #work(id) {
    const { outbox } = await this.#known(id);
    for (const output of outbox) {
      try {
        await carryOut(this.#desk, await this.#known(id), output);
      } catch (error) {
        this.#shop.report(error);
      }
    }
    try {
      await tellGoods(this.#desk, await this.#known(id));
    } catch (error) {
      this.#shop.report(error);
    }
  }

  /** @param {string} id @param {number} ticket */
  async #read(id, ticket) {
    const row = await this.#known(id);
    const { currency } = row;
    let input = /** @type {KeeperInput} */ ({ type: 'READ_FAILED', ticket });
    let orderVersion = /** @type {string | undefined} */ (undefined);
    try {
      await finishChange(this.#desk, row);
      const answer = await this.#payframe.orders.read(id);
      input = readInput(ticket, answer, currency);
      orderVersion = answer.orderVersion;
    } catch (error) {
      if (error instanceof PayframeError && error.code === 'not_found') input = readInput(ticket, undefined, currency);
      else this.#shop.report(error);
    }
    await this.#happens(id, input, { orderVersion });
  }

  /** Writes what `change` makes of the newest row, again if another server was faster. @param {string} id @param {(row: BookRow) => RowChange} change @returns {Promise<BookRow>} */
  async #change(id, change) {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const row = await this.#known(id);
      const next = { ...row, ...change(row), revision: row.revision + 1 };
      const times = [next.askAtMs, next.payByMs, next.workAtMs].filter((time) => time !== null);
      next.wakeAtMs = times.length > 0 ? Math.min(...times) : null;
      if (await this.#store.replace(next, row.revision)) return next;
    }
    throw new PayframeError(`The row ${id} was changed by others each time.`, { kind: 'caller', code: 'order_busy', isRetryable: true });
  }

  /** @param {string} id @returns {Promise<BookRow>} */
  async #known(id) {
    const row = await this.#store.read(id);
    if (row) return row;
    throw new PayframeError('The order book has no such order.', { kind: 'caller', code: 'order_unknown' });
  }

  /** What the other files of the book need of it. @type {import('./order-book-types.js').Desk} */
  #desk = {
    payframe: () => this.#payframe,
    shop: () => this.#shop,
    tellsFulfilment: () => this.#tellsFulfilment,
    change: (id, change) => this.#change(id, change),
    happens: (id, input, done) => this.#happens(id, input, done && { done }),
  };
}

/** Answers to the caller who waits, and the question, which has a member of its own. */
const AT_ONCE = new Set(['OPEN_ATTEMPT', 'SHOW_FORM', 'REFUSE_ATTEMPT', 'ASK']);
const MOST_TRIES = 50;
const MOST_LOOKS = 5;
/** So that one slow call does not hold up all other orders. */
const WOKEN_AT_A_TIME = 4;
