/** Searches a text for card data. */

/** This number of consecutive digits must not appear. The contract allows six at the front and four at the end. */
export const PART = 8;

/** Parts of the numbers and codes of cards in a text, with a little of what is around them. @param {readonly import('./cards.mjs').Card[]} cards @param {string} text */
export function leaksOf(cards, text) {
  return cards.flatMap((card) => {
    const found = [];
    for (let at = 0; at + PART <= card.number.length; at += 1) {
      const part = card.number.slice(at, at + PART);
      const match = new RegExp([...part].join('(?:[ \\-]|%20|\\+)?')).exec(text);
      if (match) {
        found.push(around(text, match));
        break;
      }
    }
    // Three digits alone may be a coincidence: they count only as a whole value, or after a word for the code.
    const code = new RegExp(`(?:code|cvc|cvv|csc)\\W{1,6}(?:value\\W{1,6})?${card.code}(?!\\d)|"${card.code}"`, 'i').exec(text);
    if (code) found.push(around(text, code));
    return found;
  });
}

/** @param {string} text @param {RegExpExecArray} match */
const around = (text, match) => text.slice(Math.max(0, match.index - 80), match.index + match[0].length + 40);
