// @ts-check
/**
 * Reads the member `form.html` of the answer to `POST /orders/build`: the element as HTML, with its frame in a declared shadow root.
 * For the packages of frameworks, which print the element themselves.
 */

import { PayframeError } from './errors.js';

/**
 * @typedef {object} PrintedForm
 * @property {Record<string, string>} attributes of the element; `gateway` and `session` are among them
 * @property {string} content the template that declares the shadow root, for the element's HTML on a server; empty where it is none that this package knows
 */

/** Attributes that run no code. */
const ATTRIBUTES = '(?: (?!on|srcdoc)[a-z-]+(?:="[^"<>]*")?)*';
const TAG = new RegExp(`^<payment-form(${ATTRIBUTES})>([^]*)</payment-form>$`);
/** One frame and nothing else: what a component prints can do no more than the gateway's own form. */
const CONTENT = new RegExp(`^<template shadowrootmode="open"${ATTRIBUTES}><iframe src="([^"<>]*)"${ATTRIBUTES}></iframe></template>$`);
const ATTRIBUTE = / ([\w-]+)(?:="([^"]*)")?/g;
/** @type {Record<string, string>} */
const CHARACTERS = { amp: '&', quot: '"', '#39': "'", '#x27': "'", lt: '<', gt: '>' };

/** @param {string} html @returns {PrintedForm} */
export function readFormHtml(html) {
  const [, tag = '', inner = ''] = TAG.exec(html.trim()) ?? [];
  /** @type {Record<string, string>} */
  const attributes = {};
  for (const [, name = '', value = ''] of tag.matchAll(ATTRIBUTE)) attributes[name] = value.replace(/&(#?\w+);/g, (whole, character) => CHARACTERS[character] ?? whole);
  if (!attributes.gateway || !attributes.session) throw new PayframeError('bad_option', 'The form as HTML is not the member form.html of POST /orders/build.');
  const isFrame = CONTENT.exec(inner)?.[1]?.startsWith(`${attributes.gateway}/form/?`);
  return { attributes, content: isFrame ? inner : '' };
}
