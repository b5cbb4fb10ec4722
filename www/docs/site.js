// @ts-check
// What the pages of the docs do beyond showing text: search, copy buttons, the choice of light or dark, the menu of narrow screens.
// Everything else works without script.

import { copy } from './copy.js';
import { excerpt, find } from './find.js';
/** @import { IndexedPage, Result } from './find.js' */

const up = document.body.dataset.up ?? '';

/** @template {HTMLElement} T @param {string} id @param {new () => T} type @returns {T} */
function element(id, type) {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`the page has no #${id}`);
  return found;
}

/** Buttons that copy blocks of code. */
function offerCopies() {
  for (const block of document.querySelectorAll('.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.setAttribute('aria-label', `Copy this ${block.getAttribute('data-language') ?? 'code'}`);
    button.addEventListener('click', () => copy(block.querySelector('code')?.textContent ?? '', button));
    block.append(button);
  }
}

/** The button for light and dark. */
function offerThemes() {
  const button = element('theme', HTMLButtonElement);
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const isDark = () => (document.documentElement.dataset.theme ?? (dark.matches ? 'dark' : 'light')) === 'dark';
  const name = () => { button.textContent = isDark() ? 'Light' : 'Dark'; };
  button.addEventListener('click', () => {
    const chosen = isDark() ? 'light' : 'dark';
    document.documentElement.dataset.theme = chosen;
    localStorage.setItem('payframe-docs-theme', chosen);
    name();
  });
  dark.addEventListener('change', name);
  name();
  button.hidden = false;
}

/** On a wide screen the list of pages is always open. */
function keepMenuOpen() {
  const menu = element('menu', HTMLDetailsElement);
  const wide = matchMedia('(min-width: 1000px)');
  const follow = () => { menu.open = wide.matches; };
  wide.addEventListener('change', follow);
  follow();
  menu.dataset.ready = '';
  menu.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
}

/** @type {Promise<IndexedPage[]> | undefined} */
let loading;

/** Loads the index once; after a failure it is loaded again. @returns {Promise<IndexedPage[]>} */
function index() {
  loading ??= fetch(`${up}search.json`).then((answer) => {
    if (!answer.ok) throw new Error(`the index of the search: ${answer.status}`);
    return answer.json();
  }).catch((problem) => {
    loading = undefined;
    throw problem;
  });
  return loading;
}

/** @param {Result} result @param {string} question */
function shown({ address, page, heading, text }, question) {
  const link = document.createElement('a');
  link.href = `${up}${address}`;
  const name = document.createElement('b');
  name.textContent = heading;
  const place = document.createElement('small');
  place.textContent = page === heading ? '' : page;
  const words = document.createElement('span');
  words.textContent = excerpt(text, question);
  link.append(name, ' ', place, words);
  const item = document.createElement('li');
  item.append(link);
  return item;
}

function offerSearch() {
  const dialog = element('search', HTMLDialogElement);
  const input = element('words', HTMLInputElement);
  const list = element('found', HTMLUListElement);
  const count = element('count', HTMLParagraphElement);
  const button = element('open-search', HTMLButtonElement);

  async function look() {
    const question = input.value;
    try {
      const found = find(await index(), question);
      if (input.value !== question) return;
      list.replaceChildren(...found.map((result) => shown(result, question)));
      count.textContent = question.trim() ? `${found.length === 20 ? 'The best 20' : found.length} ${found.length === 1 ? 'place' : 'places'}` : '';
    } catch {
      count.textContent = 'The search could not be loaded. Try again, or use the list of all pages.';
    }
  }

  function open() {
    if (dialog.open) return;
    dialog.showModal();
    input.select();
    void look();
  }

  /** Moves through the results with the arrow keys, and closes by one press of Escape, which would only empty the input. @param {KeyboardEvent} event */
  function step(event) {
    if (event.key === 'Escape') {
      event.preventDefault();
      return dialog.close();
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    const stops = [input, ...list.querySelectorAll('a')];
    const here = stops.findIndex((stop) => stop === document.activeElement);
    const next = stops[Math.max(0, here) + (event.key === 'ArrowDown' ? 1 : -1)];
    if (!next) return;
    event.preventDefault();
    next.focus();
  }

  button.addEventListener('click', open);
  input.addEventListener('input', look);
  input.addEventListener('keydown', (event) => {
    const first = list.querySelector('a');
    if (event.key !== 'Enter' || !first) return;
    event.preventDefault();
    first.click();
  });
  dialog.addEventListener('keydown', step);
  // A place on this page is shown without loading anything, so the dialog has to close.
  list.addEventListener('click', () => dialog.close());
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select');
    const asks = (event.key === '/' && !isTyping) || (event.key === 'k' && (event.ctrlKey || event.metaKey));
    if (!asks) return;
    event.preventDefault();
    open();
  });
  button.hidden = false;
}

offerCopies();
offerThemes();
keepMenuOpen();
offerSearch();
