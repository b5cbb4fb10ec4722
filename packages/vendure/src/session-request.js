// @ts-check
/** What a session of the gateway is opened with, for an order of Vendure. */

import { NOTIFICATIONS } from './options.js';

/** @import { SessionRequest } from '@payframe/server' */
/** @import { SessionParts, Settings } from './options.js' */

/**
 * @typedef {object} Sale
 * @property {string} reference id of the order at the gateway
 * @property {number} due
 * @property {string} currency
 * @property {string} language of the buyer, as Vendure has it, such as `de` or `pt_BR`
 * @property {string | undefined} customer id of a customer who is logged in; a guest has none, whatever e-mail address was typed
 */

/** @param {Pick<Settings, 'storefront' | 'shopServer' | 'savedCards'>} settings @param {Sale} sale @param {SessionParts} [parts] of the shop @returns {SessionRequest} */
export function sessionRequest({ storefront, shopServer, savedCards }, { reference, due, currency, language, customer }, parts = {}) {
  const amount = String(due);
  const customerId = savedCards && customer !== undefined ? customerIdOf(customer) : undefined;
  const back = new URL(storefront);
  back.searchParams.set('payframe', reference);
  return {
    merchantUrl: new URL(storefront).origin,
    order: { orderId: reference, amount, currency, ...(customerId && { customerId }), ...parts.order },
    paymentSession: {
      amount,
      paymentService: 'CARDS',
      language: LANGUAGES[language.slice(0, 2)] ?? 'eng',
      resultUrl: back.href,
      cancelUrl: back.href,
      notificationUrl: new URL(NOTIFICATIONS, shopServer).href,
      ...(customerId && { recurrence: { action: 'CONTRACT_CREATION', contractId: reference, contractType: 'CIT' } }),
      ...parts.paymentSession,
    },
    form: { closing: 'FRAME', attempts: 3, ...(customerId && { savedCards: 'USE_AND_REMOVE', consent: 'OPTIONAL' }), ...parts.form },
  };
}

/** An id that the gateway takes: 27 characters are enough for a UUID without its version and variant. @param {string} id */
const customerIdOf = (id) => `v${id.replaceAll('-', '').slice(-26)}`;

/** The id of an order at the gateway: the first is the order's code, a later one has a number behind it. @param {string} code @param {number} number */
export const referenceOf = (code, number) => (number === 1 ? code : `${code}-${number}`);

/** The languages of the form. @type {Record<string, string>} */
const LANGUAGES = {
  ar: 'ara', bg: 'bul', ca: 'cat', cs: 'ces', da: 'dan', de: 'deu', el: 'ell', en: 'eng', es: 'spa', et: 'est', fi: 'fin', fr: 'fra', he: 'heb', hr: 'hrv', hu: 'hun', id: 'ind',
  it: 'ita', ja: 'jpn', ko: 'kor', lt: 'lit', lv: 'lav', nb: 'nob', no: 'nob', pl: 'pol', pt: 'por', ro: 'ron', ru: 'rus', sk: 'slk', sl: 'slv', sv: 'swe', th: 'tha', tr: 'tur',
  uk: 'ukr', vi: 'vie', zh: 'zha',
};
