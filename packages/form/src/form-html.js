// @ts-check
/**
 * Reads the member `form.html` of the answer to `POST /orders/build`: the element as HTML, with its frame in a declared shadow root.
 * For the packages of frameworks, which print the element themselves.
 */

import { PayframeError } from './errors.js';

/**
 * @typedef {object} PrintedForm
 * @property {Record<string, string>} attributes of the element; `gateway` and `session` are among them
 * @property {string} content the template that declares the shadow root, for the element's HTML on a server
 */

const TAG = /^<payment-form((?: [\w-]+(?:="[^"<>]*")?)*)>(<template shadowrootmode="open"(?: [\w-]+)*>[^]*<\/template>)<\/payment-form>$/;
const ATTRIBUTE = / ([\w-]+)(?:="([^"]*)")?/g;
/** @type {Record<string, string>} */
const CHARACTERS = { amp: '&', quot: '"', '#39': "'", '#x27': "'", lt: '<', gt: '>' };

/** @param {string} html @returns {PrintedForm} */
export function readFormHtml(html) {
  const [, tag = '', content = ''] = TAG.exec(html.trim()) ?? [];
  /** @type {Record<string, string>} */
  const attributes = {};
  for (const [, name = '', value = ''] of tag.matchAll(ATTRIBUTE)) attributes[name] = value.replace(/&(#?\w+);/g, (whole, character) => CHARACTERS[character] ?? whole);
  if (!attributes.gateway || !attributes.session) throw new PayframeError('bad_option', 'The form as HTML is not the member form.html of POST /orders/build.');
  return { attributes, content };
}
