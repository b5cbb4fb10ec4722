// @ts-check
// The texts of the widget. They stand in a file of their own for each language: the page comes sooner without them, and the next form
// finds them in the browser's cache.

/**
 * What a form says in the language of one of its pages, but for the words that stand in the page itself.
 * @param {Document} page
 * @returns {Promise<Record<string, string>>}
 */
export async function textsOf(page) {
  const { href } = /** @type {HTMLLinkElement} */ (page.getElementById('texts'));
  return (await import(href)).default;
}
