/** Sums: Medusa has them in the major unit, with decimals; the gateway in the minor one. No floating point number is in between. */
/** @param {string} text a decimal number, such as `40.45` @param {string} currency three letters in any letter case @returns {number} in the minor unit, halves rounded up */
export declare function minorOf(text: string, currency: string): number;
/** @param {number} minor @param {string} currency @returns {number} in the major unit, as Medusa wants it */
export declare const majorOf: (minor: number, currency: string) => number;
