// @ts-check
/** Ties what `build.mjs` has made to its source. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** @param {string} folder of the package, with a slash at the end */
export const fingerprint = (folder) => createHash('sha256').update(readFileSync(`${folder}src/index.ts`)).digest('hex');
