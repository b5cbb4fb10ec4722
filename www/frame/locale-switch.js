// @ts-check
/**
 * Changes the texts of a live form: to another language, or to the merchant's own labels of a few fields. The form is not loaded
 * again, and no input is touched: what was typed, focus, caret and selection stay. Loaded when a page asks for it.
 *
 * The texts of a language come from the frame's own page in that language, and from the file of texts that it names. The page is parsed and never shown.
 * The texts that differ between it and the page of the former language are changed here.
 *
 * The page's script may be hostile: it can not change what a buyer agrees to (sum, payee, button, consent), nor the labels of the card's fields.
 */

import { readTexts, textsOf } from './texts.js';

export { price } from './money.js';

/** @typedef {Record<string, string>} Texts */

/** The labels that a page may change, by field: a wrong name of these fields does not make a buyer reveal card data. @type {Texts} */
const LABELS = {
  label_holder_name: 'CARDHOLDER_NAME',
  label_holder_surname: 'CARDHOLDER_SURNAME',
  label_email: 'CARDHOLDER_EMAIL',
};
const ATTRIBUTES = ['placeholder', 'aria-label', 'title', 'alt'];
/** A label, not a sentence, and no sum. */
const LABEL = /^[^\p{N}\p{Sc}{}]{1,40}$/u;

/** The page whose texts each document shows. @type {WeakMap<Document, Document>} */
const pages = new WeakMap();
/** Our texts in the current language. @type {Texts | undefined} */
let ours;
/** Our labels that the merchant's labels replace. @type {Texts} */
let labels = {};

/**
 * @param {Texts} texts what the widget reads; changed in place
 * @param {string | undefined} locale another language, if there is to be one
 * @param {string} own JSON of the merchant's texts, or empty
 * @param {(code: import('../sdk/messages.js').PayframeErrorCode, message: string) => void} reportError
 */
export async function switchLocale(texts, locale, own, reportError) {
  const documents = formDocuments();
  ours ??= { ...texts };
  const before = { ...texts };
  const changes = locale === undefined ? [] : await Promise.all(documents.map((document) => translate(document, locale)));
  // The first document is the form's own.
  const [first] = changes;
  if (first) {
    ours = await textsIn(first.page);
    // Our labels are restored, so that they are translated, and not the merchant's.
    for (const document of documents) relabel(document, {});
    labels = {};
  }
  const theirs = merchantLabels(own, reportError);
  Object.assign(texts, ours);
  documents.forEach((document, i) => {
    const change = changes[i];
    const words = change?.words ?? new Map();
    for (const [key, text] of Object.entries(texts)) if (before[key] && before[key] !== text && !text.includes('{')) words.set(before[key], text);
    replace(document, words);
    if (change) {
      const { lang, dir } = change.page.documentElement;
      Object.assign(document.documentElement, { lang, dir });
      document.title = change.page.title;
      pages.set(document, change.page);
    }
    relabel(document, theirs);
  });
}

/** The documents of this form: its own, and those of fields that have frames. */
function formDocuments() {
  const { driver } = window.payframe ?? {};
  const apart = driver?.shown.map((id) => driver.frameOf(id)?.document) ?? [];
  return [document, ...apart].filter((each) => each !== undefined);
}

/** All texts of a form in the language of its page, except those of choices. @param {Document} page @returns {Promise<Texts>} */
async function textsIn(page) {
  const texts = await textsOf(page);
  return { ...JSON.parse(page.getElementById('words')?.textContent ?? '{}'), ...texts, ...(await readTexts(texts.$late ?? '')) };
}

/** Changes the texts that differ between the page of that language and the former one. @param {Document} document @param {string} locale */
async function translate(document, locale) {
  const address = new URL(document.URL);
  const before = pages.get(document) ?? (await load(address.href));
  address.searchParams.set('lang', locale);
  const page = await load(address.href);
  const [old, now] = [wordsOf(before), wordsOf(page)];
  if (old.length !== now.length) throw new Error('the page has changed');
  return { page, words: new Map(old.map((word, i) => [word, now[i] ?? word])) };
}

/** The only policy of the form's pages: nothing but their own page in another language is ever parsed, and it is never shown. */
const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy('payframe-page', { createHTML: (/** @type {string} */ page) => page });

/** @param {string} address of our own origin */
async function load(address) {
  const answer = await fetch(address, { cache: 'no-store', credentials: 'omit' });
  if (!answer.ok) throw new Error(`${answer.status}`);
  const page = await answer.text();
  return new DOMParser().parseFromString(policy ? policy.createHTML(page) : page, 'text/html');
}

/** All texts that a page shows, in order; the order is the same in every language. @param {Document} page */
function wordsOf(page) {
  const words = [];
  for (const element of page.body.querySelectorAll('*:not(script)')) {
    for (const name of ATTRIBUTES) words.push(element.getAttribute(name) ?? '');
    for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) words.push(node.nodeValue?.trim() ?? '');
  }
  return words;
}

/** @param {Document} document @param {Map<string, string>} words */
function replace(document, words) {
  for (const element of document.body.querySelectorAll('*:not(script)')) {
    for (const name of ATTRIBUTES) {
      const word = words.get(element.getAttribute(name) ?? '');
      if (word) element.setAttribute(name, word);
    }
    for (const node of element.childNodes) {
      const word = node.nodeType === Node.TEXT_NODE && words.get(node.nodeValue?.trim() ?? '');
      if (word) node.nodeValue = word;
    }
  }
}

/** Shows the merchant's labels, and ours where the merchant has removed theirs. @param {Document} document @param {Texts} theirs */
function relabel(document, theirs) {
  for (const [key, field] of Object.entries(LABELS)) {
    const label = document.querySelector(`label[for="${field}"]`);
    const node = [...(label?.childNodes ?? [])].find((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim());
    if (!node) continue;
    labels[key] ??= node.nodeValue ?? '';
    node.nodeValue = theirs[key] ?? labels[key] ?? '';
  }
}

/**
 * The merchant's labels that may replace ours.
 * @param {string} own @param {(code: import('../sdk/messages.js').PayframeErrorCode, message: string) => void} reportError
 */
function merchantLabels(own, reportError) {
  /** @type {Texts} */
  const theirs = {};
  /** @type {Texts} */
  let given = {};
  try {
    given = own ? JSON.parse(own) : {};
  } catch {
    reportError('bad_text', 'texts: no JSON');
  }
  for (const [key, text] of Object.entries(Object(given))) {
    const name = /^\w{1,64}$/.test(key) ? key : '?';
    if (!Object.hasOwn(LABELS, key)) reportError('bad_text', `texts: "${name}" can not be reworded; ${Object.keys(LABELS).join(', ')} can`);
    else if (typeof text !== 'string' || !text.trim() || !LABEL.test(text)) reportError('bad_text', `texts.${name}: from 1 to 40 characters, without digits, currency signs and braces`);
    else theirs[key] = text;
  }
  return theirs;
}
