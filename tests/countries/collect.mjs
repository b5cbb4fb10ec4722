// @ts-check
// Writes the names of the countries for the form without scripts, `gateway/src/pages/plain_form/country_names.json`: for each language of
// `www/locales` its countries with their names, in the order of the language. The names are those of the Unicode Common Locale Data
// Repository (Unicode-3.0), which the runtime has; the form with scripts asks the browser for them.
//
//     node tests/countries/collect.mjs

import { readFile, readdir, writeFile } from 'node:fs/promises';

const ROOT = new URL('../../', import.meta.url);
const LOCALES = new URL('www/locales/', ROOT);

const table = await readFile(new URL('crates/payment-domain/src/billing_address/postal_codes.txt', ROOT), 'utf8');
const codes = table.split('\n').filter((line) => /^[A-Z]/.test(line)).map((line) => line.slice(0, 2));

/** @param {string} tag */
function named(tag) {
  const names = new Intl.DisplayNames(tag, { type: 'region' });
  const { compare } = new Intl.Collator(tag);
  return codes.map((code) => [code, names.of(code) ?? code]).sort(([, one = ''], [, other = '']) => compare(one, other));
}

const lines = [];
for (const file of (await readdir(LOCALES)).sort()) {
  const { $tag } = JSON.parse(await readFile(new URL(file, LOCALES), 'utf8'));
  lines.push(`${JSON.stringify($tag)}: ${JSON.stringify(named($tag))}`);
}
await writeFile(new URL('gateway/src/pages/plain_form/country_names.json', ROOT), `{\n${lines.join(',\n')}\n}\n`);
