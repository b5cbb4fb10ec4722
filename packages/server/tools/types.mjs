// @ts-check
/**
 * Makes the types again. `PAYFRAME_API=http://localhost:8080/api node tools/types.mjs` reads the document of a running gateway,
 * writes the part that the package covers to `types/openapi.json`, and makes `types/api.d.ts` from it. Without PAYFRAME_API only
 * the declarations of `src` are made, by the TypeScript compiler of the repository.
 */

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { covered } from './calls.mjs';
import { fingerprint } from './fingerprint.mjs';

const GENERATOR = 'openapi-typescript@7.13.0';
const folder = fileURLToPath(new URL('..', import.meta.url));
const run = (/** @type {string} */ program, /** @type {string[]} */ ...values) => execFileSync(program, values, { cwd: folder, stdio: 'inherit' });

if (process.env.PAYFRAME_API) {
  const answer = await fetch(`${process.env.PAYFRAME_API}/openapi.json`);
  writeFileSync(`${folder}types/openapi.json`, `${JSON.stringify(covered(await answer.json()), null, 1)}\n`);
  run('npx', '--yes', GENERATOR, 'types/openapi.json', '--output', 'types/api.d.ts', '--alphabetize');
  const types = readFileSync(`${folder}types/api.d.ts`, 'utf8');
  const head = `// Made by tools/types.mjs from the gateway's OpenAPI document; changes by hand are lost.\n// document: ${fingerprint(folder)}\n`;
  writeFileSync(`${folder}types/api.d.ts`, head + types);
}
run('npx', 'tsc', '-p', 'tsconfig.types.json');
