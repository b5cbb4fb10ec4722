// @ts-check
/** The loader where there is no browser, and what it refuses before it asks for anything. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPayframeError, loadFields, loadPayframe, PayframeError } from '@payframe/form';

const SHA384 = `sha384-${'A'.repeat(64)}`;

/** Carries it out with a page that only counts what is asked of it. @param {(asked: string[]) => Promise<void>} work */
async function withPage(work) {
  const asked = /** @type {string[]} */ ([]);
  Reflect.set(globalThis, 'document', { head: { append: () => asked.push('script') }, createElement: () => (asked.push('element'), {}) });
  try {
    await work(asked);
  } finally {
    Reflect.deleteProperty(globalThis, 'document');
  }
}

test('on a server the scripts are not loaded', async () => {
  await assert.rejects(loadPayframe('https://gateway.example'), { name: 'PayframeError', code: 'no_browser' });
  await assert.rejects(loadFields('https://gateway.example'), { code: 'no_browser' });
});

test('what is no origin is refused, as the script of the gateway does it', async () => {
  for (const gateway of ['', 'gateway.example', 'https://gateway.example/path', 'http://gateway.example', 'javascript:alert(1)', 'https://u:p@gateway.example', 'https://gateway.example?x']) {
    await assert.rejects(loadPayframe(gateway), { code: 'bad_gateway_url' }, gateway);
  }
});

test('an integrity that browsers would ignore is refused, and nothing is loaded', async () => {
  await withPage(async (asked) => {
    for (const integrity of ['', 'sha384', 'sha1-AAAA', SHA384.slice(0, -1), `${SHA384} md5-x`, SHA384.replace('sha', 'SHA')]) {
      await assert.rejects(loadPayframe('https://gateway.example', { integrity }), { code: 'bad_option' }, integrity);
    }
    for (const release of ['', '..', '0.1.0/../..', 'a b', '/x', '%2e']) {
      await assert.rejects(loadPayframe('https://gateway.example', { release }), { code: 'bad_option' }, release);
    }
    assert.deepEqual(asked, []);
  });
});

test('a fake in the page stands in for the scripts, once the call is found good', async () => {
  await withPage(async (asked) => {
    const fake = { loadPayframe: (/** @type {string} */ gateway) => ({ gateway }) };
    Reflect.set(globalThis.document, Symbol.for('payframe.fake'), fake);
    assert.deepEqual(await loadPayframe('https://gateway.example', { integrity: SHA384, nonce: 'n' }), { gateway: 'https://gateway.example' });
    await loadFields('https://gateway.example');
    await assert.rejects(loadPayframe('https://gateway.example', { integrity: '' }), { code: 'bad_option' });
    await assert.rejects(loadPayframe('gateway.example'), { code: 'bad_gateway_url' });
    assert.deepEqual(asked, []);
  });
});

test('errors of any copy of the package, and of the script, are recognised', () => {
  const error = new PayframeError('aborted', 'Withdrawn.', 'cause');
  assert.deepEqual([error.name, error.code, error.message, error.cause], ['PayframeError', 'aborted', 'Withdrawn.', 'cause']);
  assert.ok(isPayframeError(error));
  assert.ok(isPayframeError(Object.assign(new Error(''), { name: 'PayframeError', code: 'busy' })));
  for (const other of [new Error('x'), { name: 'PayframeError', code: 'x' }, null]) assert.ok(!isPayframeError(other));
});
