/** What the docs' own scripts compute: the order of what a search finds, and the appearance that the playground writes. */

import { test } from 'node:test';
import assert from 'node:assert/strict';
import { ownColours, ratios, rgb, tone, written } from '../../www/docs/appearance-editor.js';
import { excerpt, find } from '../../www/docs/find.js';

/** @import { Choice } from '../../www/docs/appearance-editor.js' */

/** @param {[string, string][]} sections @param {string} title @param {string} path */
const page = (path, title, sections) => ({ path, title, sections: sections.map(([heading, text]) => ({ heading, anchor: heading.toLowerCase().replaceAll(' ', '-'), text })) });

const PAGES = [
  page('a', 'Operations', [['Operating', 'how to run it, with keys'], ['Rotate the keys', 'a new one'], ['Everything that is ever done about keys and locks', '']]),
  page('b', 'Keys', [['Making one', 'in the office']]),
];

/** @param {string} question @param {string[]} expected */
function check(question, expected) {
  assert.deepEqual(find(PAGES, question).map(({ address }) => address), expected, question);
}

test('headings come first, short ones before long ones, then titles, then texts', () => {
  check('keys', ['a#rotate-the-keys', 'a#everything-that-is-ever-done-about-keys-and-locks', 'b', 'a']);
  check('KEY office', ['b']);
  check('rotate new', ['a#rotate-the-keys']);
  check('nothing', []);
  check('  ', []);
});

test('an excerpt shows where the word stands', () => {
  const text = `${'before '.repeat(20)}needle${' after'.repeat(40)}`;
  assert.match(excerpt(text, 'needle'), /^… .*needle.* …$/);
  assert.equal(excerpt('short text', 'text'), 'short text');
});

/** @type {Choice} */
const PLAIN = { ground: 'light', theme: 'auto', labels: 'above', density: 'normal', fontFamily: '', measures: {}, colours: { light: {}, dark: {} } };

test('the object has only what differs from the form as it is', () => {
  assert.deepEqual(written(PLAIN), {});
  assert.deepEqual(written({ ...PLAIN, theme: 'minimal', density: 'compact', fontFamily: 'Georgia, serif', measures: { radius: 4 } }), {
    theme: 'minimal', density: 'compact', variables: { radius: 4, fontFamily: 'Georgia, serif' },
  });
  assert.deepEqual(written({ ...PLAIN, colours: { light: {}, dark: { colorText: '#ffffff' } } }), { darkVariables: { colorText: '#ffffff' } });
});

test('the theme decides the tone, and without one the page', () => {
  assert.equal(tone({ ...PLAIN, ground: 'dark' }), 'dark');
  assert.equal(tone({ ...PLAIN, ground: 'dark', theme: 'light' }), 'light');
  assert.equal(tone({ ...PLAIN, ground: 'dark', theme: 'high-contrast' }), 'dark');
});

test('every theme has enough contrast in either tone, and bad choices are found', () => {
  for (const theme of ['auto', 'light', 'dark', 'minimal', 'high-contrast']) {
    for (const ground of /** @type {const} */ (['light', 'dark'])) {
      const little = ratios({ ...PLAIN, theme, ground }).filter(({ found, least }) => found < least);
      assert.deepEqual(little, [], `${theme} in ${ground}`);
      for (const colour of Object.values(ownColours({ ...PLAIN, theme, ground }))) assert.ok(rgb(colour), `${theme} in ${ground}: ${colour}`);
    }
  }
  const pale = ratios({ ...PLAIN, colours: { light: { colorText: '#cccccc' }, dark: {} } });
  assert.deepEqual(pale.filter(({ found, least }) => found < least).map(({ front }) => front), ['colorText']);
  // Black on white is 21, the most that there is.
  const [text] = ratios({ ...PLAIN, colours: { light: { colorText: '#000', colorField: '#ffffff' }, dark: {} } });
  assert.equal(text?.found, 21);
});
