// @ts-check
/**
 * Makes what has its source elsewhere: texts and sentences of the form, in `src/texts.js` and `src/fake/sentences.js`, and the declarations of `src`.
 * `node tools/sync.mjs`; a test fails if something is not current.
 */

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = new URL('../', import.meta.url);
const locales = new URL('../../www/locales/', folder);
/** The texts by which tests find something. */
const KEYS = [
  'label_card_number', 'label_expiry', 'label_security_code', 'label_holder_name', 'pay_amount', 'hold_amount', 'verify_card', 'cancel_payment', 'challenge_frame',
];

/** The text of `src/texts.js`. */
export function texts() {
  const languages = readdirSync(locales).sort().map((file) => {
    const all = JSON.parse(readFileSync(new URL(file, locales), 'utf8'));
    return `  ${file.replace(/\.json$/, '')}: ${JSON.stringify(Object.fromEntries(KEYS.map((key) => [key, all[key]])))},\n`;
  });
  return `// @ts-check
// Made by \`node tools/sync.mjs\` from \`www/locales\`; changes by hand are lost.

/** Names of the form's elements, by language. @type {Readonly<Record<string, Readonly<Record<string, string>>>>} */
export const TEXTS = {
${languages.join('')}};

/** The texts of a language. @param {string} locale as the form's \`locale\` has it @returns {(name: string) => string} */
export function textsOf(locale) {
  const [language = ''] = locale.split('-');
  const texts = Object.hasOwn(TEXTS, language) ? TEXTS[language] : undefined;
  if (!texts) throw new RangeError(\`The form has no texts in the language "\${locale}".\`);
  return (name) => texts[name] ?? '';
}

/** A pattern for any of these texts, with any value in their placeholders. @param {...string} texts */
export function anyOf(...texts) {
  const patterns = texts.map((text) => text.split(/\\{\\w+\\}/).map((part) => part.replaceAll(/[.*+?^\${}()|[\\]\\\\]/g, '\\\\$&')).join('.+'));
  return new RegExp(\`^(\${patterns.join('|')})$\`);
}
`;
}

/** The text of `src/fake/sentences.js`: of errors from the SDK, of fields from the English texts of the form. */
export function sentences() {
  const sdk = readFileSync(new URL('../../www/sdk/payframe.js', folder), 'utf8');
  const errors = /^const MESSAGES = \{\n([^]*?)^\};/m.exec(sdk)?.[1];
  const guide = readFileSync(new URL('../../docs/errors.md', folder), 'utf8');
  const table = /^## What is wrong with a field\n([^]*?)^## /m.exec(guide)?.[1] ?? '';
  const english = JSON.parse(readFileSync(new URL('en.json', locales), 'utf8'));
  const codes = [...table.matchAll(/`(\w+)`/g)].map(([, code = '']) => code).filter((code) => Object.hasOwn(english, code));
  if (!errors || codes.length < 20) throw new Error('the sources of the sentences have changed: correct tools/sync.mjs');
  return `// @ts-check
// Made by \`node tools/sync.mjs\` from \`www/sdk/payframe.js\`, \`docs/errors.md\` and \`www/locales/en.json\`; changes by hand are lost.

/** What happened, by code of a \`PayframeError\`. @type {Readonly<Record<string, string>>} */
export const ERRORS = {
${errors}};

/** What is wrong with a field, by code, in English. @type {Readonly<Record<string, string>>} */
export const FAULTS = {
${codes.map((code) => `  ${code}: ${JSON.stringify(english[code])},\n`).join('')}};

/** Why a form is not complete. */
export const INCOMPLETE = ${JSON.stringify(english.form_incomplete)};
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('src/texts.js', folder), texts());
  writeFileSync(new URL('src/fake/sentences.js', folder), sentences());
  execFileSync('npx', ['tsc', '-p', 'tsconfig.types.json'], { cwd: fileURLToPath(folder), stdio: 'inherit' });
}
