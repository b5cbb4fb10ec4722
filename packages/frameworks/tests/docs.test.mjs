// @ts-check
/** The snippets of docs/frameworks.md are files of the apps, which the matrix builds and pays in. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { APPS } from '../apps.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const guide = readFileSync(`${root}docs/frameworks.md`, 'utf8');

test('each snippet is the file that stands above it', () => {
  const snippets = [...guide.matchAll(/^`(packages\/frameworks\/[^`]+)`:\n\n```\w+\n([^]*?)^```$/gm)];
  assert.equal(snippets.length, [...guide.matchAll(/^```(?!sh\b)\w+$/gm)].length, 'a snippet has no file');
  assert.ok(snippets.length >= 8);
  for (const [, path, code] of snippets) assert.equal(code, readFileSync(root + path, 'utf8'), path);
});

test('each app is in the matrix, with the versions that are locked', () => {
  const folders = readdirSync(new URL('../apps', import.meta.url));
  assert.deepEqual(folders.sort(), Object.keys(APPS).sort());
  for (const name of folders) {
    const read = (/** @type {string} */ file) => JSON.parse(readFileSync(new URL(`../apps/${name}/${file}`, import.meta.url), 'utf8'));
    const { dependencies = {}, devDependencies = {} } = read('package.json');
    const { packages } = read('package-lock.json');
    for (const [each, version] of Object.entries({ ...dependencies, ...devDependencies })) assert.equal(packages[`node_modules/${each}`]?.version, version, `${name}: ${each}`);
    // They are installed from tarballs that each run makes.
    assert.ok(!Object.keys(packages).some((path) => path.includes('@payframe/')), name);
    assert.ok(guide.includes(`packages/frameworks/apps/${name}`), `docs/frameworks.md does not name ${name}`);
  }
});
