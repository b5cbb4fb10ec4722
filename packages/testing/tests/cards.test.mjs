// @ts-check
/** The package's list of the sandbox against the tables of docs/testing.md, which the gateway's own tests compare with its code. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { CASES, CHALLENGE_CODE, COMPARED, FAULT_HEADER, FAULTS, KEYS, KINDS, KNOWN, REFUSED_IN_FIELD, TEST_IDS, testCard } from '@payframe/testing/cards';

const guide = readFileSync(new URL('../../../docs/testing.md', import.meta.url), 'utf8');

/** The cells of the table that has this heading, without backquotes. @param {string} heading @returns {string[][]} */
function table(heading) {
  const lines = guide.slice(guide.indexOf(heading)).split('\n');
  const rows = lines.slice(2, lines.findIndex((line) => !line.startsWith('|')));
  assert.ok(guide.includes(heading) && rows.length > 2, heading);
  return rows.map((row) => row.replaceAll('`', '').split('|').slice(1, -1).map((cell) => cell.trim()));
}
const digits = (/** @type {string | undefined} */ shown) => shown?.replaceAll(' ', '');

test('every case has a name, and its numbers are those of the guide', () => {
  const rows = table('| `VISA` | `MC` | What becomes of the payment |');
  assert.deepEqual(Object.values(CASES).sort(), rows.map((row) => row[3]).sort());
  for (const [name, which] of Object.entries(CASES)) {
    const row = rows.find((each) => each[3] === which);
    assert.deepEqual([testCard(name).number, testCard(name, { kind: 'mastercard' }).number], [digits(row?.[0]), digits(row?.[1])], name);
  }
});

test('every kind of card has a name, in the order of the guide', () => {
  const ours = Object.entries(KINDS).map(([kind, { networks, country, funding, currency }]) => [
    networks.join(', '),
    [country, funding, currency].join(', '),
    ...['approved', 'challenged', 'noFunds'].map((which) => testCard(which, { kind: /** @type {keyof typeof KINDS} */ (kind) }).number),
  ]);
  assert.deepEqual(ours, table('| Networks | Issuer | Approved |').map(([networks, issuer, ...numbers]) => [networks, issuer, ...numbers.map(digits)]));
});

test('the widely known numbers are those of the guide', () => {
  const result = { approved: 'approved', doNotHonour: 'declined (100)' };
  const ours = KNOWN.map(({ number, network, which }) => [number, network, result[/** @type {keyof typeof result} */ (which)]]);
  assert.deepEqual(ours, table('| Number | Network | What becomes').map(([number, ...rest]) => [digits(number), ...rest]));
});

test('what the issuer compares, and what is refused in the field', () => {
  const words = { expiry: 'expiry', code: 'security code', name: 'name' };
  const ours = COMPARED.map(({ typed, which }) => [Object.entries(typed).map(([field, value]) => `${words[/** @type {keyof typeof words} */ (field)]} ${value}`).join(), `declined (${CASES[which]})`]);
  assert.deepEqual(ours, table('| Typed | What becomes'));
  const { checkDigit, tooShort, unknownNetwork } = REFUSED_IN_FIELD;
  const shown = (/** @type {string} */ number) => number.replaceAll(/\d{4}(?=\d)/g, '$& ');
  assert.ok(guide.includes(`${shown(checkDigit)} (check digit), ${shown(tooShort)} (length), ${shown(unknownNetwork)} (no network)`));
});

test('keys, faults and test ids are those of the guide', () => {
  assert.deepEqual(Object.values(KEYS).map(({ key, terminal }) => [key, terminal]), table('| Key | Terminal |').map((row) => row.slice(0, 2)));
  assert.ok(guide.includes(`The header \`${FAULT_HEADER}\` causes a fault`));
  const faults = [FAULTS.timeout, FAULTS.serverError, FAULTS.slow(7).replace('7', '<ms>'), FAULTS.drop];
  assert.deepEqual(faults, table('| Value | What happens |').map(([value]) => value));
  for (const late of [0, 60_001, 1.5]) assert.throws(() => FAULTS.slow(late), RangeError);
  const ids = table('| Page | Test id |').flatMap(([, id = '']) => id.split(', '));
  assert.deepEqual([...Object.values(TEST_IDS.bank), ...Object.values(TEST_IDS.method)], ids);
  assert.ok(guide.includes(`\`${CHALLENGE_CODE}\` approves`));
});

test('a card is valid for another year; a number is a card; another name is refused with the names that there are', () => {
  const { expiry, ...card } = testCard('3742 450000 00009');
  assert.deepEqual(card, { number: '374245000000009', code: '1234', name: 'Ada Lovelace' });
  assert.equal(expiry, `12/${String(new Date().getFullYear() + 1).slice(2)}`);
  assert.throws(() => testCard('broke'), /no test card "broke"; there are approved, challenged,/);
  assert.throws(() => testCard('approved', { kind: /** @type {any} */ ('visas') }), /no kind of card "visas"; there are visa,/);
});
