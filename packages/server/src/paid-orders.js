// @ts-check
/**
 * What staff does with the money of an order, so that it can be repeated: a call whose answer was lost is made again with the same key, and what is done
 * already is no failure.
 */

import { PayframeError } from './errors.js';
import { readingOf } from './order-reading.js';

/** @import { Payframe } from './client.js' */

/** @typedef {{ operation: string, isCaptured: boolean }} PaidBy `operation`: the authorization that pays the order */
/** @typedef {{ orderId: string, operation: string, amount: number, currency: string, key: string }} MoneyCall `key`: the same whenever this is repeated */
/** @typedef {{ operation: string, result: 'EXECUTED' | 'PENDING' | 'FAILED' }} Refunded */

export class PaidOrders {
  #payframe;

  /** @param {Payframe} payframe */
  constructor(payframe) {
    this.#payframe = payframe;
  }

  /** Which payment covers an order, and whether its money is captured. @param {string} orderId @param {number} due @param {string} currency @returns {Promise<PaidBy | undefined>} */
  async paidBy(orderId, due, currency) {
    const answer = await this.#payframe.orders.read(orderId);
    const payment = readingOf(answer, currency).payments.find(({ outcome, amount }) => outcome === 'APPROVED' && amount >= due);
    return payment && { operation: payment.operation, isCaptured: Number(answer.orderStatus.capturedAmount) >= due };
  }

  /** Captures held money. @param {MoneyCall & { total?: number }} call `total`: how much is captured afterwards, if this is not the first capture @returns {Promise<void>} */
  async capture({ orderId, operation, amount, currency, key, total = amount }) {
    try {
      await this.#payframe.operations.capture(operation, { amount: String(amount), currency }, { idempotencyKey: key });
    } catch (error) {
      if (!isRefused(error)) throw error;
      const { orderStatus } = await this.#payframe.orders.read(orderId);
      // Somebody has captured it in the back office of the gateway.
      if (Number(orderStatus.capturedAmount) < total) throw error;
    }
  }

  /**
   * Gives captured money back. The gateway takes a refund of exactly what is still held for a release, so that such a refund is refused here
   * (`refund_ambiguous`).
   *
   * @param {MoneyCall} call @returns {Promise<Refunded>}
   */
  async refund({ operation, amount, currency, key }) {
    const actions = await this.#payframe.operations.actions(operation);
    if (actions.some(({ actionType, maxAmount }) => actionType === 'VOID' && Number(maxAmount) === amount)) {
      throw new PayframeError('As much as this is still held, so that the gateway would release it. Capture the rest, or refund in parts.', { kind: 'caller', code: 'refund_ambiguous' });
    }
    const { operationId } = await this.#payframe.operations.refund(operation, { amount: String(amount), currency }, { idempotencyKey: key });
    const { operationResult } = await this.#payframe.operations.read(operationId);
    return { operation: operationId, result: operationResult === 'PENDING' ? 'PENDING' : GIVEN_BACK.has(operationResult) ? 'EXECUTED' : 'FAILED' };
  }

  /** Releases what is held. Nothing is done if nothing is held any more. @param {Omit<MoneyCall, 'amount' | 'currency'>} call @returns {Promise<void>} */
  async release({ orderId, operation, key }) {
    try {
      await this.#payframe.operations.void(operation, {}, { idempotencyKey: key });
    } catch (error) {
      if (!(error instanceof PayframeError && error.code === 'nothing_to_void')) throw error;
      const { orderStatus } = await this.#payframe.orders.read(orderId);
      if (Number(orderStatus.authorizedAmount) > Number(orderStatus.refundedAmount)) throw error;
    }
  }
}

const GIVEN_BACK = new Set(['EXECUTED', 'REFUNDED', 'VOIDED']);

/** Whether the gateway has refused a call, and has not carried it out. @param {unknown} error */
const isRefused = (error) => error instanceof PayframeError && !error.outcomeUnknown && error.status !== undefined && error.status < 500;
