// @ts-check
/** Sums as the gateway has them: text in the minor unit, with a currency. Floating point numbers are refused. */

import { refusedValue } from './errors.js';

/** @typedef {{ amount: string, currency: string }} Money `amount` in the minor unit: `"3545"` is 35.45 EUR */

/**
 * A sum for a request.
 *
 * @param {number | bigint | string} amountMinor whole, not negative, in the minor unit of the currency, at most 12 digits
 * @param {string} currency three letters of ISO 4217
 * @returns {Money}
 */
export function money(amountMinor, currency) {
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) {
    throw refusedValue('currency', 'must be three capital letters of ISO 4217, such as EUR');
  }
  return { amount: minorUnits(amountMinor), currency };
}

/** @param {number | bigint | string} amountMinor */
function minorUnits(amountMinor) {
  const isWhole = typeof amountMinor === 'number' ? Number.isSafeInteger(amountMinor) : ['bigint', 'string'].includes(typeof amountMinor);
  const text = isWhole ? String(amountMinor) : '';
  if (!/^(0|[1-9][0-9]{0,11})$/.test(text)) {
    throw refusedValue('amountMinor', 'must be a whole number of at most 12 digits, in the minor unit of the currency (3545 for 35.45 EUR)');
  }
  return text;
}

/**
 * The JSON of a body. No member of the API has a fraction, so one is a sum in the major unit, or a rounding error.
 *
 * @param {object} body
 */
export function jsonOf(body) {
  return JSON.stringify(body, (name, value) => {
    const isInexact = typeof value === 'number' && !Number.isSafeInteger(value);
    if (isInexact || typeof value === 'bigint') throw refusedValue(name, 'must be text of digits, or a whole number: money() makes sums');
    return value;
  });
}
