// @ts-check
/** Ties `types/api.d.ts` to the document that it was made from. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** @param {string} folder of the package, with a slash at the end */
export const fingerprint = (folder) => createHash('sha256').update(readFileSync(`${folder}types/openapi.json`)).digest('hex');
