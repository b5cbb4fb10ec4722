// @ts-check
/** The apps of the matrix. */

/**
 * @typedef {object} App
 * @property {string} [base] the app whose files it has, besides its own
 * @property {string[]} packages of ours that it installs, besides `form` and `server`
 * @property {string} [shop] where it has `shop.mjs`, if not at its root
 * @property {boolean} [isStatic] a folder of files, with the server of `static-shop.mjs`
 * @property {Page[]} [pages]
 * @property {{ start: RegExp, dev?: RegExp }} [ready] the scripts that serve it, as built and as developed, and what they say once they can be asked
 */
/** @typedef {{ path: string, kind: 'form' | 'printed' | 'fields' }} Page */

/** @type {Page} */
const FORM = { path: '/', kind: 'form' };
/** @type {Page} */
const PRINTED = { path: '/printed', kind: 'printed' };
/** The tag alone, of a server. @type {Page} */
const TAG = { path: '/tag', kind: 'form' };
/** @type {Page} */
const FIELDS = { path: '/fields', kind: 'fields' };
const VITE = { start: /^listening on /, dev: /Local:/ };

/** @type {Record<string, App>} */
export const APPS = {
  types: { packages: ['react', 'vue', 'svelte', 'testing'] },
  react: { packages: ['react'], isStatic: true, pages: [FORM, FIELDS], ready: VITE },
  next: { packages: ['react'], pages: [FORM, PRINTED, TAG], ready: { start: /Ready in/, dev: /Ready in/ } },
  vue: { packages: ['vue'], isStatic: true, pages: [FORM, FIELDS], ready: VITE },
  nuxt: { packages: ['vue'], shop: 'server/shop.mjs', pages: [FORM, PRINTED], ready: { start: /^Listening on /, dev: /Nitro server built/ } },
  sveltekit: { packages: ['svelte'], pages: [FORM, PRINTED], ready: { start: /^Listening on /, dev: /Local:/ } },
  angular: { packages: ['angular'], isStatic: true, pages: [FORM, FIELDS], ready: { start: VITE.start } },
  react18: { base: 'react', packages: ['react'], isStatic: true, pages: [FORM, FIELDS], ready: VITE },
};
