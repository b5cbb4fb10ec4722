// @ts-check
/** The two libraries that give tests a window. */

// Their types need others than those that the compiler has here. Each takes a second to load, so it is loaded where it is used.
const library = (/** @type {string} */ name) => import(name);

/** A window of jsdom with an empty page, again and again. @returns {Promise<() => Window & typeof globalThis>} */
export async function jsdom() {
  const { JSDOM } = await library('jsdom');
  return () => new JSDOM('<!doctype html><body></body>', { url: 'https://shop.example/' }).window;
}

/** As `jsdom`. @returns {Promise<() => Window & typeof globalThis>} */
export async function happyDom() {
  const { Window } = await library('happy-dom');
  return () => new Window({ url: 'https://shop.example/' });
}
