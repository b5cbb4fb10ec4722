// @ts-check
/**
 * A shop's order that always agrees with the gateway about its money: `crates/order-keeper` of the project in JavaScript, held to the same
 * vectors. It is pure: it has no clock, does no I/O and knows no database. `docs/order-keeper.md` says how to store the order, and what to
 * do for each output.
 */

import { refusedValue } from './errors.js';
import { applyReading } from './order-evaluation.js';
import { Working } from './order-working.js';
import { checkedOrder } from './order-stored.js';

export { readInput, readingOf } from './order-reading.js';

/** @typedef {import('./order-types.js').OrderState} OrderState */
/** @typedef {import('./order-types.js').Intent} Intent */
/** @typedef {import('./order-types.js').Goods} Goods */
/** @typedef {import('./order-types.js').Cause} Cause */
/** @typedef {import('./order-types.js').PaymentUnavailable} PaymentUnavailable */
/** @typedef {import('./order-types.js').KeptOrder} KeptOrder */
/** @typedef {import('./order-types.js').OrderPayment} OrderPayment */
/** @typedef {import('./order-types.js').Reading} Reading */
/** @typedef {import('./order-types.js').KeeperInput} KeeperInput */
/** @typedef {import('./order-types.js').KeeperOutput} KeeperOutput */
/** @typedef {import('./order-types.js').Stepped} Stepped */

/**
 * A new order of which nothing is paid. Its stock is reserved.
 *
 * @param {number} due what it costs, in the minor unit: above 0, at most 12 digits
 * @returns {KeptOrder}
 */
export function newOrder(due) {
  return checkedOrder({
    due, status: 'UNPAID', statusDetail: null, intent: 'SELL', goods: 'RESERVED', open: [], attempts: 0, returning: [], asked: null, tickets: 0,
    reads: 0, called: null,
  });
}

/**
 * The order after an input, and what to carry out. The given order is not changed.
 *
 * @param {KeptOrder} order as it was stored
 * @param {KeeperInput} input
 * @returns {Stepped}
 * @throws {PayframeError} of kind `caller` if `order` is none that this module made, or if there is no such input
 */
export function step(order, input) {
  const working = new Working(checkedOrder(order));
  const { order: at } = working;
  switch (input.type) {
    case 'ATTEMPT_WANTED':
      wanted(working);
      break;
    case 'ATTEMPT_OPENED':
      opened(working, counted(input.number, 'number'));
      break;
    case 'ATTEMPT_CLOSED':
      closed(working, counted(input.number, 'number'));
      break;
    case 'RETURN_PAGE':
    case 'NOTIFICATION':
    case 'FEED':
      working.askNow();
      break;
    case 'READ':
      if (takes(at, input.ticket)) applyReading(working, input.reading);
      break;
    case 'READ_FAILED':
      if (takes(at, input.ticket)) working.askLater();
      break;
    case 'READ_UNREADABLE':
      if (takes(at, input.ticket)) {
        working.needsPerson('UNREADABLE');
        working.askLater();
      }
      break;
    case 'TIME_OUT':
      if (at.intent === 'SELL' && at.goods === 'RESERVED') end(working, 'GIVE_UP');
      break;
    case 'STAFF_CANCEL':
      end(working, 'GIVE_BACK');
      break;
    case 'STAFF_LOOK_AGAIN':
      at.reads = 0;
      at.called = null;
      working.askNow();
      break;
    default:
      throw refusedValue('input', 'must have one of the types of KeeperInput');
  }
  return { order: at, outputs: working.outputs };
}

/** @param {Working} working */
function wanted({ order, outputs, setStatus }) {
  const why = refusal(order);
  if (why) {
    outputs.push({ type: 'REFUSE_ATTEMPT', why });
    return;
  }
  order.attempts += 1;
  order.open.push({ number: order.attempts, isClosing: false });
  setStatus('PAYING', 'BUYER');
  outputs.push({ type: 'OPEN_ATTEMPT', number: order.attempts });
}

/** @param {KeptOrder} order @returns {PaymentUnavailable | undefined} */
function refusal({ status, statusDetail, intent, open }) {
  if (status === 'PAID' || status === 'PARTLY_PAID') return 'ALREADY_PAID';
  if (status === 'REFUNDED' || status === 'GIVEN_UP') return 'NOT_FOR_SALE';
  if (status === 'NEEDS_PERSON') return 'NEEDS_PERSON';
  if (statusDetail === 'ISSUER') return 'UNDECIDED';
  if (intent !== 'SELL') return 'NOT_FOR_SALE';
  return open.length < MAX_OPEN_ATTEMPTS ? undefined : 'TOO_MANY_ATTEMPTS';
}

/** An attempt may have been closed during its call. Then its form is never shown. @param {Working} working @param {number} number */
function opened(working, number) {
  const { order, outputs } = working;
  if (number === 0 || number > order.attempts) return;
  const isOpen = order.open.some((one) => one.number === number && !one.isClosing);
  if (order.intent === 'SELL' && order.statusDetail === 'BUYER' && isOpen) {
    outputs.push({ type: 'SHOW_FORM', number });
    order.reads = 0;
    working.askLaterUncounted();
    return;
  }
  outputs.push({ type: 'CLOSE_ATTEMPT', number });
  const others = order.open.filter((one) => one.number !== number);
  order.open = [...others, { number, isClosing: true }].sort((one, other) => one.number - other.number);
}

/** When the last attempt is closed, nothing new can happen at the gateway: a later answer is final. @param {Working} working @param {number} number */
function closed(working, number) {
  const { order } = working;
  const before = order.open.length;
  order.open = order.open.filter((one) => one.number !== number || !one.isClosing);
  if (order.open.length < before && order.open.length === 0) working.askNow();
}

/** Whether this answers the newest request, which is then no longer open. @param {KeptOrder} order @param {number} ticket */
function takes(order, ticket) {
  const isNewest = order.asked !== null && order.asked === ticket;
  if (isNewest) order.asked = null;
  return isNewest;
}

/** @param {Working} working @param {Intent} intent */
function end(working, intent) {
  working.order.intent = intent;
  working.order.reads = 0;
  working.closeAll();
  working.askNow();
}

/** @param {number} number @param {string} member */
function counted(number, member) {
  if (Number.isSafeInteger(number) && number >= 0) return number;
  throw refusedValue(member, 'must be the number of an attempt');
}

/** Further attempts are refused until the shop has closed some. */
const MAX_OPEN_ATTEMPTS = 8;
