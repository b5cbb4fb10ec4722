// @ts-check
/** What a session of the gateway is opened with, for a payment session of Medusa. */

/** @import { SessionRequest } from '@payframe/server' */
/** @import { Settings } from './options.js' */

/** @typedef {{ reference: string, due: number, currency: string, customer: string | undefined }} Sale `customer`: id of a customer who is logged in */

/** @param {Pick<Settings, 'storefront' | 'backend' | 'savedCards' | 'id' | 'session'>} settings @param {Sale} sale @returns {SessionRequest} */
export function sessionRequest({ storefront, backend, savedCards, id, session: parts = {} }, { reference, due, currency, customer }) {
  const amount = String(due);
  const customerId = savedCards && customer !== undefined ? customer.replace(/^cus_/, '').slice(-27) : undefined;
  const back = new URL(storefront);
  back.searchParams.set('payframe', reference);
  return {
    merchantUrl: new URL(storefront).origin,
    order: { orderId: reference, amount, currency, ...(customerId && { customerId }), ...parts.order },
    paymentSession: {
      amount,
      paymentService: 'CARDS',
      language: 'eng',
      resultUrl: back.href,
      cancelUrl: back.href,
      notificationUrl: new URL(`/hooks/payment/payframe_${id}`, backend).href,
      ...(customerId && { recurrence: { action: 'CONTRACT_CREATION', contractId: reference, contractType: 'CIT' } }),
      ...parts.paymentSession,
    },
    form: { closing: 'FRAME', attempts: 3, ...(customerId && { savedCards: 'USE_AND_REMOVE', consent: 'OPTIONAL' }), ...parts.form },
  };
}

/** The id of an order at the gateway: it takes 27 characters, and those of Medusa behind `payses_` are 26. @param {string} sessionId */
export const referenceOf = (sessionId) => sessionId.replace(/^payses_/, '').slice(-27);
