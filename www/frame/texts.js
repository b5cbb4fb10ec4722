// @ts-check
// The texts of the widget. They are in a file of their own for each language: the page arrives sooner without them, and the next form
// finds them in the browser's cache.

/**
 * The texts of a form in the language of one of its pages, except those in the page itself.
 * @param {Document} page
 * @returns {Promise<Record<string, string>>}
 */
export async function textsOf(page) {
  const { href } = /** @type {HTMLLinkElement} */ (page.getElementById('texts'));
  return (await import(href)).default;
}
