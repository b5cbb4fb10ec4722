// @ts-check
// Sums as buyers read them, written again after a change of the language.

/** @typedef {{ amount: string, currency: string, minorDigits: number }} Sum in minor units, digits only */

/** The texts of the button and above it: for a payment, a hold, or a check of the card. @type {Record<string, [string, string]>} */
const PROMISES = { VERIFY: ['verify_card', 'verify_note'], PREAUTH: ['hold_amount', 'hold_note'] };

const language = () => document.documentElement.lang || 'en';

/** @param {Sum} sum */
export function money({ amount, currency, minorDigits: digits }) {
  const minor = amount.padStart(digits + 1, '0');
  const split = minor.length - digits;
  const form = { style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits };
  // A decimal text, not a float: no amount is ever rounded.
  const decimal = /** @type {any} */ (`${minor.slice(0, split)}.${minor.slice(split)}`);
  return new Intl.NumberFormat(language(), /** @type {any} */ (form)).format(decimal);
}

/**
 * A text with its placeholders replaced. Placeholders inside of a value are not replaced.
 * @param {string} [text] @param {Record<string, string>} [values]
 */
export const fill = (text = '', values = {}) => text.replace(/\{(\w+)\}/g, (gap, name) => values[name] ?? gap);

/**
 * Writes the sum wherever the form shows it: on the button, above it, and in the texts that the widget shows later. The gateway
 * writes it into the page at first; this writes later changes.
 * @param {Record<string, any>} boot @param {Record<string, string>} texts @param {Sum} sum
 */
export function price(boot, texts, sum) {
  const amount = money(sum);
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
  // During a wait the button shows that the form works; the widget writes the sum afterwards.
  if (!document.getElementById('pay')?.ariaDisabled) write('pay-label', boot.payText);
}
