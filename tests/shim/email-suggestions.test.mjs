/** Likely typing mistakes in e-mail addresses. Pure functions, no browser. */

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { likelyAddress } from '../../www/frame/email-suggestions.js';

/** @type {(typed: string, expected: string | undefined) => void} */
const check = (typed, expected) => assert.equal(likelyAddress(typed), expected, typed);

suite('slips in e-mail addresses', () => {
  test('C12 a letter too many, too few, another one, two in the wrong order', () => {
    for (const host of ['gmial.com', 'gmal.com', 'gmaill.com', 'gmaik.com', 'gmail.co', 'gmail.con', 'gmail.cm', 'GMIAL.com']) check(`ada@${host}`, 'ada@gmail.com');
    check('ada@hotnail.com', 'ada@hotmail.com');
    check('ada@outlok.com', 'ada@outlook.com');
    check('ada@iclud.com', 'ada@icloud.com');
    check('Ada.L+shop@yaho.com', 'Ada.L+shop@yahoo.com');
  });

  test('C12 a dot that is missing, doubled, a comma or one too many, and an end that was forgotten', () => {
    check('ada@gmail,com', 'ada@gmail.com');
    check('ada@example,org', 'ada@example.org');
    check('ada@gmail..com', 'ada@gmail.com');
    check('ada@example.com.', 'ada@example.com');
    check('ada@gmailcom', 'ada@gmail.com');
    check('ada@yahoo', 'ada@yahoo.com');
  });

  test('C12 an end that no host has', () => {
    check('ada@shop.example.con', 'ada@shop.example.com');
    check('ada@example.cmo', 'ada@example.com');
    check('ada@example.nte', 'ada@example.net');
  });

  test('C12 nothing is offered in place of an address that is as likely', () => {
    for (const host of ['gmail.com', 'Gmail.com', 'ymail.com', 'mail.com', 'email.com', 'gmx.at', 'yahoo.se', 'hotmail.be', 'live.com', 'love.com', 'example.com', 'example.co', 'example.org', 'con.example', 'company.example', 'web.de', 'ver.de', 'müller.example', 'hmail.com']) {
      check(`ada@${host}`, undefined);
    }
  });

  test('C12 nothing is offered for what is no address', () => {
    for (const text of ['', ' ', 'ada', 'ada@', '@gmial.com', 'a b@gmial.com', 'ada@eve@gmial.com', 'ada@localhost', 'ada@.', 'ada@,', '@'.repeat(1e5)]) check(text, undefined);
  });
});
