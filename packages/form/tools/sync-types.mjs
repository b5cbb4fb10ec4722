// @ts-check
/**
 * Makes everything in this package that has its source elsewhere: the copies of `www/sdk/*.d.ts`, the descriptions of the elements
 * for editors, and the declarations of `src`. `node tools/sync-types.mjs`; a test fails if something is not current.
 */

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { descriptions } from './describe.mjs';

const folder = new URL('../', import.meta.url);
/** What `payframe.d.ts` and `fields.d.ts` need. The class Build is no part of the package. */
const COPIED = ['appearance.d.ts', 'fields.d.ts', 'messages.d.ts', 'payframe.d.ts'];

/** The text of each file, by path in the package. @returns {Record<string, string>} */
export function copies() {
  const files = COPIED.map((name) => [`types/sdk/${name}`, readFileSync(new URL(`../../www/sdk/${name}`, folder), 'utf8')]);
  return { ...Object.fromEntries(files), ...descriptions() };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, text] of Object.entries(copies())) writeFileSync(new URL(path, folder), text);
  execFileSync('npx', ['tsc', '-p', 'tsconfig.types.json'], { cwd: fileURLToPath(folder), stdio: 'inherit' });
}
