// @ts-check
// The texts of the widget. They are in a file of their own for each language: the page arrives sooner without them, and the next form
// finds them in the browser's cache. They are data: the page's import map, which has the hash of each script, has none of them.

/**
 * The texts in a file of them.
 * @param {string} path
 * @returns {Promise<Record<string, string>>}
 */
export async function readTexts(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

/**
 * The texts of a form in the language of one of its pages, except those in the page itself.
 * @param {Document} page
 */
export const textsOf = (page) => readTexts(/** @type {HTMLLinkElement} */ (page.getElementById('texts')).href);
