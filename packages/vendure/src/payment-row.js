// @ts-check
/** The table of the plug-in: one row for each order at the gateway. The decorators of TypeORM are called as functions, because this is JavaScript. */

import { Column, CreateDateColumn, Entity, Index, PrimaryColumn } from 'typeorm';

/** @import { BookRow } from '@payframe/server/order-book' */

export class PayframePayment {
  /** The id of the order at the gateway. @type {string} */
  reference = '';
  /** @type {string} */
  orderId = '';
  /** @type {number} */
  revision = 0;
  /** The row of the order book. @type {BookRow} */
  row = /** @type {any} */ (undefined);
  /** Milliseconds since 1970. @type {number | null} */
  wakeAtMs = null;
  /** Whether Vendure has the payment. It is written in one transaction with the payment. @type {boolean} */
  isFulfilled = false;
  /** Why a person has to look at the order. @type {string | null} */
  needsPerson = null;
  /** @type {Date} */
  createdAt = /** @type {any} */ (undefined);
}

/** Databases have 64 bits, and drivers give them as text. */
const asNumber = { to: (/** @type {number | null} */ value) => value, from: (/** @type {string | number | null} */ value) => (value === null ? null : Number(value)) };

const columns = /** @type {[keyof PayframePayment, PropertyDecorator[]][]} */ ([
  ['reference', [PrimaryColumn({ type: 'varchar', length: 27 })]],
  ['orderId', [Column({ type: 'varchar' }), Index()]],
  ['revision', [Column({ type: 'int' })]],
  ['row', [Column({ type: 'simple-json' })]],
  ['wakeAtMs', [Column({ type: 'bigint', nullable: true, transformer: asNumber }), Index()]],
  ['isFulfilled', [Column({ type: 'boolean', default: false })]],
  ['needsPerson', [Column({ type: 'varchar', nullable: true })]],
  ['createdAt', [CreateDateColumn()]],
]);
for (const [name, decorators] of columns) for (const decorate of decorators) decorate(PayframePayment.prototype, name);
Entity()(PayframePayment);
