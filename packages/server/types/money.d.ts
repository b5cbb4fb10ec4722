/** Sums as the gateway has them: text in the minor unit, with a currency. Floating point numbers are refused. */
export type Money = {
    amount: string;
    currency: string;
};
/** @typedef {{ amount: string, currency: string }} Money `amount` in the minor unit: `"3545"` is 35.45 EUR */
/**
 * A sum for a request.
 *
 * @param {number | bigint | string} amountMinor whole, not negative, in the minor unit of the currency, at most 12 digits
 * @param {string} currency three letters of ISO 4217
 * @returns {Money}
 */
export declare function money(amountMinor: number | bigint | string, currency: string): Money;
/**
 * The JSON of a body. No member of the API has a fraction, so one is a sum in the major unit, or a rounding error.
 *
 * @param {object} body
 */
export declare function jsonOf(body: object): string;
