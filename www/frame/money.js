// @ts-check
// Sums as buyers read them. Only here, because making a number format is slow: whoever needs one decides when.

/** @typedef {{ amount: string, currency: string, minorDigits: number }} Sum in minor units, digits only */

/** What the button promises and what stands above it: a payment, a hold, or nothing but a check. @type {Record<string, [string, string]>} */
const PROMISES = { VERIFY: ['verify_card', 'verify_note'], PREAUTH: ['hold_amount', 'hold_note'] };

const language = () => document.documentElement.lang || 'en';

/** @param {Sum} sum */
export function money({ amount, currency, minorDigits: digits }) {
  const minor = amount.padStart(digits + 1, '0');
  const split = minor.length - digits;
  const form = { style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits };
  // A decimal text, not a float: no amount is ever rounded on its way to the screen.
  const decimal = /** @type {any} */ (`${minor.slice(0, split)}.${minor.slice(split)}`);
  return new Intl.NumberFormat(language(), /** @type {any} */ (form)).format(decimal);
}

/**
 * A text with its gaps filled in. Whatever stands in a value is not looked at again.
 * @param {string} [text] @param {Record<string, string>} [values]
 */
export const fill = (text = '', values = {}) => text.replace(/\{(\w+)\}/g, (gap, name) => values[name] ?? gap);

/**
 * Says what is to be paid, wherever that stands: on the button, above it, and in what the widget will say. The gateway has
 * written it into the page; this writes what changed since.
 * @param {Record<string, any>} boot @param {Record<string, string>} texts @param {Sum} sum
 * @param {string} [amount] the sum as buyers read it: where that is known, or names two as long as the buyer has to choose
 */
export function price(boot, texts, sum, amount = money(sum)) {
  const [button, note] = PROMISES[boot.actionType] ?? ['pay_amount', 'pay_note'];
  const values = { amount, merchant: boot.merchant };
  boot.amountText = amount;
  boot.payText = fill(texts[button], values);
  /** @param {string} id @param {string} text */
  const write = (id, text) => {
    const place = document.getElementById(id);
    if (place) place.textContent = text;
  };
  write('promise', fill(texts[note], values));
  // While the form works, its button says so; the widget writes the sum afterwards.
  if (!document.getElementById('pay')?.ariaDisabled) write('pay-label', boot.payText);
}
