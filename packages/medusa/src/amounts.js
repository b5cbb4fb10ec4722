// @ts-check
/** Sums: Medusa has them in the major unit, with decimals; the gateway in the minor one. No floating point number is in between. */

/** @param {string} text a decimal number, such as `40.45` @param {string} currency three letters in any letter case @returns {number} in the minor unit, halves rounded up */
export function minorOf(text, currency) {
  const [, whole = '', fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (!whole) throw new TypeError('The amount is no decimal number.');
  const digits = digitsOf(currency);
  const padded = fraction.padEnd(digits + 1, '0');
  const rounds = Number(padded.charAt(digits)) >= 5;
  const minor = Number(whole + padded.slice(0, digits)) + (rounds ? 1 : 0);
  if (!Number.isSafeInteger(minor)) throw new TypeError('The amount is too large.');
  return minor;
}

/** @param {number} minor @param {string} currency @returns {number} in the major unit, as Medusa wants it */
export const majorOf = (minor, currency) => Number(`${minor}e-${digitsOf(currency)}`);

/** @param {string} currency */
const digitsOf = (currency) => new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
