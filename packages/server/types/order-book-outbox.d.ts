/** What an order book carries out for the keeper. Each output leaves the outbox in one transaction with the input that it leads to. */
import type { BookRow, Desk } from './order-book-types.js';
import type { KeeperOutput } from './order-types.js';
/** @import { BookRow, Desk } from './order-book-types.js' */
/** @import { KeeperOutput } from './order-types.js' */
/** @param {Desk} desk @param {BookRow} row @param {KeeperOutput} output */
export declare function carryOut(desk: Desk, row: BookRow, output: KeeperOutput): Promise<KeeperOutput[] | BookRow>;
/** @param {Pick<BookRow, 'outbox' | 'untold'>} row */
export declare const hasWork: ({ outbox, untold }: Pick<BookRow, 'outbox' | 'untold'>) => boolean;
/**
 * Tells the gateway what became of the goods. A refusal is reported and not repeated: the order is right without it.
 *
 * @param {Desk} desk @param {BookRow} row
 */
export declare function tellGoods(desk: Desk, { id, untold }: BookRow): Promise<void>;
/** An outbox without an output. @param {KeeperOutput[]} outbox @param {KeeperOutput | undefined} output */
export declare function removed(outbox: KeeperOutput[], output: KeeperOutput | undefined): KeeperOutput[];
