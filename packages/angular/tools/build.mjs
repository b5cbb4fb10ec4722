// @ts-check
/**
 * Compiles `src/index.ts` for other people's builds (Angular's partial compilation), with the versions of `tools/package.json`: `node tools/build.mjs`.
 * The result is `fesm2022/payframe-angular.mjs` and `types/index.d.ts`; a test fails if the source has changed since.
 */

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { fingerprint } from './fingerprint.mjs';

const folder = fileURLToPath(new URL('..', import.meta.url));
const run = (/** @type {string} */ program, /** @type {string[]} */ words, cwd = folder) => execFileSync(program, words, { cwd, stdio: 'inherit' });

run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], `${folder}tools`);
rmSync(`${folder}compiled`, { recursive: true, force: true });
run('node', ['tools/node_modules/@angular/compiler-cli/bundles/src/bin/ngc.js', '-p', 'tsconfig.json']);
const head = `// Made by tools/build.mjs from src/index.ts; changes by hand are lost.\n// source: ${fingerprint(folder)}\n`;
for (const [from, to] of [['index.js', 'fesm2022/payframe-angular.mjs'], ['index.d.ts', 'types/index.d.ts']]) {
  mkdirSync(new URL('.', `file://${folder}${to}`), { recursive: true });
  writeFileSync(folder + to, head + readFileSync(`${folder}compiled/${from}`, 'utf8'));
}
rmSync(`${folder}compiled`, { recursive: true });
