/** The kit for merchants' own tests, copied to a folder outside of this repository: it finds its texts there, and has types. */

import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { test } from 'node:test';
import assert from 'node:assert/strict';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The kit alone in a new folder. @param {import('node:test').TestContext} t */
function copied(t) {
  const folder = mkdtempSync(join(tmpdir(), 'kit-'));
  t.after(() => rmSync(folder, { recursive: true }));
  cpSync(join(root, 'tests/kit'), join(folder, 'kit'), { recursive: true });
  return folder;
}

/** A page that has a form in one frame, and notes what is looked for. @param {string[]} looked */
function fakePage(looked) {
  /** @type {any} */
  const locator = {
    waitFor: () => Promise.resolve(),
    getAttribute: () => Promise.resolve(null),
    locator: () => locator,
    contentFrame: () => locator,
    getByTitle: () => locator,
    getByTestId: () => locator,
    getByRole: (/** @type {string} */ role, /** @type {{ name?: string | RegExp }} */ { name } = {}) => {
      looked.push(`${role} ${name ?? ''}`);
      return locator;
    },
  };
  return locator;
}

test('the kit works from any folder', async (t) => {
  const { CardForm } = await import(pathToFileURL(join(copied(t), 'kit/payframe.mjs')).href);
  /** @type {string[]} */
  const looked = [];
  await CardForm.on(fakePage(looked), { locale: 'de-AT' });
  assert.ok(looked.includes('textbox Kartennummer'), looked.join(', '));
  await assert.rejects(CardForm.on(fakePage([]), { locale: 'tlh' }), /no texts in the language "tlh"/);
});

test('its texts are the form\'s, in every language', () => {
  const texts = JSON.parse(readFileSync(join(root, 'tests/kit/texts.json'), 'utf8'));
  const forms = Object.fromEntries(
    readdirSync(join(root, 'www/locales')).sort().map((file) => {
      const all = JSON.parse(readFileSync(join(root, 'www/locales', file), 'utf8'));
      const known = Object.keys(texts.en).filter((name) => Object.hasOwn(all, name));
      return [file.replace(/\.json$/, ''), Object.fromEntries(known.map((name) => [name, all[name]]))];
    }),
  );
  assert.deepEqual(texts, forms);
});

test('its types are those of what it does', (t) => {
  const folder = copied(t);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  // The same without the file of types: the compiler derives them from the script.
  cpSync(join(folder, 'kit/payframe.mjs'), join(folder, 'script/payframe.mjs'));
  cpSync(join(folder, 'kit/payframe.d.mts'), join(folder, 'script/types/payframe.d.mts'));
  const script = readFileSync(join(folder, 'script/payframe.mjs'), 'utf8');
  writeFileSync(join(folder, 'script/payframe.mjs'), script.replace("'./payframe.d.mts'", "'./types/payframe.d.mts'"));
  writeFileSync(
    join(folder, 'shop.mts'),
    `import type { Page } from 'playwright-core';
import { CardForm, testCard } from './kit/payframe.mjs';
import type * as Said from './kit/payframe.mjs';
import type * as Done from './script/payframe.mjs';

export async function pays(page: Page): Promise<string> {
  const form = await CardForm.on(page, { locale: 'de', payButton: page.getByRole('button') });
  await form.fill(testCard('challenged'));
  await form.fill({ code: testCard('4761 7300 0000 0003').code });
  await form.pay();
  await form.bank.answer();
  // @ts-expect-error an amount is not typed
  await form.fill({ amount: '1' });
  const { outcome, final } = await form.outcome();
  // @ts-expect-error no such outcome
  if (outcome === 'done') return '';
  return final ? outcome : await form.alert.innerText();
}

type Members<Of> = { [Name in keyof Of]: Of[Name] };
export const form = (done: Members<Done.CardForm>): Members<Said.CardForm> => done;
export const on: (...given: Parameters<typeof Said.CardForm.on>) => Promise<Members<Said.CardForm>> = (null as unknown as typeof Done.CardForm).on;
export const card: typeof Said.testCard = null as unknown as typeof Done.testCard;
`,
  );
  const options = { target: 'es2023', lib: ['es2023', 'dom'], module: 'nodenext', moduleResolution: 'nodenext', types: ['node'], allowJs: true, strict: true, noEmit: true };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['shop.mts'] }));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  try {
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], { encoding: 'utf8' });
  } catch (error) {
    assert.fail(/** @type {{ stdout?: string }} */ (error).stdout ?? String(error));
  }
});
