// @ts-check
// Asks the browser how it writes sums, and prints that as the Rust source of `crates/money/src/currency_format/browser.rs`.
// Run by `cargo xtask sums`, which says by the environment which browser, and by its arguments which currencies: each as
// its letters and the digits of its minor unit, such as `EUR:2`.

import { readFile, readdir } from 'node:fs/promises';
import { chromium } from 'playwright-core';
import { BROWSER, FLAGS } from '../chromium.mjs';

/** @typedef {{ decimal: string, group: string, groupedFrom: number, frames: [string, string][] }} LocaleFormat */

const LOCALES = new URL('../../www/locales/', import.meta.url);
const LINE = 120;

/**
 * Runs in the browser.
 * @param {{ tag: string, currencies: [string, number][] }} wanted
 * @returns {LocaleFormat}
 */
function localeFormat({ tag, currencies }) {
  /** @param {string} currency @param {number} digits @param {number} value */
  const parts = (currency, digits, value) =>
    new Intl.NumberFormat(tag, { style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits }).formatToParts(value);
  const whole = parts('EUR', 2, 10_000.5);
  /** @param {string} type */
  const of = (type) => whole.find((part) => part.type === type)?.value ?? '';
  // The pattern of a currency is the text of a sum with its number replaced.
  const frames = currencies.map(([currency, digits]) => {
    const frame = parts(currency, digits, 1).map(({ type, value }) => ({ integer: '#', decimal: '', fraction: '' })[type] ?? value);
    return /** @type {[string, string]} */ ([currency, frame.join('')]);
  });
  const groupedFrom = parts('EUR', 2, 1_000).some(({ type }) => type === 'group') ? 4 : 5;
  return { decimal: of('decimal'), group: of('group'), groupedFrom, frames };
}

/** As Rust source: invisible characters by their code. @param {string} text @param {string} quote */
const rust = (text, quote = '"') => quote + text.replace(/[\p{C}\p{Z}]/gu, (sign) => (sign === ' ' ? sign : `\\u{${sign.codePointAt(0)?.toString(16)}}`)) + quote;

/** @param {string} code @param {string} tag @param {LocaleFormat} manner */
function entry(code, tag, { decimal, group, groupedFrom, frames }) {
  // Most currencies have no sign of their own in a language, and differ by their letters only.
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const [currency, frame] of frames) {
    const plain = frame.replace(currency, '¤');
    counts.set(plain, (counts.get(plain) ?? 0) + 1);
  }
  const [[usual = ''] = []] = [...counts].sort(([, a], [, b]) => b - a);
  const others = frames.filter(([currency, frame]) => frame.replace(currency, '¤') !== usual);
  const lines = [''];
  for (const [currency, frame] of others) {
    const item = `(${rust(currency)}, ${rust(frame)}),`;
    const line = lines.at(-1) ?? '';
    if (line.length + item.length > LINE - 10) lines.push(item);
    else lines[lines.length - 1] = line ? `${line} ${item}` : item;
  }
  const shape = `language: ${rust(code)}, tag: ${rust(tag)}, decimal: ${rust(decimal, "'")}, group: ${rust(group, "'")}, grouped_from: ${groupedFrom}, usual: ${rust(usual)},`;
  return `    LocaleFormat {\n        ${shape}\n        others: &[\n${lines.map((line) => `            ${line}\n`).join('')}        ],\n    },\n`;
}

const currencies = process.argv.slice(2).map((each) => {
  const [currency = '', digits = ''] = each.split(':');
  return /** @type {[string, number]} */ ([currency, Number(digits)]);
});
const browser = await chromium.launch({ executablePath: BROWSER, args: FLAGS });
try {
  const page = await browser.newPage();
  let entries = '';
  for (const file of (await readdir(LOCALES)).sort()) {
    const { $code: code, $tag: tag } = JSON.parse(await readFile(new URL(file, LOCALES), 'utf8'));
    entries += entry(code, tag, await page.evaluate(localeFormat, { tag, currencies }));
  }
  process.stdout.write(`//! How Chromium writes sums. Written by \`cargo xtask sums\`, not by hand.

use super::LocaleFormat;

#[rustfmt::skip]
pub(super) const LOCALE_FORMATS: &[LocaleFormat] = &[
${entries}];
`);
} finally {
  await browser.close();
}
