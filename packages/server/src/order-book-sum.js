// @ts-check
/**
 * A sum that changes while the buyer is in the checkout: the open session is given the new one. What is being given is stored first, so that the row
 * and the gateway agree again after a crash, before the order is read.
 */

import { PayframeError } from './errors.js';

/** @import { BookRow, Desk, FormRefusal } from './order-book-types.js' */

/** @param {Desk} desk @param {BookRow} row @param {number} due @returns {Promise<FormRefusal | undefined>} why the row can not have this sum */
export async function changeSum(desk, row, due) {
  const { id, order, sessions } = await finishChange(desk, row);
  if (order.due === due) return undefined;
  if (order.status === 'PAID' || order.status === 'PARTLY_PAID') return 'ALREADY_PAID';
  if (order.attempts === 0) {
    await desk.change(id, (newest) => (newest.order.attempts === 0 ? { order: { ...newest.order, due } } : {}));
    return undefined;
  }
  const [open, ...others] = order.open;
  if (!open || others.length > 0 || open.isClosing || !sessions[open.number]) return 'SUM_CHANGED';
  const begun = await desk.change(id, (newest) => (newest.newSum ? {} : { newSum: { due, key: `sum ${id} ${newest.revision}` } }));
  const { order: changed } = await finishChange(desk, begun);
  if (changed.due === due) return undefined;
  await desk.happens(id, { type: 'FEED' });
  return changed.statusDetail === 'BUYER' ? 'BEING_PAID' : 'SUM_CHANGED';
}

/** Ends a change of the sum that was begun. @param {Desk} desk @param {BookRow} row @returns {Promise<BookRow>} */
export async function finishChange(desk, row) {
  const { newSum, sessions, order, id } = row;
  if (!newSum) return row;
  const sessionId = sessions[order.open.at(-1)?.number ?? 0];
  const isChanged = sessionId !== undefined && (await give(desk, sessionId, newSum));
  return desk.change(id, (newest) => {
    if (newest.newSum?.key !== newSum.key) return {};
    return { newSum: null, ...(isChanged && { order: { ...newest.order, due: newSum.due } }) };
  });
}

/** @param {Desk} desk @param {string} sessionId @param {{ due: number, key: string }} newSum @returns {Promise<boolean>} `false` if the session charges the former sum, or nothing */
async function give(desk, sessionId, { due, key }) {
  try {
    await desk.payframe().sessions.change({ sessionId, amount: String(due) }, { idempotencyKey: key });
    return true;
  } catch (error) {
    if (error instanceof PayframeError && REFUSALS.has(error.code)) return false;
    throw error;
  }
}

/** The payment is on its way or over; the session is over. */
const REFUSALS = new Set(['GW9003', 'GW9006', 'PS0061']);
