// @ts-check
/** The gateway's order as a shop reads it: which payments there are, and how much money is held. */

import { PayframeError } from './errors.js';

/** @import { KeeperInput, OrderPayment, Reading } from './order-types.js' */
/** @import { Order } from './types.js' */

/** @typedef {Pick<Order, 'operations'> & { orderStatus: Pick<Order['orderStatus'], 'authorizedAmount' | 'refundedAmount'> & { order: { currency?: string } } }} ReadableOrder the members that are read */

/**
 * The input that the answer of `orders.read()` is: `READ`, or `READ_UNREADABLE` if the answer can not be understood.
 *
 * @param {number} ticket of the `ASK` that this answers
 * @param {ReadableOrder | undefined} answer `undefined` if the gateway has no such order (`not_found`)
 * @param {string} currency of the shop's order
 * @returns {KeeperInput}
 */
export function readInput(ticket, answer, currency) {
  try {
    return { type: 'READ', ticket, reading: answer === undefined ? { held: 0, payments: [] } : readingOf(answer, currency) };
  } catch (error) {
    if (error instanceof PayframeError) return { type: 'READ_UNREADABLE', ticket };
    throw error;
  }
}

/**
 * What an answer of `orders.read()` says of the money.
 *
 * @param {ReadableOrder} answer
 * @param {string} currency of the shop's order
 * @returns {Reading}
 * @throws {PayframeError} with the code `order_currency`, `order_form`, `order_unknown` or `order_totals`
 */
export function readingOf({ orderStatus, operations }, currency) {
  if (orderStatus?.order?.currency !== currency) throw unreadable('order_currency', 'Its currency is not that of the shop\'s order.');
  const authorized = amountOf(orderStatus.authorizedAmount);
  const held = authorized - amountOf(orderStatus.refundedAmount);
  if (held < 0) throw unreadable('order_totals', 'More is refunded than was approved.');
  if (!Array.isArray(operations)) throw malformed();
  // The gateway has the newest first.
  const payments = operations.toReversed().flatMap((operation) => {
    const outcome = outcomeOf(operation);
    return outcome ? [{ operation: idOf(operation.operationId), outcome, amount: amountOf(operation.operationAmount) }] : [];
  });
  if (held > 0 && !payments.some(({ outcome }) => outcome === 'APPROVED')) throw unreadable('order_totals', 'The held money belongs to no payment.');
  return { held, payments };
}

/** @param {ReadableOrder['operations'][number]} operation @returns {OrderPayment['outcome'] | undefined} `undefined` without money of its own */
function outcomeOf({ operationType, operationResult }) {
  if (FOLLOW_UPS.has(operationType)) return undefined;
  const isKnown = operationType === 'AUTHORIZATION' && Object.hasOwn(OUTCOMES, operationResult);
  if (!isKnown) throw unreadable('order_unknown', 'It has an operation or a result that the contract does not have.');
  return OUTCOMES[operationResult];
}

/** @param {unknown} text as the API has it */
function amountOf(text) {
  if (typeof text !== 'string' || !/^[0-9]{1,12}$/.test(text)) throw malformed();
  return Number(text);
}

/** @param {unknown} id */
function idOf(id) {
  if (typeof id !== 'string' || !/^[0-9]{18}$/.test(id)) throw malformed();
  return id;
}

const malformed = () => unreadable('order_form', 'An amount or an id does not have the form of the contract.');

/** @param {string} code @param {string} message */
const unreadable = (code, message) => new PayframeError(`The order can not be used. ${message}`, { kind: 'gateway', code });

/** Operations that follow a payment. The sums of the order include them. */
const FOLLOW_UPS = new Set(['CAPTURE', 'VOID', 'REFUND', 'CANCEL', 'CARD_VERIFICATION']);
/** `undefined`: refused. @type {Record<string, OrderPayment['outcome'] | undefined>} */
const OUTCOMES = {
  AUTHORIZED: 'APPROVED',
  EXECUTED: 'APPROVED',
  PENDING: 'UNDECIDED',
  VOIDED: 'RETURNED',
  REFUNDED: 'RETURNED',
  DECLINED: undefined,
  DENIED_BY_RISK: undefined,
  THREEDS_VALIDATED: undefined,
  THREEDS_FAILED: undefined,
  CANCELED: undefined,
  FAILED: undefined,
};
