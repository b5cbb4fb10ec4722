// @ts-check
/** What an order book carries out for the keeper. Each output leaves the outbox in one transaction with the input that it leads to. */

import { PayframeError } from './errors.js';

/** @import { BookRow, Desk } from './order-book-types.js' */
/** @import { KeeperOutput } from './order-types.js' */

/** @param {Desk} desk @param {BookRow} row @param {KeeperOutput} output */
export async function carryOut(desk, row, output) {
  switch (output.type) {
    case 'FULFIL':
      if ((await desk.shop().fulfil(row)) === 'NOT_FOR_SALE') return desk.happens(row.id, { type: 'STAFF_CANCEL' }, output);
      break;
    case 'RELEASE_STOCK':
      await desk.shop().release(row);
      break;
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
  return desk.change(row.id, ({ outbox, workAtMs }) => {
    const left = removed(outbox, output);
    return { outbox: left, workAtMs: left.length > 0 ? workAtMs : null };
  });
}

/** @param {Desk} desk @param {BookRow} row @param {{ operation: string, amount: number }} payment */
async function giveBack(desk, { currency }, { operation, amount }) {
  await desk.payframe().operations.refund(operation, { amount: String(amount), currency }, { idempotencyKey: `give back ${operation}` });
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
