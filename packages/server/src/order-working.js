// @ts-check
/** An order in the middle of a step, and its outputs so far. */

/** @import { Cause, KeeperOutput, KeptOrder, OrderState } from './order-types.js' */

export class Working {
  /** @type {KeeperOutput[]} */
  outputs = [];

  /** @param {KeptOrder} order which is changed by the step */
  constructor(order) {
    this.order = order;
  }

  /** @param {OrderState} status @param {KeptOrder['statusDetail']} [detail] */
  setStatus = (status, detail = null) => {
    this.order.status = status;
    this.order.statusDetail = detail;
  };

  closeAll() {
    for (const one of this.order.open) {
      if (!one.isClosing) this.outputs.push({ type: 'CLOSE_ATTEMPT', number: one.number });
      one.isClosing = true;
    }
  }

  askNow() {
    this.#ask(0);
  }

  /** Reads the order again after an answer without a result. */
  askLater() {
    this.order.reads = Math.min(this.order.reads + 1, READS_UNTIL_PERSON);
    this.askLaterUncounted();
  }

  askLaterUncounted() {
    this.#ask(ASK_AFTER_SECONDS[this.order.reads] ?? LAST_SECONDS);
  }

  /** @param {number} seconds */
  #ask(seconds) {
    this.order.tickets += 1;
    this.order.asked = this.order.tickets;
    this.outputs.push({ type: 'ASK', ticket: this.order.tickets, seconds });
  }

  /** @param {Cause} why */
  needsPerson(why) {
    this.setStatus('NEEDS_PERSON', why);
    this.call(why);
  }

  /** Calls a person, once for each cause in a row. @param {Cause} why */
  call(why) {
    if (this.order.called === why) return;
    this.order.called = why;
    this.outputs.push({ type: 'CALL_PERSON', why });
  }

  fulfil() {
    if (this.order.goods !== 'RESERVED') return;
    this.order.goods = 'FULFILLED';
    // Shipping is first in the list, so that the buyer does not wait for the other outputs.
    this.outputs.unshift({ type: 'FULFIL' });
  }

  /** An order whose stock is released is never sold. */
  release() {
    if (this.order.intent === 'SELL') this.order.intent = 'GIVE_UP';
    if (this.order.goods !== 'RESERVED') return;
    this.order.goods = 'RELEASED';
    this.outputs.push({ type: 'RELEASE_STOCK' });
  }
}

/** A person is called after this number of answers in a row without a result. The requests continue. */
export const READS_UNTIL_PERSON = 6;
/** Seconds until the next request, by the number of answers without a result. */
const ASK_AFTER_SECONDS = [5, 15, 60, 300, 1800];
const LAST_SECONDS = 7200;
