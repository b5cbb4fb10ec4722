// @ts-check
// The search of the docs: which sections contain the words of a question, best first.

/**
 * A page in the index of the search, as `xtask/src/docs/search.rs` writes it.
 * @typedef {{ path: string, title: string, sections: { heading: string, anchor: string, text: string }[] }} IndexedPage
 * @typedef {{ address: string, page: string, heading: string, text: string, weight: number }} Result
 */

/**
 * The sections that contain all words, best first: words in a heading count most, then those in the page's title, then those in the text.
 * @param {IndexedPage[]} pages @param {string} question @returns {Result[]}
 */
export function find(pages, question) {
  const words = question.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return [];
  /** @type {Result[]} */
  const found = [];
  for (const { path, title, sections } of pages) {
    for (const [position, { heading, anchor, text }] of sections.entries()) {
      const weights = words.map((word) => weight(word, heading, title, text));
      if (weights.includes(0)) continue;
      const sum = weights.reduce((all, one) => all + one, position === 0 ? 1 : 0);
      found.push({ address: `${path}${position ? `#${anchor}` : ''}`, page: title, heading, text, weight: sum });
    }
  }
  return found.sort((one, other) => other.weight - one.weight).slice(0, 20);
}

/** @param {string} word @param {string} heading @param {string} title @param {string} text */
function weight(word, heading, title, text) {
  const words = heading.toLowerCase().split(/[^\p{L}\p{N}_]+/u).filter(Boolean);
  // A whole word says more than a part of one, and more in a short heading than in a long one.
  if (words.includes(word)) return 10 + 6 / words.length;
  const has = (/** @type {string} */ place) => place.toLowerCase().includes(word);
  if (has(heading)) return 6 + 6 / words.length;
  return has(title) ? 3 : Number(has(text));
}

/** The part of a text around the first of the words. @param {string} text @param {string} question */
export function excerpt(text, question) {
  const first = question.toLowerCase().split(/\s+/).find((word) => word && text.toLowerCase().includes(word));
  const at = first ? text.toLowerCase().indexOf(first) : 0;
  // Whole words only.
  const start = at > 40 ? text.indexOf(' ', at - 40) + 1 : 0;
  const end = text.length > start + 140 ? text.lastIndexOf(' ', start + 140) : text.length;
  return `${start ? '… ' : ''}${text.slice(start, end)}${end < text.length ? ' …' : ''}`;
}
