// @ts-check
/** What the package promises about itself. The matrix of frameworks compiles and runs it. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { FORM_ATTRIBUTES } from '../../form/src/adapter.js';
import { packageKeepsItsPromises } from '../../form/tests/promises.mjs';
import { fingerprint } from '../tools/fingerprint.mjs';

const address = new URL('..', import.meta.url);
const read = (/** @type {string} */ file) => readFileSync(new URL(file, address), 'utf8');

packageKeepsItsPromises(address, { peers: ['@angular/core'] });

test('what is shipped is compiled from the source beside it', () => {
  const line = new RegExp(`^// source: ${fingerprint(fileURLToPath(address))}$`, 'm');
  for (const file of ['fesm2022/payframe-angular.mjs', 'types/index.d.ts']) assert.match(read(file), line, `${file} is not current: run packages/angular/tools/build.mjs`);
});

test('every option of the form is an input and an attribute', () => {
  const source = read('src/index.ts');
  for (const name of ['gateway', ...FORM_ATTRIBUTES]) {
    assert.match(source, new RegExp(`^  readonly ${name} = input<`, 'm'), name);
    assert.ok(source.includes(`'[attr.${name}]': 'attributes()["${name}"]'`), name);
    assert.ok(source.includes(`${name}: this.${name}()`), name);
  }
});
