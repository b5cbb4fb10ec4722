/**
 * The blocks of code in the documents are code: each is read by a compiler of its language. `cargo xtask docs` reads JSON and TOML. Blocks
 * that also run are listed with the test that runs them.
 */

import { test } from 'node:test';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from '@vue/compiler-dom';
import * as vue from '@vue/compiler-sfc';
import { transformSync } from 'esbuild';
import { compile } from 'svelte/compiler';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (/** @type {string} */ file) => readFileSync(root + file, 'utf8');

/** The documents of the site, and the repository's own first page. */
const FILES = ['README.md', 'docs/start.md', ...[...read('docs/contents.toml').matchAll(/file = "([^"]+)"/g)].map(([, file = '']) => file)];

/** @typedef {{ file: string, line: number, language: string, code: string }} Snippet */

/** @type {Snippet[]} */
const SNIPPETS = FILES.flatMap((file) => {
  const text = read(file);
  return [...text.matchAll(/^( *)```(\w*)[^\n]*\n([^]*?)^\1```$/gm)].map(({ index, 1: indent = '', 2: language = '', 3: code = '' }) => ({
    file, line: text.slice(0, index).split('\n').length, language, code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }));
});

/** What compilers say against a piece of code; `[]` is nothing. @type {Record<string, (code: string) => string[]>} */
const READERS = {
  js: script('js'),
  ts: script('ts'),
  tsx: script('tsx'),
  css: (code) => transformSync(code, { loader: 'css' }).warnings.map(({ text }) => text),
  html: page,
  sh: (code) => {
    const { status, stderr } = spawnSync('bash', ['-n'], { input: code, encoding: 'utf8' });
    return status === 0 ? [] : [stderr];
  },
  svelte: (code) => compile(code, { generate: 'server' }).warnings.map(({ message }) => message),
  vue: (code) => {
    const { descriptor, errors } = vue.parse(code);
    if (descriptor.scriptSetup) vue.compileScript(descriptor, { id: 'snippet' });
    return [...errors.map(({ message }) => message), ...page(descriptor.template?.content ?? '')];
  },
};

/** @param {'js' | 'ts' | 'tsx'} loader @returns {(code: string) => string[]} */
function script(loader) {
  return (code) => transformSync(code, { loader, format: 'esm', jsx: 'preserve' }).warnings.map(({ text }) => text);
}

/** @param {string} code */
function page(code) {
  /** @type {string[]} */
  const found = [];
  parse(code, { parseMode: 'html', isVoidTag: (tag) => VOID.includes(tag), onError: ({ message }) => found.push(message), onWarn: ({ message }) => found.push(message) });
  for (const [, text = ''] of code.matchAll(/<script(?![^>]*(?:\bsrc=|type="application))[^>]*>([^]*?)<\/script>/g)) found.push(...script('js')(text));
  return found;
}

const VOID = ['br', 'hr', 'img', 'input', 'link', 'meta'];

/** Languages that nothing compiles here: no code, or read by another test. */
const OTHERS = new Map([
  ['text', ''],
  ['graphql', 'packages/vendure/tests/vendure-shop.mjs'],
  ['json', 'xtask/src/docs/snippets.rs'],
  ['toml', 'xtask/src/docs/snippets.rs'],
  ['yaml', 'gateway/tests/process/metrics.rs'],
  ['python', 'packages/python/tests/test_package.py'],
  ['php', 'packages/php/tests/PackageTest.php'],
  ['rust', 'packages/rust/src/lib.rs'],
]);

/** What is wrong with a piece of code. @param {string} language @param {string} code */
function problems(language, code) {
  try {
    return READERS[language]?.(code) ?? [];
  } catch (problem) {
    return [String(problem)];
  }
}

for (const language of Object.keys(READERS)) {
  test(`code in ${language} is code`, () => {
    const own = SNIPPETS.filter((snippet) => snippet.language === language);
    assert.ok(own.length > 0, 'there is such code');
    for (const { file, line, code } of own) {
      assert.deepEqual(problems(language, code), [], `${file}, line ${line}:\n${code}`);
    }
  });
}

test('every block of code has a reader', () => {
  const without = SNIPPETS.filter(({ language }) => !READERS[language] && !OTHERS.has(language));
  assert.deepEqual(without, []);
  assert.ok(SNIPPETS.length > 150, `${SNIPPETS.length} snippets`);
});

test('broken code is found', () => {
  const broken = { js: 'const = 1', ts: 'let a: = 1', tsx: '<p>', css: 'p { color red', html: '<p><b></p>', sh: 'if true; then', svelte: '{#if a}', vue: '<template><p></template>' };
  for (const [language, code] of Object.entries(broken)) assert.notDeepEqual(problems(language, code), [], language);
  assert.notDeepEqual(problems('html', '<script type="module">const = 1</script>'), []);
});

/** Which blocks run, and where. Each test reads the document that it is listed with, or names it. */
const RUN = [
  { file: 'docs/first-payment.md', fence: 'sh curl', by: 'gateway/tests/guides.rs' },
  { file: 'docs/subscriptions.md', fence: 'sh curl', by: 'gateway/tests/guides.rs' },
  { file: 'docs/gateway.md', fence: 'sh curl', by: 'gateway/tests/guides.rs' },
  { file: 'docs/testing.md', fence: 'sh curl', by: 'gateway/tests/guides.rs' },
  { file: 'docs/server-to-server.md', fence: 'sh curl', by: 'gateway/tests/guides.rs' },
  { file: 'docs/hosted-page.md', fence: 'sh curl', by: 'gateway/tests/guides.rs' },
  { file: 'docs/guaranteed-collection.md', fence: 'sh curl', by: 'gateway/tests/guides.rs' },
  { file: 'docs/frameworks.md', fence: 'tsx', by: 'packages/frameworks/tests/docs.test.mjs' },
  { file: 'docs/element.md', fence: 'tsx', by: 'tests/shim/write-fixture-types.mjs' },
  { file: 'packages/python/README.md', fence: 'python', by: 'packages/python/tests/test_package.py' },
  { file: 'packages/django-oscar/README.md', fence: 'python', by: 'packages/django-oscar/tests/test_package.py' },
  { file: 'packages/rust/README.md', fence: 'rust', by: 'packages/rust/src/lib.rs' },
  { file: 'packages/server/README.md', fence: 'js', by: 'packages/server/tests/package.test.mjs' },
  { file: 'packages/testing/README.md', fence: 'ts', by: 'packages/testing/tests/package.test.mjs' },
];

test('what is said to run is read by the test that runs it', () => {
  for (const { file, fence, by } of RUN) {
    assert.ok(read(file).includes(`\n\`\`\`${fence}\n`), `${file} has code marked ${fence}`);
    assert.ok(read(by).includes(file.split('/').at(-1) ?? file), `${by} reads ${file}`);
  }
  // Calls by hand are run wherever they stand, except in the reference, which is made from examples that tests send.
  for (const { file, language, code } of SNIPPETS) {
    if (language !== 'sh' || !/^\s*curl /m.test(code) || file.startsWith('docs/api/')) continue;
    assert.ok(RUN.some((one) => one.file === file && one.fence === 'sh curl'), `${file} has calls that no test runs`);
  }
});
