/** Every code has its remedy in docs/errors.md: those of the types, of the scripts, of the frame and of the widget. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const read = (/** @type {string} */ path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
/** Code and remedy of each row. */
const rows = new Map([...read('docs/errors.md').matchAll(/^\| `(\w+)` \| .+ \| (.+) \|$/gm)].map(([, code, remedy]) => [code, remedy]));
const codes = (/** @type {string} */ text, /** @type {RegExp} */ pattern) => [...text.matchAll(pattern)].map(([, code]) => code);

test('D7 every code of the types, the shim, the frame and the widget has a row with a remedy, and no row is left over', () => {
  const types = read('www/sdk/payframe.d.ts');
  const union = types.slice(types.indexOf('export type PayframeErrorCode'), types.indexOf('export class PayframeError'));
  const typed = codes(union, /\| '(\w+)'/g);
  const thrown = ['www/sdk/payframe.js', 'www/sdk/lazy.js'].flatMap((path) => codes(read(path), /(?:PayframeError|#error|fail|limit|failWith)\((?:[^'()]*, )?'([a-z_]+)'/g));
  const framed = ['www/frame/loader.js', 'www/frame/bootstrap.js', 'www/frame/locale-switch.js'].flatMap((path) => codes(read(path), /(?:fail|reportError)\(["']([a-z_]+)["']/g));
  const messages = read('www/sdk/messages.d.ts');
  const [, problems = ''] = messages.split('export type ChallengeProblem =');
  const causes = codes(problems.slice(0, problems.indexOf(';')), /'([a-z_]+)'/g);
  // In every file of the widget. What is also a key of a text is a text.
  const sources = readdirSync(new URL('../../src', import.meta.url), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.rs'));
  const texts = Object.keys(JSON.parse(read('www/locales/en.json')));
  const widget = sources
    .flatMap((path) => [...codes(read(`src/${path}`), /(?:\bErr\(|reply\([\w.]+, Some\(|\bcode: |\.error\(\s*|&str = )"([a-z_]+)"/g), ...codes(read(`src/${path}`), /(?:then_some|Some)\("([a-z]+_[a-z_]+)"\)/g)])
    .filter((code) => !texts.includes(code));
  const diagnostics = codes(read('www/sdk/diagnostics.js'), /code: '(\w+)'/g);
  assert.ok(typed.length > 20 && thrown.length > 8 && framed.length >= 5 && causes.length === 6 && widget.length >= 12 && diagnostics.length >= 9, 'the patterns still find codes');
  const known = new Set([...typed, ...thrown, ...framed, ...causes, ...widget, ...diagnostics]);
  assert.deepEqual([...known].filter((code) => !rows.has(code)), [], 'codes without a row');
  assert.deepEqual([...rows.keys()].filter((code) => !known.has(code)), [], 'rows without a code');
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
