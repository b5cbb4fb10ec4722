// @ts-check
/** What the package promises about itself. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { compile } from '../../form/tests/compile.mjs';
import { sentences, texts } from '../tools/sync.mjs';

const folder = fileURLToPath(new URL('..', import.meta.url));
const read = (/** @type {string} */ file) => readFileSync(join(folder, file), 'utf8');
const manifest = JSON.parse(read('package.json'));
const entries = Object.keys(manifest.exports).filter((name) => !name.endsWith('.json'));
/** All files of a folder, by their paths in it. @param {string} name */
const filesIn = (name) => readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' }).filter((file) => /\.(js|ts)$/.test(file)).sort();

test('it needs nothing; what tests may have beside it is optional', () => {
  assert.equal(manifest.dependencies, undefined);
  const peers = Object.keys(manifest.peerDependencies);
  assert.deepEqual(peers, ['@payframe/form', 'cypress', 'playwright-core']);
  for (const name of peers) assert.equal(manifest.peerDependenciesMeta[name].optional, true, name);
  const { version } = JSON.parse(read('../form/package.json'));
  assert.deepEqual([manifest.version, manifest.peerDependencies['@payframe/form']], [version, version]);
  for (const file of filesIn('src')) {
    for (const [, from = ''] of read(`src/${file}`).matchAll(/^(?:import|export)\b[^;]*?\bfrom '([^']+)'/gm)) assert.match(from, /^\.\.?\//, `${file}: ${from}`);
  }
});

test('the licences are those of the project', () => {
  for (const name of ['LICENSE-APACHE', 'LICENSE-MIT']) assert.equal(read(name), read(`../../${name}`));
});

test('an import has no effects, also on a server', () => {
  assert.equal(manifest.sideEffects, false);
  const script = `const before = Object.getOwnPropertyNames(globalThis).length;
    for (const entry of ${JSON.stringify(entries)}) await import('@payframe/testing' + entry.slice(1));
    if (Object.getOwnPropertyNames(globalThis).length !== before) throw new Error('globals changed');`;
  execFileSync(process.execPath, ['--input-type=module', '--disable-proto=throw', '--frozen-intrinsics', '--no-warnings', '-e', script], { cwd: folder });
});

test('texts and sentences are those of the form', () => {
  assert.equal(read('src/texts.js'), texts(), 'src/texts.js is not current: run packages/testing/tools/sync.mjs');
  assert.equal(read('src/fake/sentences.js'), sentences(), 'src/fake/sentences.js is not current: run packages/testing/tools/sync.mjs');
});

test('the declarations are those of the sources', () => {
  compile(folder, (target) => ['-p', 'tsconfig.types.json', '--outDir', target], (target) => {
    const byHand = 'cypress.d.ts';
    const made = readdirSync(target, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts')).sort();
    assert.deepEqual(made, filesIn('types').filter((file) => file !== byHand));
    assert.deepEqual(filesIn('types'), filesIn('src').map((file) => file.replace(/\.js$/, '.d.ts')));
    for (const name of made) assert.equal(read(`types/${name}`), readFileSync(join(target, name), 'utf8'), `types/${name} is not current: run packages/testing/tools/sync.mjs`);
  });
});

/** What the examples have around them. */
const SURROUNDINGS = `
declare const cy: { visit(path: string): void; contains(text: string): void; get(selector: string): { realClick(): void } };
declare const describe: (name: string, work: () => void) => void;
declare const it: (name: string, work: () => unknown) => void;
declare function checkout(): Promise<void>;
declare module '@playwright/test' {
  type Page = import('playwright-core').Page;
  export const test: (name: string, work: (given: { page: Page }) => Promise<void>) => void;
  export const expect: (value: unknown) => { toBe(value: unknown): void; toContainText(text: string): Promise<void> };
}
declare module 'vitest' {
  export const test: (name: string, work: () => Promise<void>) => void;
  export const expect: (value: unknown) => { toBe(value: unknown): void };
  export const afterEach: (work: () => void) => void;
}
// Cypress's own members of a chain.
declare namespace Cypress {
  interface Chainable<Subject = any> {
    should(chainer: string, ...values: unknown[]): this;
  }
}
`;

test('the examples of the README compile', () => {
  const blocks = [...read('README.md').matchAll(/^```ts\n([^]*?)^```/gm)].map(([, code = '']) => code);
  assert.ok(blocks.length >= 4);
  const settings = { extends: '../tsconfig.json', include: ['*.ts', '*.mts'] };
  compile(folder, (target) => ['-p', target], undefined, [
    ...blocks.map((code, at) => [`example${at}.mts`, code]), ['surroundings.d.ts', SURROUNDINGS], ['types.mts', TYPES], ['tsconfig.json', JSON.stringify(settings)],
  ]);
});

/** What the types say, and what they refuse. */
const TYPES = `
import type { PaymentFormElement, PayframeErrorCode, ResultDetail } from '@payframe/form';
import { Fake, installFake, PayframeError } from '@payframe/testing/fake';
import { CardForm, type Outcome } from '@payframe/testing/playwright';
import { testCard } from '@payframe/testing/cards';
import type { Page } from 'playwright-core';

export const told = (outcome: Outcome): ResultDetail => outcome;
export const heard = (detail: ResultDetail): Outcome => detail;
export const code = (error: PayframeError): PayframeErrorCode | (string & {}) => error.code;

export async function pays(page: Page): Promise<string> {
  const form = await CardForm.on(page, { locale: 'de', payButton: page.getByRole('button') });
  await form.fill({ code: testCard('4761 7300 0000 0003').code });
  // @ts-expect-error an amount is not typed
  await form.fill({ amount: '1' });
  const { outcome, final } = await form.outcome();
  // @ts-expect-error no such outcome
  if (outcome === 'done') return '';
  // @ts-expect-error made by CardForm.on
  new CardForm(page);
  return final ? outcome : await form.alert.innerText();
}

const fake: Fake = installFake();
export const form: PaymentFormElement = fake.form();
fake.outcome = ['declined', { outcome: 'approved', challenge: true }, 'expired'];
// @ts-expect-error no such outcome
fake.outcome = 'paid';
// @ts-expect-error no such code
fake.load = 'blocked';
// @ts-expect-error no such kind
testCard('approved', { kind: 'gold' });
`;
