// @ts-check
/** What the server of each app does for a payment: it opens the session, and asks the gateway what is paid. Copied into each app. */

import { randomUUID } from 'node:crypto';
import { money, Payframe } from '@payframe/server';

const PRICE = money(3545, 'EUR');
const { PAYFRAME_GATEWAY: gateway = '', PAYFRAME_API_KEY: apiKey = '', ORIGIN: origin = '' } = process.env;

/** @typedef {{ gateway: string, session: string, orderId: string, html: string }} Opened */

/** @returns {Promise<Opened>} */
export async function openSession() {
  const orderId = randomUUID().replaceAll('-', '').slice(0, 18);
  const { sessionId, form } = await new Payframe({ gateway, apiKey }).sessions.create({
    merchantUrl: origin,
    order: { orderId, ...PRICE },
    paymentSession: { amount: PRICE.amount, language: 'eng', paymentService: 'CARDS', resultUrl: `${origin}/`, cancelUrl: `${origin}/`, notificationUrl: `${origin}/notifications` },
    form: { closing: 'FRAME' },
  });
  return { gateway, session: sessionId, orderId, html: form?.html ?? '' };
}

/** Only the gateway says whether an order is paid. @param {string} orderId @returns {Promise<{ status: 'Paid' | 'Waiting' }>} */
export async function orderStatus(orderId) {
  const { orderStatus } = await new Payframe({ gateway, apiKey }).orders.read(orderId);
  return { status: orderStatus.authorizedAmount === PRICE.amount ? 'Paid' : 'Waiting' };
}
