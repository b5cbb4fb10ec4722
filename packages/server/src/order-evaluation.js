// @ts-check
/** The meaning of an answer of the gateway for an order. Only this file decides what is paid. */

import { READS_UNTIL_PERSON } from './order-working.js';

/** @import { KeptOrder, OrderPayment, Reading } from './order-types.js' */
/** @import { Working } from './order-working.js' */

/**
 * @typedef {object} Evaluation
 * @property {boolean} isCovered whether a payment covers the whole amount and is kept
 * @property {{ operation: string, amount: number }[]} extra payments to refund, each with the amount to refund
 * @property {number} kept the held money besides these
 * @property {boolean} isUndecided
 * @property {boolean} wasReturned
 */

/** Evaluates the answer to the newest question. @param {Working} working @param {Reading} reading */
export function applyReading(working, reading) {
  const { order, outputs } = working;
  const evaluation = evaluate(order, reading);
  for (const { operation, amount } of evaluation.extra) {
    if (order.returning.includes(operation)) continue;
    order.returning.push(operation);
    outputs.push({ type: 'GIVE_BACK', operation, amount });
  }
  if (evaluation.isCovered) paid(working, evaluation.kept);
  else if (evaluation.kept > 0) partlyPaid(working);
  else if (evaluation.extra.length === 0) nothingHeld(working, evaluation);
  else if (order.goods === 'RELEASED') working.needsPerson('PAID_AFTER_RELEASE');
  goOn(working, evaluation);
}

/** @param {KeptOrder} order @param {Reading} reading @returns {Evaluation} */
function evaluate({ due, intent, goods, returning }, { held, payments }) {
  const keeps = intent !== 'GIVE_BACK' && goods !== 'RELEASED';
  const approved = payments.filter(({ outcome }) => outcome === 'APPROVED');
  const isReturning = (/** @type {OrderPayment} */ payment) => returning.includes(payment.operation);
  const cover = keeps ? approved.find((payment) => payment.amount >= due && !isReturning(payment)) : undefined;
  const extra = /** @type {Evaluation['extra']} */ ([]);
  let kept = held;
  const giveBack = (/** @type {OrderPayment} */ payment, /** @type {number} */ most) => {
    const amount = Math.min(payment.amount, most);
    if (amount > 0) extra.push({ operation: payment.operation, amount });
    kept -= amount;
    return amount;
  };
  if (cover || !keeps) {
    let excess = Math.max(0, held - (cover?.amount ?? 0));
    for (const payment of approved.filter((one) => !isSame(one, cover))) excess -= giveBack(payment, excess);
  } else {
    // Money that is being refunded already is not a part payment.
    for (const payment of approved.filter(isReturning)) giveBack(payment, kept);
  }
  const has = (/** @type {OrderPayment['outcome']} */ outcome) => payments.some((payment) => payment.outcome === outcome);
  return { isCovered: cover !== undefined && kept >= due, extra, kept, isUndecided: has('UNDECIDED'), wasReturned: has('RETURNED') };
}

/** @param {OrderPayment} payment @param {OrderPayment | undefined} cover */
const isSame = (payment, cover) => payment.operation === cover?.operation && payment.amount === cover.amount;

/** @param {Working} working @param {number} kept */
function paid(working, kept) {
  const { order } = working;
  order.intent = 'SELL';
  working.closeAll();
  if (kept > order.due) {
    working.needsPerson('TOO_MUCH');
    return;
  }
  working.setStatus('PAID');
  if (order.called !== 'NOT_GIVEN_BACK') order.called = null;
  working.fulfil();
}

/** @param {Working} working */
function partlyPaid(working) {
  working.setStatus('PARTLY_PAID');
  working.closeAll();
  if (working.order.goods !== 'FULFILLED') working.call('TOO_LITTLE');
}

/** @param {Working} working @param {Evaluation} evaluation */
function nothingHeld(working, { isUndecided, wasReturned }) {
  const { order } = working;
  const isOver = order.intent !== 'SELL' || wasReturned;
  if (isOver) working.closeAll();
  if (isUndecided) {
    if (order.goods === 'RESERVED' && order.status !== 'NEEDS_PERSON') working.setStatus('PAYING', 'ISSUER');
  } else if (wasReturned) {
    // The open attempts are being closed. When the last one is closed, the order is read again.
    if (order.open.length > 0) return;
    working.setStatus('REFUNDED');
    order.called = null;
    working.release();
  } else if (order.goods === 'FULFILLED') {
    working.needsPerson('FULFILLED_UNPAID');
  } else if (order.open.length > 0) {
    if (order.goods === 'RESERVED') working.setStatus('PAYING', 'BUYER');
  } else if (isOver) {
    working.setStatus('GIVEN_UP');
    order.called = null;
    working.release();
  } else {
    working.setStatus('UNPAID');
    order.called = null;
  }
}

/**
 * Reads the order again while it can change without a message, and calls a person if nothing changes for too long.
 *
 * @param {Working} working @param {Evaluation} evaluation
 */
function goOn(working, { isUndecided, extra }) {
  const { order } = working;
  const isWithBuyer = order.status === 'PAYING' && order.statusDetail === 'BUYER';
  if (!isUndecided && extra.length === 0 && !isWithBuyer) {
    order.reads = 0;
    return;
  }
  working.askLater();
  if (order.reads < READS_UNTIL_PERSON) return;
  if (extra.length > 0) {
    working.call('NOT_GIVEN_BACK');
  } else if (isUndecided) {
    if (order.status === 'PAYING' && order.statusDetail === 'ISSUER') working.setStatus('NEEDS_PERSON', 'UNDECIDED');
    working.call('UNDECIDED');
  }
}
