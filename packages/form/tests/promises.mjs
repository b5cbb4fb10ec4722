// @ts-check
/** What each package for a framework promises about itself. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { compile } from './compile.mjs';

/** @param {URL} address of the package's folder @param {{ peers: string[], language?: 'tsx' | 'ts' }} about `language` of those examples in the README that the compiler reads */
export function packageKeepsItsPromises(address, { peers, language }) {
  const folder = fileURLToPath(address);
  const read = (/** @type {string} */ file) => readFileSync(join(folder, file), 'utf8');
  const manifest = JSON.parse(read('package.json'));

  test('it needs @payframe/form and its framework, and nothing else', () => {
    assert.deepEqual(Object.keys(manifest.dependencies), ['@payframe/form']);
    assert.equal(manifest.dependencies['@payframe/form'], JSON.parse(read('../form/package.json')).version);
    assert.deepEqual(Object.keys(manifest.peerDependencies).sort(), peers.sort());
    const imported = readdirSync(join(folder, 'src')).flatMap((file) => [...read(`src/${file}`).matchAll(/\bfrom '([^.'][^']*)'/g)].map(([, from = '']) => from));
    const allowed = [...peers, '@payframe/form'];
    for (const from of imported) assert.ok(allowed.some((name) => from === name || from.startsWith(`${name}/`)), from);
    assert.equal(manifest.version, JSON.parse(read('../form/package.json')).version);
    assert.equal(manifest.license, 'MIT OR Apache-2.0');
  });

  test('the licences are those of the project', () => {
    for (const name of ['LICENSE-APACHE', 'LICENSE-MIT']) assert.equal(read(name), read(`../../${name}`));
  });

  if (!language) return;
  test('the examples of the README compile', () => {
    const blocks = [...read('README.md').matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))].map(([, code = '']) => code);
    assert.ok(blocks.length >= 2);
    const settings = { extends: '../tsconfig.json', compilerOptions: { jsx: 'react-jsx' }, include: [`*.${language}`] };
    compile(folder, (target) => ['-p', target], undefined, [...blocks.map((code, at) => [`example${at}.${language}`, code]), ['tsconfig.json', JSON.stringify(settings)]]);
  });
}
