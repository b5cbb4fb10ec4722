// @ts-check
/** What an order book carries out for the keeper. Each output leaves the outbox in one transaction with the input that it leads to. */

import { PayframeError } from './errors.js';
import { readingOf } from './order-reading.js';

/** @import { BookRow, Desk } from './order-book-types.js' */
/** @import { KeeperOutput } from './order-types.js' */

/** @param {Desk} desk @param {BookRow} row @param {KeeperOutput} output */
export async function carryOut(desk, row, output) {
  switch (output.type) {
    case 'FULFIL':
      if ((await desk.shop().fulfil(row)) === 'NOT_FOR_SALE') return desk.happens(row.id, { type: 'STAFF_CANCEL' }, output);
      return leave(desk, row.id, output, 'FULFILLED');
    case 'RELEASE_STOCK':
      await desk.shop().release(row);
      return leave(desk, row.id, output, 'CANCELED');
    case 'CALL_PERSON':
      await desk.shop().call(row, output.why);
      break;
    case 'GIVE_BACK':
      await giveBack(desk, row, output);
      break;
    case 'CLOSE_ATTEMPT':
      await close(desk, row.sessions[output.number], `close ${row.id} ${output.number}`);
      return desk.happens(row.id, { type: 'ATTEMPT_CLOSED', number: output.number }, output);
    default:
      // The others are answered at once, and never in an outbox.
  }
  return leave(desk, row.id, output);
}

/**
 * An output that was carried out leaves the outbox.
 *
 * @param {Desk} desk @param {string} id @param {KeeperOutput} output @param {BookRow['untold']} [goods] what is to be told of them
 */
function leave(desk, id, output, goods) {
  return desk.change(id, (row) => {
    const next = { outbox: removed(row.outbox, output), untold: goods && desk.tellsFulfilment() ? goods : row.untold };
    return { ...next, workAtMs: hasWork(next) ? row.workAtMs : null };
  });
}

/** @param {Pick<BookRow, 'outbox' | 'untold'>} row */
export const hasWork = ({ outbox, untold }) => outbox.length > 0 || Boolean(untold);

/**
 * Gives a payment back if the order is still the one on which the keeper decided. If it has changed, it is looked at again: somebody else may have
 * given another payment of it back, and the one that is left pays the order.
 *
 * @param {Desk} desk @param {BookRow} row @param {{ operation: string, amount: number }} payment
 */
async function giveBack(desk, row, { operation, amount }) {
  const { id, currency, order, orderVersion } = row;
  const refund = (/** @type {string | undefined} */ version) => desk.payframe().operations.refund(operation, { amount: String(amount), currency }, { idempotencyKey: `give back ${operation}`, orderVersion: version });
  try {
    await refund(orderVersion);
  } catch (error) {
    if (!(error instanceof PayframeError && error.code === 'GW9012')) throw error;
    const answer = await desk.payframe().orders.read(id);
    const isSold = order.intent !== 'GIVE_BACK' && order.goods !== 'RELEASED';
    const isOwed = readingOf(answer, currency).held - amount >= (isSold ? order.due : 0);
    if (isOwed) await refund(answer.orderVersion);
    else await desk.shop().call(row, 'NOT_GIVEN_BACK');
  }
}

/**
 * Tells the gateway what became of the goods. A refusal is reported and not repeated: the order is right without it.
 *
 * @param {Desk} desk @param {BookRow} row
 */
export async function tellGoods(desk, { id, untold }) {
  if (!untold) return;
  try {
    await desk.payframe().orders.tellFulfilment(id, { state: untold }, { idempotencyKey: `goods ${untold} ${id}` });
  } catch (error) {
    if (error instanceof PayframeError && error.isRetryable) throw error;
    desk.shop().report(error);
  }
  await desk.change(id, (row) => {
    const next = { outbox: row.outbox, untold: row.untold === untold ? null : row.untold };
    return { ...next, workAtMs: hasWork(next) ? row.workAtMs : null };
  });
}

/** Ends a session. One that nobody knows was never shown. @param {Desk} desk @param {string | undefined} sessionId @param {string} idempotencyKey */
async function close(desk, sessionId, idempotencyKey) {
  if (!sessionId) return;
  await desk.payframe().sessions.cancel(sessionId, { idempotencyKey }).catch((error) => {
    // A session that is over is closed.
    if (!(error instanceof PayframeError && error.code === 'PS0061')) throw error;
  });
}

/** An outbox without an output. @param {KeeperOutput[]} outbox @param {KeeperOutput | undefined} output */
export function removed(outbox, output) {
  const text = JSON.stringify(output);
  return outbox.filter((one) => JSON.stringify(one) !== text);
}
