/**
 * A sum that changes while the buyer is in the checkout: the open session is given the new one. What is being given is stored first, so that the row
 * and the gateway agree again after a crash, before the order is read.
 */
import type { BookRow, Desk, FormRefusal } from './order-book-types.js';
/** @import { BookRow, Desk, FormRefusal } from './order-book-types.js' */
/** @param {Desk} desk @param {BookRow} row @param {number} due @returns {Promise<FormRefusal | undefined>} why the row can not have this sum */
export declare function changeSum(desk: Desk, row: BookRow, due: number): Promise<FormRefusal | undefined>;
/** Ends a change of the sum that was begun. @param {Desk} desk @param {BookRow} row @returns {Promise<BookRow>} */
export declare function finishChange(desk: Desk, row: BookRow): Promise<BookRow>;
