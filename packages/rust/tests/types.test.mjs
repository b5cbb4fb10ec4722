// @ts-check
/** The types of the Rust package are those of the document that all packages for servers have. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { modules } from '../tools/types.mjs';

const read = (/** @type {string} */ file) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');

test('the types are made from the document', () => {
  const made = modules(JSON.parse(read('../server/types/openapi.json')));
  for (const [name, text] of Object.entries(made)) assert.equal(read(`src/types/${name}`), text, `src/types/${name} is not current: run tools/types.mjs`);
});

test('the licences are those of the project', () => {
  for (const name of ['LICENSE-APACHE', 'LICENSE-MIT']) assert.equal(read(name), read(`../../${name}`));
});
