// @ts-check
/** The apps of the matrix. */

/**
 * @typedef {object} App
 * @property {string} [base] the app whose files it has, besides its own
 * @property {string[]} packages of ours that it installs, besides `form` and `server`
 * @property {boolean} [isStatic] a folder of files, with the server of `static-shop.mjs`
 * @property {Page[]} [pages]
 * @property {Record<'dev' | 'start', RegExp>} [ready] what the programs say once they can be asked
 */
/** @typedef {{ path: string, kind: 'form' | 'printed' | 'fields' }} Page */

/** @type {Page} */
const FORM = { path: '/', kind: 'form' };
/** @type {Page} */
const PRINTED = { path: '/printed', kind: 'printed' };
/** @type {Page} */
const FIELDS = { path: '/fields', kind: 'fields' };
const VITE = { dev: /Local:/, start: /^listening on / };

/** @type {Record<string, App>} */
export const APPS = {
  types: { packages: ['react', 'vue', 'svelte'] },
  react: { packages: ['react'], isStatic: true, pages: [FORM, FIELDS], ready: VITE },
  next: { packages: ['react'], pages: [FORM, PRINTED], ready: { dev: /Ready in/, start: /Ready in/ } },
  vue: { packages: ['vue'], isStatic: true, pages: [FORM, FIELDS], ready: VITE },
  nuxt: { packages: ['vue'], pages: [FORM, PRINTED], ready: { dev: /Nitro server built/, start: /^Listening on / } },
  sveltekit: { packages: ['svelte'], pages: [FORM, PRINTED], ready: { dev: /Local:/, start: /^Listening on / } },
  react18: { base: 'react', packages: ['react'], isStatic: true, pages: [FORM, FIELDS], ready: VITE },
};
