// @ts-check
/**
 * What Vendure asks of a payment method: the payment of an order, which only the plug-in itself may add, and what staff does in the admin. A call of staff that
 * had no answer leaves the payment as it is, and is repeated with the same key.
 */

import { LanguageCode, PaymentMethodHandler } from '@vendure/core';

/** @import { PayframeError } from '@payframe/server' */
/** @import { PaidBy, PaidOrders } from '@payframe/server/paid-orders' */

/** @typedef {PaidBy & { reference: string, amount: number }} Proof */

/** Payments that the plug-in adds, by the object that it gives to Vendure. A buyer's call can not have one. @type {WeakMap<object, Proof>} */
const proofs = new WeakMap();

/** What the plug-in gives to Vendure to add a payment. @param {Proof} proof */
export function provenMetadata(proof) {
  const metadata = {};
  proofs.set(metadata, proof);
  return metadata;
}

/** @type {PaidOrders | undefined} */
let paidOrders;

/** @returns {PaidOrders} */
function orders() {
  if (!paidOrders) throw new Error('PayframePlugin is not among the plug-ins of this shop');
  return paidOrders;
}

export const payframePaymentHandler = new PaymentMethodHandler({
  code: 'payframe',
  description: [{ languageCode: LanguageCode.en, value: 'Payframe' }],
  args: {},
  init: (injector) => {
    paidOrders = injector.get(PAID_ORDERS);
  },

  createPayment(_ctx, _order, amount, _args, metadata) {
    const proof = proofs.get(metadata);
    if (!proof) return { amount, state: 'Error', errorMessage: 'The shop adds the payment by itself, when the gateway holds the money.' };
    if (proof.amount !== amount) return { amount, state: 'Error', errorMessage: 'The order has another sum than was paid.' };
    return { amount, state: proof.isCaptured ? 'Settled' : 'Authorized', transactionId: proof.operation, metadata: { reference: proof.reference } };
  },

  async settlePayment(_ctx, order, payment) {
    const { operation, reference } = named(payment);
    try {
      await orders().capture({ orderId: reference, operation, amount: payment.amount, currency: order.currencyCode, key: `capture ${operation}` });
      return { success: true };
    } catch (error) {
      return { success: false, state: 'Authorized', errorMessage: sentence(error) };
    }
  },

  async createRefund(_ctx, _input, amount, order, payment) {
    const { operation, reference } = named(payment);
    // A refund that was lost is not in the list, so that its repetition has the same key.
    const key = `refund ${operation} ${payment.refunds?.length ?? 0} ${amount}`;
    const { operation: refund, result } = await orders().refund({ orderId: reference, operation, amount, currency: order.currencyCode, key });
    return { state: REFUND_STATES[result], transactionId: refund };
  },

  async cancelPayment(_ctx, _order, payment) {
    const { operation, reference } = named(payment);
    try {
      await orders().release({ orderId: reference, operation, key: `release ${operation}` });
      return { success: true };
    } catch (error) {
      return { success: false, state: payment.state === 'Authorized' ? 'Authorized' : 'Settled', errorMessage: sentence(error) };
    }
  },
});

/** By which name the handler finds the calls to the gateway. */
export const PAID_ORDERS = 'PayframePaidOrders';

/** @type {Record<'EXECUTED' | 'PENDING' | 'FAILED', 'Settled' | 'Pending' | 'Failed'>} */
const REFUND_STATES = { EXECUTED: 'Settled', PENDING: 'Pending', FAILED: 'Failed' };

/** @param {import('@vendure/core').Payment} payment */
function named({ transactionId, metadata }) {
  return { operation: transactionId, reference: String(metadata.reference) };
}

/** @param {unknown} error */
function sentence(error) {
  const { name, message, outcomeUnknown } = /** @type {PayframeError} */ (error);
  if (name !== 'PayframeError') throw error;
  return outcomeUnknown ? 'The gateway did not answer. Do it again: it is carried out once.' : message;
}
