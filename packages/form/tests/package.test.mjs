// @ts-check
/** What the package promises about itself: no dependency, no effects, types and descriptions that are those of the SDK. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as form from '@payframe/form';
import { elements } from '../tools/describe.mjs';
import { copies } from '../tools/sync-types.mjs';
import { compile } from './compile.mjs';

const folder = fileURLToPath(new URL('..', import.meta.url));
const read = (/** @type {string} */ file) => readFileSync(join(folder, file), 'utf8');
const sdk = (/** @type {string} */ file) => fileURLToPath(new URL(`../../../www/sdk/${file}`, import.meta.url));
const manifest = JSON.parse(read('package.json'));
const sources = readdirSync(join(folder, 'src')).map((name) => `src/${name}`);

test('the sources import nothing but each other', () => {
  for (const file of sources) {
    for (const [, from = ''] of read(file).matchAll(/^(?:import|export)\b[^;]*?\bfrom '([^']+)'/gm)) assert.match(from, /^\.\/[\w-]+\.js$/, file);
  }
  assert.deepEqual(Object.keys(manifest).filter((name) => /dependencies/i.test(name)), []);
  assert.equal(manifest.sideEffects, false);
});

test('the licences are those of the project', () => {
  for (const name of ['LICENSE-APACHE', 'LICENSE-MIT']) assert.equal(read(name), read(`../../${name}`));
});

test('an import has no effects, also on a server', () => {
  const script = `const before = Object.getOwnPropertyNames(globalThis).length;
    for (const entry of ${JSON.stringify(Object.keys(manifest.exports).filter((name) => !name.endsWith('.json')))}) await import('@payframe/form' + entry.slice(1));
    if (Object.getOwnPropertyNames(globalThis).length !== before) throw new Error('globals changed');`;
  execFileSync(process.execPath, ['--input-type=module', '--disable-proto=throw', '--frozen-intrinsics', '--no-warnings', '-e', script], { cwd: folder });
});

test('the types of the SDK and the descriptions of its elements are current', () => {
  for (const [path, text] of Object.entries(copies())) assert.equal(read(path), text, `${path} is not current: run packages/form/tools/sync-types.mjs`);
});

test('the declarations are those of the sources', () => {
  compile(folder, (target) => ['-p', 'tsconfig.types.json', '--outDir', target], (target) => {
    const made = readdirSync(target);
    assert.deepEqual(made.sort(), sources.filter((file) => !/index|types-only/.test(file)).map((file) => file.replace(/^src\/(.*)\.js$/, '$1.d.ts')).sort());
    for (const name of made) assert.equal(read(`types/${name}`), readFileSync(join(target, name), 'utf8'), `types/${name} is not current: run packages/form/tools/sync-types.mjs`);
  });
});

test('index.d.ts declares what index.js exports', () => {
  const declared = [...read('types/index.d.ts').matchAll(/^export \{ (.*) \}/gm)].flatMap(([, names = '']) => names.split(', '));
  assert.deepEqual(declared.sort(), Object.keys(form).sort());
});

/** The SDK's script defines its element in a window of the test's own. @param {string} file */
function observed(file) {
  const script = `const found = {};
    globalThis.HTMLElement = class {};
    globalThis.customElements = { get() {}, define: (name, { observedAttributes }) => { found[name] = observedAttributes; } };
    await import(${JSON.stringify(pathToFileURL(file).href)});
    console.log(JSON.stringify(found));`;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '--no-warnings', '-e', script], { encoding: 'utf8' }));
}

test('the described attributes are those that the elements observe', () => {
  const [paymentForm, paymentField] = elements();
  const names = (/** @type {typeof paymentForm} */ element) => element?.attributes.map(({ name }) => name).sort();
  assert.deepEqual(names(paymentForm), observed(sdk('payframe.js'))['payment-form'].sort());
  assert.deepEqual(names(paymentField), observed(sdk('fields.js'))['payment-field'].sort());
});

test('the described events are those that the elements dispatch', () => {
  const [paymentForm, paymentField] = elements();
  const script = readFileSync(sdk('payframe.js'), 'utf8');
  const messages = /^const DETAILS = \{\n([^]*?)^\};/m.exec(script)?.[1] ?? '';
  const heard = [...messages.matchAll(/^ {2}(\w+):/gm)].map(([, name = '']) => name);
  assert.ok(heard.length > 10);
  // Not passed on: what becomes the event `error`, and what `lazy.js` reads.
  const internal = ['__proto__', 'fatal', 'reply', 'ask'];
  const extra = [...readFileSync(sdk('lazy.js'), 'utf8').matchAll(/dispatchEvent\(new CustomEvent\('(\w+)'/g)].map(([, name = '']) => name);
  const dispatched = new Set([...heard.filter((name) => !internal.includes(name)), ...extra]);
  assert.deepEqual(paymentForm?.events.map(({ name }) => name).sort(), [...dispatched].sort());
  assert.match(readFileSync(sdk('fields.js'), 'utf8'), /let news = mine && \(type === 'focus' \|\| type === 'blur'\)/);
  assert.deepEqual(paymentField?.events.map(({ name }) => name).sort(), ['blur', 'change', 'focus']);
});

test('every member that editors describe has a name and a type, and methods are those of the class', () => {
  for (const { tag, attributes, properties, methods, events } of elements()) {
    for (const { name, type } of [...attributes, ...properties, ...methods, ...events]) assert.ok(name && type, `${tag} ${name}`);
  }
  const script = readFileSync(sdk('payframe.js'), 'utf8');
  for (const { name } of elements()[0]?.methods ?? []) assert.match(script, new RegExp(`^  ${name}\\(|'${name}'`, 'm'), name);
});

test('the examples of the README compile', () => {
  const blocks = [...read('README.md').matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = '']) => code);
  assert.ok(blocks.length >= 2);
  const files = blocks.map((code, at) => [`${at}.mts`, code]);
  compile(folder, (target) => ['-p', target], undefined, [...files, ['tsconfig.json', '{ "extends": "../tsconfig.json", "include": ["*.mts"] }']]);
});
