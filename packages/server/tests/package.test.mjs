// @ts-check
/** What the package promises about itself: nothing but standard globals, no dependency, types that are current. */

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { fingerprint } from '../tools/fingerprint.mjs';

const folder = fileURLToPath(new URL('..', import.meta.url));
const read = (/** @type {string} */ file) => readFileSync(join(folder, file), 'utf8');
const sources = readdirSync(join(folder, 'src')).map((name) => `src/${name}`);
const manifest = JSON.parse(read('package.json'));

test('the sources import nothing but each other', () => {
  for (const file of sources) {
    for (const [, from = ''] of read(file).matchAll(/^(?:import|export)\b[^;]*?\bfrom '([^']+)'/gm)) assert.match(from, /^\.\/[\w-]+\.js$/, file);
    assert.doesNotMatch(read(file), /\brequire\(|\bprocess\.|\bBuffer\b|\bnode:|\bimport\((?!'\.[^']*'\)\.)/, file);
  }
  assert.deepEqual(Object.keys(manifest).filter((name) => /dependencies/i.test(name)), []);
});

test('the licences are those of the project', () => {
  for (const name of ['LICENSE-APACHE', 'LICENSE-MIT']) assert.equal(read(name), read(`../../${name}`));
});

test('an import has no effects', () => {
  const script = `const before = Object.getOwnPropertyNames(globalThis).length;
    await import('@payframe/server');
    await import('@payframe/server/order-keeper');
    await import('@payframe/server/order-book');
    if (Object.getOwnPropertyNames(globalThis).length !== before) throw new Error('globals changed');`;
  execFileSync(process.execPath, ['--input-type=module', '--disable-proto=throw', '--frozen-intrinsics', '--no-warnings', '-e', script], { cwd: folder });
});

test('api.d.ts is made from the document beside it', () => {
  assert.match(read('types/api.d.ts'), new RegExp(`^// document: ${fingerprint(folder)}$`, 'm'), 'Run tools/types.mjs with PAYFRAME_API');
});

const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');

/** Runs the compiler, with a folder that is there for that long. @param {(target: string) => string[]} values @param {(target: string) => void} [look] */
function compile(values, look = () => {}) {
  const target = mkdtempSync(join(tmpdir(), 'payframe-types-'));
  try {
    const { status, stdout } = spawnSync(process.execPath, [compiler, ...values(target)], { cwd: folder, encoding: 'utf8' });
    assert.equal(status, 0, stdout);
    look(target);
  } finally {
    rmSync(target, { recursive: true });
  }
}

test('the declarations are those of the sources', () => {
  compile((target) => ['-p', 'tsconfig.types.json', '--outDir', target], (target) => {
    const made = readdirSync(target).sort();
    assert.deepEqual(made, sources.map((file) => file.replace(/^src\/(.*)\.js$/, '$1.d.ts')).sort());
    for (const name of made) assert.equal(read(`types/${name}`), readFileSync(join(target, name), 'utf8'), `types/${name} is not current: run tools/types.mjs`);
  });
});

test('the examples of the README compile, one after the other', () => {
  const blocks = [...read('README.md').matchAll(/^```js\n([\s\S]*?)^```/gm)].map(([, code]) => code);
  assert.ok(blocks.length >= 3);
  compile((target) => {
    writeFileSync(join(target, 'readme.mjs'), blocks.join('\n'));
    const compilerOptions = {
      noUnusedLocals: false,
      types: ['node'],
      typeRoots: [join(folder, '../../node_modules/@types')],
      paths: { '@payframe/server': [join(folder, 'types/index.d.ts')], '@payframe/server/order-keeper': [join(folder, 'types/order-keeper.d.ts')], '@payframe/server/order-book': [join(folder, 'types/order-book.d.ts')] },
    };
    writeFileSync(join(target, 'tsconfig.json'), JSON.stringify({ extends: join(folder, 'tsconfig.json'), compilerOptions, include: ['readme.mjs'] }));
    return ['-p', target];
  });
});
