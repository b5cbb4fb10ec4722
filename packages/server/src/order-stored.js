// @ts-check
/** Stored orders: which are possible. */

import { refusedValue } from './errors.js';
import { READS_UNTIL_PERSON } from './order-working.js';

/** @import { Cause, KeptOrder } from './order-types.js' */

/**
 * A copy of an order, if this package can have made it.
 *
 * @param {KeptOrder} order
 * @returns {KeptOrder}
 */
export function checkedOrder(order) {
  if (!hasForm(order)) throw refusedValue('order', 'must be an order as it was stored: newOrder() makes the first');
  const impossible = impossibility(order);
  if (impossible) throw refusedValue('order', `must be an order that the keeper made: ${impossible}`);
  const { due, status, statusDetail, intent, goods, open, attempts, returning, asked, tickets, reads, called } = order;
  const attempt = (/** @type {KeptOrder['open'][number]} */ { number, isClosing }) => ({ number, isClosing });
  return { due, status, statusDetail, intent, goods, open: open.map(attempt), attempts, returning: [...returning], asked, tickets, reads, called };
}

/** @param {KeptOrder} order */
function hasForm(order) {
  if (typeof order !== 'object' || order === null || !Array.isArray(order.open) || !Array.isArray(order.returning)) return false;
  const counts = [order.attempts, order.tickets, order.reads, order.asked ?? 0, ...order.open.map((one) => one?.number)];
  return counts.every((count) => Number.isSafeInteger(count) && count >= 0)
    && order.asked !== undefined && order.called !== undefined && (order.called === null || CAUSES.includes(order.called))
    && Number.isSafeInteger(order.due) && order.due >= 0 && order.due <= LARGEST_AMOUNT
    && Object.hasOwn(DETAILS, order.status) && DETAILS[order.status].includes(order.statusDetail)
    && ['SELL', 'GIVE_UP', 'GIVE_BACK'].includes(order.intent)
    && ['RESERVED', 'FULFILLED', 'RELEASED'].includes(order.goods)
    && order.open.every(({ isClosing }) => typeof isClosing === 'boolean')
    && order.returning.every((id) => typeof id === 'string' && /^[0-9]{18}$/.test(id));
}

/** @param {KeptOrder} order @returns {string | undefined} why it can not be */
function impossibility({ due, status, statusDetail, goods, open, attempts, asked, tickets, reads }) {
  if (due === 0) return 'FREE';
  const ascends = open.every(({ number }, at) => number > (open[at - 1]?.number ?? 0));
  if (!ascends || open.some(({ number }) => number > attempts)) return 'ATTEMPTS';
  if (asked !== null && (asked === 0 || asked > tickets)) return 'TICKET';
  if (reads > READS_UNTIL_PERSON) return 'READS';
  const expected = statusDetail === 'ISSUER' ? undefined : GOODS[status];
  return expected && goods !== expected ? 'GOODS' : undefined;
}

/** @type {Cause[]} */
const CAUSES = ['UNDECIDED', 'NOT_GIVEN_BACK', 'TOO_MUCH', 'TOO_LITTLE', 'PAID_AFTER_RELEASE', 'FULFILLED_UNPAID', 'UNREADABLE'];
/** What `statusDetail` can be. @type {Record<KeptOrder['status'], KeptOrder['statusDetail'][]>} */
const DETAILS = {
  UNPAID: [null],
  PAYING: ['BUYER', 'ISSUER'],
  PAID: [null],
  PARTLY_PAID: [null],
  REFUNDED: [null],
  GIVEN_UP: [null],
  NEEDS_PERSON: CAUSES,
};
/** Where the goods of an order must be. @type {Partial<Record<KeptOrder['status'], KeptOrder['goods']>>} */
const GOODS = { UNPAID: 'RESERVED', PAYING: 'RESERVED', PAID: 'FULFILLED', GIVEN_UP: 'RELEASED' };
const LARGEST_AMOUNT = 999_999_999_999;
