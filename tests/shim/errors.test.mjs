/** Every code has its remedy in docs/errors.md: the scripts and the widget give each. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const read = (/** @type {string} */ path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
/** Code and remedy of each row. */
const rows = new Map([...read('docs/errors.md').matchAll(/^\| `(\w+)` \| .+ \| (.+) \|$/gm)].map(([, code, remedy]) => [code, remedy]));
const filesIn = (/** @type {string} */ folder, /** @type {string} */ end) =>
  readdirSync(new URL(`../../${folder}`, import.meta.url), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith(end));
const codes = (/** @type {string} */ text, /** @type {RegExp} */ pattern) => [...text.matchAll(pattern)].map(([, code]) => code);

/** The words of a list in the types. @param {string} name */
function union(name) {
  const [, text = ''] = read('www/sdk/messages.d.ts').split(`export type ${name} =`);
  return codes(text.slice(0, text.search(/;$/m)), /'([a-z0-9_]+)'/g);
}
const DECLARED = union('PayframeErrorCode');

test('D7 every code of the types, of causes and of the diagnostics has a row with a remedy, and no row is left over', () => {
  const causes = union('ChallengeProblem');
  const diagnostics = codes(read('www/sdk/diagnostics.js'), /code: '(\w+)'/g);
  assert.ok(DECLARED.length > 30 && causes.length === 6 && diagnostics.length >= 9, 'the patterns still find codes');
  const known = new Set([...DECLARED, ...causes, ...diagnostics]);
  assert.deepEqual([...known].filter((code) => !rows.has(code)), [], 'codes without a row');
  assert.deepEqual([...rows.keys()].filter((code) => !known.has(code)), [], 'rows without a code');
});

// That nothing else is thrown or sent is checked by the compilers: `PayframeErrorCode` is a closed type in Rust and for the scripts.
test('every declared code is given by a script or by the widget', () => {
  const scripts = ['www/sdk', 'www/frame'].flatMap((folder) => filesIn(folder, '.js').map((path) => read(`${folder}/${path}`))).join('\n');
  const widget = filesIn('src', '.rs').map((path) => read(`src/${path}`)).join('\n');
  const variant = (/** @type {string} */ code) => code.replaceAll(/(?:^|_)([a-z])/g, (_, letter) => letter.toUpperCase());
  const given = (/** @type {string} */ code) => new RegExp(`['"]${code}['"]`).test(scripts) || new RegExp(`PayframeErrorCode::${variant(code)}\\b`).test(widget);
  assert.deepEqual(DECLARED.filter((code) => !given(code)), []);
});

test('the guide of the element says of each call which codes it rejects with', () => {
  const [, table = ''] = read('docs/element.md').split('## What a call rejects with');
  const cells = [...table.slice(0, table.indexOf('\n## ')).matchAll(/^\| .+ \| (.+) \|$/gm)].map(([, listed]) => listed).join(' ');
  const listed = codes(cells, /`([a-z]+(?:_[a-z]+)*)`/g).filter((word) => word !== 'session');
  assert.ok(listed.length > 15);
  assert.deepEqual(listed.filter((code) => !DECLARED.includes(code)), []);
});

test('the console and the page say the same', async () => {
  const { CURES } = await import('../../www/sdk/diagnostics.js');
  const lazy = read('www/sdk/lazy.js');
  for (const [code, cure] of Object.entries(CURES)) assert.equal(rows.get(code), cure, code);
  const remedies = lazy.slice(lazy.indexOf('export const REMEDIES'), lazy.indexOf('/** By language tag'));
  const said = [...remedies.matchAll(/^  (\w+): (['"])(.+)\2,$/gm)];
  assert.ok(said.length > 10);
  for (const [, code, , remedy] of said) assert.equal(rows.get(code), remedy, code);
});
