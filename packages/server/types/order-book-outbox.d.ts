/** What an order book carries out for the keeper. Each output leaves the outbox in one transaction with the input that it leads to. */
import type { BookRow, Desk } from './order-book-types.js';
import type { KeeperOutput } from './order-types.js';
/** @import { BookRow, Desk } from './order-book-types.js' */
/** @import { KeeperOutput } from './order-types.js' */
/** @param {Desk} desk @param {BookRow} row @param {KeeperOutput} output */
export declare function carryOut(desk: Desk, row: BookRow, output: KeeperOutput): Promise<KeeperOutput[] | BookRow>;
/** An outbox without an output. @param {KeeperOutput[]} outbox @param {KeeperOutput | undefined} output */
export declare function removed(outbox: KeeperOutput[], output: KeeperOutput | undefined): KeeperOutput[];
